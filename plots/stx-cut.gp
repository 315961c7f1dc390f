# stx-cut.gp - the GPU variants of Slanted Stixels on a part of the card
load "plots/style.gp"
eval first_of("input")
eval first_of("classes")
title_text = "Slanted stixels: time against multiprocessors"
held_text = sprintf("2048 × 1024 px, %s classes, input %s; gpu-cubic: eq. 6, the others: eq. 12", classes, input)
variants = "stixels/gpu-paper stixels/gpu-opt stixels/gpu-cubic"
kept(x) = strcol("input") eq input && strcol("classes") eq classes
group_key = "block"
group_name(g) = "blocks of ".block_text(g)." px"
board_name = "Xavier"
board_sms = 8
board_mhz = 1377
is_printed(x) = strcol("figure") eq "fig8" && strcol("name") eq "fps" && strcol("hardware") eq "Tegra Xavier"
printed_impl(x) = strcol("impl")
printed_group(x) = strcol("block")
printed_ms(x) = 1000 / column("value")
load "plots/cut.gp"
