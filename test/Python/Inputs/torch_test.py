"""Tests of the package hgc with PyTorch."""
import os
import pathlib
import unittest

import hgc
import hgc._tensors
import numpy as np
import torch
from package_test import TYPES

SOURCE = pathlib.Path(os.environ["HGC_TEST_SOURCE"])


class Torch(unittest.TestCase):
    def setUp(self):
        self.model = hgc.compile(SOURCE / "examples/mlp/mlp.mlir", dims={"batch": 1})
        self.x = torch.rand(1, 784)
        self.want = self.model(self.x.numpy())

    def test_tensors_in_and_out(self):
        y = self.model(self.x)
        self.assertIsInstance(y, torch.Tensor)
        np.testing.assert_array_equal(y.numpy(), self.want)
        strided = torch.stack([self.x[0], self.x[0]], 1).T[:1]
        np.testing.assert_array_equal(self.model(strided).numpy(), self.want)

    def test_inputs_are_not_copied(self):
        self.assertEqual(hgc._tensors.as_input("x", self.x, 1).address, self.x.data_ptr())

    def test_train_step(self):
        model = hgc.compile(SOURCE / "examples/mlp/mlp.mlir", dims={"batch": 32}, loss="sparse_categorical_crossentropy",
                            optimizer="sgd:lr=0.1")
        x, labels = torch.rand(32, 784), torch.arange(32, dtype=torch.int32) % 10
        losses = [model.train_step(x, labels, step=step, valid_rows=32) for step in range(1, 11)]
        self.assertIsInstance(losses[0], torch.Tensor)
        self.assertLess(losses[-1].item(), losses[0].item())

    def test_out_is_written_in_place(self):
        out = torch.zeros(1, 10)
        self.assertIs(self.model(self.x, out=out), out)
        np.testing.assert_array_equal(out.numpy(), self.want)

    def test_types(self):
        model = hgc.compile(TYPES)
        results = model(torch.tensor([1, 2], dtype=torch.float16), torch.tensor([1, 2], dtype=torch.bfloat16),
                        torch.tensor([True, False]), torch.tensor(21))
        self.assertEqual(results.b2.dtype, torch.bfloat16)
        self.assertEqual(results.b2.tolist(), [2, 4])
        self.assertEqual((results.a2.tolist(), results.c2.tolist(), results.d2.item()), ([2, 4], [False, True], 42))

    def test_errors(self):
        with self.assertRaisesRegex(hgc.ArgumentError, "is f64, expected f32"):
            self.model(self.x.double())
        with self.assertRaisesRegex(hgc.ArgumentError, "cannot be exported"):
            self.model(self.x.requires_grad_())
        with self.assertRaisesRegex(hgc.ArgumentError, "a type that hgc does not have"):
            self.model(self.x.detach().to(torch.complex64))


if __name__ == "__main__":
    unittest.main()
