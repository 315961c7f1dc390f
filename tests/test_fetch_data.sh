#!/bin/bash
# test_fetch_data.sh - scripts/fetch_data against a small server on the loopback address
#
# The server knows byte ranges, can cut a reply short, and logs what it was asked: "resumed" and
# "not asked again" are checked, not believed.
set -u
cd "$(dirname "$0")/.." || exit 1
fetch=$PWD/scripts/fetch_data
. tests/checks.sh

for tool in curl unzip python3; do
    if ! command -v $tool >/dev/null; then
        skip "$tool is missing here"
        finish
    fi
done

tmp=$(scratch fetch) || exit 1
on_failure "$tmp/said"
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null' EXIT

run() { # run SECONDS ARGUMENTS: the script with a bound; words in $tmp/said, status in $code
    local bound=$1
    shift
    timeout "$bound" "$fetch" --to "$tmp/data" "$@" >"$tmp/said" 2>&1
    code=$?
}
says() { grep -q -- "$1" "$tmp/said"; }
asked() { grep -c -- "$1" "$tmp/log"; }

# What the mirror holds.
www=$tmp/www/vision.middlebury.edu/stereo/data
python3 - "$www" <<'PYTHON'
import os, struct, sys, zipfile, zlib
www = sys.argv[1]

def write(path, data):
    os.makedirs(os.path.dirname(os.path.join(www, path)), exist_ok=True)
    with open(os.path.join(www, path), "wb") as file:
        file.write(data)

def pgm(width, height, channels=1):
    body = bytes((7 * i) % 251 for i in range(width * height * channels))
    return b"P%d\n# made up\n%d %d\n255\n" % (5 if channels == 1 else 6, width, height) + body

def png():
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
            chunk(b"IDAT", zlib.compress(b"\0\x05")) + chunk(b"IEND", b""))

def archive(path, files):
    os.makedirs(os.path.dirname(os.path.join(www, path)), exist_ok=True)
    with zipfile.ZipFile(os.path.join(www, path), "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            out.writestr(name, data)

write("scenes2001/data/venus/disp2.pgm", pgm(434, 383))
for name in ("im2.ppm", "im6.ppm"):
    write("scenes2001/data/venus/" + name, pgm(43, 38, 3))
write("scenes2001/data/tsukuba/truedisp.row3.col3.pgm", pgm(40, 30)[:-5])  # cut off
write("scenes2001/data/tsukuba/scene1.row3.col3.ppm", pgm(40, 30, 3))
archive("scenes2003/newdata/teddy/teddy-png-2.zip",
        {"teddy/disp2.png": png(), "teddy/im2.png": png(), "teddy/big.bin": os.urandom(200000)})
archive("scenes2003/newdata/cones/cones-png-2.zip", {"cones/disp2.png": png() * 500})
path = os.path.join(www, "scenes2003/newdata/cones/cones-png-2.zip")
data = bytearray(open(path, "rb").read())
data[len(data) // 2] ^= 0xFF
open(path, "wb").write(data)
archive("scenes2003/newdata/full/teddyH-ppm-2.zip", {"readme": b"no disparity here"})
archive("scenes2006/HalfSize/zip-2views/Aloe-2views.zip",  # a bomb
        {"Aloe/disp1.png": png(), "Aloe/zeros": b"\0" * 41000000})
archive("scenes2006/HalfSize/zip-2views/Rocks1-2views.zip",
        {"Rocks1": b"a file and a folder", "Rocks1/disp1.png": png(), "../../escaped": b"out"})
PYTHON

cat >"$tmp/server.py" <<'PYTHON'
import http.server, os, sys
root, log, port_file, cut_file = sys.argv[1:5]

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked = self.headers.get("Range")
        with open(log, "a") as out:
            out.write("%s range=%s\n" % (self.path, asked))
        if "/ThirdSize/" in self.path:  # without an end, with or without saying so
            self.send_response(200)
            if "Rocks1" in self.path:
                self.send_header("Content-Length", "1000000000000")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(bytes(1 << 16))
            except OSError:
                return
        path = os.path.normpath(root + self.path)
        if not path.startswith(root + "/") or not os.path.isfile(path):
            self.send_error(404)
            return
        data = open(path, "rb").read()
        first = int(asked.split("=")[1].split("-")[0]) if asked else 0
        if asked and first >= len(data):
            self.send_error(416)
            return
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range",
                             "bytes %d-%d/%d" % (first, len(data) - 1, len(data)))
        self.send_header("Content-Length", str(len(data) - first))
        self.end_headers()
        body = data[first:]
        if os.path.exists(cut_file):  # break off in the middle, once
            os.remove(cut_file)
            body = body[:len(body) // 2]
        self.wfile.write(body)

    def log_message(self, *args):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(port_file + ".new", "w") as out:
    out.write(str(server.server_address[1]))
os.rename(port_file + ".new", port_file)
server.serve_forever()
PYTHON
: >"$tmp/log"
timeout 120 python3 "$tmp/server.py" "$tmp/www" "$tmp/log" "$tmp/port" "$tmp/cut" &
server=$!
for _ in $(seq 200); do
    [ -s "$tmp/port" ] && break
    sleep 0.05
done
if [ ! -s "$tmp/port" ]; then
    skip "no server could be started on 127.0.0.1"
    finish
fi
DEPTHBENCH_FETCH_BASE=http://127.0.0.1:$(cat "$tmp/port")
export DEPTHBENCH_FETCH_BASE no_proxy=127.0.0.1
unset http_proxy ALL_PROXY all_proxy
data=$tmp/data/middlebury

# loose files
run 30 venus
check 'venus comes' test $code = 0
cmp -s "$www/scenes2001/data/venus/disp2.pgm" "$data/scenes2001/venus/disp2.pgm"
check 'byte for byte' test $? = 0
says "$(sha256sum <"$www/scenes2001/data/venus/disp2.pgm" | cut -c 1-64), which nothing confirms"
check 'its checksum is printed' test $? = 0
[ -z "$(find "$tmp/data" -name '*.part')" ]
check 'no .part is left' test $? = 0
before=$(wc -l <"$tmp/log")
run 30 venus
check 'again: status 0' test $code = 0
[ "$(wc -l <"$tmp/log")" = "$before" ]
check 'again: nothing is asked for' test $? = 0
printf 'P5\n2 2\n255\nab' >"$data/scenes2001/venus/disp2.pgm"
run 30 venus
[ $code = 5 ] && says 'damaged'
check 'a damaged file in place is told, not overwritten' test $? = 0
[ "$(wc -c <"$data/scenes2001/venus/disp2.pgm")" = 13 ]
check 'and left as it was' test $? = 0

# an archive, broken off, then resumed
touch "$tmp/cut"
run 30 teddy
[ $code = 5 ]
check 'a connection that breaks is a failure' test $? = 0
part=$data/scenes2003/teddy-png-2.zip.part
[ -s "$part" ] && [ ! -e "$data/scenes2003/teddy/disp2.png" ]
check 'what came is kept as .part' test $? = 0
size=$(wc -c <"$part")
run 30 teddy
check 'the second try succeeds' test $code = 0
[ "$(asked "teddy-png-2.zip range=bytes=$size-")" = 1 ]
check 'by resuming where it stopped' test $? = 0
[ -s "$data/scenes2003/teddy/disp2.png" ] && [ -s "$data/scenes2003/teddy/big.bin" ]
check 'the archive is unpacked' test $? = 0
[ -z "$(find "$data/scenes2003" -name '*.part' -o -name '*.zip' -o -name '.unpack*')" ]
check 'nothing else is left behind' test $? = 0

# a whole .part needs no server; a wrong one heals itself
rm -rf "$data/scenes2003/teddy"
cp "$www/scenes2003/newdata/teddy/teddy-png-2.zip" "$part"
before=$(wc -l <"$tmp/log")
run 30 teddy
[ $code = 0 ] && [ "$(wc -l <"$tmp/log")" = "$before" ]
check 'a complete .part is taken as it is' test $? = 0
rm -rf "$data/scenes2003/teddy"
head -c 300000 /dev/zero >"$part"
run 30 teddy
[ $code = 0 ] && [ -s "$data/scenes2003/teddy/disp2.png" ]
check 'a .part that is longer than the file is dropped' test $? = 0
rm -rf "$data/scenes2003/teddy"
head -c 1000 /dev/zero >"$part"
run 30 teddy
[ $code = 0 ] && [ -s "$data/scenes2003/teddy/disp2.png" ]
check 'a .part of something else is dropped' test $? = 0

# unpacking overwrites nothing
rm -rf "$data/scenes2003/teddy"
mkdir -p "$data/scenes2003/teddy"
echo mine >"$data/scenes2003/teddy/im2.png"
run 30 teddy
[ $code = 0 ] && [ "$(cat "$data/scenes2003/teddy/im2.png")" = mine ]
check 'a file that was there stays' test $? = 0

# what is wrong on the server
run 30 cones
[ $code = 5 ] && says 'no whole zip' && [ -e "$data/scenes2003/cones-png-2.zip.part" ]
check 'a corrupt archive is refused and kept as .part' test $? = 0
[ ! -e "$data/scenes2003/cones" ]
check 'nothing of it is unpacked' test $? = 0
run 30 tsukuba
[ $code = 5 ] && says 'no whole pgm'
check 'a PGM that is too short is refused' test $? = 0
says '404'
check 'a file that is missing there is told' test $? = 0
[ -e "$data/scenes2001/tsukuba/scene1.row3.col3.ppm" ]
check 'the others come all the same' test $? = 0
run 30 teddyM
[ $code = 5 ] && says 'teddyH/disp2.pgm'
check 'an archive without the expected file is told' test $? = 0
run 60 aloe
[ $code = 5 ] && says 'more than 4000000 bytes, where --list says < 2 MB'
check 'a server without an end is refused' test $? = 0
run 60 rocks1
[ $code = 5 ] && says 'more than 4000000 bytes, where --list says < 2 MB'
check 'a server that announces too much is refused' test $? = 0
run 60 aloeM
[ $code = 5 ] && says 'unpacks to more than 40000000 bytes'
check 'a bomb is refused' test $? = 0
run 60 rocks1M
[ $code = 5 ] && says 'exists but is not directory' && ! says 'disk'
check 'an archive that cannot be unpacked is refused, with the reason' test $? = 0
[ -z "$(find "$data/scenes2006" -type f -size +4000k -o -path '*/ThirdSize/*' -type f)" ]
check 'nothing of them is left' test $? = 0
[ -z "$(find "$tmp" -name escaped)" ]
check 'nor beside it' test $? = 0
DEPTHBENCH_FETCH_BASE=http://127.0.0.1:1 run 30 conesM
[ $code = 5 ] && [ "$(wc -l <"$tmp/said")" = 1 ]
check 'no server: one sentence' test $? = 0

# words
run 10 cityscapes
[ $code = 5 ] && says 'csDownload' && [ "$(wc -l <"$tmp/said")" = 1 ]
check 'a data set behind a login says how' test $? = 0
run 10 venuss
[ $code = 2 ] && says "unknown data set 'venuss'"
check 'an unknown name' test $? = 0
run 10 '../x'
[ $code = 2 ]
check 'a name that is a path' test $? = 0
run 10
[ $code = 2 ] && says usage
check 'no name' test $? = 0
run 10 --list
[ $code = 0 ] && says 'data_scene_flow.zip' && says 'CC BY-NC-SA'
check '--list' test $? = 0
cp "$tmp/said" "$tmp/list"
mkdir "$tmp/bin"
for tool in sh cat grep sed tr cut uniq dirname head tail wc mkdir rm mv find printf awk; do
    ln -s "$(command -v $tool || echo /bin/true)" "$tmp/bin/$tool" 2>/dev/null
done
PATH=$tmp/bin "$tmp/bin/sh" "$fetch" --to "$tmp/data" venus >"$tmp/said" 2>&1
[ $? = 5 ] && says 'curl is missing'
check 'no curl' test $? = 0
ln -s "$(command -v curl)" "$tmp/bin/curl"
PATH=$tmp/bin "$tmp/bin/sh" "$fetch" --to "$tmp/data" aloe >"$tmp/said" 2>&1
[ $? = 5 ] && says 'unzip is missing'
check 'no unzip' test $? = 0

# every `fetch` of a descriptor is known
unknown=
for name in $(cat experiments/inputs/*.ini | sed -n 's/^fetch *= *//p' | sort -u); do
    grep -q "^$name " "$tmp/list" || unknown="$unknown $name"
done
[ -z "$unknown" ]
check "descriptors name what can be fetched:$unknown" test $? = 0
finish
