"""What is trained: networks, initial weights and batches that are the same for every
contender, and the losses of the first steps in f64.
"""
import hashlib
import json
import math
import pathlib
from typing import Dict, List, NamedTuple, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Rows of the data set. Batches are taken in turns, so that the loss does not vanish within the steps of a turn.
ROWS = 8192
# Keras and PyTorch add epsilon in different places; one that is so small makes no difference.
RATE, BETA_1, BETA_2, EPSILON = 1e-3, 0.9, 0.999, 1e-10
CLASSES = 10


class Layer(NamedTuple):
    """kind: "conv", 3x3 with relu; "pool", the largest of 2x2; "dense", with relu unless it is the last one."""
    kind: str
    name: str = ""
    width: int = 0


class Network(NamedTuple):
    source: str  # for hgc
    row: Tuple[int, ...]  # shape of an input
    layers: List[Layer]
    checked: int = 50  # steps whose losses are compared


NETWORKS = {
    "mlp": Network("examples/mlp/mlp.mlir", (784,), [Layer("dense", "fc1", 128), Layer("dense", "fc2", CLASSES)]),
    "cnn": Network("test/EndToEnd/Training/Inputs/cnn.mlir", (28, 28, 1),
                   [Layer("conv", "conv", 32), Layer("pool"), Layer("dense", "fc", CLASSES)]),
    "deep_cnn": Network("examples/fashion-mnist/fashion_cnn.mlir", (28, 28, 1), [
        Layer("conv", "conv1", 32), Layer("pool"), Layer("conv", "conv2", 64), Layer("pool"),
        Layer("dense", "fc1", 128), Layer("dense", "fc2", CLASSES)],
        # From the tenth step on rounding decides which of many units at zero come to life.
        checked=5),
}


class Line(NamedTuple):
    """A line of the table; floor, kind, quick and tolerance as in peers/models.py."""
    network: str
    batch: int
    floor: float
    quick: bool = False
    kind: str = "compute"
    tolerance: float = 1e-4

    @property
    def name(self):
        return f"{self.network}_b{self.batch}"


LINES = [Line("mlp", 32, 1.8, quick=True), Line("mlp", 128, 1.3), Line("cnn", 32, 1.8, quick=True),
         Line("cnn", 128, 1.8), Line("deep_cnn", 32, 1.8), Line("deep_cnn", 128, 1.8)]
HGC_FLAGS = ["--train", "--train-entry=predict", "--loss=sparse_categorical_crossentropy",
             f"--optimizer=adam:lr={RATE},epsilon={EPSILON}"]


def walk(network: Network):
    """Each layer with the shapes of a row before and behind it."""
    shape = network.row
    for layer in network.layers:
        before = shape
        if layer.kind == "conv":
            shape = (shape[0] - 2, shape[1] - 2, layer.width)
        elif layer.kind == "pool":
            shape = (shape[0] // 2, shape[1] // 2, shape[2])
        else:
            before, shape = (math.prod(shape),), (layer.width,)
        yield layer, before, shape


def weight_shapes(network: Network) -> Dict[str, Tuple[int, ...]]:
    """Of all parameters in order; filters are height, width, input, output."""
    shapes: Dict[str, Tuple[int, ...]] = {}
    for layer, before, _ in walk(network):
        if layer.name:
            shapes[f"{layer.name}.weight"] = ((3, 3) if layer.kind == "conv" else ()) + (before[-1], layer.width)
            shapes[f"{layer.name}.bias"] = (layer.width,)
    return shapes


def count_flops(network: Network, batch: int) -> int:
    """Products of a step: forward, gradients of the weights, and of the inputs but for the first layer."""
    total = 0
    for i, (layer, before, after) in enumerate(walk(network)):
        if layer.name:
            products = math.prod(after) * (9 * before[-1] if layer.kind == "conv" else before[0])
            total += 2 * batch * products * (2 if i == 0 else 3)
    return total


def make_weights(network: Network) -> dict:
    """Glorot uniform, and small biases."""
    import numpy as np
    rng = np.random.default_rng(7)
    weights = {}
    for name, shape in weight_shapes(network).items():
        spots = math.prod(shape[:-2])
        limit = math.sqrt(6 / (spots * (shape[-2] + shape[-1]))) if len(shape) > 1 else 0.05
        weights[name] = rng.uniform(-limit, limit, shape).astype(np.float32)
    return weights


def make_data(network: Network):
    """Noisy points around a centre for each class, one label of ten wrong; rows and i32 labels."""
    import numpy as np
    rng = np.random.default_rng(1)
    centers = rng.random((CLASSES, 784), dtype=np.float32)
    classes = rng.integers(0, CLASSES, ROWS)
    rows = rng.random((ROWS, 784), dtype=np.float32)
    rows += centers[classes]
    rows *= 0.5
    labels = np.where(rng.random(ROWS) < 0.1, rng.integers(0, CLASSES, ROWS), classes)
    return rows.reshape(ROWS, *network.row), labels.astype(np.int32)


def make_batches(network: Network, batch: int) -> list:
    rows, labels = make_data(network)
    return [(rows[i:i + batch], labels[i:i + batch]) for i in range(0, ROWS, batch)]


def reference_losses(line: Line) -> List[float]:
    """Losses of the first steps in f64; Adam is written out as Keras has it."""
    import torch

    from . import with_torch
    network = NETWORKS[line.network]
    module = with_torch.make_module(network, make_weights(network)).double()
    slots = [(p, torch.zeros_like(p), torch.zeros_like(p)) for p in module.parameters()]
    batches, losses = with_torch.make_tensors(network, line.batch), []
    for step in range(1, network.checked + 1):
        x, labels = batches[(step - 1) % len(batches)]
        loss = torch.nn.functional.cross_entropy(module(x.double()), labels)
        module.zero_grad()
        loss.backward()
        losses.append(loss.item())
        rate = RATE * math.sqrt(1 - BETA_2 ** step) / (1 - BETA_1 ** step)
        with torch.no_grad():
            for p, m, v in slots:
                m += (p.grad - m) * (1 - BETA_1)
                v += (p.grad ** 2 - v) * (1 - BETA_2)
                p -= rate * m / (v.sqrt() + EPSILON)
    return losses


def fingerprint():
    files = [pathlib.Path(__file__), pathlib.Path(__file__).with_name("with_torch.py")]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def export(line: Line, folder: pathlib.Path) -> dict:
    """Writes data.npz, the expected losses, one array for each step, and model.json, unless they are there."""
    import numpy as np
    path = folder / "model.json"
    if path.exists() and json.loads(path.read_text())["source"] == fingerprint():
        return json.loads(path.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    losses = reference_losses(line)
    np.savez(folder / "data.npz", **{f"expected_{i:03}": np.array(loss) for i, loss in enumerate(losses)})
    about = {"source": fingerprint(), "network": line.network, "batch": line.batch,
             "flops": count_flops(NETWORKS[line.network], line.batch), "bytes": 0, "losses": [losses[0], losses[-1]]}
    path.write_text(json.dumps(about))
    return about
