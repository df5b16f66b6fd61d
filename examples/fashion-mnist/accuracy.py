#!/usr/bin/env python3
"""Chooses a learning rate on a part of the training data, then trains on all of it with several seeds and tests:
accuracy.py mlp|cnn [--data FOLDER] [--out FOLDER] [--rates 5e-4,1e-3,2e-3] [--seeds 0,1,2].

The test images have no say in the choice: it follows the accuracy on the last tenth of the training images, which those
runs are not trained on. Runs that are interrupted are resumed, and those that are over are not repeated.
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
IMAGES, HELD = 60000, 6000
BATCHES, EPOCHS = {"mlp": 32, "cnn": 64}, {"mlp": 10, "cnn": 8}


def is_over(history, epochs):
    """An interrupted run writes what it has, too."""
    return history.exists() and len(json.loads(history.read_text())["epochs"]) == epochs


def train(options, name, rate, seed, rows, *data):
    """History of a run; the learning rate falls to nothing over its steps."""
    folder = options.out / f"{options.model}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    history, library = folder / "history.json", folder / "model.so"
    epochs, batch = EPOCHS[options.model], BATCHES[options.model]
    if not library.exists():
        subprocess.run([options.hgc, "compile", HERE / f"fashion_{options.model}.mlir", "--train", "--train-entry=predict", "--metrics", "accuracy",
                        "--loss", "sparse_categorical_crossentropy", "--optimizer", f"adam:lr={rate}", "--lr-schedule",
                        f"cosine:decay_steps={epochs * math.ceil(rows / batch)}", "-o", library], check=True)
    if not is_over(history, epochs):
        subprocess.run([options.hgc, "train", library, "--data", f"x={options.data}/train-images-idx3-ubyte.gz", "--labels",
                        options.data / "train-labels-idx1-ubyte.gz", "--epochs", str(epochs), "--batch-size", str(batch), "--seed", str(seed),
                        "--checkpoint", folder / "run", "--resume", "--history", history, *data], check=True)
    return json.loads(history.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=["mlp", "cnn"])
    parser.add_argument("--data", type=pathlib.Path, default="/usr/share/datasets/fashion-mnist")
    parser.add_argument("--out", type=pathlib.Path, default="out")
    parser.add_argument("--rates", default="5e-4,1e-3,2e-3")
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--hgc", default="hgc")
    options = parser.parse_args()
    chosen = {}
    for rate in options.rates.split(","):
        history = train(options, f"rate-{rate}", rate, 0, IMAGES - HELD, "--validation-split", str(HELD / IMAGES))
        chosen[rate] = history["epochs"][-1]["val_accuracy"]
    best = max(chosen, key=chosen.get)
    tests = []
    for seed in options.seeds.split(","):
        history = train(options, f"seed-{seed}", best, seed, IMAGES, "--test", f"x={options.data}/t10k-images-idx3-ubyte.gz",
                        "--test", f"labels={options.data}/t10k-labels-idx1-ubyte.gz")
        tests.append(history["test"]["accuracy"])
    print("validation: " + ", ".join(f"rate {rate}: {100 * value:.2f} %" for rate, value in chosen.items()))
    print(f"{options.model}: rate {best}, test accuracy " + ", ".join(f"{100 * t:.2f} %" for t in tests)
          + f"; mean {100 * statistics.mean(tests):.2f} %, least {100 * min(tests):.2f} %")


if __name__ == "__main__":
    main()
