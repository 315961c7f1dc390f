# rdp-cut.gp - RDP's GPU variants on a part of the card
load "plots/style.gp"
eval first_of("eps")
eval first_of("width")
eval choose_input("usable(0) && in_scope(0)", csv)
title_text = "RDP column segmentation: time against multiprocessors"
held_text = sprintf("%s columns, ε = %s px, input %s, average frame", width, eps, input)
variants = "rdp/gpu-paper rdp/gpu-opt"
kept(x) = strcol("eps") eq eps && strcol("width") eq width && strcol("input") eq input && strcol("case") eq "all"
group_key = "height"
group_name(g) = g." rows"
board_name = "Xavier"
board_sms = 8
board_mhz = 1377
is_printed(x) = strcol("figure") eq "fig9" && strcol("name") eq "mean_ms" && strcol("case") eq "all"
printed_impl(x) = strcol("impl")
printed_group(x) = strcol("height")
printed_ms(x) = column("value")
load "plots/cut.gp"
