#!/bin/bash
# test_toolkit.sh - against toolkits of stand-ins: where the build looks for CUDA's libraries and headers, for which architecture it
# builds, and who compiles for newer Jetsons
. tests/checks.sh toolkit
paths=$(realpath scripts/cuda_paths) || exit 1

# nvcc NAME TOP: a compiler at NAME that states its folders as nvcc --dryrun does, on stderr
nvcc() {
    program "$1" <<END
[ "\$1" = --dryrun ] || exit 2
cat >&2 <<DRYRUN
#\\$ TOP=$2
#\\$ INCLUDES="-I$2/targets/x86_64-linux/include"  
#\\$ SYSTEM_INCLUDES="-isystem" "$2/targets/x86_64-linux/include/cccl"  
#\\$ LIBRARIES=  "-L$2/targets/x86_64-linux/lib/stubs" "-L$2/targets/x86_64-linux/lib"
#\\$ cudafe++ "-L/not/this/line"
DRYRUN
END
}
first() { # NVCC KIND FOLDER: the first folder is that one
    [ "$("$paths" "$1" "$2" | head -n 1)" = "$3" ]
}
kit=$tmp/kit
lib=$kit/targets/x86_64-linux/lib include=$kit/targets/x86_64-linux/include
mkdir -p "$lib/stubs" "$include" "$tmp/usr/bin" "$tmp/usr/lib" "$tmp/old/lib64" "$tmp/old/bin"
nvcc "$kit/bin/nvcc" "$kit"
program "$tmp/usr/bin/nvcc" <<<"exec $kit/bin/nvcc \"\$@\""
program "$tmp/old/bin/nvcc" <<<'exit 1'
ln -s "$kit/bin/nvcc" "$tmp/nvcc"
check "a toolkit in one folder: libraries" first "$kit/bin/nvcc" libraries "$lib"
check "a toolkit in one folder: headers" first "$kit/bin/nvcc" includes "$include"
check "no stub is linked" test -z "$("$paths" "$kit/bin/nvcc" libraries | grep stubs)"
check "no folder twice" test -z "$("$paths" "$kit/bin/nvcc" libraries | sort | uniq -d)"
# the folders beside a wrapper are another program's
check "a wrapper script: libraries" first "$tmp/usr/bin/nvcc" libraries "$lib"
check "a wrapper script: headers" first "$tmp/usr/bin/nvcc" includes "$include"
check "a link: libraries" first "$tmp/nvcc" libraries "$lib"
check "a silent compiler: the folder beside it" first "$tmp/old/bin/nvcc" libraries "$tmp/old/lib64"
expect "an unknown kind" 2 'expected libraries or includes' "$paths" "$kit/bin/nvcc" books

# knows NVCC SM...: a compiler of these architectures, which says what it is called with, and that it is done
knows() {
    program "$1" <<END
case "\$*" in
--list-gpu-arch) printf 'compute_%s\n' ${*:2} ;;
--version) echo 'Cuda compilation tools, release 13.9, V13.9.1' ;;
*-c\ *) echo "\$*" >>"$1.calls"; for last; do :; done; : >"\$last" ;;
esac
END
}
knows "$tmp/nvcc-11" 35 50 62 87
knows "$tmp/nvcc-13" 75 87 110
if [ -e /dev/nvidia0 ] || [ -e /dev/nvhost-gpu ] || [ -e /dev/nvgpu ] || [ -e /etc/nv_tegra_release ]; then
    skip "the architecture of a GPU that is there"
else
    check "without a GPU: the oldest that kernels know" test "$(scripts/detect_sm "$tmp/nvcc-11")" = 62
    check "without a GPU: the oldest that nvcc knows" test "$(scripts/detect_sm "$tmp/nvcc-13")" = 75
fi
# ---- what the caller's environment changes: each script is protected in one way ----
# early SCRIPT: lines that look for folders, or ask git, before scripts/start was there; and those that start gnuplot with a user's settings
early() {
    awk 'FNR == 1 && !/^#!.*sh$/ { exit }
        /^ *#/ { next }
        /^\. "\$\(dirname "\$0"\)\/(\.\.\/scripts\/)?start" \|\| exit/ { begun = 1; next }
        !begun && (/cd "\$\(dirname "\$0/ || FILENAME ~ /^scripts/ && /(^|[ (])git [a-z]/) || /"\$GNUPLOT" -[^d-]|"\$GNUPLOT" [^-]/ { print FILENAME ": " $0 }' "$1"
}
for script in .ci/run scripts/* tests/roots tests/*.sh; do
    [ "$script" = scripts/bootstrap ] || # it names git, and starts nothing of it
        check "$script begins with scripts/start" test -z "$(early "$script" | tee -a "$tmp/early")"
    ! grep -q '^from profile_cells' "$script" || check "$script finds what is beside it" grep -q '^sys.path.insert' "$script"
done
check "others ask git by way of it" test -z "$(grep -nE '\["git"|shell git ' scripts/* Makefile mk/* 2>/dev/null)"
mkdir -p "$tmp/else/scripts" "$tmp/else/experiments"
hostile() { env CDPATH="$tmp/else:." POSIXLY_CORRECT=1 GREP_OPTIONS=-v GIT_DIR="$tmp/else/.git" LC_ALL=de_DE.UTF-8 "$@" 2>"$tmp/err"; }
check "a hostile environment" test "$(hostile scripts/weight)" = "$(scripts/weight)"
check "is nothing to a build, either" test "$(hostile scripts/buildinfo cc '' '' release)" = "$(scripts/buildinfo cc '' '' release)"
# board SM MODEL COMPATIBLE: a Jetson whose GPU does not answer, by its device tree
board() {
    mkdir -p "$tmp/board/etc" "$tmp/board/sys/firmware/devicetree/base" && : >"$tmp/board/etc/nv_tegra_release"
    printf '%s\0' "$2" >"$tmp/board/sys/firmware/devicetree/base/model"
    printf '%s\0' nvidia,p1 "$3" >"$tmp/board/sys/firmware/devicetree/base/compatible"
    check "sm $1 of $2, $3" test "$(scripts/detect_sm "$tmp/no-nvcc" "$tmp/board")" = "$1"
}
board 62 quill nvidia,tegra186
board 72 Jetson-AGX nvidia,tegra194
board 72 'NVIDIA Jetson Xavier NX Developer Kit' nvidia,tegra194
board 87 'NVIDIA Jetson AGX Orin Developer Kit' nvidia,tegra234
board 87 'NVIDIA Jetson Orin Nano Engineering Reference Developer Kit Super' nvidia,tegra234
board 110 'NVIDIA Jetson AGX Thor Developer Kit' nvidia,tegra264
board 87 'a carrier of another maker' nvidia,tegra234
board 72 Jetson-AGX ''
unset MAKEFLAGS MAKELEVEL
expect "CUDA 11 knows no Thor" 77 'skipped, no nvcc here that knows sm 110' env NVCC="$tmp/nvcc-11" scripts/jetson_compile "$tmp/newer" newer
expect "no nvcc at all" 77 'skipped, no nvcc here that knows sm 87' env NVCC="$tmp/none" scripts/jetson_compile "$tmp/newer" newer
check "nothing is compiled" test ! -e "$tmp/newer/newer"
expect "CUDA 13 does" 0 '^jetson: kernels compile for sm 87 110 with CUDA 13.9$' env NVCC="$tmp/nvcc-13" scripts/jetson_compile "$tmp/newer" newer
check "each kernel, for an Orin and a Thor" test "$(grep -c 'code=sm_87 .*code=sm_110 ' "$tmp/nvcc-13.calls")" = "$(ls impl_gpu/*/*.cu harness/measure/*.cu | wc -l)"
sed -i 's/^\*-c.*/*-c\\ *) exit 1 ;;/' "$tmp/nvcc-13"
rm -r "$tmp/newer"
expect "what does not compile is said" 1 '^jetson: kernels do not compile for sm 87 110 with CUDA 13.9$' env NVCC="$tmp/nvcc-13" scripts/jetson_compile "$tmp/newer" newer
if (. scripts/start && git_is_here) >"$tmp/out" 2>&1; then
    weighs() { # LINES CPU SECONDS [WORDS]: with a budget of so many lines and of README's words, and of so much CPU time for a step
        printf '[lines]\nall = %d\n[cpu]\na step = %d\n[words]\nREADME.md = %d\n' "$1" "$2" "${4:-900}" >"$tmp/budget.ini" && printf '%s a step\n2 yardstick\n' $((2 * $3)) >"$tmp/seconds"
        BUDGET=$tmp/budget.ini scripts/weight --check "$tmp/seconds"
    }
    expect "what is within its budget" 0 '^  a step  *12  *10$' weighs 1000000 10 12
    expect "a quarter more CPU time is a warning" 0 '^warning: a step takes 13 yardsticks of CPU time; budget.ini says 10$' weighs 1000000 10 13
    expect "twice as much is too heavy" 1 '^too heavy: a step has 21 yardsticks' weighs 1000000 10 21
    expect "so is a word of README" 1 '^too heavy: README.md has [0-9]* words; budget.ini allows 100$' weighs 1000000 10 1 100
    expect "so is a line above" 1 '^too heavy: all has [0-9]* lines; budget.ini allows 1000$' weighs 1000 10 1
fi
finish
