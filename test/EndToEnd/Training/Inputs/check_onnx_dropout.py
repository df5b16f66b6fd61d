"""check_onnx_dropout.py MODEL.so: what the Dropout nodes of onnx-dropout.txtpb do, by the numbers of Philox."""
import random
import sys

from check_modes import expect, philox
from library import Model


def drop(values, seed, step, number, rate):
    stream = step + (number + 1 << 40)
    kept = [philox([i, 0, stream & 0xFFFFFFFF, stream >> 32], [seed, 0]) >= int(rate * 2 ** 64) for i in range(len(values))]
    return [v / (1 - rate) if keep else 0 for v, keep in zip(values, kept)]


def main():
    model, rng, seed = Model(sys.argv[1]), random.Random(2), 0  # as without a call of init
    x, y = ([rng.uniform(-1, 1) for _ in range(24)] for _ in range(2))
    w = model.get("w")
    mse = lambda values: sum((v * w[i % 6] - y[i]) ** 2 for i, v in enumerate(values)) / 24
    expect("evaluate", model.call("evaluate", x, y, [4])[0], [mse(x)])
    for step in (1, 2, 1):
        dropped = drop(drop(x, seed, step, 0, 0.25), seed, step, 1, 0.5)
        expect(f"step {step}", model.call("train_step", x, y, [step], [4])[0], [mse(dropped)])
    print("dropped as Philox says")


if __name__ == "__main__":
    main()
