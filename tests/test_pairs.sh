#!/bin/bash
# test_pairs.sh - a pair on its way to a result: apply has what both programs have one after the other, through a file; watch has what
# apply has, of a folder and of a pipe; what is no pair is refused
. tests/checks.sh pairs python3
bench=$DEPTHBENCH
cd "$tmp" || exit 1

# ---- three pairs of 200 x 40 px: a wall in front of another one, whose grey levels are random ----
mkdir -p pairs/left pairs/right
python3 - <<'END'
import random, struct
W, H = 200, 40
random.seed(7)
pipe = open("stream", "wb")
pipe.write(b"DBP1" + struct.pack("<III", W, H, 0))
for k in range(3):
    wall = [bytes(random.randrange(256) for _ in range(W + 60)) for _ in range(H)]
    views = [b"".join(row[20:20 + W] for row in wall), b"".join(row[20 + shift:20 + shift + W] for row, shift in zip(wall, [4 + k] * 20 + [19] * 20))]
    for view, name in zip(views, ("left", "right")):
        with open("pairs/%s/%d.ppm" % (name, k), "wb") as f:
            f.write(b"P6 %d %d 255\n" % (W, H) + bytes(v for level in view for v in (level, level, level)))
    pipe.write(b"FRAM" + struct.pack("<IQ", 2 * W * H, k) + views[0] + views[1])
END
printf '%s\n' 'fx = 60' 'fy = 60' 'cx = 24' 'cy = 16' 'baseline_m = 0.5' 'height_m = 1.6' 'pitch_rad = 0' >camera.ini
keys=(-q --no-verify -S disparities=64)

# ---- apply: through a file, and without ----
# map VARIANT: a pair's disparities in an image of 1/256 px
map() {
    "$bench" apply "$1" pairs/left/1.ppm pairs/right/1.ppm "${keys[@]}" -o map.csv || return 1
    python3 - <<'END'
rows = [["65535"] * 200 for _ in range(40)]
for line in open("map.csv").read().split()[1:]:
    u, v, px = line.split(",")
    rows[int(v)][int(u)] = str(round(256 * float(px)))
open("map.pgm", "w").write("P2 200 40 65535\n" + "\n".join(" ".join(row) for row in rows))
END
}
# both VARIANT [OPTION]...: of the pair, and of the file
both() {
    "$bench" apply "$1" map.pgm -q --no-verify -S invalid=max -o file.csv "${@:2}" && test "$(wc -l <file.csv)" -gt 9 &&
        "$bench" apply "$1" pairs/left/1.ppm pairs/right/1.ppm "${keys[@]}" -o pair.csv "${@:2}" && cmp file.csv pair.csv
}
check "sgm" map sgm/openmp
check "its reference" sh -c 'cp map.csv openmp.csv' && check "is the same" map sgm/serial && check "bit for bit" cmp map.csv openmp.csv
check "walls are where they are" test "$(grep -cE ',(5|19)$' map.csv)" -gt 5000
while read -r variant options; do
    # shellcheck disable=SC2086
    check "$variant of a pair and of its map" both "$variant" $options
done <<'END'
rdp/serial -S eps=1
rdp/omp-tasks
stixels/serial --camera camera.ini -S block=7x3
stixels/cubic-openmp --camera camera.ini -S arith=exact
som/openmp -S rounds=9 -S co=9
END

# ---- watch: of a folder and of a pipe ----
# same DIR VARIANT [OPTION]...: the tables of the pairs are those of apply
same() {
    for k in 0 1 2; do
        "$bench" apply "$2" pairs/left/$k.ppm pairs/right/$k.ppm -q --no-verify -o one.csv "${@:3}" && cmp one.csv "$1/000000000$k.csv" || return 1
    done
}
watched() { "$bench" watch "$1" --frames pairs --rate max -o "$2" "${@:3}"; }
expect "pairs to segments" 0 '3 frames: 3 results' watched pair-rdp/cpu-simd segments -S disparities=64
check "they are those of apply" same segments rdp/cpu-simd -S disparities=64
expect "pairs to stixels" 0 '3 results' watched pair-stixels/openmp stixels --camera camera.ini -S arith=exact
check "they are those of apply, too" same stixels stixels/openmp --camera camera.ini -S arith=exact
expect "pairs to disparities" 0 '3 results' watched sgm/openmp maps
check "they are those of apply, as well" same maps sgm/serial
piped() { "$bench" watch pair-rdp/cpu-simd --frames - -o "$2" -S disparities=64 <"$1"; }
expect "a pipe of pairs" 0 '3 frames: 3 results' piped stream piped
check "has the results of the files" diff -r -x frames.csv segments piped

# ---- what is no pair ----
applied() { "$bench" apply rdp/serial "$1" "$2" -o none.csv "${@:3}"; }
{ echo P6 200 20 255 && tail -c 12000 pairs/left/0.ppm; } >pairs/low.ppm
printf 'P6 200 40 65535\n' >pairs/deep.ppm
expect "swapped" 2 'frame 1: .* of the pixels fail the checks: are its views swapped, or not rectified' applied pairs/right/0.ppm pairs/left/0.ppm -S lr_check=0
expect "of two scenes" 2 'fail the checks' applied pairs/left/0.ppm pairs/right/2.ppm -S lr_check=0
expect "another size" 2 'pairs/low.ppm: a view of 200 x 20 pixels, the other one has 200 x 40' applied pairs/left/0.ppm pairs/low.ppm
expect "another depth" 2 'pairs/deep.ppm: ' applied pairs/left/0.ppm pairs/deep.ppm
expect "no such view" 5 'nowhere.ppm: No such file' applied pairs/left/0.ppm nowhere.ppm
expect "a scene for a view" 2 'scene:1: expected the file of a view' applied pairs/left/0.ppm scene:1
expect "one view" 2 'pairs/left/0.ppm: sgm/serial takes a pair, LEFT RIGHT, found one image' "$bench" apply sgm/serial pairs/left/0.ppm -o none.csv
expect "a coding" 2 'a pair of views has no --coding' applied pairs/left/0.ppm pairs/right/0.ppm --coding kitti
expect "confidence" 2 'what is made of a pair has no confidence' "$bench" apply stixels/serial pairs/left/0.ppm pairs/right/0.ppm --camera camera.ini --confidence x -o none.csv
expect "keys of images" 2 "pair-rdp/serial has no key 'median_of'" applied pairs/left/0.ppm pairs/right/0.ppm -S median_of=3
expect "no maps" 2 'map=0: what is written is made of the disparities, too: expected 1$' applied pairs/left/0.ppm pairs/right/0.ppm -S map=0
expect "no maps to watch" 2 'map=0: a table is made of the disparities' watched pair-rdp/cpu-simd none -S map=0
{ echo P6 1 16385 255 && head -c 49155 /dev/zero; } >tall.ppm
expect "too many rows" 2 'at most 16384 rows, found 16385$' applied tall.ppm tall.ppm
expect "a view for its output" 2 'pairs/right/0.ppm is the image itself, which would be lost' "$bench" apply rdp/serial pairs/left/0.ppm pairs/right/0.ppm -o pairs/right/0.ppm
expect "maps for pairs" 2 'expected "DBP1", found "DBF1"' sh -c 'printf "DBF1............" | "$1" watch pair-rdp/serial --frames -' - "$bench"
check "nothing is written of these" test ! -e none.csv
rm pairs/right/1.ppm
expect "half a pair" 5 'pairs/right/1.ppm' watched pair-rdp/serial none

# ---- pictures: the left view is below ----
while read -r variant options; do
    # shellcheck disable=SC2086
    expect "a picture of $variant" 0 'written: x.png' "$bench" apply "$variant" pairs/left/0.ppm pairs/right/0.ppm -S disparities=64 --picture x.png $options
done <<'END'
rdp/cpu-simd
stixels/openmp --camera camera.ini
som/openmp
sgm/openmp
END
finish
