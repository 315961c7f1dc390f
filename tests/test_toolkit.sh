#!/bin/bash
# test_toolkit.sh - scripts/cuda_paths against toolkits of stand-ins: where the build looks for CUDA's libraries and headers
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
lib=$kit/targets/x86_64-linux/lib include=$kit/targets/x86_64-linux/include
mkdir -p "$lib/stubs" "$include" "$tmp/usr/bin" "$tmp/usr/lib" "$tmp/old/lib64" "$tmp/old/bin"
nvcc "$kit/bin/nvcc" "$kit"
printf '#!/bin/sh\nexec %s "$@"\n' "$kit/bin/nvcc" >"$tmp/usr/bin/nvcc"
printf '#!/bin/sh\nexit 1\n' >"$tmp/old/bin/nvcc"
chmod +x "$tmp/usr/bin/nvcc" "$tmp/old/bin/nvcc"
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
finish
