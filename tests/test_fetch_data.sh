#!/bin/bash
# test_fetch_data.sh - scripts/fetch_data against a small server on the loopback address
#
# The server knows byte ranges, can cut a reply short, and logs what it was asked: "resumed" and
# "not asked again" are checked, not believed.
. "$(dirname "$0")/../scripts/start" || exit 5
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh fetch python3 curl
fetch() { timeout 60 scripts/fetch_data --to "$tmp/data" "$@"; }
asked() { grep -c -- "$1" "$tmp/log"; }
file_size() { wc -c <"$1"; }
none() { [ -z "$(find "$@" 2>/dev/null)" ]; }

www=$tmp/www/vision.middlebury.edu/stereo/data
cat >"$tmp/server.py" <<'PYTHON'
import http.server, io, os, sys, zipfile
tmp, www = sys.argv[1:]
root = tmp + "/www"

def write(path, data):
    path = os.path.join(www, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)

def pgm(width, height, channels=1):
    body = bytes((7 * i) % 251 for i in range(width * height * channels))
    return b"P%d\n# made up\n%d %d\n255\n" % (5 if channels == 1 else 6, width, height) + body

def archive(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in files.items():
            zipped.writestr(name, data)
    return out.getvalue()

png = bytes(range(100))  # within an archive nobody looks
write("scenes2001/data/venus/disp2.pgm", pgm(434, 383))
write("scenes2001/data/venus/im2.ppm", pgm(43, 38, 3))
write("scenes2001/data/venus/im6.ppm", pgm(43, 38, 3))
write("scenes2001/data/tsukuba/truedisp.row3.col3.pgm", pgm(40, 30)[:-5])  # cut off
write("scenes2001/data/tsukuba/scene1.row3.col3.ppm", pgm(40, 30, 3))
write("scenes2003/newdata/teddy/teddy-png-2.zip",
      archive({"teddy/disp2.png": png, "teddy/im2.png": png, "teddy/big.bin": os.urandom(200000)}))
corrupt = bytearray(archive({"cones/disp2.png": png * 500}))
corrupt[len(corrupt) // 2] ^= 0xFF
write("scenes2003/newdata/cones/cones-png-2.zip", corrupt)
write("scenes2003/newdata/full/teddyH-ppm-2.zip", archive({"readme": b"no disparity here"}))
write("scenes2006/HalfSize/zip-2views/Aloe-2views.zip",  # a bomb
      archive({"Aloe/disp1.png": png, "Aloe/zeros": b"\0" * 41000000}))
write("scenes2006/HalfSize/zip-2views/Rocks1-2views.zip",
      archive({"Rocks1": b"a file and a folder", "Rocks1/disp1.png": png, "../../escaped": b"out"}))

class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def do_GET(self):
        asked = self.headers.get("Range")
        with open(tmp + "/log", "a") as out:
            out.write("%s range=%s\n" % (self.path, asked))
        if "/ThirdSize/" in self.path:  # without an end, with or without saying so
            self.answer(200, **({"Content_Length": "1000000000000"} if "Rocks1" in self.path else {}))
            try:
                while True:
                    self.wfile.write(bytes(1 << 16))
            except OSError:
                return
        path = os.path.normpath(root + self.path)
        if not path.startswith(root + "/") or not os.path.isfile(path):
            return self.send_error(404)
        with open(path, "rb") as file:
            data = file.read()
        first = int(asked.split("=")[1].split("-")[0]) if asked else 0
        if asked and first >= len(data):
            return self.send_error(416)
        body = data[first:]
        part = {"Content_Range": "bytes %d-%d/%d" % (first, len(data) - 1, len(data))} if asked else {}
        self.answer(206 if asked else 200, Content_Length=str(len(body)), **part)
        if os.path.exists(tmp + "/cut"):  # break off in the middle, once
            os.remove(tmp + "/cut")
            body = body[:len(body) // 2]
        self.wfile.write(body)

    def log_message(self, *args):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
: >"$tmp/log"
exec {said}< <(exec timeout 120 python3 "$tmp/server.py" "$tmp" "$www")
server=$!
trap 'kill $server 2>/dev/null' EXIT
port=$(head -n 1 <&"$said")
only "no server could be started on 127.0.0.1" test -n "$port"
export DEPTHBENCH_FETCH_BASE=http://127.0.0.1:$port no_proxy=127.0.0.1
unset http_proxy ALL_PROXY all_proxy
data=$tmp/data/middlebury

# loose files
disparity=$data/scenes2001/venus/disp2.pgm
sum=$(sha256sum <"$www/scenes2001/data/venus/disp2.pgm" | cut -c 1-64)
expect 'venus comes, and its checksum is printed' 0 "$sum, which nothing confirms" fetch venus
check 'byte for byte' cmp -s "$www/scenes2001/data/venus/disp2.pgm" "$disparity"
check 'no .part is left' none "$tmp/data" -name '*.part'
before=$(asked .)
expect 'again' 0 '' fetch venus
check 'again: nothing is asked for' test "$(asked .)" = "$before"
printf 'P5\n2 2\n255\nab' >"$disparity"
expect 'a damaged file in place' 5 'damaged' fetch venus
check 'is left as it was' test "$(file_size "$disparity")" = 13

# an archive, broken off, then resumed
touch "$tmp/cut"
expect 'a connection that breaks' 5 '' fetch teddy
teddy=$data/scenes2003/teddy part=$data/scenes2003/teddy-png-2.zip.part
check 'what came is kept as .part' test -s "$part" -a ! -e "$teddy/disp2.png"
size=$(file_size "$part")
expect 'the second try' 0 '' fetch teddy
check 'by resuming where it stopped' test "$(asked "teddy-png-2.zip range=bytes=$size-")" = 1
check 'the archive is unpacked' test -s "$teddy/disp2.png" -a -s "$teddy/big.bin"
check 'nothing else is left behind' none "$data/scenes2003" -name '*.part' -o -name '*.zip' -o -name '.unpack*'

# a whole .part needs no server; a wrong one heals itself
rm -rf "$teddy"
cp "$www/scenes2003/newdata/teddy/teddy-png-2.zip" "$part"
before=$(asked .)
expect 'a complete .part' 0 '' fetch teddy
check 'is taken as it is' test "$(asked .)" = "$before"
for size in 300000 1000; do
    rm -rf "$teddy"
    head -c $size /dev/zero >"$part"
    expect "a .part of $size bytes of something else" 0 '' fetch teddy
    check 'is dropped' test -s "$teddy/disp2.png"
done

# unpacking overwrites nothing
rm -rf "$teddy"
mkdir -p "$teddy"
echo mine >"$teddy/im2.png"
expect 'a file that was there' 0 '' fetch teddy
check 'stays' test "$(cat "$teddy/im2.png")" = mine

# what is wrong on the server
expect 'a corrupt archive' 5 'no whole zip' fetch cones
check 'is kept as .part, and nothing of it is unpacked' test -e "$data/scenes2003/cones-png-2.zip.part" -a ! -e "$data/scenes2003/cones"
expect 'a PGM that is too short' 5 'no whole pgm' fetch tsukuba
check 'a file that is missing there is told' grep -q 404 "$tmp/err"
check 'the others come all the same' test -e "$data/scenes2001/tsukuba/scene1.row3.col3.ppm"
expect 'an archive without the expected file' 5 'teddyH/disp2.pgm' fetch teddyM
expect 'a server without an end' 5 'more than 4000000 bytes, where --list says < 2 MB' fetch aloe
expect 'a server that announces too much' 5 'more than 4000000 bytes, where --list says < 2 MB' fetch rocks1
expect 'a bomb' 5 'unpacks to more than 40000000 bytes' fetch aloeM
expect 'an archive that cannot be unpacked' 5 'could not be unpacked in .*Not a directory' fetch rocks1M
check 'nobody speaks of a disk' test -z "$(grep disk "$tmp/out" "$tmp/err")"
check 'nothing of them is left' none "$data/scenes2006" -type f -size +4000k -o -path '*/ThirdSize/*' -type f
check 'nor beside it' none "$tmp" -name escaped
DEPTHBENCH_FETCH_BASE=http://127.0.0.1:1 refuses 'no server' 5 '' fetch conesM

# words
refuses 'a data set behind a login' 5 csDownload fetch cityscapes
expect 'an unknown name' 2 "unknown data set 'venuss'" fetch venuss
expect 'a name that is a path' 2 '' fetch ../x
expect 'no name' 2 usage fetch
expect '--list' 0 data_scene_flow.zip fetch --list
check '--list has the terms' grep -q 'CC BY-NC-SA' "$tmp/out"
# every `fetch` of a descriptor is known
check 'descriptors name what can be fetched' test -z \
    "$(sed -n 's/^fetch *= *//p' experiments/inputs/*.ini | sort -u | grep -vxFf <(cut -d ' ' -f 1 "$tmp/out"))"
finish
