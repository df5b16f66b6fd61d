"""Tests of the package hgc with numpy. Runs in a folder that has relu.onnx."""
import gc
import os
import pathlib
import threading
import unittest

import hgc
import numpy as np

SOURCE = pathlib.Path(os.environ["HGC_TEST_SOURCE"])
TYPES = """module @types {
  func.func @f(%a: tensor<2xf16> {hgc.name = "a"}, %b: tensor<2xbf16> {hgc.name = "b"}, %c: tensor<2xi1> {hgc.name = "c"},
               %d: tensor<i64> {hgc.name = "d"})
      -> (tensor<2xf16> {hgc.name = "a2"}, tensor<2xbf16> {hgc.name = "b2"}, tensor<2xi1> {hgc.name = "c2"},
          tensor<i64> {hgc.name = "d2"}) attributes {hgc.entry} {
    %0 = hgc.add %a, %a : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
    %1 = hgc.add %b, %b : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
    %2 = hgc.not %c : tensor<2xi1>
    %3 = hgc.add %d, %d : (tensor<i64>, tensor<i64>) -> tensor<i64>
    return %0, %1, %2, %3 : tensor<2xf16>, tensor<2xbf16>, tensor<2xi1>, tensor<i64>
  }
}
"""


# What a step drops shows in `scale`: an element that is dropped has no gradient.
DROPOUT = """module @small {
  hgc.parameter @scale : tensor<1x32xf32> = #hgc.init<uniform, seed = 2, scale = 5.0e-01>
  hgc.parameter @w : tensor<32x4xf32> = #hgc.init<glorot_uniform, seed = 1>
  func.func @predict(%x: tensor<8x32xf32> {hgc.name = "x"}) -> (tensor<8x4xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %s = hgc.read @scale : tensor<1x32xf32>
    %w = hgc.read @w : tensor<32x4xf32>
    %d = hgc.dropout %s rate 5.0e-01 : tensor<1x32xf32>
    %0 = hgc.mul %x, %d : (tensor<8x32xf32>, tensor<1x32xf32>) -> tensor<8x32xf32>
    %1 = hgc.matmul %0, %w : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>
    %2 = hgc.softmax %1 axis 1 : tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}
"""


def setUpModule():
    hgc.compile_to(SOURCE / "examples/mlp/mlp.mlir", "mlp.so")


class Calls(unittest.TestCase):
    def setUp(self):
        self.model = hgc.load("mlp.so", num_threads=2)
        self.x = np.random.default_rng(1).random((1, 784), np.float32)

    def test_signature(self):
        entry = self.model.predict
        self.assertEqual(repr(entry), "predict(x: f32[batch, 784]) -> (probs: f32[batch, 10])")
        self.assertEqual(entry.variants, [{"batch": 1}, {"batch": 32}])
        self.assertIn("predict", dir(self.model))
        self.assertEqual((self.model.name, self.model.device, self.model.num_threads), ("mlp", "cpu", 2))
        self.model.num_threads = 1
        self.assertEqual(self.model.num_threads, 1)
        self.assertEqual(self.model.describe()["name"], "mlp")
        self.assertGreater(self.model.memory()["arena_bytes"], 0)

    def test_inputs_by_position_name_and_from_lists(self):
        y = self.model(self.x)
        self.assertEqual((y.shape, y.dtype), ((1, 10), np.float32))
        self.assertAlmostEqual(float(y.sum()), 1, places=5)
        np.testing.assert_array_equal(y, self.model.predict(x=self.x))
        np.testing.assert_array_equal(y, self.model["predict"](self.x.tolist()))

    def test_strided_inputs_are_copied(self):
        wide = np.repeat(self.x, 2, axis=1)
        np.testing.assert_array_equal(self.model(wide[:, ::2]), self.model(self.x))

    def test_out(self):
        want, out = self.model(self.x), np.full((1, 10), 7, np.float32)
        self.assertIs(self.model(self.x, out=out), out)
        np.testing.assert_array_equal(out, want)
        self.assertIs(self.model(self.x, out={"probs": out}), out)
        for bad in (np.empty((10, 1), np.float32).T[:, ::2], np.empty((1, 10)), [out, out], {"y": out}, 3):
            with self.assertRaises(hgc.ArgumentError):
                self.model(self.x, out=bad)

    def test_start(self):
        pending = [self.model.predict.start(self.x) for _ in range(2)]
        with self.assertRaises(hgc.ModelError) as third:
            self.model.predict.start(self.x)
        self.assertEqual(third.exception.status, hgc.Status.BUSY)
        first, second = (p.wait() for p in pending)
        np.testing.assert_array_equal(first, second)
        with self.assertRaisesRegex(hgc.ModelError, "has been waited for"):
            pending[0].wait()
        self.model.predict.start(self.x)  # nobody waits: its end does
        np.testing.assert_array_equal(self.model(self.x), first)

    def test_wrong_arguments(self):
        cases = [((self.x.astype(np.float64),), {}, "is float64, expected f32"), ((self.x[0],), {}, "has 1 dims, expected 2"),
                 ((np.zeros((2, 784), np.float32),), {}, "no variant for batch=2"), ((), {}, "misses the inputs x"),
                 ((self.x,), {"x": self.x}, "was given twice"), ((), {"z": 1}, "is no input of it"),
                 ((self.x, self.x), {}, "takes 1 inputs, got 2"), (("text",), {}, "is no array"),
                 ((np.zeros((1, 783), np.float32),), {}, "783")]
        for args, kwargs, message in cases:
            with self.subTest(message), self.assertRaisesRegex(hgc.ArgumentError, message) as caught:
                self.model(*args, **kwargs)
            self.assertTrue(caught.exception.hint)
            self.assertIsInstance(caught.exception, ValueError)

    def test_threads_take_turns(self):
        want, wrong = self.model(self.x), []

        def work(model):
            for _ in range(200):
                if not np.array_equal(model(self.x), want):
                    wrong.append(model)

        other = self.model.new_instance(num_threads=1)
        threads = [threading.Thread(target=work, args=(m,)) for m in (self.model, self.model, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertFalse(wrong)

    def test_life(self):
        entry = hgc.load("mlp.so").predict  # keeps its model
        self.assertEqual(entry(self.x).shape, (1, 10))
        with hgc.load("mlp.so") as model:
            model(self.x)
        with self.assertRaisesRegex(hgc.ModelError, "the model is closed"):
            model(self.x)
        self.assertIn("closed", repr(model))
        for _ in range(20):
            hgc.load("mlp.so")(self.x)
        del entry
        gc.collect()


class Types(unittest.TestCase):
    def test_all_kinds(self):
        model = hgc.compile(TYPES)
        self.assertFalse(model.path.is_relative_to(pathlib.Path.cwd()))
        bf16 = np.array([0x3F80, 0x4000], np.uint16)  # 1, 2
        results = model(np.array([1, 2], np.float16), bf16, np.array([True, False]), 21)
        self.assertEqual(results.names, ("a2", "b2", "c2", "d2"))
        np.testing.assert_array_equal(results.a2, [2, 4])
        np.testing.assert_array_equal(results["b2"], [0x4000, 0x4080])
        np.testing.assert_array_equal(results[2], [False, True])
        self.assertEqual(results.as_dict()["d2"], 42)
        self.assertRaises(AttributeError, lambda: results.other)
        folder = model.path.parent
        del model
        gc.collect()
        self.assertFalse(folder.exists())

    def test_shapes_that_depend_on_data(self):
        model = hgc.compile(SOURCE / "test/EndToEnd/Inputs/found.mlir")
        at, twice = model.positive(np.array([[1, -1, 2], [0, 3, -4]], np.float32), 6)
        np.testing.assert_array_equal(at, [[0, 0], [0, 2], [1, 1]])
        self.assertEqual(twice.shape, (2, 3))
        with self.assertRaisesRegex(hgc.ModelError, "more elements of 'x' are positive") as caught:
            model.positive(np.ones((2, 3), np.float32), 2)
        self.assertEqual(caught.exception.hint, "raise 'limit'")
        with self.assertRaisesRegex(hgc.ArgumentError, "several entries: positive, walk"):
            model()


class State(unittest.TestCase):
    def test_parameters(self):
        model = hgc.compile(SOURCE / "test/EndToEnd/Inputs/state.mlir")
        self.assertEqual(set(model.mutable_params), {"n", "a", "b"})
        self.assertEqual(str(model.params["fixed"]), "fixed: f32[2]")
        model.step([1, 1], False)
        np.testing.assert_array_equal(model.get_param("n"), [2, 3])
        state = model.state()
        self.assertEqual(model.swap(), ())
        np.testing.assert_array_equal(model.get_param("a"), [7, 8, 9])
        model.load_state(state)
        np.testing.assert_array_equal(model.get_param("a"), [1, 2, 3])
        model.set_param("n", [5, 6])
        np.testing.assert_array_equal(model.sum(), [15, 26])
        model.save_state("state.safetensors")
        model.set_param("n", [0, 0])
        model.read_state("state.safetensors")
        np.testing.assert_array_equal(model.get_param("n"), [5, 6])
        self.assertRaises(hgc.ModelError, model.read_state, "none.safetensors")
        model.reset()
        np.testing.assert_array_equal(model.get_param("n"), [1, 2])
        for name, value, message in (("fixed", [1, 2], "immutable|cannot"), ("n", [1], "got shape"), ("z", 1, "no parameter")):
            with self.assertRaisesRegex(hgc.ModelError, message):
                model.set_param(name, value)


class Training(unittest.TestCase):
    def test_steps(self):
        model = hgc.compile(SOURCE / "examples/mlp/mlp.mlir", dims={"batch": 32}, loss="sparse_categorical_crossentropy",
                            optimizer="sgd:lr=0.1", metrics=["accuracy"])
        rng = np.random.default_rng(0)
        x, labels = rng.random((32, 784), np.float32), rng.integers(0, 10, 32, np.int32)
        model.init(1)
        first = model.evaluate(x, labels, 32)
        for step in range(1, 11):
            result = model.train_step(x, labels, step=step, valid_rows=32)
        self.assertEqual(result.names, ("loss", "accuracy"))
        self.assertLess(model.evaluate(x, labels, 32).loss, first.loss)
        self.assertEqual(model(x).shape, (32, 10))  # predict
        with self.assertRaisesRegex(hgc.CompileError, "unknown|no loss|nonsense"):
            hgc.compile(SOURCE / "examples/mlp/mlp.mlir", loss="nonsense")

    def check_same(self, a, b, tolerance=0):
        self.assertEqual(list(a), list(b))
        for name, value in a.items():
            np.testing.assert_allclose(value, b[name], rtol=tolerance, atol=tolerance, err_msg=name)

    def check_device(self, model, x, labels):
        """A saved state goes on to the same bits; a refused batch changes nothing. Gives the state after two steps."""
        for seed in (3, 5):
            model.init(seed)
        start = model.state()
        model.train_step(x, labels, 1, 8)
        model.save_state("small.safetensors")
        model.train_step(x, labels, 2, 8)
        wanted = model.state()
        model.init(9)
        model.read_state("small.safetensors")
        before = model.state()
        bad = labels.copy()
        bad[6] = 4
        for arguments, message in (((x, bad, 2, 8), "a label is not from 0 to 3"), ((x, labels, 2, 9), "valid_rows is not from 1 to 8")):
            with self.assertRaisesRegex(hgc.ArgumentError, message) as caught:
                model.train_step(*arguments)
            self.assertTrue(caught.exception.hint)
        self.check_same(model.state(), before)
        refused, good = model.train_step.start(x, bad, 2, 8), model.train_step.start(x, labels, 2, 8)
        self.assertRaises(hgc.ArgumentError, refused.wait)
        good.wait()
        self.check_same(model.state(), wanted)
        # A label that does not count may be anything.
        model.evaluate(x, bad, valid_rows=6)
        return start, wanted

    def test_devices(self):
        hgc.compile_to(DROPOUT, "small.so", gpu="sm_80", place="gpu(.*)", loss="sparse_categorical_crossentropy",
                       optimizer="sgd:lr=0.5,momentum=0.9")
        rng = np.random.default_rng(4)
        x, labels = rng.random((8, 32), np.float32), rng.integers(0, 4, 8, np.int32)
        (start, cpu), (gpu_start, gpu) = (self.check_device(hgc.load("small.so", device=d), x, labels) for d in ("cpu", "emulated"))
        # The same random numbers everywhere: initial values, and what is dropped.
        self.check_same(start, gpu_start)
        self.check_same(cpu, gpu, 1e-5)
        dropped = [s["scale.sgd_momentum"] == 0 for s in (cpu, gpu)]
        self.assertTrue(0 < dropped[0].sum() < 32)
        np.testing.assert_array_equal(*dropped)


class Compiler(unittest.TestCase):
    def test_onnx(self):
        data = pathlib.Path("relu.onnx").read_bytes()
        for source in (data, "relu.onnx", pathlib.Path("relu.onnx")):
            model = hgc.compile(source, dims={"n": [1, 3]}, name="net")
            self.assertEqual(model.name, "net")
            np.testing.assert_array_equal(model(np.array([[-1, 2]], np.float32)), [[0, 2]])
        self.assertEqual(hgc.compile(data, shapes={"x": [4, 2]})(np.ones((4, 2), np.float32)).shape, (4, 2))

    def test_lowered(self):
        class Lowered:  # as JAX's
            def as_text(self, debug_info):
                return (SOURCE / "test/Docs/Inputs/predict.mlir").read_text()

        model = hgc.compile(Lowered(), name="predict")
        result = model(np.full(10, 2, np.float32), np.ones((784, 10), np.float32), np.ones((32, 784), np.float32))
        self.assertTrue((result == 786).all())

    def test_errors(self):
        with self.assertRaisesRegex(hgc.CompileError, "custom op 'func' is unknown") as caught:
            hgc.compile("module { func }")
        self.assertTrue(caught.exception.hint)
        with self.assertRaisesRegex(hgc.CompileError, "cannot read 'none.mlir'") as caught:
            hgc.compile("none.mlir")
        self.assertEqual((caught.exception.exit_code, "check the path" in caught.exception.hint), (1, True))
        for path, message in (("none.so", "cannot load"), ("relu.onnx", "cannot load"), ("/lib/x86_64-linux-gnu/libm.so.6", "is no compiled model")):
            with self.subTest(path), self.assertRaisesRegex(hgc.ModelError, message):
                hgc.load(path)
        with self.assertRaises(hgc.ModelError) as caught:
            hgc.load("mlp.so", device="gpu")
        self.assertEqual(caught.exception.status, hgc.Status.NO_DEVICE)

    def test_missing_compiler(self):
        before = os.environ.get("HGC_EXECUTABLE")
        os.environ["HGC_EXECUTABLE"] = "/nowhere/hgc"
        try:
            with self.assertRaisesRegex(hgc.CompileError, "'/nowhere/hgc' of HGC_EXECUTABLE is no program"):
                hgc.find_compiler()
            self.assertEqual(hgc.load("mlp.so").name, "mlp")
        finally:
            os.environ.pop("HGC_EXECUTABLE")
            if before:
                os.environ["HGC_EXECUTABLE"] = before

    def test_explain(self):
        table = hgc.explain(SOURCE / "examples/mlp/mlp.mlir", gpu="a100", dims={"batch": 1}, place="gpu(fc1)")
        self.assertEqual([row.op for row in table][:2], ["fc1", "add_0"])
        self.assertEqual((table.rows[0].device[:3], table.rows[0].dims, len(table)), ("gpu", {"batch": 1}, 6))
        self.assertLess(0, table.rows[0].costs["cpu"])
        self.assertIn("why", str(table))
        self.assertIn("<td>fc1</td>", table._repr_html_())
        self.assertEqual(table.to_dicts()[0]["op"], "fc1")
        self.assertEqual(len(hgc.load("mlp.so").explain()), 12)

    def test_emulated_gpu(self):
        messages = []
        model = hgc.compile(SOURCE / "examples/mlp/mlp.mlir", gpu="sm_80", place="gpu(.*)", dims={"batch": 1},
                            load_options={"device": "emulated", "log": lambda level, text: messages.append(text)})
        x = np.random.default_rng(2).random((1, 784), np.float32)
        np.testing.assert_allclose(model(x), hgc.load("mlp.so")(x), rtol=1e-4, atol=1e-6)
        self.assertEqual((model.device, model.fallback_reason), ("emulated", ""))
        self.assertTrue(messages)


if __name__ == "__main__":
    unittest.main()
