"""Writes models for hgc as MLIR text, op by op, with seeded random weights.

A value is a `Value`: its name in the text, its shape and its element type. Ops
take values and give values; `Writer.print_module` writes the whole.
"""
import typing


class Value(typing.NamedTuple):
    name: str
    shape: tuple
    element: str

    @property
    def type(self):
        return f"tensor<{''.join(f'{extent}x' for extent in self.shape)}{self.element}>"


class Writer:
    """Collects arguments, parameters and ops of one model with one entry."""

    def __init__(self, name, element="f32"):
        self.name, self.element = name, element
        # Products of narrow floats are sums in f32.
        self.wide = "f64" if element == "f64" else "f32"
        self.arguments, self.parameters, self.body = [], [], []

    def argument(self, name, shape, element=None):
        self.arguments.append(Value(f"%{name}", tuple(shape), element or self.wide))
        return self.arguments[-1]

    def parameter(self, name, shape, init, element=None):
        """`init` is a number, or a distribution such as he_normal."""
        seed = len(self.parameters) + 1
        init = f"dense<{init}>" if isinstance(init, float) else f"#hgc.init<{init}, seed = {seed}>"
        value = Value("", tuple(shape), element or self.wide)
        self.parameters.append(f"  hgc.parameter @{name} : {value.type} = {init}")
        return self.emit(f"hgc.read @{name}", [], shape, value.element)

    def emit(self, text, operands, shape, element=None, name=None, brief=False):
        """One op: `{}` in `text` stands for the operands."""
        result = Value(f"%{len(self.body)}", tuple(shape), element or self.wide)
        text = text.replace("{}", ", ".join(operand.name for operand in operands))
        types = result.type if brief or not operands else f"({', '.join(o.type for o in operands)}) -> {result.type}"
        attributes = f' {{hgc.name = "{name}"}}' if name else ""
        self.body.append(f"    {result.name} = {text}{attributes} : {types}")
        return result

    def unary(self, op, x, name=None):
        return self.emit(f"hgc.{op} {{}}", [x], x.shape, x.element, name, brief=True)

    def binary(self, op, a, b, name=None):
        rank = max(len(a.shape), len(b.shape))
        padded = [(1,) * (rank - len(v.shape)) + v.shape for v in (a, b)]
        return self.emit(f"hgc.{op} {{}}", [a, b], [max(pair) for pair in zip(*padded)], a.element, name)

    def scalar(self, number, element=None):
        return self.emit(f"hgc.constant dense<{number}>", [], (), element)

    def cast(self, x, element):
        return x if x.element == element else self.emit(f"hgc.cast {{}} to {element}", [x], x.shape, element)

    def reshape(self, x, shape):
        return self.emit(f"hgc.reshape {{}} shape [{', '.join(map(str, shape))}]", [x], shape, x.element)

    def transpose(self, x, permutation):
        text = f"hgc.transpose {{}} permutation = [{', '.join(map(str, permutation))}]"
        return self.emit(text, [x], [x.shape[p] for p in permutation], x.element)

    def reduce(self, kind, x, axes, name=None):
        shape = [extent for axis, extent in enumerate(x.shape) if axis not in axes]
        return self.emit(f"hgc.reduce {kind} {{}} axes = [{', '.join(map(str, axes))}]", [x], shape, x.element, name)

    def concat(self, values, axis):
        shape = list(values[0].shape)
        shape[axis] = sum(value.shape[axis] for value in values)
        return self.emit(f"hgc.concat {{}} axis {axis}", values, shape, values[0].element)

    def gather(self, table, indices, name=None):
        return self.emit("hgc.gather {} axis 0", [table, indices], indices.shape + table.shape[1:], table.element, name)

    def softmax(self, x, name=None):
        return self.emit(f"hgc.softmax {{}} axis {len(x.shape) - 1}", [x], x.shape, x.element, name, brief=True)

    def matmul(self, a, b, name=None):
        a, b = self.cast(a, self.element), self.cast(b, self.element)
        return self.emit("hgc.matmul {}", [a, b], a.shape[:-1] + b.shape[-1:], self.wide, name)

    def dense(self, name, x, features, activation=None):
        weight = self.parameter(f"{name}.weight", (x.shape[-1], features), "glorot_uniform", self.element)
        bias = self.parameter(f"{name}.bias", (features,), 0.01)
        y = self.binary("add", self.matmul(x, weight, name), bias)
        return self.unary(activation, y) if activation else y

    def layer_norm(self, name, x):
        scale = self.parameter(f"{name}.scale", x.shape[-1:], 1.0)
        bias = self.parameter(f"{name}.bias", x.shape[-1:], 0.0)
        text = f"hgc.layer_norm {{}} axis {len(x.shape) - 1} epsilon 1.0e-05"
        return self.emit(text, [x, scale, bias], x.shape, x.element, name)

    def conv(self, name, x, channels, kernel, stride=1, pad=None):
        """A convolution without bias, channels_last; `kernel` is one extent or two."""
        kh, kw = kernel if isinstance(kernel, tuple) else (kernel, kernel)
        ph, pw = (kh // 2, kw // 2) if pad is None else (pad, pad)
        n, h, w, c = x.shape
        weight = self.parameter(f"{name}.weight", (kh, kw, c, channels), "he_normal", self.element)
        out = ((h + 2 * ph - kh) // stride + 1, (w + 2 * pw - kw) // stride + 1)
        text = (f"hgc.conv {{}} strides = [{stride}, {stride}] pads = [{ph}, {pw}, {ph}, {pw}] "
                "channels_last hwio")
        return self.emit(text, [self.cast(x, self.element), weight], (n, *out, channels), self.wide, name)

    def conv_norm(self, name, x, channels, kernel, stride=1, pad=None):
        """A convolution and the batch normalisation behind it."""
        y = self.conv(name, x, channels, kernel, stride, pad)
        factors = [self.parameter(f"{name}.{part}", (channels,), init)
                   for part, init in (("scale", 1.0), ("bias", 0.01), ("mean", 0.02), ("variance", 1.5))]
        return self.emit("hgc.batch_norm {} axis 3 epsilon 1.0e-05", [y, *factors], y.shape, y.element)

    def pool(self, kind, x, window, stride, pad=0):
        n, h, w, c = x.shape
        out = ((h + 2 * pad - window) // stride + 1, (w + 2 * pad - window) // stride + 1)
        text = (f"hgc.pool {kind} {{}} window = [{window}, {window}] strides = [{stride}, {stride}] "
                f"pads = [{pad}, {pad}, {pad}, {pad}] channels_last")
        return self.emit(text, [x], (n, *out, c), x.element)

    def print_module(self, result, result_name):
        arguments = ", ".join(f'{a.name}: {a.type} {{hgc.name = "{a.name[1:]}"}}' for a in self.arguments)
        print(f"module @{self.name} {{", *self.parameters, sep="\n")
        print(f"  func.func @predict({arguments})")
        print(f'      -> ({result.type} {{hgc.name = "{result_name}"}}) attributes {{hgc.entry}} {{')
        print(*self.body, f"    return {result.name} : {result.type}", "  }", "}", sep="\n")
