"""Dropout, batch normalisation, seeds, threads and checkpoints of a trained model: check_modes.py HGC FOLDER."""
import json
import math
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys

from library import Failure, Model

ROWS, WIDTH = 6, 5
MODEL = """module @modes {
  hgc.parameter @w : tensor<5x5xf32> = #hgc.init<glorot_normal, seed = 3>
  hgc.parameter @scale : tensor<5xf32> = dense<1.5>
  hgc.parameter @shift : tensor<5xf32> = dense<0.5>
  hgc.parameter @mean : tensor<5xf32> = dense<0.0>
  hgc.parameter @variance : tensor<5xf32> = dense<1.0>
  hgc.parameter @fixed : tensor<5xf32> = dense<2.0> {hgc.frozen}
  func.func @predict(%x: tensor<6x5xf32> {hgc.name = "x"}) -> (tensor<6x5xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %w = hgc.read @w : tensor<5x5xf32>
    %s = hgc.read @scale : tensor<5xf32>
    %h = hgc.read @shift : tensor<5xf32>
    %m = hgc.read @mean : tensor<5xf32>
    %v = hgc.read @variance : tensor<5xf32>
    %f = hgc.read @fixed : tensor<5xf32>
    %0 = hgc.dropout %x rate 2.5e-01 : tensor<6x5xf32>
    %1 = hgc.batch_norm %0, %s, %h, %m, %v axis 1 epsilon 1.0e-03 momentum 9.0e-01
        : (tensor<6x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
    %2 = hgc.mul %1, %f : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
    %3 = hgc.matmul %2, %w : (tensor<6x5xf32>, tensor<5x5xf32>) -> tensor<6x5xf32>
    return %3 : tensor<6x5xf32>
  }
}
"""


def philox(counter, key):
    words, keys = list(counter), list(key)
    for _ in range(10):
        even, odd = words[0] * 0xD2511F53, words[2] * 0xCD9E8D57
        words = [odd >> 32 ^ words[1] ^ keys[0], odd & 0xFFFFFFFF, even >> 32 ^ words[3] ^ keys[1], even & 0xFFFFFFFF]
        keys = [(keys[0] + 0x9E3779B9) & 0xFFFFFFFF, (keys[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return words[0] << 32 | words[1]


def dropped(x, seed, step, rate):
    """The input of the layer behind dropout, with the mask of that seed and step."""
    stream = step + (1 << 40)
    keep = [philox([i, 0, stream & 0xFFFFFFFF, stream >> 32], [seed, 0]) >= int(rate * 2 ** 64) for i in range(len(x))]
    return [v / (1 - rate) if kept else 0.0 for v, kept in zip(x, keep)]


def expect(what, actual, wanted, bound=1e-5):
    if not all(abs(a - w) <= bound * max(1, abs(w)) for a, w in zip(actual, wanted)):
        sys.exit(f"{what}: {actual}, expected {wanted}")


def check_modes(model, rng):
    x = [rng.uniform(-1, 1) for _ in range(ROWS * WIDTH)]
    y = [rng.uniform(-1, 1) for _ in range(ROWS * WIDTH)]
    w, valid, seed = model.get("w"), 4, 11
    column = lambda values, j, n: [values[i * WIDTH + j] for i in range(n)]

    def forward(values, means, variances):
        rows = []
        for i in range(ROWS):
            row = [((values[i * WIDTH + j] - means[j]) / math.sqrt(variances[j] + 1e-3) * 1.5 + 0.5) * 2 for j in range(WIDTH)]
            rows += [sum(row[k] * w[k * WIDTH + j] for k in range(WIDTH)) for j in range(WIDTH)]
        return rows

    # Nothing is dropped and the running statistics are used outside of training.
    expect("predict", model.call("predict", x)[0], forward(x, [0] * WIDTH, [1] * WIDTH))
    model.call("init", [seed])
    w = model.get("w")
    values = dropped(x, seed, 1, 0.25)
    means = [sum(column(values, j, valid)) / valid for j in range(WIDTH)]
    variances = [sum((v - means[j]) ** 2 for v in column(values, j, valid)) / valid for j in range(WIDTH)]
    output = forward(values, means, variances)
    loss = sum((a - b) ** 2 for a, b in zip(output[:valid * WIDTH], y)) / (valid * WIDTH)
    expect("loss of the step", model.call("train_step", x, y, [1], [valid])[0], [loss], 1e-4)
    expect("running mean", model.get("mean"), [0.1 * m for m in means])
    expect("running variance", model.get("variance"), [0.9 + 0.1 * v for v in variances])
    if "fixed" in model.state() or "fixed.adam_m" in model.params or "mean.adam_m" in model.params:
        sys.exit("a frozen parameter or a statistic is trained")
    print("modes: match")


def train(library, threads, seed, rng):
    model = Model(library, threads=threads)
    model.call("init", [seed])
    for step in range(1, 4):
        batch = [rng.uniform(-1, 1) for _ in range(2 * ROWS * WIDTH)]
        model.call("train_step", batch[:30], batch[30:], [step], [ROWS])
    state = model.state()
    model.close()
    return state


def check_seeds(library):
    first, second, other = (train(library, t, s, random.Random(5)) for t, s in [(1, 7), (2, 7), (1, 8)])
    if first != second or first["w"] == other["w"]:
        sys.exit("seeds and threads do not decide as they should")
    values = struct.unpack("25f", first["w"])
    if not all(math.isfinite(v) for v in values):
        sys.exit("training has diverged")
    print("seeds: bits are equal")


def refuse(model, path, what):
    before = model.state()
    try:
        model.load(path)
    except Failure as failure:
        print(f"{what}: {str(failure).replace(str(path), 'FILE')}")
        if model.state() != before:
            sys.exit(f"{what}: a refused file has changed the state")
        return
    sys.exit(f"{what}: the file was taken")


def check_files(model, folder):
    path, bad = folder / "state.safetensors", folder / "bad.safetensors"
    model.save(path)
    state, good = model.state(), path.read_bytes()
    model.call("init", [99])
    model.load(path)
    if model.state() != state:
        sys.exit("a loaded state is not the saved one")
    size = struct.unpack("<Q", good[:8])[0]
    header = json.loads(good[8:8 + size])

    def write(change):
        text = change(json.loads(json.dumps(header)))
        text = text if isinstance(text, bytes) else json.dumps(text).encode()
        bad.write_bytes(struct.pack("<Q", len(text)) + text + good[8 + size:])

    def altered(name, key, value):
        return lambda h: {**h, name: {**h[name], key: value}}

    cases = {"type": altered("w", "dtype", "F64"), "shape": altered("w", "shape", [25]), "other": lambda h: {**h, "v": h["w"]},
             "missing": lambda h: {k: v for k, v in h.items() if k != "w"},
             "offsets": altered("w", "data_offsets", [0, 10]), "json": lambda h: b"[1]", "field": altered("w", "size", 1),
             "number": altered("w", "shape", ["a"]), "large": lambda h: json.dumps(altered("w", "shape", [0])(h)).replace(
                 '"shape": [0]', '"shape": [99999999999999999999]').encode(),
             "escape": lambda h: json.dumps(h).replace('"w"', '"\\x"').encode(), "dims": altered("w", "shape", [1] * 17),
             "twice": lambda h: json.dumps(h)[:-1].encode() + b', "w": ' + json.dumps(h["w"]).encode() + b"}",
             "long": lambda h: {**h, "n" * 2000: h["w"]}, "pair": altered("w", "data_offsets", [0]),
             "fields": lambda h: {**h, "w": {"dtype": "F32"}}, "rest": lambda h: json.dumps(h).encode() + b"{}"}
    for what, change in cases.items():
        write(change)
        refuse(model, bad, what)
    bad.write_bytes(good[:-4])
    refuse(model, bad, "cut")
    bad.write_bytes(good[:20])
    refuse(model, bad, "short")
    bad.write_bytes(b"")
    refuse(model, bad, "empty")
    refuse(model, folder / "nothing", "absent")
    check_disk(model, folder, path, good)


def check_disk(model, folder, path, good):
    """A disk that is full while saving."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, limits[1]))
    try:
        model.save(path)
        sys.exit("a file was saved beyond the limit")
    except Failure as failure:
        message = str(failure).replace(str(folder), "FOLDER").replace(str(os.getpid()), "N")
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    print(f"full: {message}")
    if path.read_bytes() != good or list(folder.glob("*.tmp")):
        sys.exit("a failed save has left something, or changed the old file")
    for target, what in [(folder / "no" / "where", "folder"), ("", "path"), (folder, "target"), ("a" * 5000, "length")]:
        try:
            model.save(target)
        except Failure as failure:
            print(f"{what}: {str(failure).replace(str(folder), 'FOLDER').replace(str(os.getpid()), 'N')[:120]}")


def main():
    hgc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    source, library = folder / "modes.mlir", folder / "modes.so"
    source.write_text(MODEL)
    subprocess.run([hgc, "compile", source, "-o", library, "--train", "--loss", "mse", "--optimizer", "adam:lr=0.01"], check=True)
    model = Model(library)
    check_modes(model, random.Random(1))
    check_seeds(library)
    check_files(model, folder)
    # What no entry assigns is no state.
    subprocess.run([hgc, "compile", source, "-o", library.with_name("plain.so")], check=True)
    plain = Model(library.with_name("plain.so"))
    for action in [plain.save, plain.load]:
        try:
            action(folder / "plain")
        except Failure as failure:
            print(f"plain: {failure}")


if __name__ == "__main__":
    main()
