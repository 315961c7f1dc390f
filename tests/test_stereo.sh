#!/bin/bash
# test_stereo.sh - the peer that matches a pair of views: its stixels are those of the map that scripts/disparity makes of the pair
. tests/checks.sh stereo python3 c++
B=$(realpath "${B:-build/release}")
headers=(-Iharness/library -I/usr/include/opencv4 -I/usr/local/include/opencv4)
only "there is no library to link" test -e "$B/libdepthbench.so.0"
only "a peer is started without ${RUN:-}" test -z "${RUN:-}"
only "OpenCV's calib3d is not there (apt-get install libopencv-calib3d-dev)" \
    c++ "${headers[@]}" -fsyntax-only -x c++ - <<<'#include <opencv2/calib3d.hpp>'
expect "it compiles" 0 '' c++ -std=c++14 -O1 -Wall -Wextra -Werror "${headers[@]}" docs/peers/stereo.cc -o "$tmp/stereo" \
    "-Wl,-rpath,$B" "$B/libdepthbench.so.0" -lopencv_calib3d -lopencv_core -lpng
expect "it says how it is called" 2 'MATCHER VARIANT' "$tmp/stereo" sgbm
described() { # NAME [-m] MATCHER VARIANT LEFT RIGHT: a peer of these views
    printf '%s\n' 'problem = stixels' "command = ./stereo ${*:2:$#-3} camera.ini ${*: -2}" 'version = 1' 'licence = MIT' 'inside = all' 'rule = exact' \
        >"$tmp/$1.ini"
}
applied() { # NAME [OPTION...]: to the pair's map
    "$DEPTHBENCH" apply "ext/$1" "$tmp/map.png" --camera "$tmp/camera.ini" --peer "$tmp/$1.ini" -S arith=exact -o "$tmp/$1.csv" "${@:2}"
}

# ---- a pair of noise: rows of the right view are moved, as a road and a wall would be; the sizes are of no whole blocks ----
printf '%s\n' 'fx = 400' 'fy = 400' 'cx = 160' 'cy = 30 ; rows' 'baseline_m = 0.5' 'height_m = 1.4' 'pitch_rad = 0.01' >"$tmp/camera.ini"
python3 - "$tmp" <<'END_OF_PAIR'
import random, struct, sys, zlib
WIDTH, HEIGHT = 333, 101
random.seed(7)


def write(name, rows):
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open("%s/%s.png" % (sys.argv[1], name), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", len(rows[0]), len(rows), 8, 0, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b""))


left = [bytes(random.randrange(256) for u in range(WIDTH)) for v in range(HEIGHT)]
right = []
for v, row in enumerate(left):
    shift = lambda u: 24 if 200 < u < 280 and 20 < v < 75 else max(2, (v - 30) // 2)
    right.append(bytes(row[min(u + shift(u), WIDTH - 1)] for u in range(WIDTH)))
write("left", left)
write("right", right)
write("narrow_left", [row[:-16] for row in left])
write("narrow_right", [row[:-16] for row in right])
header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (3, %d, %d), }" % (HEIGHT, WIDTH)
with open(sys.argv[1] + "/scores.npy", "wb") as file: # of three classes
    file.write(b"\x93NUMPY\1\0" + struct.pack("<H", 118) + header.ljust(117) + b"\n"
               + bytes(255 * ((u // 40 + v // 30) % 3 == k) for k in range(3) for v in range(HEIGHT) for u in range(WIDTH)))
END_OF_PAIR
described pair sgbm stixels/openmp left.png right.png
described swapped sgbm stixels/openmp right.png left.png
described narrow sgbm stixels/openmp narrow_left.png narrow_right.png
described uneven sgbm stixels/openmp left.png narrow_right.png
described none sgbm stixels/openmp left.png none.png
described text sgbm stixels/openmp left.png camera.ini
described unknown sift stixels/openmp left.png right.png
described alone -m sgbm stixels/serial left.png right.png
python=$(for python in python3 /usr/bin/python3; do "$python" -c 'import cv2' 2>/dev/null && echo "$python" && break; done)
if [ -n "$python" ]; then
    expect "scripts/disparity makes the map" 0 '' "$python" scripts/disparity "$tmp/left.png" "$tmp/right.png" "$tmp/map.png"
    expect "the pair's stixels are the map's" 0 '^verified: equal to stixels/serial' applied pair
    "$DEPTHBENCH" apply stixels/serial "$tmp/map.png" --camera "$tmp/camera.ini" -S arith=exact -o "$tmp/serial.csv" -q
    check "bit for bit" cmp "$tmp/serial.csv" "$tmp/pair.csv"
    check "they are more than a stixel a column" test "$(wc -l <"$tmp/pair.csv")" -gt 60
    expect "those of blocks of 4 rows and 2 columns, too" 0 '^verified: equal' applied pair -S block=4x2
    expect "and of another model" 0 '^verified: equal' applied pair -S model=dh
    expect "and with classes" 0 '^verified: equal' applied pair -S classes=3 --semantic "$tmp/scores.npy"
    check "which differ" test "$(cut -d, -f6 "$tmp/pair.csv" | sort -u | wc -l)" -ge 3
    expect "a pair the wrong way round is wrong" 1 '' applied swapped
    check "and nothing is written" test ! -e "$tmp/swapped.csv"
    expect "another pair's size" 77 'the pair has 317 x 101 px, the input 1 frames of 328 x 96' applied narrow
    expect "views of two sizes" 77 'the views differ in size' applied uneven
    expect "a view that is not there" 77 'none.png: No such file' applied none
    expect "a view that is none" 77 'camera.ini: Not a PNG' applied text
    expect "a matcher that is none" 77 "expected the matcher sgbm, found 'sift'" applied unknown
    described no_gpu sgbm stixels/gpu-opt left.png right.png
    [ "${HAVE_CUDA:-0}" = 1 ] || expect "a library without CUDA" 77 'stixels/gpu-opt needs CUDA' applied no_gpu
    expect "the matcher alone" 0 '^verified: equal' applied alone
else
    skip "a generated pair: no OpenCV for Python (apt-get install python3-opencv)"
fi

# ---- the descriptors of docs/peers, of real views ----
cp docs/peers/stereo-*.ini "$tmp"
sed -i "s|\.\./\.\./experiments|$PWD/experiments|" "$tmp"/stereo-*.ini
for name in sgbm:street:stixel_example/left.png kitti:kitti-sgbm:pairs/kitti_left.png; do
    IFS=: read -r name input view <<<"$name"
    if [ ! -e "${DEPTHBENCH_DATA:-data}/$view" ]; then
        skip "the pair of $input is not there"
        continue
    fi
    expect "$input and its pair" 0 '^2 rows (2 ok), 0 configurations skipped, 0 failed, 0 wrong' env DEPTHBENCH_DATA="$(realpath "${DEPTHBENCH_DATA:-data}")" \
        "$DEPTHBENCH" run stixels/stereo -i "ext/stereo-$name" -S arith=exact -S samples=3..3 -S min_time=0 -S "input=$input" \
        --peer "$tmp/stereo-$name.ini" --results "$tmp/rows-$name"
    check "its stixels are the reference's, bit for bit" python3 - "$tmp/rows-$name"/2*[0-9].csv <<'END'
import csv, sys
assert [row["verdict"] for row in csv.DictReader(open(sys.argv[1]))] == ["exact", "exact"]
END
done
descriptors=(docs/peers/stereo-*.ini)
expect "all of them can be given" 0 ext/stereo-kitti "$DEPTHBENCH" list stixels --peer "$(IFS=, && echo "${descriptors[*]}")"
finish
