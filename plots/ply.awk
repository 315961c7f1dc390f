# ply.awk - a mesh as a table: triangles as closed lines; quadrilaterals as two lines of two corners, which gnuplot takes for a surface
#
# Far ones first, and ground before what stands on it, which it never hides from above.
BEGIN { print "x,y,z,colour"; fflush(); k = 0 }
/^element vertex/ { n = $3 }
/^end_header/ { inside = 1; next }
!inside { next }
k < n { at[k] = sprintf("%s,%s,%s,0x%02x%02x%02x", $1, $2, $3, $4, $5, $6); z[k++] = $3; next }
$1 == 3 { print 0, z[$2] + z[$3] + z[$4], at[$2] "/" at[$3] "/" at[$4] "/" at[$2] "//" | sorted }
$1 == 4 { print z[$2] == z[$5], z[$2], at[$2] "/" at[$3] "//" at[$5] "/" at[$4] "//" | sorted }
BEGIN { sorted = "sort -k1,1n -k2,2gr -s | cut -d ' ' -f 3 | tr '/' '\\n'" }
