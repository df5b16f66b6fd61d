#!/usr/bin/env python3
"""Trains a perceptron and a convolutional network with hgc and with PyTorch, from the same weights on the same batches.

Needs PyTorch and NumPy: python3 scripts/compare_training.py --hgc build/bin/hgc [--steps 50]. Prints the largest relative
difference of the losses, and fails above 1e-4.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "EndToEnd" / "Training" / "Inputs"))
from library import Model  # noqa: E402

BATCH = 32


def mlp(p, x):
    hidden = torch.relu(x.reshape(BATCH, 784) @ p["fc1.weight"] + p["fc1.bias"])
    return hidden @ p["fc2.weight"] + p["fc2.bias"]


def cnn(p, x):
    image = x.reshape(BATCH, 1, 28, 28)
    maps = torch.relu(torch.nn.functional.conv2d(image, p["conv.weight"].permute(3, 2, 0, 1), p["conv.bias"]))
    pooled = torch.nn.functional.max_pool2d(maps, 2).permute(0, 2, 3, 1).reshape(BATCH, -1)
    return pooled @ p["fc.weight"] + p["fc.bias"]


SOURCES = {"mlp": "examples/mlp/mlp.mlir", "cnn": "test/EndToEnd/Training/Inputs/cnn.mlir"}
SHAPES = {"mlp": {"fc1.weight": (784, 128), "fc1.bias": (128,), "fc2.weight": (128, 10), "fc2.bias": (10,)},
          "cnn": {"conv.weight": (3, 3, 1, 32), "conv.bias": (32,), "fc.weight": (5408, 10), "fc.bias": (10,)}}


def adam(params, slots, t, rate=1e-3, b1=0.9, b2=0.999, epsilon=1e-7):
    """As Keras has it: epsilon beside the root, both corrections in the rate."""
    alpha = rate * (1 - b2 ** t) ** 0.5 / (1 - b1 ** t)
    with torch.no_grad():
        for name, p in params.items():
            m, v = slots[name]
            m += (p.grad - m) * (1 - b1)
            v += (p.grad ** 2 - v) * (1 - b2)
            p -= alpha * m / (v.sqrt() + epsilon)
            p.grad = None


def compare(hgc, name, forward, steps, folder):
    subprocess.run([hgc, "compile", ROOT / SOURCES[name], "-o", folder / f"{name}.so", "--train", "--loss", "sparse_categorical_crossentropy",
                    "--optimizer", "adam", "--dim", f"batch={BATCH}"], check=True)
    model = Model(folder / f"{name}.so")
    model.call("init", [1])
    params = {key: torch.tensor(model.get(key)).reshape(shape).requires_grad_() for key, shape in SHAPES[name].items()}
    slots = {key: (torch.zeros_like(p), torch.zeros_like(p)) for key, p in params.items()}
    rng, worst = np.random.default_rng(0), 0.0
    centers = rng.random((10, 784), dtype=np.float32)
    for step in range(1, steps + 1):
        labels = rng.integers(0, 10, BATCH)
        x = (0.5 * centers[labels] + 0.5 * rng.random((BATCH, 784), dtype=np.float32)).astype(np.float32)
        loss = torch.nn.functional.cross_entropy(forward(params, torch.from_numpy(x)), torch.from_numpy(labels))
        loss.backward()
        adam(params, slots, step)
        own = model.call("train_step", x.reshape(-1).tolist(), labels.tolist(), [step], [BATCH], batch=BATCH)[0][0]
        worst = max(worst, abs(own - loss.item()) / abs(loss.item()))
    print(f"{name}: {steps} steps, last loss {own:.6f}, largest relative difference {worst:.2e}")
    return worst <= 1e-4


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hgc", default=ROOT / "build" / "bin" / "hgc")
    parser.add_argument("--steps", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        good = [compare(options.hgc, name, forward, options.steps, folder) for name, forward in [("mlp", mlp), ("cnn", cnn)]]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
