"""train_onnx.py MODEL.so: some steps on one batch."""
import sys

from library import Model

model = Model(sys.argv[1])
x, labels = [1, -1, 2, 0.5, 4, -2, 1, 3], [0, 1, 2, 1]
losses = [model.call("train_step", x, labels, [step], [4])[0][0] for step in range(1, 2)]
mean = model.get("mean")[0]
losses += [model.call("train_step", x, labels, [step], [4])[0][0] for step in range(2, 6)]
if losses == sorted(losses, reverse=True):
    print(f"the loss falls, and the mean follows the batch: {mean:.4f}")
