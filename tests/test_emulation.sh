#!/bin/bash
# test_emulation.sh - the GPU variants, emulated on the CPU (no GPU runs): tests/emulation/emulator.h
#
# EMULATED names what was built for it; test_som compares with an oracle, test_stixels with cases by hand.  With EMULATE=all (make emulate) each barrier is also left
# out once, which must show, and the tests of rdp by its oracle run over the emulated variants.
set -u
cd "$(dirname "$0")/.." || exit 5
. tests/checks.sh
B=${B:-build/release}
folder=$(scratch emulation)

# count LOG STATUS WHAT: add what a cmocka program says
count() {
    local passed failed skipped
    passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$1" | tail -n 1)
    failed=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$1" | tail -n 1)
    skipped=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p' "$1" | tail -n 1)
    n_passed=$((n_passed + ${passed:-0}))
    n_skipped=$((n_skipped + ${skipped:-0}))
    n_failed=$((n_failed + ${failed:-0}))
    if [ "$2" != 0 ]; then
        [ "${failed:-0}" != 0 ] || n_failed=$((n_failed + 1)) # it crashed
        echo "FAILED: $3"
        grep -v '\[ RUN      \]\|\[       OK \]' "$1" | tail -n 40 | sed 's/^/    /'
    fi
    echo "emulated, no GPU: $3: ${passed:-0} passed, ${failed:-0} failed, ${skipped:-0} skipped$(grep -h '^emulated' "$1" | sed 's/^emulated, no GPU:/;/')"
}

# emulate "PROGRAM ARGUMENT" LOG: RUN is what programs for another processor are started with
emulate() {
    # shellcheck disable=SC2086
    GPU_ONLY=1 TEST_SMALL=513 timeout "${TEST_TIMEOUT:-900}" ${RUN:-} "$B"/emulated/$1 >"$2" 2>&1
}

if [ -z "${EMULATED:-}" ]; then
    skip "this build has no emulated GPU variants (it has CUDA, or there is no C++ compiler); make emulate, CUDA=no"
    finish
fi
jobs=(test_emulator sm75/test_emulated sm90/test_emulated sm75/test_som sm90/test_som
    "sm75/test_stixels by_hand" "sm90/test_stixels by_hand")
[ "${EMULATE:-}" != all ] || jobs=("sm75/test_emulated barriers" sm75/test_rdp sm90/test_rdp)

# two at a time; the one before is waited for when the next has begun
wait_for() { # JOB'S NUMBER
    wait "${pids[$1]}"
    count "$folder/$1.log" $? "${jobs[$1]}"
}
pids=()
for k in "${!jobs[@]}"; do
    emulate "${jobs[$k]}" "$folder/$k.log" &
    pids+=($!)
    [ "$k" = 0 ] || wait_for $((k - 1))
done
wait_for $((${#jobs[@]} - 1))
finish
