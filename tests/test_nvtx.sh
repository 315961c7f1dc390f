#!/bin/bash
# test_nvtx.sh - the ranges that a profiler would see: nesting, names, and as many 'timed' ranges as samples in the rows
. tests/checks.sh nvtx
only "no NVTX headers: ranges are compiled away" test -n "${NVTX:-}"
${CC:-cc} -shared -fPIC -O1 -isystem "$NVTX" tests/nvtx_capture.c -o "$tmp/capture.so" -ldl || { fail "the injection library is compiled"; finish; }
cat >"$tmp/small.ini" <<'EOF'
[global]
problem = rdp
input   = scene
frames  = 1
width   = 64
height  = 48
samples = 5..5
min_time = 0
timeout = 5
scope   = kernel, end_to_end
series  = cold, frames
[cells]
impl    = rdp/serial, rdp/omp-columns
EOF
NVTX_INJECTION64_PATH=$tmp/capture.so NVTX_CAPTURE=$tmp/ranges.csv \
    "$DEPTHBENCH" run "$tmp/small.ini" --results "$tmp/results" -q || fail "the run: exit $?"
check "the injection library was loaded" test -s "$tmp/ranges.csv"
check "pushes and pops balance" test "$(grep -c ^push "$tmp/ranges.csv")" = "$(grep -c ^pop "$tmp/ranges.csv")"
check "the last pop is of the outermost range" test "$(tail -n 1 "$tmp/ranges.csv" | cut -d, -f2)" = 0
check "one domain" test "$(cut -d, -f3 "$tmp/ranges.csv" | sort -u)" = depthbench
check "an outer range per configuration" test "$(grep -c '^push,0,depthbench,rdp/' "$tmp/ranges.csv")" = 2
check "phases and nothing else inside" test \
    "$(grep '^push,[1-9]' "$tmp/ranges.csv" | cut -d, -f4 | sort -u | tr '\n' ' ')" = "setup timed verify warmup "
n_rows=$("$DEPTHBENCH" sql --results "$tmp/results" -f csv 'SELECT sum(n) FROM measurement WHERE stage IS NULL' | tail -n 1 | tr -d '"')
check "as many timed ranges as samples ($n_rows)" test "$(grep -c '^push,1,depthbench,timed' "$tmp/ranges.csv")" = "$n_rows"
check "payloads count from 0 to 4" test "$(grep '^push,1,depthbench,timed' "$tmp/ranges.csv" | cut -d, -f5 | sort -un | tr '\n' ' ')" = "0 1 2 3 4 "
check "nothing nests inside a timed range" test -z "$(grep -A1 '^push,1,depthbench,timed' "$tmp/ranges.csv" | grep '^push,2')"
finish
