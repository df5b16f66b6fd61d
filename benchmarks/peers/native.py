"""native.c, compiled for this machine: times calls and measures peaks."""
import ctypes
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent / "native.c"
# Most calls of a slice.
CAPACITY = 1 << 18
MAX_ARGUMENTS = 8
FMA, READ, COPY, STREAM = 0, 1, 2, 3


def build(folder, compiler="cc"):
    """Compiles the library when its source is newer; returns its path."""
    library = folder / "libpeers_native.so"
    if not library.exists() or library.stat().st_mtime < SOURCE.stat().st_mtime:
        subprocess.run([compiler, "-std=gnu11", "-O3", "-march=native", "-ffp-contract=fast", "-fPIC", "-shared",
                        str(SOURCE), "-o", str(library), "-lpthread"], check=True)
    return library


class Native:
    def __init__(self, path):
        library = ctypes.CDLL(str(path))
        self.calls = library.bench_calls
        self.calls.restype = ctypes.c_int64
        self.calls.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t), ctypes.c_double, ctypes.c_int64,
                               ctypes.POINTER(ctypes.c_double), ctypes.c_int64]
        self.steps = library.bench_steps
        self.steps.restype = ctypes.c_int64
        self.steps.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t), ctypes.c_int, ctypes.c_size_t,
                               ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
        self.rate = library.bench_rate
        self.rate.restype = ctypes.c_double
        self.rate.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_int, ctypes.c_double]
        self.bench_pace = library.bench_pace
        self.bench_pace.restype = ctypes.c_double
        self.bench_pace.argtypes = [ctypes.POINTER(ctypes.c_int), ctypes.c_int, ctypes.c_double]
        self.bench_exchange = library.bench_exchange
        self.bench_exchange.restype = ctypes.c_double
        self.bench_exchange.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int]
        self.times = (ctypes.c_double * CAPACITY)()

    def time_calls(self, function, arguments, seconds, least):
        """Seconds of each call of a C function with these integers and pointers."""
        padded = (ctypes.c_size_t * MAX_ARGUMENTS)(*arguments)
        count = self.calls(function, padded, seconds, least, self.times, CAPACITY)
        if count < 0:
            raise RuntimeError(f"a call gave status {-1 - count}")
        return self.times[:count]

    def pace(self, cores, seconds):
        """Seconds of some fixed work on the slowest of these cores."""
        return self.bench_pace((ctypes.c_int * len(cores))(*cores), len(cores), seconds)

    def exchange(self, first, second, count=2000):
        """Seconds in which a cache line goes from one core to another and back."""
        return self.bench_exchange(first, second, count)
