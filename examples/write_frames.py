"""write_frames.py [-r RATE] PGM... - disparities in 1/256 px (PGM of 16 bits) as frames for `depthbench watch`

docs/WATCH.md has the format.  A camera's program writes its arrays the same way."""
import array
import os
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
    """Size and values; 0 is no measurement, as in KITTI's maps."""
    with open(path, "rb") as file:
        data = file.read()
    head = re.match(rb"P5\s+(\d+)\s+(\d+)\s+65535\s", data)
    if not head:
        raise ValueError("%s: expected a PGM of values up to 65535 without comments" % path)
    width, height = int(head.group(1)), int(head.group(2))
    if len(data) - head.end() != 2 * width * height:
        raise ValueError("%s: expected %d bytes of values, found %d" % (path, 2 * width * height, len(data) - head.end()))
    values = array.array("H", data[head.end() :])
    if sys.byteorder == "little":  # the file is big-endian
        values.byteswap()
    return (width, height), struct.pack("<%dH" % len(values), *(value or 65535 for value in values))


def main(out, paths, rate):
    begun = time.monotonic()
    for i, path in enumerate(paths):
        size, values = read_pgm(path)
        if i == 0:
            first = size
            write_header(out, *first)
        if size != first:
            raise ValueError("%s: expected %d x %d px as the first has, found %d x %d" % ((path,) + first + size))
        if rate:
            time.sleep(max(0, begun + i / rate - time.monotonic()))
        write_frame(out, values, int(time.monotonic() * 1e9))


try:
    is_rated = sys.argv[1:2] == ["-r"]
    main(sys.stdout.buffer, sys.argv[3 if is_rated else 1 :], float("".join(sys.argv[2:3])) if is_rated else 0)
except (OSError, ValueError) as error:
    print("write_frames.py: %s" % error, file=sys.stderr)
    os._exit(2)  # sys.exit() would write to a broken pipe once more
