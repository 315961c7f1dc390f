"""rdp.py - a peer in Python: Ramer-Douglas-Peucker of each column (docs/PEERS.md)"""
import struct, sys, time


def read(path):
    """The blocks of an input file, by name."""
    with open(path, "rb") as file:
        data = memoryview(file.read())
    blocks = {}
    for at in range(16, 16 + 32 * 16, 32):
        name, offset, size = struct.unpack_from("16sQQ", data, at)
        blocks[name.rstrip(b"\0").decode()] = data[offset:offset + size]
    return blocks


def segment(y, epsilon):
    """The kept rows of a column, its segments and its rounds."""
    valid = [v for v, value in enumerate(y) if value != 0xFFFF]
    if len(valid) < 2:
        return [], 0, 1
    kept, rounds, waiting = {valid[0], valid[-1]}, 1, [(valid[0], valid[-1], 1)]
    while waiting:
        f, l, depth = waiting.pop()
        rounds = max(rounds, depth)
        most, cut = 0, -1
        for i in range(f + 1, l):
            cost = abs((y[l] - y[f]) * (i - f) + (y[f] - y[i]) * (l - f))
            if cost > most and y[i] != 0xFFFF:
                most, cut = cost, i
        if most > epsilon * (l - f):
            kept.add(cut)
            waiting += [(f, cut, depth + 1), (cut, l, depth + 1)]
    return kept, len(kept) - 1, rounds


def run(frame, output):
    n_frames, n_cols, n_rows, epsilon, _ = frame["shape"].cast("i")
    y, n_words = frame["y"].cast("H"), (n_rows + 31) // 32
    columns = [segment(y[c * n_rows:(c + 1) * n_rows].tolist(), epsilon) for c in range(n_frames * n_cols)]
    kept, segments, rounds = zip(*columns)
    words = [sum(1 << v % 32 for v in rows if v // 32 == w) for rows in kept for w in range(n_words)]
    with open(output, "r+b") as file:
        file.write(struct.pack("%dI%di" % (len(words), 2 * len(columns)), *words, *segments, *rounds))


given = {}
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "quit":
        break
    if word == "load":
        frame = read(rest)
        print("ok" if given["distance"] == "vertical" else "skip vertical distances alone", flush=True)
    elif word == "run":
        for _ in range(int(rest)):
            began = time.perf_counter_ns()
            run(frame, given["output"])
            print(time.perf_counter_ns() - began, flush=True)
    else:
        given.update([line.rstrip("\n").split("=", 1)])
