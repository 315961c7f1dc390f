-- How many instructions does each kernel of the stixels take? They are of warps, in millions.
SELECT impl, block, stage, substr(kernel, 1, instr(kernel || '<', '<') - 1) AS kernel,
       launches, run_instructions / 1e6 AS instructions, ipc, registers,
       achieved_occupancy_pct AS warps_pct, run_dram_bytes / 1e6 AS dram_mb
FROM counter WHERE experiment = 'stixels/roofline' ORDER BY block, impl, instructions DESC
