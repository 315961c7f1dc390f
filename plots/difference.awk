# difference.awk - where two lists of stixels of an image differ, as a colour for each block: x,y,r,g,b; reads the older, then the newer
#
# -v BLOCK=4 is the height of a block, px.  Red: the newer is nearer, blue: farther, full from 3 px on; violet: one has sky there, or nothing.
# On stderr the share of blocks that are off by more than 3 px or violet, in percent.
BEGIN { FS = ","; print "x,y,r,g,b" }
FNR == 1 { n++; next }
{
    for (v = $3; v <= $4; v += BLOCK) {
        d = $7 * (v + (BLOCK - 1) / 2) + $8
        if ($5 == "sky" || $5 == "object" && d <= 0) d = ""
        if (n == 1) {
            older[$1, v] = d
            continue
        }
        all++
        o = older[$1, v]
        by = (d == "") != (o == "") ? 9 : d - o
        off += by > 3 || by < -3
        share = (by < 0 ? -by : by) / 3
        if (share > 1) share = 1
        if ((d == "") != (o == "")) r = 123; else r = by > 0 ? 219 : 40
        g = (d == "") != (o == "") ? 63 : by > 0 ? 44 : 99
        b = (d == "") != (o == "") ? 152 : by > 0 ? 43 : 171
        printf "%d,%d,%d,%d,%d\n", $1 / $2, -v / BLOCK, 240 + (r - 240) * share, 242 + (g - 242) * share, 245 + (b - 245) * share
    }
}
END { printf "%.1f\n", all ? 100 * off / all : 0 >"/dev/stderr" }
