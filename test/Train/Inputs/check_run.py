"""Repeats a run of train.test with NumPy: the order of rows, every loss, the weights."""
import json
import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
x, y = np.load(folder / "x.npy")[:49], np.load(folder / "y.npy")[:49]
text = (folder / "w.safetensors").read_bytes()
size = int.from_bytes(text[:8], "little")
header = json.loads(text[8:8 + size])
assert list(header) == ["w"], header
trained = np.frombuffer(text[8 + size:], np.float32).reshape(4, 3)
history = json.loads((folder / "h.json").read_text())
losses = history["steps"]["loss"]
assert history["steps"]["per_epoch"] == 7 and len(losses) == 21, history["steps"]

MASK = (1 << 64) - 1


def philox(index, seed):
    counter, key = [index & 0xFFFFFFFF, index >> 32, 0, 0], [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [(b >> 32) ^ counter[1] ^ key[0], b & 0xFFFFFFFF, (a >> 32) ^ counter[3] ^ key[1], a & 0xFFFFFFFF]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counter


def shuffle(count, seed, epoch):
    half = 1
    while (1 << 2 * half) < count:
        half += 1
    words = [philox(epoch * 8 + r, seed) for r in range(8)]
    keys = [w[0] << 32 | w[1] for w in words]
    rows = []
    for value in range(count):
        while True:
            left, right = value >> half, value & ((1 << half) - 1)
            for key in keys:
                mixed = (right + key) * 0x9E3779B97F4A7C15 & MASK
                mixed = (mixed ^ mixed >> 29) * 0xD1B54A32D192ED03 & MASK
                left, right = right, left ^ (mixed >> 32) & ((1 << half) - 1)
            value = left << half | right
            if value < count:
                break
        rows.append(value)
    return rows


w, m, step = np.zeros((4, 3)), np.zeros((4, 3)), 0
for epoch in range(3):
    order = shuffle(49, 0, epoch)
    for begin in range(0, 49, 8):
        step += 1
        rows = order[begin:begin + 8]
        logits = x[rows] @ w
        p = np.exp(logits - logits.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        loss = -np.log(p[range(len(rows)), y[rows]]).mean()
        assert abs(loss - losses[step - 1]) < 1e-5, (step, loss, losses[step - 1])
        m = 0.9 * m + x[rows].T @ (p - np.eye(3)[y[rows]]) / len(rows)
        w = w - 0.5 / step * m
assert np.abs(w - trained).max() < 1e-5, w - trained
