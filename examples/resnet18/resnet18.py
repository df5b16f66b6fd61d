#!/usr/bin/env python3
"""Writes ResNet-18 as a model for hgc, with seeded random weights.

    examples/resnet18/resnet18.py > resnet18.mlir
    examples/resnet18/resnet18.py --size 64 --classes 10 --width 16 > small.mlir

The network is that of the paper "Deep Residual Learning for Image Recognition":
a 7x7 convolution, four stages of two residual blocks, mean and a dense layer.
Data is channels_last; every convolution is followed by a batch normalisation.
"""
import argparse


class Writer:
    """Collects parameters and ops; a value is a pair of name and shape."""

    def __init__(self, element):
        self.element, self.parameters, self.body, self.values = element, [], [], 0
        # Products of narrow floats are sums in f32.
        self.wide = "f64" if element == "f64" else "f32"

    def type(self, shape, element=None):
        return f"tensor<{'x'.join(map(str, shape))}x{element or self.wide}>"

    def parameter(self, name, shape, init, element=None):
        seed = len(self.parameters) + 1
        init = f"#hgc.init<{init}, seed = {seed}>" if init.startswith("he") else f"dense<{init}>"
        self.parameters.append(f"  hgc.parameter @{name} : {self.type(shape, element)} = {init}")
        return self.emit(f"hgc.read @{name} : {self.type(shape, element)}", shape)

    def product(self, op, x, weight, shape):
        """A convolution or product whose operands have the narrow type."""
        narrow, wide = self.type(x[1], self.element), self.type(x[1])
        if narrow != wide:
            x = self.emit(f"hgc.cast {x[0]} to {self.element} : ({wide}) -> {narrow}", x[1])
        types = f"({narrow}, {self.type(weight[1], self.element)}) -> {self.type(shape)}"
        return self.emit(op.format(f"{x[0]}, {weight[0]}") + " : " + types, shape)

    def emit(self, text, shape):
        name = f"%{self.values}"
        self.values += 1
        self.body.append(f"    {name} = {text}")
        return name, shape

    def call(self, op, operands, shape):
        names = ", ".join(name for name, _ in operands)
        types = ", ".join(self.type(operand) for _, operand in operands)
        return self.emit(op.format(names) + f" : ({types}) -> {self.type(shape)}", shape)

    def conv(self, name, x, channels, kernel, stride, pad):
        n, h, w, c = x[1]
        weight = self.parameter(f"{name}.weight", (kernel, kernel, c, channels), "he_normal", self.element)
        out = [(extent + 2 * pad - kernel) // stride + 1 for extent in (h, w)]
        op = (f"hgc.conv {{}} strides = [{stride}, {stride}] pads = [{pad}, {pad}, {pad}, {pad}] channels_last hwio "
              f'{{{{hgc.name = "{name}"}}}}')
        y = self.product(op, x, weight, (n, *out, channels))
        factors = [self.parameter(f"{name}.{part}", (channels,), init)
                   for part, init in (("scale", "1.0"), ("bias", "0.01"), ("mean", "0.02"), ("variance", "1.5"))]
        return self.call("hgc.batch_norm {} axis 3 epsilon 1.0e-05", [y, *factors], y[1])

    def relu(self, x):
        return self.emit(f"hgc.relu {x[0]} : {self.type(x[1])}", x[1])

    def block(self, name, x, channels, stride):
        y = self.relu(self.conv(f"{name}.conv1", x, channels, 3, stride, 1))
        y = self.conv(f"{name}.conv2", y, channels, 3, 1, 1)
        if x[1] != y[1]:
            x = self.conv(f"{name}.shortcut", x, channels, 1, stride, 0)
        return self.relu(self.call("hgc.add {}", [y, x], y[1]))


def write(batch, size, width, classes, element):
    writer = Writer(element)
    image = ("%image", (batch, size, size, 3))
    x = writer.relu(writer.conv("stem", image, width, 7, 2, 3))
    half = (x[1][1] + 2 - 3) // 2 + 1
    x = writer.call("hgc.pool max {} window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last", [x],
                    (batch, half, half, width))
    for stage in range(4):
        for number in range(2):
            x = writer.block(f"stage{stage}.block{number}", x, width << stage, 2 if stage and not number else 1)
    x = writer.call("hgc.reduce mean {} axes = [1, 2]", [x], (batch, x[1][3]))
    weight = writer.parameter("fc.weight", (x[1][1], classes), "he_normal", element)
    bias = writer.parameter("fc.bias", (classes,), "0.0")
    x = writer.product('hgc.matmul {} {{hgc.name = "fc"}}', x, weight, (batch, classes))
    x = writer.call("hgc.add {}", [x, bias], x[1])
    print("module @resnet18 {", *writer.parameters, sep="\n")
    print(f'  func.func @predict(%image: {writer.type(image[1])} {{hgc.name = "image"}})')
    print(f'      -> ({writer.type(x[1])} {{hgc.name = "logits"}}) attributes {{hgc.entry}} {{')
    print(*writer.body, f"    return {x[0]} : {writer.type(x[1])}", "  }", "}", sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--size", type=int, default=224, help="height and width of the image")
    parser.add_argument("--width", type=int, default=64, help="channels of the first stage")
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--element", default="f32", choices=["f32", "f64", "f16", "bf16"])
    args = parser.parse_args()
    write(args.batch, args.size, args.width, args.classes, args.element)


if __name__ == "__main__":
    main()
