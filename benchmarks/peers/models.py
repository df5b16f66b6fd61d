"""The models of the comparison: PyTorch modules with random weights of a fixed seed,
written once as ONNX with inputs and results in f64.
"""
import hashlib
import json
import math
import pathlib
from typing import NamedTuple

import numpy as np


class Line(NamedTuple):
    """A line of the table. floor: least ratio to the best peer that it should reach. kind: what bounds it, "compute" or
    memory traffic, "read" or "copy". tolerance: largest error in f32; who is above gave wrong results, and its time
    does not count."""
    name: str
    floor: float = 1.0
    kind: str = "compute"
    quick: bool = False
    tolerance: float = 1e-4


LINES = [
    Line("mlp_b1", 1.5, quick=True), Line("mlp_b32", quick=True), Line("mlp_b256"),
    Line("mnist_cnn_b1", 1.4, quick=True), Line("mnist_cnn_b32", 1.4), Line("mobilenet_v2", 1.15, quick=True),
    Line("resnet18", 1.6), Line("resnet50", 1.2), Line("efficientnet_b0"), Line("minilm_s128", 1.08),
    Line("gpt2_s64", 1.08), Line("vit", 1.08), Line("lstm"), Line("gemm1024"),
    # A plain sum of so many terms may be off by 1e-5 sqrt(1e7 / 256).
    Line("ew_1e7", kind="read", tolerance=2e-3),
    Line("softmax", kind="copy", quick=True), Line("layernorm", kind="copy", quick=True),
]


def make_mlp(batch):
    import torch
    nn = torch.nn
    module = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10), nn.Softmax(dim=1))
    return module, (torch.rand(batch, 784),)


def make_mnist_cnn(batch):
    import torch
    nn = torch.nn
    return nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(1600, 128), nn.ReLU(), nn.Linear(128, 10),
                         nn.Softmax(dim=1)), (torch.rand(batch, 1, 28, 28),)


def make_classifier(name, batch=1, size=224):
    import torch
    import torchvision
    module = getattr(torchvision.models, name)(weights=None)
    if hasattr(module, "heads"):
        # It starts with zeros, which would hide errors.
        torch.nn.init.normal_(module.heads.head.weight, std=0.02)
    return module, (torch.randn(batch, 3, size, size),)


def make_transformer(layers, width, heads, words, length, causal):
    """A decoder with norms before the blocks, or an encoder with norms after them."""
    import torch
    nn, functional = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh" if causal else "none"),
                                     nn.Linear(4 * width, width))

        def attend(self, x):
            batch, count, _ = x.shape
            q, k, v = self.qkv(x).view(batch, count, 3, heads, width // heads).permute(2, 0, 3, 1, 4).unbind(0)
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
            return self.out(y.transpose(1, 2).reshape(batch, count, width))

        def forward(self, x):
            if causal:
                x = x + self.attend(self.norm1(x))
                return x + self.mlp(self.norm2(x))
            x = self.norm1(x + self.attend(x))
            return self.norm2(x + self.mlp(x))

    class Transformer(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.positions = nn.Embedding(words, width), nn.Embedding(length, width)
            self.blocks = nn.ModuleList([Block() for _ in range(layers)])
            self.norm = nn.LayerNorm(width)

        def forward(self, ids):
            x = self.words(ids) + self.positions(torch.arange(ids.shape[1]))
            if not causal:
                x = self.norm(x)
            for block in self.blocks:
                x = block(x)
            return self.norm(x) if causal else x

    return Transformer(), (torch.randint(0, words, (1, length)),)


def make_lstm():
    import torch

    class Tagger(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = torch.nn.LSTM(128, 256, num_layers=2, batch_first=True)
            self.out = torch.nn.Linear(256, 64)

        def forward(self, x):
            return self.out(self.lstm(x)[0])

    return Tagger(), (torch.randn(1, 64, 128),)


def make_function(function, *shapes):
    import torch

    class Function(torch.nn.Module):
        def forward(self, *inputs):
            return function(*inputs)

    return Function(), tuple(torch.rand(shape) for shape in shapes)


def make_layernorm():
    import torch
    module = torch.nn.LayerNorm(1024)
    torch.nn.init.normal_(module.weight)
    torch.nn.init.normal_(module.bias)
    return module, (torch.rand(4096, 1024),)


def makers():
    """Functions that make a module and its inputs, by name; the others are classifiers of torchvision."""
    import torch
    size = 10_000_000
    return {
        "mlp_b1": lambda: make_mlp(1), "mlp_b32": lambda: make_mlp(32), "mlp_b256": lambda: make_mlp(256),
        "mnist_cnn_b1": lambda: make_mnist_cnn(1), "mnist_cnn_b32": lambda: make_mnist_cnn(32),
        "minilm_s128": lambda: make_transformer(6, 384, 12, 30522, 128, causal=False),
        "gpt2_s64": lambda: make_transformer(12, 768, 12, 50257, 64, causal=True),
        "vit": lambda: make_classifier("vit_b_16"), "lstm": make_lstm,
        "gemm1024": lambda: make_function(torch.matmul, (1024, 1024), (1024, 1024)),
        "ew_1e7": lambda: make_function(lambda x, y, z: torch.tanh(x * y + z).sum(), (size,), (size,), (size,)),
        "softmax": lambda: make_function(lambda x: torch.softmax(x, dim=-1), (4096, 1024)),
        "layernorm": make_layernorm,
    }


def make(name, known=None):
    """The module, in inference mode, and its inputs."""
    import torch
    torch.manual_seed(0)
    known = known or makers()
    module, inputs = known[name]() if name in known else make_classifier(name)
    return module.eval(), inputs


def reference(module, inputs):
    """Results in f64."""
    import torch
    with torch.no_grad():
        results = module.double()(*(v.double() if v.is_floating_point() else v for v in inputs))
    return [r.numpy() for r in (results if isinstance(results, tuple) else (results,))]


class ExportFailed(Exception):
    """Why a model could not be written."""


def fingerprint(*sources):
    return hashlib.sha256(b"".join(pathlib.Path(path).read_bytes() for path in (__file__, *sources))).hexdigest()[:16]


def export(name, folder, known=None, sources=()):
    """Writes model.onnx, data.npz (inputs, expected results) and model.json, unless they are there. known: makers from
    other files, sources."""
    about = folder / "model.json"
    source = fingerprint(*sources)
    if about.exists() and json.loads(about.read_text())["source"] == source:
        return
    import onnx
    import torch
    folder.mkdir(parents=True, exist_ok=True)
    module, inputs = make(name, known)
    path = folder / "model.onnx"
    try:
        with torch.no_grad():
            torch.onnx.export(module, inputs, str(path), dynamo=True, external_data=False, verbose=False)
    except Exception as error:  # the exporter has errors of many types
        raise ExportFailed(f"the export of {name} failed: {type(error).__name__}") from error
    graph = onnx.load(str(path)).graph
    expected = reference(module, inputs)
    arrays = {f"input_{i}": value.numpy() for i, value in enumerate(inputs)}
    np.savez(folder / "data.npz", **arrays, **{f"expected_{i}": value for i, value in enumerate(expected)})
    about.write_text(json.dumps({
        "source": source, "inputs": [value.name for value in graph.input],
        "outputs": [value.name for value in graph.output], "output_shapes": [list(value.shape) for value in expected],
        "flops": count_flops(onnx.shape_inference.infer_shapes(onnx.load(str(path))).graph),
        "bytes": sum(v.nbytes for v in arrays.values()) + sum(v.size * 4 for v in expected)}))


def shapes_of(graph) -> dict:
    """Static shapes of a graph's values."""
    shapes = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    for value in (*graph.input, *graph.output, *graph.value_info):
        shapes.setdefault(value.name, [dim.dim_value for dim in value.type.tensor_type.shape.dim])
    return shapes


def node_flops(node, shapes) -> int:
    """Two for each multiply-add of the products; other ops count as nothing."""
    sizes = [shapes.get(name, []) for name in node.input]
    result = math.prod(shapes.get(node.output[0], []))
    if node.op_type in ("MatMul", "Gemm"):
        transposed = node.op_type == "Gemm" and any(a.name == "transA" and a.i for a in node.attribute)
        return 2 * result * sizes[0][0 if transposed else -1]
    if node.op_type == "Conv":
        return 2 * result * math.prod(sizes[1][1:])
    if node.op_type in ("LSTM", "GRU", "RNN"):
        return 2 * sizes[0][0] * sizes[0][1] * (math.prod(sizes[1]) + math.prod(sizes[2]))
    return 0


def count_flops(graph) -> int:
    shapes = shapes_of(graph)
    return sum(node_flops(node, shapes) for node in graph.node)
