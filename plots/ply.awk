# ply.awk - a mesh as a table: each face as two lines of two corners, which gnuplot takes for a surface
#
# Far ones first, and ground before what stands on it, which it never hides from above.  A triangle's last corner comes twice; with
# -v light=1 its colour is paler, and the darker the more it turns away from the camera's upper left.
BEGIN { OFS = ","; print "x,y,z,colour"; fflush(); k = 0; sorted = "sort -k1,1n -k2,2gr -s | cut -d ' ' -f 3 | tr '/' '\\n'" }
/^element vertex/ { n = $3 }
/^end_header/ { inside = 1; next }
!inside { next }
k < n { x[k] = $1; y[k] = $2; z[k] = $3; red[k] = $4; green[k] = $5; blue[k++] = $6; next }
$1 == 3 { shade = light ? lit($2, $3, $4) : 1; print 0 " " z[$2] + z[$3] + z[$4] " " at($2) "/" at($3) "//" at($4) "/" at($4) "//" | sorted }
$1 == 4 { shade = 1; print (z[$2] == z[$5]) " " z[$2] " " at($2) "/" at($3) "//" at($5) "/" at($4) "//" | sorted }
function at(i) { return sprintf("%s,%s,%s,0x%02x%02x%02x", x[i], y[i], z[i], tint(red[i]), tint(green[i]), tint(blue[i])) }
function tint(level) { return shade * (light ? 80 + level * 175 / 255 : level) }
function lit(a, b, c,    ux, uy, uz, vx, vy, vz, nx, ny, nz, cosine) {
    ux = x[b] - x[a]; uy = y[b] - y[a]; uz = z[b] - z[a]
    vx = x[c] - x[a]; vy = y[c] - y[a]; vz = z[c] - z[a]
    nx = uy * vz - uz * vy; ny = uz * vx - ux * vz; nz = ux * vy - uy * vx
    cosine = (0.4 * nx + 0.7 * ny + 0.6 * nz) / (sqrt(nx * nx + ny * ny + nz * nz) + 1e-30)
    return 0.45 + 0.55 * (cosine < 0 ? -cosine : cosine)
}
