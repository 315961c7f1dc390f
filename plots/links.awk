# links.awk - the links of a list of neurons (col,row,x,y), a line each; even rows are shifted to the right
BEGIN { FS = ","; print "x,y" }
NR > 1 { at[$1, $2] = $3 "," $4 }
END {
    for (key in at) {
        split(key, i, SUBSEP)
        link((i[1] + 1) SUBSEP i[2])
        link(i[1] SUBSEP (i[2] + 1))
        link((i[1] + (i[2] % 2 ? -1 : 1)) SUBSEP (i[2] + 1))
    }
}
function link(to) { if (to in at) print at[key] "\n" at[to] "\n" }
