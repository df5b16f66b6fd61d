#!/usr/bin/env python3
"""Compares hgc train, which makes its batches from bytes while it trains, with training on ready batches.

    benchmarks/pipeline.py --build build --threads 1
    benchmarks/pipeline.py --quick

Results go to BUILD/pipeline. Exits with 1 when a line has less than 95 % of the steps.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

from peers import command, environment

ROWS, CLASSES = 16384, 10
FLOOR = 0.95
LINES = [("mlp", 32), ("mlp", 128), ("cnn", 32)]
TRAIN_FLAGS = ["--train", "--train-entry=predict", "--loss=categorical_crossentropy"]
# Images and classes of one byte become pixels of 0 to 1 and one flag for each class.
PREPROCESS = """
  func.func @preprocess(%images: tensor<?x28x28xui8> {{hgc.name = "raw_x", hgc.shape = ["batch", 28, 28]}},
                        %classes: tensor<?xui8> {{hgc.name = "raw_labels", hgc.shape = ["batch"]}})
      -> (tensor<?x{row}xf32> {{hgc.name = "x"}}, tensor<?x10xf32> {{hgc.name = "labels"}}) attributes {{hgc.entry}} {{
    %0 = hgc.cast %images to f32 : (tensor<?x28x28xui8>) -> tensor<?x28x28xf32>
    %white = hgc.constant dense<255.0> : tensor<f32>
    %1 = hgc.div %0, %white : (tensor<?x28x28xf32>, tensor<f32>) -> tensor<?x28x28xf32>
    %2 = hgc.reshape %1 shape ["batch", {dims}] : (tensor<?x28x28xf32>) -> tensor<?x{row}xf32>
    %3 = hgc.cast %classes to i32 : (tensor<?xui8>) -> tensor<?xi32>
    %4 = hgc.reshape %3 shape ["batch", 1] : (tensor<?xi32>) -> tensor<?x1xi32>
    %all = hgc.iota shape [10] axis 0 of i32 : tensor<10xi32>
    %5 = hgc.compare eq %4, %all : (tensor<?x1xi32>, tensor<10xi32>) -> tensor<?x10xi1>
    %6 = hgc.cast %5 to f32 : (tensor<?x10xi1>) -> tensor<?x10xf32>
    return %2, %6 : tensor<?x{row}xf32>, tensor<?x10xf32>
  }}

"""


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=command.BENCHMARKS.parent / "build",
                        help="build tree with bin/hgc")
    parser.add_argument("--threads", type=int, default=1,
                        help="threads of a step; hgc train has those that make batches besides")
    parser.add_argument("--rounds", type=int, help="how often each side has a turn (11, with --quick 5)")
    parser.add_argument("--seconds", type=float, help="length of a turn (1, with --quick 0.3)")
    parser.add_argument("--patience", type=float, default=900, help="seconds until hgc counts as failed")
    parser.add_argument("--quick", action="store_true", help="one line and short turns")
    parser.add_argument("--hgc-flag", action="append", default=[], help="a further option of hgc compile")
    parser.add_argument("--update-readme", action="store_true", help="write the table into benchmarks/README.md")
    args = parser.parse_args()
    if args.update_readme and (args.quick or args.threads > 2):
        parser.error("--update-readme needs all lines, on one or two threads")
    return args


def add_preprocess(text, row):
    """The model with an entry more. row: shape of an input."""
    place = text.index("  func.func @predict")
    entry = PREPROCESS.format(row="x".join(map(str, row)), dims=", ".join(map(str, row)))
    return text[:place].rstrip() + "\n" + entry + text[place:]


def write_idx(path, array):
    """Bytes as the files of MNIST have them."""
    head = bytes([0, 0, 8, array.ndim]) + b"".join(extent.to_bytes(4, "big") for extent in array.shape)
    path.write_bytes(head + array.tobytes())


def write_data(folder, row):
    """The same rows as bytes and as the model takes them; returns the latter."""
    import numpy as np
    rng = np.random.default_rng(1)
    classes = rng.integers(0, CLASSES, ROWS).astype(np.uint8)
    # Each class is brighter in a part of its own.
    images = rng.integers(0, 128, (ROWS, 784)).astype(np.uint8)
    for i in range(CLASSES):
        images[classes == i, i * 78:(i + 1) * 78] += 64
    write_idx(folder / "images.idx", images.reshape(ROWS, 28, 28))
    write_idx(folder / "classes.idx", classes)
    x = (images.astype(np.float32) / np.float32(255)).reshape(ROWS, *row)
    labels = np.eye(CLASSES, dtype=np.float32)[classes]
    np.save(folder / "x.npy", x)
    np.save(folder / "labels.npy", labels)
    return x, labels


def train(args, folder, library, data, epochs):
    """Steps per second of hgc train, median of the epochs behind the first, and the losses of the epochs."""
    history = folder / "history.json"
    done = subprocess.run(
        [str(args.build / "bin" / "hgc"), "train", str(folder / library), f"--data=x={folder / data[0]}",
         f"--labels={folder / data[1]}", f"--epochs={epochs}", f"--num-threads={args.threads}", "--progress=off",
         "--device=cpu", f"--history={history}"], capture_output=True, text=True, timeout=args.patience)
    if done.returncode != 0:
        raise SystemExit(f"error: hgc train failed: {done.stderr.strip()}\nhint: is --build right?")
    rows = json.loads(history.read_text())["epochs"]
    return statistics.median(row["samples_per_second"] for row in rows[1:]), [row["loss"] for row in rows]


def make_sides(args, name, batch, folder):
    """Functions that have a turn and return rows per second."""
    import hgc
    import numpy as np
    from peers import native
    from training import cases, with_hgc
    network = cases.NETWORKS[name]
    text = (cases.ROOT / network.source).read_text()
    (folder / "ready.mlir").write_text(text)
    (folder / "bytes.mlir").write_text(add_preprocess(text, network.row))
    for source in ("ready", "bytes"):
        _, reason = command.compile_model(args, folder / f"{source}.mlir", folder / f"{source}.so", *TRAIN_FLAGS,
                                          f"--dim=batch={batch}")
        if reason:
            raise SystemExit(f"error: {reason}\nhint: is --build right?")
    x, labels = write_data(folder, network.row)
    model = hgc.load(folder / "ready.so", num_threads=args.threads, device="cpu")
    run = with_hgc.make_loop(model, [(x[i:i + batch], labels[i:i + batch]) for i in range(0, ROWS, batch)],
                             native.Native(native.build(folder)))

    def loop(seconds):
        """Epochs as a loop in C, without any work between the steps."""
        model.entries["init"](np.array(0, np.int64))
        rates, step, end = [], 1, time.perf_counter() + seconds
        while len(rates) < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            run(step, ROWS // batch)
            rates.append(ROWS / (time.perf_counter() - start))
            step += ROWS // batch
        return float(np.median(rates[1:]))
    epochs = max(3, 1 + round(args.seconds * loop(0) / ROWS))
    losses = {}

    def train_side(library, data):
        def turn(_):
            rate, losses[library] = train(args, folder, library, data, epochs)
            return rate
        return turn
    return {"loop": loop, "arrays": train_side("ready.so", ("x.npy", "labels.npy")),
            "bytes": train_side("bytes.so", ("images.idx", "classes.idx"))}, losses


def measure(args, name, batch, folder):
    from peers import stats
    folder.mkdir(parents=True, exist_ok=True)
    sides, losses = make_sides(args, name, batch, folder)
    rounds = {side: [] for side in sides}
    for order in stats.rotations(list(sides), args.rounds):
        for side in order:
            rounds[side].append(sides[side](args.seconds))
    if losses["ready.so"] != losses["bytes.so"]:
        raise SystemExit("error: training on bytes and on arrays had different losses\nhint: this is a bug of hgc")
    result = {"line": f"{name}_b{batch}", "rounds": rounds}
    for base in ("loop", "arrays"):
        shares = [ours / theirs for ours, theirs in zip(rounds["bytes"], rounds[base])]
        result[base] = {"median": statistics.median(shares), "bound": stats.lower_bound(shares)}
    result["steps"] = {side: statistics.median(values) / batch for side, values in rounds.items()}
    return result


def report(args, results):
    from peers import tables
    head = ["line", "steps/s, loop in C on ready batches", "steps/s, hgc train on ready arrays",
            "steps/s, hgc train on bytes", "share of the loop", "95 % bound", "share of ready arrays",
            "95 % bound", "verdict"]
    rows = []
    for result in results:
        cells = [result["line"], *(f"{result['steps'][side]:.0f}" for side in ("loop", "arrays", "bytes"))]
        for base in ("loop", "arrays"):
            cells += [f"{result[base]['median']:.3f}", tables.optional(result[base]["bound"], "{:.3f}")]
        rows.append([*cells, "holds" if holds(result) else f"below {FLOOR}"])
    return "\n".join([f"Machine: {command.describe_machine()}  ", f"Threads of a step: {args.threads}  ",
                      f"Rounds: {args.rounds} of {args.seconds:g} s each  ", "", tables.rows_of(head, rows)])


def holds(result):
    return result["loop"]["median"] >= FLOOR and result["arrays"]["median"] >= FLOOR


def main():
    args = parse()
    args.rounds = args.rounds or (5 if args.quick else 11)
    args.seconds = args.seconds or (0.3 if args.quick else 1.0)
    environment.enter(args.build)
    from peers import with_hgc
    with_hgc.prepare(None)
    work = args.build.resolve() / "pipeline"
    results = []
    for name, batch in LINES[:1] if args.quick else LINES:
        results.append(measure(args, name, batch, work / f"{name}_b{batch}"))
        print(f"{results[-1]['line']}: {results[-1]['loop']['median']:.3f} of the loop", file=sys.stderr, flush=True)
    command.write_results(args, work, f"pipeline-{args.threads}", report(args, results), results,
                          f"pipeline, threads {args.threads}", "pipeline.py")
    return 0 if all(holds(result) for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
