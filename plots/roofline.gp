# roofline.gp - variants beneath the ceilings of the machine; for {rdp,stx,som}-roofline.gp
#
# What loads this file has set: title_text, operation_text (what an operation is), variants, cell_text(x) (a row's cell in a few
# letters) and cell_left(x) (whether that stands at its left).  `ceilings` is the table of probe/ceilings, "" where there is none.
#
# Panels, each only where there are rows: the GPU's variants and the CPU's by the problem's own count of operations and of bytes,
# which is the same for all of them; and the GPU's by the instructions and bytes that Nsight Compute counted.
#
# Ceilings: bytes a second of the largest copy, and of the fastest one, which fits in a cache; operations a second of the
# fastest chain, where an operation is one instruction of a thread.
load "plots/style.gp"
if (!exists("ceilings")) { ceilings = "" }
has_ceilings = ceilings eq "" ? 0 : has_rows(ceilings)

workable(x) = usable(0) && in_scope(0) && column("median_ms") > 0 && column("work_ops") > 0 && column("work_bytes") > 0
eval choose_input("workable(0)", csv)
keep(x) = workable(0) && strcol("input") eq input
eval require("keep(0)", csv)
eval words_of("present", "impl", "keep(0)")

rate(k) = column(k) / column("median_ms") * 1e3 # in a second
on_gpu(x) = strcol("device") eq "gpu"
has_counters = has_column(csv, "ncu_instructions")
is_counted(x) = has_counters ? keep(0) && on_gpu(0) && column("ncu_instructions") > 0 && (column("ncu_dram_bytes") > 0 || column("ncu_l2_bytes") > 0) : 0
# Whether a run leaves DRAM alone: of its bytes, those of L2 say more.
in_l2(x) = column("ncu_l2_bytes") > 0 && !(column("ncu_dram_bytes") * 100 >= column("ncu_l2_bytes"))

# ---- ceilings ----

# `eval ceilings_of("gpu", "probe/gpu-plain")`: gpu_memory, gpu_cache [B/s], gpu_issue [1/s], 0 where not measured; gpu_kib,
# gpu_cache_kib and gpu_operation say by which cell.
probed(impl) = usable(0) && in_scope(0) && strcol("impl") eq impl && column("median_ms") > 0
is_copy(x) = strcol("operation") eq "copy"
no_ceilings(v) = sprintf("%s_memory = 0; %s_cache = 0; %s_issue = 0; %s_kib = 0; %s_cache_kib = 0; %s_operation = ''; ", v, v, v, v, v, v)
largest_copy(v, i) = sprintf("stats ceilings using (probed('%s') && is_copy(0) && column('kib') > %s_kib ? (%s_kib = column('kib'), %s_memory = rate('work_bytes')) : 0) nooutput; ", i, v, v, v)
fastest_copy(v, i) = sprintf("stats ceilings using (probed('%s') && is_copy(0) && rate('work_bytes') > %s_cache ? (%s_cache_kib = column('kib'), %s_cache = rate('work_bytes')) : 0) nooutput; ", i, v, v, v)
fastest_chain(v, i) = sprintf("stats ceilings using (probed('%s') && !is_copy(0) && rate('work_ops') > %s_issue ? (%s_operation = strcol('operation'), %s_issue = rate('work_ops')) : 0) nooutput; ", i, v, v, v)
ceilings_of(v, i) = no_ceilings(v) . (has_ceilings ? largest_copy(v, i) . fastest_copy(v, i) . fastest_chain(v, i) : "")
eval ceilings_of("gpu", "probe/gpu-plain")
eval ceilings_of("cpu", "probe/openmp")
eval ceilings_of("core", "probe/serial")

# Two cards of a kind are no one card.
cards = ""
n_gpu = 0
n_cpu = 0
n_counted = 0
note_card(x) = strcol("gpu_uuid") eq "" || has_word(cards, strcol("gpu_uuid")) ? 0 : (cards = cards." ".strcol("gpu_uuid"), 1)
has_cards = has_column(csv, "gpu_uuid")
stats csv using (keep(0) ? (on_gpu(0) ? (n_gpu = n_gpu + 1, has_cards ? note_card(0) : 0) : (n_cpu = n_cpu + 1), n_counted = n_counted + is_counted(0)) : 0) nooutput
if (has_ceilings && has_cards && n_gpu > 0) { stats ceilings using (probed("probe/gpu-plain") ? note_card(0) : 0) nooutput }

short(x) = x >= 999.5e9 ? sprintf("%.3g T", x / 1e12) : x >= 999.5e6 ? sprintf("%.3g G", x / 1e9) : sprintf("%.3g M", x / 1e6)
size_of(kib) = kib >= 1048576 ? sprintf("%g GiB", kib / 1048576) : kib >= 1024 ? sprintf("%g MiB", kib / 1024) : sprintf("%g KiB", kib)

# ---- panels ----

panels = (n_gpu > 0 ? " gpu" : "").(n_counted > 0 ? " counted" : "").(n_cpu > 0 ? " cpu" : "")
panel_h = 290.0
no_gpu_ceilings = n_gpu > 0 && (gpu_issue == 0 || gpu_memory == 0)
no_cpu_ceilings = n_cpu > 0 && (cpu_issue == 0 || cpu_memory == 0)
note = (no_gpu_ceilings || no_cpu_ceilings ? "No ceilings of ".(no_gpu_ceilings ? no_cpu_ceilings ? "this machine" : "this GPU" : "this CPU")." yet: make bench EXP=probe/ceilings. " : "") . \
    (n_gpu > 0 && n_counted == 0 ? "No counted instructions yet: make profile-ncu EXP=".experiment_name.". " : "") . \
    (words(cards) > 1 ? sprintf("Rows and ceilings are of %d cards of this kind. ", words(cards)) : "") . missing_note(variants, present)
eval canvas(900, int(62 + words(panels) * (panel_h + 34)), note)
eval headline(title_text, sprintf("input %s; an operation: %s. One takes several instructions", input, operation_text))
set multiplot
set format x "%g"
set key at screen 1 - 270.0 / W, screen 0.9 left top Left reverse spacing 1.2 samplen 2.6 maxrows 14

# What a row is in the panel at hand: its place, and whether it is there.
here(x) = panel eq "gpu" ? keep(0) && on_gpu(0) : panel eq "cpu" ? keep(0) && !on_gpu(0) : is_counted(0)
x_of(x) = panel eq "counted" ? column("ncu_instructions") / column(in_l2(0) ? "ncu_l2_bytes" : "ncu_dram_bytes") : column("work_ops") / column("work_bytes")
y_of(x) = panel eq "counted" ? rate("ncu_instructions") : rate("work_ops")
l2_x(x) = column("ncu_instructions") / column("ncu_l2_bytes")
point(i, value) = here(0) && strcol("impl") eq i ? value : NaN
least(a, b) = a < b ? a : b
roof(x, slope, top) = slope > 0 && top > 0 ? least(slope * x, top) : NaN

names_at(which, place) = ', csv using (here(0) && '.which.' ? x_of(0) : NaN):(y_of(0)):(cell_text(0)) with labels '.place.' font small textcolor rgb grey noenhanced notitle'

do for [p = 1:words(panels)] {
    panel = word(panels, p)
    memory = panel eq "cpu" ? cpu_memory : gpu_memory
    cache = panel eq "cpu" ? cpu_cache : gpu_cache
    lanes = panel eq "counted" ? 32.0 : 1.0
    top = memory > 0 ? (panel eq "cpu" ? cpu_issue : gpu_issue) / lanes : 0
    y_low = 1e300; y_high = top > 0 ? top : 0; x_low = top > 0 ? top / memory : 1e300; x_high = top > 0 ? top / memory : 0
    with_l2 = 0
    drawn = ""
    n_left = 0; n_right = 0; n_in_l2 = 0
    unset logscale
    set autoscale xy # the ranges of the panel before would leave points out
    stats csv using (here(0) ? (cell_left(0) ? (n_left = n_left + 1) : (n_right = n_right + 1), y_low = least(y_low, y_of(0)), y_high = -least(-y_high, -y_of(0)), x_low = least(x_low, x_of(0)), x_high = -least(-x_high, -x_of(0)), has_word(drawn, strcol("impl")) ? 0 : (drawn = drawn." ".strcol("impl"), 1)) : 0) nooutput
    if (panel eq "counted") { stats csv using (here(0) && column("ncu_l2_bytes") > 0 ? (n_in_l2 = n_in_l2 + in_l2(0), with_l2 = 1, x_low = least(x_low, l2_x(0)), x_high = -least(-x_high, -l2_x(0))) : 0) nooutput }
    x_low = x_low / 3; x_high = x_high * 3; y_low = y_low / 3; y_high = y_high * 2
    if (cache > 0 && with_l2 == 0 && panel eq "counted") { cache = 0 }
    order = ""
    do for [i in variants] { if (has_word(drawn, i)) { order = order." ".i } }
    set logscale xy
    from_top = 62 + (p - 1) * (panel_h + 34)
    set tmargin at screen 1 - (from_top + 18.0) / H
    set bmargin at screen 1 - (from_top + panel_h - 26.0) / H
    set lmargin at screen 84.0 / W
    set rmargin at screen 1 - 300.0 / W
    set key at screen 1 - 286.0 / W, screen 1 - (from_top + 18.0) / H
    set title (panel eq "gpu" ? "GPU, by the problem's count" : panel eq "cpu" ? "CPU, by the problem's count" : "GPU, instructions as counted") font small offset 0, -0.6 noenhanced
    set xlabel (panel eq "counted" ? "instructions of warps per byte" : "operations per byte that must be read or written") offset 0, 0.4
    set ylabel (panel eq "counted" ? "instructions of warps a second" : "operations a second")
    set xrange [x_low : x_high]
    set yrange [y_low : y_high]
    set format y "%.0s %c"
    roof_title = top > 0 ? sprintf("copy of %s: %sB/s", size_of(panel eq "cpu" ? cpu_kib : gpu_kib), short(memory)) : ""
    cache_title = cache > 0 ? sprintf("copy of %s: %sB/s", size_of(panel eq "cpu" ? cpu_cache_kib : gpu_cache_kib), short(cache)) : ""
    issue_title = top > 0 ? sprintf("%s chains: %s/s", panel eq "cpu" ? cpu_operation : gpu_operation, short(top)) : ""
    ceiling_plots = top > 0 ? 'roof(x, memory, top) with lines linewidth 2 linecolor rgb "black" title roof_title, keyentry with lines linewidth 2 linecolor rgb "black" title issue_title, ' : ""
    if (cache > 0 && top > 0) { ceiling_plots = 'roof(x, cache, top) with lines linewidth 1.4 dashtype 2 linecolor rgb "black" title cache_title, '.ceiling_plots }
    if (panel eq "cpu" && core_issue > 0) { ceiling_plots = ceiling_plots.'roof(x, core_memory, core_issue) with lines linewidth 1.2 dashtype 3 linecolor rgb grey title sprintf("one core: %sB/s, %s/s", short(core_memory), short(core_issue)), ' }
    l2_plots = with_l2 ? ', for [i in order] csv using (point(i, l2_x(0))):(point(i, y_of(0))) with points pointtype mark_of(i) - 1 pointsize 1.2 linewidth hollow_width linecolor rgb colour_of(i) title i eq word(order, 1) ? "bytes of L2 in place of DRAM" : ""'.(n_in_l2 > 0 ? ', keyentry with points pointtype 0 linecolor rgb "white" title "(alone: DRAM has below 1 %)"' : '') : ""
    # a macro would be read with the loop, before its first turn
    eval "plot ".ceiling_plots.'for [i in order] csv using (point(i, panel eq "counted" && in_l2(0) ? NaN : x_of(0))):(point(i, y_of(0))) with points pointtype mark_of(i) pointsize 1.2 linecolor rgb colour_of(i) title i, '. \
        'NaN notitle'.(n_right > 0 ? names_at('!cell_left(0)', 'left offset 0.8, 0') : '').(n_left > 0 ? names_at('cell_left(0)', 'right offset -0.8, 0') : '').l2_plots
    eval undraw
}
unset multiplot
