#!/usr/bin/env python3
"""Writes ResNet-18 as a model for hgc, with seeded random weights.

    examples/resnet18/resnet18.py > resnet18.mlir
    examples/resnet18/resnet18.py --size 64 --classes 10 --width 16 > small.mlir

The network is that of the paper "Deep Residual Learning for Image Recognition":
a 7x7 convolution, four stages of two residual blocks, mean and a dense layer.
Data is channels_last; every convolution is followed by a batch normalisation.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "zoo"))
from writer import Writer


def block(writer, name, x, channels, stride):
    y = writer.unary("relu", writer.conv_norm(f"{name}.conv1", x, channels, 3, stride))
    y = writer.conv_norm(f"{name}.conv2", y, channels, 3)
    if x.shape != y.shape:
        x = writer.conv_norm(f"{name}.shortcut", x, channels, 1, stride)
    return writer.unary("relu", writer.binary("add", y, x))


def write(batch, size, width, classes, element):
    writer = Writer("resnet18", element)
    image = writer.argument("image", (batch, size, size, 3))
    x = writer.unary("relu", writer.conv_norm("stem", image, width, 7, 2))
    x = writer.pool("max", x, 3, 2, 1)
    for stage in range(4):
        for number in range(2):
            x = block(writer, f"stage{stage}.block{number}", x, width << stage, 2 if stage and not number else 1)
    writer.print_module(writer.dense("fc", writer.reduce("mean", x, (1, 2)), classes), "logits")


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
