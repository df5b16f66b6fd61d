"""Compiles a model, calls it with numpy arrays, and says what it does."""
import sys

import hgc
import numpy as np

model = hgc.compile(sys.argv[1], dims={"batch": [1, 32]}, target_cpu="x86-64-v3")
print(model.predict)

for batch in (1, 32):
    images = (np.arange(batch * 784) % 29 / 29).astype(np.float32).reshape(batch, 784)
    probs = model(images)  # no copy of the images; other threads run meanwhile
    best = probs[0].argmax()
    print(f"batch {batch:2}: class {best} with p = {probs[0, best]:.4f}")

try:
    model(np.zeros((2, 784), np.float32))
except hgc.ArgumentError as error:
    print(error)

for row in model.explain():
    if row.dims == {"batch": 1}:
        print(f"{row.op:8} {row.kind:8} on {row.device}, kernel {row.kernel}")
