# rdp-fig6.gp - the strided reductions of one round of Algorithm 3                        [RDP] Fig. 6
#
# Above, what a round begins with: the distance of each row from its segment's line.  Below, a line of slots behind each stride, with the
# slots that it reads: in colour what comes to the last slot of a segment, which alone is looked at.
#: images scene:1
#: column 1144
#: apply rdp/serial $IMAGE -S eps=$EPS -S height=64 --strides strides.csv --column $COLUMN
#: formats svg png
#: what column $COLUMN of $NAME at 64 rows, ε = $EPS px, in the round of the most cuts; a thread and a slot a row, as rdp/gpu-paper has them
table = "strides.csv"

# the round with the most cuts, and of the slots in it: the last row of a slot's segment, and which segment that is
array cuts[100]; array last_of[1024]; array number_of[1024]
do for [i = 1:100] { cuts[i] = 0 }
at_round = 1; before = -1; number = 0; n_reads = 0; n_needed = 0; longest = 0
stats table using (strcol("kind") eq "cut" ? (i = int(column("round")), cuts[i] = cuts[i] + 1, at_round = cuts[i] > cuts[at_round] ? i : at_round, 1) : 0) nooutput
is(kind) = strcol("kind") eq kind && column("round") == at_round
stats table using (is("slot") ? (number = number + (column("first") != before), before = column("first"), i = int(column("row")) + 1, last_of[i] = column("last"), number_of[i] = number, 1) : 0) nooutput
if (number == 0) { print table.": no segment in this column"; exit status 2 }
needed(row, stride) = last_of[int(row) + 1] - row < stride
stats table using (strcol("kind") eq "read" && column("stride") > longest ? (longest = column("stride")) : 0) nooutput
stats table using (is("read") ? (n_reads = n_reads + 1, n_needed = n_needed + needed(column("row"), column("stride")), 1) : 0) nooutput
eval range("v", table, "row")
eval range_of("d", table, "is('slot') ? column('distance_px') : 0")
level(stride) = log(stride) / log(2) # lines of slots, from the last one up
n_levels = longest > 0 ? int(level(longest) + 1.5) : 0

title = sprintf("RDP reduction: %d strides find the farthest rows of all %d segments at once; %d of %d reads count", n_levels, number, n_needed, n_reads)
hue_of(row) = curve_colour(number_of[int(row) + 1] % 2 ? 1 : 3)
unused = entry("a segment, and what comes to its last slot", curve_colour(1), 7, 1.8, 1) + entry("the next one", curve_colour(3), 7, 1.8, 1) + \
    entry("other reads", hex("#BBBBBB"), -1, 1, 1) + entry("the farthest row, a cut", hex("#D55E00"), 11, 0, 1)
eval canvas(46 + 34 + 100 + 30 + 42 * n_levels + 62)
set xrange [v_min - 1 : v_max + 1]
plot_w = W - 74 - 14

x_text = ""; y_text = "distance [px]"
eval panel_in(74, head + 34, plot_w, 100, "")
set yrange [0 : d_max * 1.15 + 1]
set format x ""
set xtics scale 0
plot table using (is("slot") ? column("row") : NaN):(column("distance_px")):(hue_of(column("row"))) with impulses linewidth 5 linecolor rgb variable, \
     table using (is("cut") ? column("row") : NaN):(d_max * 1.1 + 0.5) with points pointtype 11 pointsize 1.1 linecolor rgb "#D55E00"

x_text = "row v"; y_text = ""
eval panel_in(74, head + 34 + 100 + 54, plot_w, 42 * n_levels, "")
set format x "%g"
set yrange [-0.5 : n_levels + 0.3]
set border 1
set grid noytics
set ytics scale 0 ("begin" n_levels)
do for [i = 0:n_levels - 1] { set ytics add (sprintf("stride %d", 2 ** i) i) }
is_needed(wanted) = is("read") && needed(column("row"), column("stride")) == wanted
reads(wanted) = is_needed(wanted) ? column("from") : NaN
plot table using (reads(0)):(level(column("stride")) + 1):(column("row") - column("from")):(-1) with vectors nohead linewidth 0.6 linecolor rgb "#BBBBBB", \
     for [i = 0:n_levels - 1] table using (is("slot") && needed(column("row"), 2 ** i) ? column("row") : NaN):(i + 1):(0):(-1):(hue_of(column("row"))) with vectors nohead linewidth 1.4 linecolor rgb variable, \
     table using (reads(1)):(level(column("stride")) + 1):(column("row") - column("from")):(-1):(hue_of(column("row"))) with vectors nohead linewidth 1.4 linecolor rgb variable, \
     for [i = 0:n_levels] table using (is("slot") && !needed(column("row"), 2 ** i) ? column("row") : NaN):(i) with points pointtype 7 pointsize 0.4 linecolor rgb "#BBBBBB", \
     for [i = 0:n_levels] table using (is("slot") && needed(column("row"), 2 ** i) ? column("row") : NaN):(i):(hue_of(column("row"))) with points pointtype 7 pointsize 0.6 linecolor rgb variable, \
     table using (is("cut") ? column("last") : NaN):(-0.25):(sprintf("%d", column("row"))) with labels center font small textcolor rgb "#D55E00"
