#!/usr/bin/env python3
"""Compares gradients of whole models with PyTorch's: those of the reference evaluator in
f64, and those of compiled code in f32.

  test/Autodiff/compare_torch.py [--build build] [--device emulated:a100]

Needs torch and numpy; without them: status 77.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import torch
    from torch.nn import functional
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


def tensor(shape, element):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


class Text:
    """Writes a function op by op; types follow from the shapes that are given."""

    def __init__(self, element):
        self.element, self.lines, self.count = element, [], 0

    def op(self, text, operands, shape, same=False):
        self.count += 1
        result = (f"%v{self.count}", shape)
        kinds = ", ".join(self.type(v) for v in operands)
        form = self.type(result) if same else f"({kinds}) -> {self.type(result)}"
        names = ", ".join(v[0] for v in operands)
        self.lines.append(f"    {result[0]} = hgc.{text.format(names)} : {form}")
        return result

    def type(self, value):
        return tensor(value[1], value[2] if len(value) > 2 else self.element)

    def dense(self, x, w, b):
        shape = x[1][:-1] + w[1][-1:]
        return self.op("add {0}", [self.op("matmul {0}", [x, w], shape), b], shape)

    def cross_entropy(self, logits, target):
        y = self.op("log_softmax {0} axis " + str(len(logits[1]) - 1), [logits], logits[1], True)
        y = self.op("mul {0}", [y, target], logits[1])
        y = self.op("reduce sum {0} axes = " + str([len(logits[1]) - 1]), [y], logits[1][:-1])
        y = self.op("reduce mean {0} axes = " + str(list(range(len(y[1])))), [y], [])
        return self.op("neg {0}", [y], [], True)


def cross_entropy(logits, target):
    return -(functional.log_softmax(logits, -1) * target).sum(-1).mean()


class Perceptron:
    shapes = {"x": [32, 784], "w1": [784, 128], "b1": [128], "w2": [128, 10], "b2": [10], "target": [32, 10]}

    def write(self, t, x, w1, b1, w2, b2, target):
        y = t.op("relu {0}", [t.dense(x, w1, b1)], [32, 128], True)
        return t.cross_entropy(t.dense(y, w2, b2), target)

    def compute(self, x, w1, b1, w2, b2, target):
        return cross_entropy(torch.relu(x @ w1 + b1) @ w2 + b2, target)


class Convolutional:
    shapes = {"x": [4, 28, 28, 1], "f": [3, 3, 1, 32], "b": [32], "w": [5408, 10], "c": [10], "target": [4, 10]}

    def write(self, t, x, f, b, w, c, target):
        y = t.op("conv {0} channels_last hwio", [x, f], [4, 26, 26, 32])
        y = t.op("relu {0}", [t.op("add {0}", [y, b], y[1])], y[1], True)
        y = t.op("pool max {0} window = [2, 2] strides = [2, 2] channels_last", [y], [4, 13, 13, 32])
        y = t.op("reshape {0} shape [4, 5408]", [y], [4, 5408])
        return t.cross_entropy(t.dense(y, w, c), target)

    def compute(self, x, f, b, w, c, target):
        y = torch.relu(functional.conv2d(x.permute(0, 3, 1, 2), f.permute(3, 2, 0, 1)) + b[:, None, None])
        y = functional.max_pool2d(y, 2).permute(0, 2, 3, 1).reshape(4, 5408)
        return cross_entropy(y @ w + c, target)


class Transformer:
    """One layer with four heads, normalised before each half."""
    shapes = {"x": [2, 9, 32], "s": [32], "b": [32], "qkv": [32, 96], "o": [32, 32], "u": [32, 64], "d": [64, 32],
              "target": [2, 9, 32]}

    def write(self, t, x, s, b, qkv, o, u, d, target):
        norm = lambda v: t.op("layer_norm {0} axis 2 epsilon 1.0e-05", [v, s, b], [2, 9, 32])
        y = t.op("matmul {0}", [norm(x), qkv], [2, 9, 96])
        heads = []
        for i in range(3):
            part = t.op(f"slice {{0}} starts = [0, 0, {32 * i}] sizes = [2, 9, 32]", [y], [2, 9, 32])
            part = t.op("reshape {0} shape [2, 9, 4, 8]", [part], [2, 9, 4, 8])
            heads.append(t.op("transpose {0} permutation = [0, 2, 1, 3]", [part], [2, 4, 9, 8]))
        y = t.op("attention {0} causal", heads, [2, 4, 9, 8])
        y = t.op("transpose {0} permutation = [0, 2, 1, 3]", [y], [2, 9, 4, 8])
        y = t.op("matmul {0}", [t.op("reshape {0} shape [2, 9, 32]", [y], [2, 9, 32]), o], [2, 9, 32])
        x = t.op("add {0}", [x, y], [2, 9, 32])
        y = t.op("gelu {0}", [t.op("matmul {0}", [norm(x), u], [2, 9, 64])], [2, 9, 64], True)
        x = t.op("add {0}", [x, t.op("matmul {0}", [y, d], [2, 9, 32])], [2, 9, 32])
        return t.cross_entropy(x, target)

    def compute(self, x, s, b, qkv, o, u, d, target):
        q, k, v = ((functional.layer_norm(x, [32], s, b) @ qkv).reshape(2, 9, 3, 4, 8).permute(2, 0, 3, 1, 4))
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + y.permute(0, 2, 1, 3).reshape(2, 9, 32) @ o
        x = x + functional.gelu(functional.layer_norm(x, [32], s, b) @ u) @ d
        return cross_entropy(x, target)


class Recurrent:
    """A gated cell over a sequence."""
    shapes = {"h": [3, 8], "xs": [7, 3, 8], "w": [8, 8], "g": [8, 8], "target": [3, 8]}

    def write(self, t, h, xs, w, g, target):
        e = t.element
        m, s, q = tensor([3, 8], e), tensor([8, 8], e), tensor([7, 3, 8], e)
        t.lines.append(f"""    %last = hgc.scan init(%h : {m}) over(%xs : {q}) -> ({m}) {{
    ^bb0(%s: {m}, %x: {m}):
      %a = hgc.matmul %s, %w : ({m}, {s}) -> {m}
      %b = hgc.add %a, %x : ({m}, {m}) -> {m}
      %c = hgc.tanh %b : {m}
      %d = hgc.matmul %s, %g : ({m}, {s}) -> {m}
      %e = hgc.sigmoid %d : {m}
      %f = hgc.sub %c, %s : ({m}, {m}) -> {m}
      %i = hgc.mul %e, %f : ({m}, {m}) -> {m}
      %n = hgc.add %s, %i : ({m}, {m}) -> {m}
      hgc.yield %n : {m}
    }}""")
        return t.cross_entropy(("%last", [3, 8]), target)

    def compute(self, h, xs, w, g, target):
        for x in xs:
            h = h + torch.sigmoid(h @ g) * (torch.tanh(h @ w + x) - h)
        return cross_entropy(h, target)


def write_model(model, element, path):
    text = Text(element)
    values = [(f"%{name}", shape) for name, shape in model.shapes.items()]
    loss = model.write(text, *values)
    arguments = ", ".join(f'{v[0]}: {text.type(v)} {{hgc.name = "{v[0][1:]}"}}' for v in values)
    wanted = ", ".join(f'"{name}"' for name in model.shapes if name != "target")
    lines = ["module @model {", f"  func.func @loss({arguments}) -> ({tensor([], element)} {{hgc.name = \"loss\"}})",
             f"      attributes {{hgc.entry, hgc.grad = [{wanted}]}} {{", *text.lines,
             f"    return {loss[0]} : {tensor([], element)}", "  }", "}"]
    path.write_text("\n".join(lines) + "\n")


def compare(args, folder, model, element, command):
    """Largest error of a gradient, relative to its largest element."""
    kind = {"f32": np.float32, "f64": np.float64}[element]
    rng = np.random.default_rng(5)
    inputs = {name: rng.standard_normal(shape) / np.sqrt(shape[0] if len(shape) == 2 else 4)
              for name, shape in model.shapes.items()}
    width = model.shapes["target"][-1]
    inputs["target"] = np.eye(width)[rng.integers(0, width, model.shapes["target"][:-1])]
    inputs = {name: value.astype(kind) for name, value in inputs.items()}
    np.savez(folder / "inputs.npz", **inputs)
    wanted = [name for name in inputs if name != "target"]
    outputs = [f"--output=grad_{name}=@{folder}/{name}.npy" for name in wanted]
    subprocess.run([*command, "--entry=loss_grad", f"--input=@{folder}/inputs.npz", *outputs], check=True,
                   stdout=subprocess.DEVNULL)
    variables = {name: torch.tensor(value.astype(np.float64), requires_grad=name in wanted) for name, value in inputs.items()}
    model.compute(**variables).backward()
    worst = 0.0
    for name in wanted:
        expected = variables[name].grad.numpy()
        worst = max(worst, float(np.abs(np.load(folder / f"{name}.npy") - expected).max() / np.abs(expected).max()))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--device", help="run compiled code there, for example emulated:a100")
    args = parser.parse_args()
    hgc, failed = args.build / "bin" / "hgc", 0
    for model in (Perceptron(), Convolutional(), Transformer(), Recurrent()):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            source, library = folder / "model.mlir", folder / "model.so"
            write_model(model, "f64", source)
            exact = compare(args, folder, model, "f64", [hgc, "eval", source])
            write_model(model, "f32", source)
            device = [f"--device={args.device}"] if args.device else []
            gpu = ["--gpu=sm_80", "--strict-placement", "--place=gpu(.*)"] if args.device else []
            subprocess.run([hgc, "compile", source, *gpu, "-o", library], check=True)
            single = compare(args, folder, model, "f32", [hgc, "run", library, *device])
            wrong = exact > 1e-12 or single > 2e-5
            failed += wrong
            print(f"{type(model).__name__}: f64 {exact:.1e}, compiled f32 {single:.1e}" + (" WRONG" if wrong else ""), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
