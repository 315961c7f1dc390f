#!/bin/bash
# test_toolkit.sh - scripts/cuda_paths against made-up toolkits: where the build looks for CUDA's libraries and headers
set -u
. tests/checks.sh
tmp=$(scratch toolkit) || exit 1
paths=$(realpath scripts/cuda_paths) || exit 1

# nvcc NAME TOP: a compiler at NAME that states its folders as nvcc --dryrun does, on stderr
nvcc() {
    mkdir -p "$(dirname "$1")"
    cat >"$1" <<END
#!/bin/sh
[ "\$1" = --dryrun ] || exit 2
cat >&2 <<DRYRUN
#\\$ TOP=$2
#\\$ INCLUDES="-I$2/targets/x86_64-linux/include"  
#\\$ SYSTEM_INCLUDES="-isystem" "$2/targets/x86_64-linux/include/cccl"  
#\\$ LIBRARIES=  "-L$2/targets/x86_64-linux/lib/stubs" "-L$2/targets/x86_64-linux/lib"
#\\$ cudafe++ "-L/not/this/line"
DRYRUN
END
    chmod +x "$1"
}
first() { # NVCC KIND FOLDER: the first folder is that one
    [ "$("$paths" "$1" "$2" | head -n 1)" = "$3" ]
}
kit=$tmp/kit
mkdir -p "$kit/targets/x86_64-linux/lib/stubs" "$kit/targets/x86_64-linux/include" "$tmp/usr/lib"
nvcc "$kit/bin/nvcc" "$kit"
check "a toolkit in one folder: libraries" first "$kit/bin/nvcc" libraries "$kit/targets/x86_64-linux/lib"
check "a toolkit in one folder: headers" first "$kit/bin/nvcc" includes "$kit/targets/x86_64-linux/include"
check "no stub is linked" test -z "$("$paths" "$kit/bin/nvcc" libraries | grep stubs)"
check "no folder twice" test -z "$("$paths" "$kit/bin/nvcc" libraries | sort | uniq -d)"

# a wrapper on the PATH: the folders beside it are another program's
mkdir -p "$tmp/usr/bin"
printf '#!/bin/sh\nexec %s "$@"\n' "$kit/bin/nvcc" >"$tmp/usr/bin/nvcc"
chmod +x "$tmp/usr/bin/nvcc"
check "a wrapper script: libraries" first "$tmp/usr/bin/nvcc" libraries "$kit/targets/x86_64-linux/lib"
check "a wrapper script: headers" first "$tmp/usr/bin/nvcc" includes "$kit/targets/x86_64-linux/include"
ln -s "$kit/bin/nvcc" "$tmp/nvcc"
check "a link: libraries" first "$tmp/nvcc" libraries "$kit/targets/x86_64-linux/lib"

# one that does not say: the folders around it
mkdir -p "$tmp/old/lib64" "$tmp/old/bin"
printf '#!/bin/sh\nexit 1\n' >"$tmp/old/bin/nvcc"
chmod +x "$tmp/old/bin/nvcc"
check "a silent compiler: the folder beside it" first "$tmp/old/bin/nvcc" libraries "$tmp/old/lib64"
check "an unknown kind fails" test "$("$paths" "$kit/bin/nvcc" books 2>/dev/null || echo $?)" = 2
finish
