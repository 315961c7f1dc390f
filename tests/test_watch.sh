#!/bin/bash
# test_watch.sh - depthbench watch: a folder, a pipe, a hostile pipe, Ctrl-C, what is refused; its results are those of apply
. tests/checks.sh watch python3 timeout
bench=$DEPTHBENCH
writer=$(realpath examples/write_frames.py)
cd "$tmp" || exit 1

# ---- four images of 48 x 32 px, as PGM of 16 bits, and the pipe's form of them ----
mkdir images
python3 - <<'END'
import struct
for k in range(4):
    rows = [[0 if (u + v) % 17 == 0 else 256 * (5 + v // 2) + (u * u * (k + 3) + v * 31) % 900 for u in range(48)] for v in range(32)]
    with open("images/frame_%d.pgm" % k, "wb") as f:
        f.write(b"P5 48 32 65535\n" + b"".join(struct.pack(">48H", *row) for row in rows))
open("images/notes.txt", "w").write("no image\n")
END
python3 "$writer" images/*.pgm >stream
printf '%s\n' 'fx = 60' 'fy = 60' 'cx = 24' 'cy = 16' 'baseline_m = 0.5' 'height_m = 1.6' 'pitch_rad = 0' >camera.ini

# same DIR N VARIANT [OPTION]...: the tables of N frames of the images, again and again, are those of apply
same() {
    local k dir=$1 n=$2
    shift 2
    for ((k = 0; k < n; k++)); do
        "$bench" apply "$1" "images/frame_$((k % 4)).pgm" -q --no-verify -o one.csv "${@:2}" >>err 2>&1 || return 1
        cmp one.csv "$dir/$(printf %010d "$k").csv" || return 1
    done
}

# ---- a folder ----
expect "a folder" 0 '4 frames: 4 results, 0 dropped' "$bench" watch rdp/omp-columns --frames images --rate max -o folder
check "one table for each, and one of all" test "$(cd folder && echo *)" = '0000000000.csv 0000000001.csv 0000000002.csv 0000000003.csv frames.csv'
check "results are those of apply" same folder 4 rdp/omp-columns
check "nothing is left behind" test -z "$(find . -name '.*csv*')"
expect "again and again" 0 '6 frames: 6 results' "$bench" watch rdp/cpu-simd --frames images --rate 1000 --count 6 -S eps=1 -S height=20 -o more
check "with keys of images" same more 6 rdp/cpu-simd -S eps=1 -S height=20
expect "som" 0 '4 results' "$bench" watch som/openmp --frames images --rate max -o som -S rounds=9
check "meshes are those of apply" same som 4 som/openmp -S rounds=9
expect "stixels" 0 '4 results' "$bench" watch stixels/openmp --frames images --rate max -o stixels --camera camera.ini -S arith=exact
check "stixels are those of apply" same stixels 4 stixels/openmp --camera camera.ini -S arith=exact
expect "without -o" 0 'not verified' "$bench" watch rdp/serial --frames images --rate max
"$bench" watch rdp/serial --frames images --rate max -q >out 2>&1
check "-q is silent" test ! -s out

# ---- a pipe ----
piped() { "$bench" watch rdp/omp-columns --frames - "${@:2}" <"$1"; }
expect "a pipe" 0 '4 frames: 4 results' piped stream -o pipe
check "results are those of the files" diff -r -x frames.csv folder pipe
expect "a deadline" 0 'are later than 10 ms' piped stream --rate 100
{ head -c 16 stream && for _ in {1..100}; do tail -c +17 stream; done; } >stream.long
overloaded() { "$bench" watch som/serial --frames - -S rounds=3000 --count 40 <stream.long; }
expect "more than it can do" 0 '^[0-9]* frames of the pipe waited for a place, and its writer with them$' overloaded

# ---- the example that writes frames ----
cat >without.py <<'END'
import runpy, sys, time
if hasattr(time, "monotonic_ns"):
    del time.monotonic_ns  # Python 3.6 has none
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
END
python3 without.py "$writer" images/*.pgm >stream.36 2>err
check "Python 3.6" test "$(stat -c %s stream.36)" = "$(stat -c %s stream)"
{ printf 'P5 48 32 255\n' && head -c 1536 /dev/zero; } >bytes.pgm
{ printf 'P5\n# a camera\n48 32 65535\n' && head -c 3072 /dev/zero; } >comment.pgm
{ printf 'P5 24 64 65535\n' && head -c 3072 /dev/zero; } >other.pgm
head -c 3000 images/frame_0.pgm >cut.pgm
refuses "the writer: 8 bits" 2 '^write_frames.py: bytes.pgm: expected a PGM of values up to 65535 without comments$' python3 "$writer" bytes.pgm
refuses "the writer: comments" 2 'comment.pgm: expected a PGM of values up to 65535 without comments$' python3 "$writer" comment.pgm
refuses "the writer: a second size" 2 'other.pgm: expected 48 x 32 px as the first has, found 24 x 64' python3 "$writer" images/frame_0.pgm other.pgm
refuses "the writer: cut" 2 'cut.pgm: expected 3072 bytes of values, found 2985' python3 "$writer" cut.pgm
refuses "the writer: no file" 2 "No such file or directory: 'nowhere.pgm'" python3 "$writer" nowhere.pgm
refuses "the writer: no rate" 2 'could not convert string to float' python3 "$writer" -r often images/frame_0.pgm
# hostile NAME TEXT N: status 2, the sentence, and tables of the N frames before
hostile() {
    expect "$1" 2 "$2" piped stream.bad -o "bad-$1"
    check "$1: $3 whole results" test "$(find "bad-$1" -name '0*.csv' 2>/dev/null | wc -l)" = "$3"
    [ "$3" = 0 ] || check "$1: as many rows" test "$(wc -l <"bad-$1/frames.csv")" = $(($3 + 1))
    check "$1: nothing else" test -z "$(find . -name '.*csv*')"
}
head -c 7000 stream >stream.bad
hostile cut 'standard input, frame 2, byte 7000: it ends there: expected 3072 bytes of a plane, found 792' 2
endless() { yes | "$bench" watch rdp/serial --frames -; }
expect "endless garbage" 2 'byte 0: expected "DBF1", found 79 0a 79 0a' endless
head -c 16 stream >stream.bad
hostile none 'no frame came' 0

# ---- a terminal, Ctrl-C ----
# python3 stands for the user: it reads the terminal's lines, and sends SIGINT when there are two
cat >user.py <<'END'
import os, pty, re, signal, subprocess, sys
master, slave = pty.openpty()
watch = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=open("out", "wb"), stderr=slave)
os.close(slave)
said = b""
try:
    while True:
        said += os.read(master, 4096)
        if said.count(b"\r") == 2 and watch.poll() is None:
            watch.send_signal(signal.SIGINT)
except OSError:  # the end
    pass
lines = [line for line in re.split(rb"[\r\n]+", said) if b" fps, p50 " in line]
print(watch.wait(), len(lines) >= 2, max(map(len, lines)))
END
if terminal "Ctrl-C in watch"; then
    check "Ctrl-C after two live lines of less than 80 columns" test "$(timeout 60 python3 user.py "$bench" watch rdp/serial --frames images \
        --rate 100 --count 0 -o stopped 2>err)" = '130 True 79'
    n=$(find stopped -name '0*.csv' | wc -l)
    check "the results so far are whole" test "$n" -gt 100
    check "each has a row" test "$(wc -l <stopped/frames.csv)" = $((n + 1))
    check "and is that of apply" same stopped 8 rdp/serial
fi
check "nothing is left behind" test -z "$(find . -name '.*csv*')"

# ---- what is refused ----
expect "no frames" 2 'expected --frames DIR' "$bench" watch rdp/serial
expect "no folder" 5 'nowhere: expected a folder' "$bench" watch rdp/serial --frames nowhere
expect "no variant" 2 "no variant 'rdp/cpu-simt'; did you mean 'rdp/cpu-simd'" "$bench" watch rdp/cpu-simt --frames images
expect "a variant that the library lacks" 77 'the library does not have it' "$bench" watch probe/serial --frames images
expect "no camera" 2 'stixels/serial needs the camera' "$bench" watch stixels/serial --frames images
expect "a camera of nobody" 2 'rdp needs no camera' "$bench" watch rdp/serial --frames images --camera camera.ini
expect "classes" 2 'classes=3: frames have no scores of classes' "$bench" watch stixels/serial --frames images --camera camera.ini -S classes=3
expect "another size" 2 'watched as they come' "$bench" watch stixels/serial --frames images --camera camera.ini -S height=16
expect "many in flight" 2 'runs one frame at a time' "$bench" watch rdp/serial --frames images --in-flight 2
expect "a rate" 2 'expected a whole number from 1 to 100000, or max' "$bench" watch rdp/serial --frames images --rate 0.5
expect "max of a pipe" 2 'arrive as they come' piped stream --rate max
expect "drops at max" 2 'none is dropped' "$bench" watch rdp/serial --frames images --rate max --arrival drop
expect "awake at max" 2 'nothing wakes for it' "$bench" watch rdp/serial --frames images --rate max --wake touch
expect "awake without a GPU" 2 'rdp/serial uses no GPU' "$bench" watch rdp/serial --frames images --wake rerun
expect "awake, but how" 2 'expected no, touch or rerun' "$bench" watch rdp/serial --frames images --wake up
check "help says how far 0 goes" sh -c '"$1" help watch | tr -s " \n" " " | grep -q "0: until Ctrl-C, or 2147483647"' - "$bench"
expect "an option of apply" 2 'tree is an option of apply' "$bench" watch rdp/serial --frames images --tree tree.csv
expect "an option of watch" 2 'frames is an option of watch' "$bench" apply rdp/serial scene:1 --frames images

finish
