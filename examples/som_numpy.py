"""som_numpy.py [LIBRARY] - a mesh over a map by SOM: ctypes and NumPy arrays, nothing to build"""
import ctypes
import sys

import numpy

HEIGHT, WIDTH = 120, 160

bench = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libdepthbench.so.0")
bench.depthbench_error.restype = ctypes.c_char_p
bench.depthbench_array.restype = ctypes.c_void_p
bench.depthbench_array.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
bench.depthbench_free.restype = None


def call(name, *arguments):
    if getattr(bench, "depthbench_" + name)(*arguments) != 0:
        raise RuntimeError(bench.depthbench_error().decode())


def bind(context, name, array):
    """The context keeps the array's address: keep the array."""
    assert array.flags.c_contiguous
    call("bind", context, name, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))


som = ctypes.c_void_p()
call("new", b"som/openmp", ctypes.byref(som))
call("set", som, b"rounds", b"100")
call("set", som, b"sigma", b"8")
call("shape", som, 1, HEIGHT, WIDTH)

n_bytes = ctypes.c_size_t()
bench.depthbench_array(som, b"position", ctypes.byref(n_bytes))
grey = numpy.zeros((HEIGHT, WIDTH), numpy.uint8)
position = numpy.empty((n_bytes.value // 8, 2), numpy.float32)
bind(som, b"grey", grey)
bind(som, b"position", position)
call("prepare", som)

grey[40:80, 60:120] = 200  # a box before an empty background
call("run", som)
call("wait", som)
inside = (abs(position - [90, 60]) <= [30, 20]).all(axis=1)
print(f"{inside.sum()} of {len(position)} neurons are on the box")
bench.depthbench_free(som)
