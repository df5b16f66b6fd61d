"""Tests of the package hgc: tensors of others without copies, and threads beside a call."""
import os
import pathlib
import subprocess
import threading
import time
import unittest

import hgc
import hgc._tensors
import numpy as np

SOURCE = pathlib.Path(os.environ["HGC_TEST_SOURCE"])
SLOW = """module @slow {
  func.func @run(%x: tensor<1536x1536xf32> {hgc.name = "x"}) -> (tensor<1536x1536xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %0 = hgc.matmul %x, %x : (tensor<1536x1536xf32>, tensor<1536x1536xf32>) -> tensor<1536x1536xf32>
    return %0 : tensor<1536x1536xf32>
  }
}
"""


class Exporter:
    """A tensor of somebody who speaks DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Tensors(unittest.TestCase):
    def test_dlpack_is_not_copied(self):
        model = hgc.compile(SOURCE / "examples/mlp/mlp.mlir", dims={"batch": 1})
        x, out = np.random.default_rng(1).random((1, 784), np.float32), np.zeros((1, 10), np.float32)
        want = model(x)
        buffer = hgc._tensors.as_input("x", Exporter(x), 1)
        self.assertEqual((buffer.address, buffer.shape), (x.ctypes.data, (1, 784)))
        self.assertEqual(hgc._tensors.as_input("x", x, 1).address, x.ctypes.data)
        np.testing.assert_array_equal(model(Exporter(x)), want)
        model(x, out=Exporter(out))
        np.testing.assert_array_equal(out, want)
        strided = np.repeat(x, 2, axis=1)[:, ::2]
        np.testing.assert_array_equal(model(Exporter(strided)), want)
        with self.assertRaisesRegex(hgc.ArgumentError, "is f64, expected f32"):
            model(Exporter(x.astype(np.float64)))

    def test_large_results_start_on_a_line(self):
        for shape, dtype in [((300, 301), np.float32), ((70000,), np.bool_), ((3, 4), np.float64), ((0, 9), np.int8), ((), np.int64)]:
            array = hgc._tensors.allocate(shape, dtype)
            self.assertEqual((array.shape, array.dtype), (shape, np.dtype(dtype)))
            self.assertTrue(array.flags.c_contiguous and array.flags.writeable)
            if array.nbytes >= hgc._tensors.LARGE:
                self.assertEqual(array.ctypes.data % hgc._tensors.LINE, 0)

    def test_lock_is_free_during_calls(self):
        # Takes tens of milliseconds. Another thread that wants the interpreter every millisecond gets it meanwhile.
        model = hgc.compile(SLOW, load_options={"num_threads": 1})
        x, ticks, done = np.ones((1536, 1536), np.float32), [], threading.Event()

        def tick():
            while not done.wait(0.001):
                ticks.append(time.perf_counter())

        thread = threading.Thread(target=tick)
        thread.start()
        inside = 0
        for _ in range(10):
            start = time.perf_counter()
            model(x)
            length = time.perf_counter() - start
            inside += sum(start + 0.2 * length < t < start + 0.8 * length for t in ticks)
        done.set()
        thread.join()
        self.assertGreater(inside, 0)

    def test_version(self):
        text = subprocess.run([hgc.find_compiler(), "version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn(hgc.__version__, text)


if __name__ == "__main__":
    unittest.main()
