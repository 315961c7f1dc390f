# honeycombs.awk - of a list of neurons (col,row,x,y), then of a picture as gnuplot's table: the outlines of all honeycombs, and what the one
# nearest to a place (-v u=, v=) covers
#
# Three files: combs.csv (x, y, a closed outline each), comb.csv (the same of the one), pixels.csv (x, y, level, inside) around it.
BEGIN {
    split("1 0 -1 -1 -1 0", dx, " ")
    split("0 -1 -1 0 1 1", dy, " ")
    print "x,y" >"combs.csv"
    print "x,y" >"comb.csv"
    print "x,y,level,inside" >"pixels.csv"
    nearest = 1e300
}
FNR == NR { if (FNR > 1 && split($0, f, ",") == 4) { x[f[1], f[2]] = f[3]; y[f[1], f[2]] = f[4] } next }
FNR == 1 { weave() }
/^ *[0-9]/ && $1 % zoom == int(zoom / 2) && $2 % zoom == int(zoom / 2) { pixel(int($1 / zoom) + 0.5, height - int($2 / zoom) - 0.5, $3) }
END { if (weight != "") print weight }
# the k-th neighbour of a neuron; even rows are shifted to the right
function corner(c, r, k) { return (c + dx[k] + (dy[k] != 0 && r % 2 == 0)) SUBSEP (r + dy[k]) }
function weave(    key, i, k, is_whole, text, distance) {
    for (key in x) {
        split(key, i, SUBSEP)
        if ((i[1] - int((i[2] + 1) / 2) - i[2] + 3000) % 3 != 0) continue
        is_whole = 1
        for (k = 1; k <= 6; k++) is_whole = is_whole && (corner(i[1], i[2], k) in x)
        if (!is_whole) continue
        text = ""
        for (k = 1; k <= 7; k++) text = text x[corner(i[1], i[2], k > 6 ? 1 : k)] "," y[corner(i[1], i[2], k > 6 ? 1 : k)] "\n"
        print text >"combs.csv"
        distance = (x[key] - u) ^ 2 + (y[key] - v) ^ 2
        if (distance < nearest) {
            nearest = distance
            chosen = text
            for (k = 1; k <= 6; k++) { px[k] = x[corner(i[1], i[2], k)]; py[k] = y[corner(i[1], i[2], k)] }
        }
    }
    printf "%s", chosen >"comb.csv"
}
# a pixel is inside by its centre
function pixel(at_x, at_y, level,    k, j, inside) {
    for (k = 1; k <= 6; k++) {
        j = k % 6 + 1
        if ((py[k] > at_y) != (py[j] > at_y) && at_x < px[k] + (px[j] - px[k]) * (at_y - py[k]) / (py[j] - py[k])) inside = !inside
    }
    if (inside) weight += level
    print at_x "," at_y "," level "," inside + 0 >"pixels.csv"
}
