#!/bin/bash
# test_install.sh - make install into a folder; programs find the library there by pkg-config and by CMake, build and run; it has
# the header's functions and no other; what is there is all that uninstall removes
. tests/checks.sh install
# as $B was built, so that nothing is built again: what make test was told is in MAKEFLAGS
B=${B:-build/release}
make=(make -s "B=$B" "CUDA=$([ "${HAVE_CUDA:-0}" = 1 ] && echo yes || echo no)")
grep -q -e -Werror "$B/flags" && make+=(WERROR=yes)
# as a package is: prefix /usr, all of it below another root
at=$tmp/root prefix=/usr
lib=$at$prefix/lib

# ---- install ----
expect "make install" 0 "" "${make[@]}" "DESTDIR=$at" "PREFIX=$prefix" install
(cd "$at" && find . ! -type d | sort) >"$tmp/there"
check "these files" test "$(tr '\n' ' ' <"$tmp/there")" = "./usr/include/depthbench.h ./usr/lib/cmake/depthbench/depthbench-config-version.cmake \
./usr/lib/cmake/depthbench/depthbench-config.cmake ./usr/lib/libdepthbench.a ./usr/lib/libdepthbench.so ./usr/lib/libdepthbench.so.0 ./usr/lib/pkgconfig/depthbench.pc "
check "nothing says where it was built" test -z "$(grep -rlF "$PWD" "$at" --include='*.pc' --include='*.cmake' --include='*.h')"

version=$(sed -n 's/^#define DEPTHBENCH_VERSION "\(.*\)"/\1/p' "$at$prefix/include/depthbench.h")
expect "the program's version" 0 "^depthbench $version (" "$DEPTHBENCH" --version
expect "that of rows" 0 "^version=$version$" "$DEPTHBENCH" env
for said in "Version: $version|$lib/pkgconfig/depthbench.pc" "depthbench ($version) |debian/changelog" "version: $version|CITATION.cff" \
    "## $version - |CHANGELOG.md"; do
    check "the version in ${said#*|}" grep -m 1 -q "^${said%|*}" <(grep -E -m 1 '(^Version:|^depthbench \(|^version:|^## )' "${said#*|}")
done
if command -v groff >/dev/null; then
    check "the man page has no error" test -z "$("$DEPTHBENCH" help man | groff -man -Tascii -ww 2>&1 >/dev/null)"
else
    skip "man page: no groff (apt-get install groff)"
fi

# ---- its functions ----
grep -oE '\bdepthbench_[a-z_]+\(' "$at$prefix/include/depthbench.h" | tr -d '(' | sort -u >"$tmp/header"
nm -D --defined-only "$lib/libdepthbench.so.0" | awk '$2 != "A" {print $3}' | sort >"$tmp/exported"
check "there are some" test "$(wc -l <"$tmp/header")" -ge 15
sed -E 's/$/@@DEPTHBENCH_0/; /_(coding|decode)@/s/$/.1/; /_wake@/s/$/.2/' "$tmp/header" | sort >"$tmp/expected"
check "the shared library has the header's, each with its version" cmp "$tmp/expected" "$tmp/exported"
nm --defined-only -g "$lib/libdepthbench.a" | awk 'NF == 3 {print $3}' | sort >"$tmp/static"
check "the static one has the same" cmp "$tmp/header" "$tmp/static"
check "soname" test "$(objdump -p "$lib/libdepthbench.so.0" | awk '$1 == "SONAME" {print $2}')" = libdepthbench.so.0
# without CUDA's runtime, which is in the shared one
nm --undefined-only "$lib/libdepthbench.a" | awk '{print $2}' | grep -E '^(exit|_exit|abort|printf|puts|putchar|fprintf|vfprintf|__printf_chk|__fprintf_chk|perror|getenv)(@|$)' \
    >"$tmp/out"
[ "${HAVE_CUDA:-0}" = 0 ] || sed -i '/^getenv$/d' "$tmp/out" # DEPTHBENCH_NO_FILL
check "it neither exits nor prints, nor reads the environment" test ! -s "$tmp/out"
# what is written to after the start: of each object a section; a GPU's code registers itself in others
objdump -h "$lib/libdepthbench.a" | awk '$2 ~ /^\.(data|bss|tbss)\./ && $2 !~ /^\.data\.rel\.ro/ && $3 !~ /^0+$/ {print $2}' | sort >"$tmp/out"
[ "${HAVE_CUDA:-0}" = 1 ] || check "its state is the lists of variants, chains and those made of two, words of parameters, the process that uses it, and each thread's sentence" \
    test "$(sed 's/\.[0-9]*$//; s/^\.data\.rel\(\.local\)*/.data/; /_of_pair$/d; /^\.data\.pair_/d' "$tmp/out" | tr '\n' ' ')" = ".bss.lock .bss.user .bss.values .data.all .tbss.place .tbss.sentence "

# what is timed is what is linked: the library has the program's objects, and of its own the names of peers
check "variants are compiled once" \
    test "$(cd "$B/library" && find . -name '*.c*.o' | sort | tr '\n' ' ')" = "./impl_cpu/rdp/boost.cc.o ./impl_cpu/rdp/geos.c.o ./impl_cpu/rdp/opencv.cc.o "

# ---- programs ----
export LD_LIBRARY_PATH=$lib
says='frame 0: 760 segments'
cc=${CC:-cc}
printf '#include <depthbench.h>\nint main() { return depthbench_variant(0) == nullptr; }\n' >"$tmp/any.cc"
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$at
    read -ra flags <<<"$(PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs depthbench)"
    read -ra static <<<"$(PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --static --libs depthbench)"
    private=()
    for flag in "${static[@]}"; do [ "$flag" = -ldepthbench ] || private+=("${flag/#-L$at/-L}"); done # but CUDA's is below no root
    expect "pkg-config: a program in C99" 0 "" "$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror examples/rdp_cpu.c "${flags[@]}" -o "$tmp/shared"
    expect "it runs" 0 "^$says" "$tmp/shared"
    cp "$tmp/out" "$tmp/first"
    for variant in rdp/serial rdp/omp-columns; do
        expect "$variant" 0 "" "$tmp/shared" "$variant"
        check "$variant finds the same" cmp "$tmp/first" "$tmp/out"
    done
    expect "no such variant" 1 "there is no variant 'rdp/cpu-simdd'; did you mean 'rdp/cpu-simd'" "$tmp/shared" rdp/cpu-simdd
    [ "${HAVE_CUDA:-0}" = 1 ] || expect "a GPU variant without CUDA" 1 "rdp/gpu-opt needs CUDA" "$tmp/shared" rdp/gpu-opt
    expect "a static program" 0 "" "$cc" examples/rdp_cpu.c "${flags[0]}" "$lib/libdepthbench.a" "${private[@]}" -o "$tmp/static_program"
    LD_LIBRARY_PATH='' expect "it runs" 0 "^$says" "$tmp/static_program"
    if command -v c++ >/dev/null; then
        expect "a program in C++" 0 "" c++ -Wall -Wextra -Wpedantic -Werror "$tmp/any.cc" "${flags[@]}" -o "$tmp/any"
        expect "it runs, too" 0 "" "$tmp/any"
    else
        skip "a program in C++: no compiler (apt-get install g++)"
    fi
else
    skip "pkg-config is not there (apt-get install pkg-config)"
fi

# A GPU's kernels are in both: each of their objects registers them when a program starts.
if [ "${HAVE_CUDA:-0}" = 1 ] && command -v pkg-config >/dev/null; then
    nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    registered() { echo $((16#$(objdump -h "$1" | awk '$2 == ".nvFatBinSegment" {n = $3} END {print n + 0}') / 24)); } # 24 bytes each
    n=0
    for object in "$B"/impl_gpu/*/*.o "$B"/harness/measure/*.cu.o; do n=$((n + $(registered "$object"))); done
    check "there are kernels" test "$n" -ge 10
    check "the shared library has all ($n)" test "$(registered "$lib/libdepthbench.so.0")" = "$n"
    check "so has the static one" test "$(registered "$lib/libdepthbench.a")" = "$n"
    # with a GPU it computes, without it says so
    gpu_says='^[1-9][0-9]* stixels in 128 columns' status=0
    "$DEPTHBENCH" env | grep -q '^gpu_missing' && { gpu_says='cudaStreamCreate(&stream): ' status=1; }
    expect "nvcc: a program with kernels of its own" 0 "" "$nvcc" examples/stixels_gpu.cu "${flags[@]}" -o "$tmp/gpu"
    expect "it runs" $status "$gpu_says" "$tmp/gpu"
    expect "a static one" 0 "" "$nvcc" examples/stixels_gpu.cu "${flags[0]}" "$lib/libdepthbench.a" "${private[@]}" -o "$tmp/gpu_static"
    LD_LIBRARY_PATH='' expect "it runs" $status "$gpu_says" "$tmp/gpu_static"
else
    skip "this build has no CUDA"
fi

if command -v cmake >/dev/null; then
    mkdir "$tmp/project"
    cp examples/rdp_cpu.c "$tmp/project/"
    cat >"$tmp/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.10)
project(consumer C)
find_package(depthbench $version REQUIRED)
add_executable(shared rdp_cpu.c)
target_link_libraries(shared depthbench::depthbench)
add_executable(static rdp_cpu.c)
target_link_libraries(static depthbench::static)
END
    expect "cmake" 0 "" cmake -S "$tmp/project" -B "$tmp/project/build" "-DCMAKE_PREFIX_PATH=$at$prefix"
    expect "cmake --build" 0 "" cmake --build "$tmp/project/build"
    expect "its program" 0 "^$says" "$tmp/project/build/shared"
    expect "its static program" 0 "^$says" "$tmp/project/build/static"
    sed -i "s/depthbench $version/depthbench 99.0/" "$tmp/project/CMakeLists.txt"
    expect "a version that is not there" 1 "" cmake -S "$tmp/project" -B "$tmp/project/other" "-DCMAKE_PREFIX_PATH=$at$prefix"
else
    skip "cmake is not there (apt-get install cmake)"
fi

if python3 -c 'import numpy' 2>/dev/null; then
    expect "NumPy" 0 " neurons are on the box" python3 examples/som_numpy.py "$lib/libdepthbench.so.0"
else
    skip "NumPy is not there (apt-get install python3-numpy)"
fi
for example in examples/*.c examples/*.cu examples/*.py; do
    check "$example has at most 60 lines" test "$(wc -l <"$example")" -le 60
done

# ---- the interface, and away with it ----
expect "abi-check" 0 "as committed" "${make[@]}" abi-check
for change in 's/^int depthbench_wait(/void&/' 's/^float cost/double cost/'; do
    sed "$change" harness/library/depthbench.abi >"$tmp/other.abi"
    expect "abi-check of another interface, $change" 1 "no longer that of" env ABI="$tmp/other.abi" scripts/abi_check check
done
echo mine >"$lib/mine"
expect "make uninstall" 0 "" "${make[@]}" "DESTDIR=$at" "PREFIX=$prefix" uninstall
check "nothing but another's file is left" test "$(cd "$at" && find . ! -type d)" = ./usr/lib/mine
finish
