# slowed.sh - makes a clone of this repository and goes there, and slows a variant on purpose; demonstrations source it
# shellcheck shell=bash disable=SC2034 # few is the script's
# begin_clone NAME: it lies below build/regress and is removed in the end; $bench is this tree's program
begin_clone() {
    bench=$(realpath "${DEPTHBENCH:-${B:-build/release}/depthbench}") || exit 5 # it is started from another folder
    house=$PWD/build/regress/$1
    rm -rf "$house"
    trap 'rm -rf "$house"' EXIT
    trap 'exit 130' INT
    git clone --quiet --local --no-hardlinks . "$house" && cd "$house" || exit 5
    export DEPTHBENCH=$bench
}
serial=impl_cpu/rdp/serial.c
commit() { # TEXT: all that changed, with a tag
    git -c user.name=selftest -c user.email=selftest@localhost commit --quiet --all -m "$1" && git tag "$1"
}
remark() { # TEXT: no other program
    echo "/* nothing but a remark */" >>$serial && commit "$1"
}
slow() { # TEXT: rdp/serial does its work 25 times
    sed -i 's/^static enum bench_status run(void \*opaque)$/static enum bench_status run_once(void *opaque)/' $serial
    sed -i 's/^BENCH_IMPL(rdp_serial)/static enum bench_status run(void *opaque)\n{\n    for (int i = 0; i < 24; i++)\n        TRY(run_once(opaque));\n    return run_once(opaque);\n}\n\n&/' $serial
    commit "$1"
}
# few samples of few variants, one of which is slowed
few=(-e rdp/regress -g columns -i 'rdp/[sc]*' -S height=375 -S samples=9..9 -S min_time=0 -S timeout=1)
