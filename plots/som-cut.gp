# som-cut.gp - the mesh's GPU variants on a part of the card
#
# Of som/gpu-paper the block size and the atomics of the table's first row, or of -e block_threads, -e atomics.
load "plots/style.gp"
eval first_of("sigma")
eval first_of("ssr")
eval first_of("block_threads")
eval first_of("atomics")
title_text = "SOM mesh: time against multiprocessors"
held_text = sprintf("sigma from %s, search range %s; som/gpu-paper: blocks of %s, atomics %s", sigma, ssr, block_threads, atomics)
variants = "som/gpu-paper som/gpu-opt"
of_one(k, chosen) = strcol(k) eq "" || strcol(k) eq chosen
kept(x) = strcol("sigma") eq sigma && strcol("ssr") eq ssr && of_one("block_threads", block_threads) && of_one("atomics", atomics)
group_key = "input"
group_name(g) = g
board_name = "GTX 570"
board_sms = 15
board_mhz = 1464
is_printed(x) = strcol("figure") eq "table2" && strcol("name") eq "mean_ms" && strcol("impl") eq "[SOM] GPU" && strcol("ssr") eq ssr && strcol("sigma") eq sigma
printed_impl(x) = "som/gpu-paper"
printed_group(x) = strcol("input")
printed_ms(x) = column("value")
load "plots/cut.gp"
