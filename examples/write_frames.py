"""write_frames.py [-r RATE] PGM... - disparities in 1/256 px (PGM of 16 bits) as frames for `depthbench watch`

docs/WATCH.md has the format.  A camera's program writes its arrays the same way."""
import array
import re
import struct
import sys
import time


def write_header(out, width, height, values_per_px=256):
    out.write(b"DBF1" + struct.pack("<III", width, height, values_per_px))


def write_frame(out, values, time_ns):
    """values: bytes of height x width little-endian uint16, 65535 where nothing was measured."""
    out.write(b"FRAM" + struct.pack("<IQ", len(values), time_ns) + values)
    out.flush()


def read_pgm(path):
    """Width, height and values; 0 is no measurement, as in KITTI's maps."""
    data = open(path, "rb").read()
    head = re.match(rb"P5\s+(\d+)\s+(\d+)\s+65535\s", data)
    values = array.array("H", data[head.end() :])
    if sys.byteorder == "little":  # the file is big-endian
        values.byteswap()
    values = struct.pack("<%dH" % len(values), *(value or 65535 for value in values))
    return int(head[1]), int(head[2]), values


paths, rate = (sys.argv[3:], float(sys.argv[2])) if sys.argv[1:2] == ["-r"] else (sys.argv[1:], 0)
begun = time.monotonic()
for i, path in enumerate(paths):
    width, height, values = read_pgm(path)
    if i == 0:
        write_header(sys.stdout.buffer, width, height)
    if rate:
        time.sleep(max(0, begun + i / rate - time.monotonic()))
    write_frame(sys.stdout.buffer, values, time.monotonic_ns())
