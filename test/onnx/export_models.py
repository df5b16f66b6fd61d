#!/usr/bin/env python3
"""Exports networks from PyTorch with random weights, with results of ONNX Runtime,
in the form run_models.py reads:

  test/onnx/export_models.py build/onnx-models
  test/onnx/run_models.py build/onnx-models

Without a network: status 77.
"""
import argparse
import pathlib
import sys

import environment

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def make_classifier(name):
    """A network of torchvision and an image for it."""
    import torch
    import torchvision
    return getattr(torchvision.models, name)(weights=None), (torch.randn(1, 3, 224, 224),)


def make_vit():
    import torch
    import torchvision
    model = torchvision.models.VisionTransformer(image_size=64, patch_size=16, num_layers=4, num_heads=4,
                                                 hidden_dim=128, mlp_dim=256)
    torch.nn.init.normal_(model.heads.head.weight, std=0.1)
    return model, (torch.randn(2, 3, 64, 64),)


def make_bert():
    """An encoder of words and positions with a padding mask."""
    import torch

    class Encoder(torch.nn.Module):
        def __init__(self, words=1000, width=128, heads=4, layers=4, length=32):
            super().__init__()
            self.words, self.positions = torch.nn.Embedding(words, width), torch.nn.Embedding(length, width)
            self.norm = torch.nn.LayerNorm(width)
            layer = torch.nn.TransformerEncoderLayer(width, heads, 4 * width, activation="gelu", batch_first=True)
            self.layers = torch.nn.ModuleList([layer if i == 0 else torch.nn.TransformerEncoderLayer(
                width, heads, 4 * width, activation="gelu", batch_first=True) for i in range(layers)])
            self.pooler = torch.nn.Linear(width, width)

        def forward(self, ids, mask):
            x = self.norm(self.words(ids) + self.positions(torch.arange(ids.shape[1])))
            for layer in self.layers:
                x = layer(x, src_key_padding_mask=mask == 0)
            return x, torch.tanh(self.pooler(x[:, 0]))

    mask = torch.ones(2, 32, dtype=torch.int64)
    mask[1, 20:] = 0
    return Encoder(), (torch.randint(0, 1000, (2, 32)), mask)


def make_gpt():
    """A decoder with causal attention; its output shares the embedding."""
    import torch
    functional = torch.nn.functional

    class Block(torch.nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads = heads
            self.norm1, self.norm2 = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
            self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
            self.mlp = torch.nn.Sequential(torch.nn.Linear(width, 4 * width), torch.nn.GELU(approximate="tanh"),
                                           torch.nn.Linear(4 * width, width))

        def forward(self, x):
            batch, length, width = x.shape
            parts = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
            q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
            return x + self.mlp(self.norm2(x))

    class Decoder(torch.nn.Module):
        def __init__(self, words=1000, width=128, heads=4, layers=4, length=64):
            super().__init__()
            self.words, self.positions = torch.nn.Embedding(words, width), torch.nn.Embedding(length, width)
            self.blocks = torch.nn.ModuleList([Block(width, heads) for _ in range(layers)])
            self.norm = torch.nn.LayerNorm(width)

        def forward(self, ids):
            x = self.words(ids) + self.positions(torch.arange(ids.shape[1]))
            for block in self.blocks:
                x = block(x)
            return self.norm(x) @ self.words.weight.T

    return Decoder(), (torch.randint(0, 1000, (1, 48)),)


def make_lstm():
    import torch

    class Tagger(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = torch.nn.LSTM(40, 64, num_layers=2, bidirectional=True, batch_first=True)
            self.out = torch.nn.Linear(128, 10)

        def forward(self, x):
            return self.out(self.lstm(x)[0])

    return Tagger(), (torch.randn(2, 25, 40),)


def make_unet():
    import torch

    def double(inputs, outputs):
        return torch.nn.Sequential(torch.nn.Conv2d(inputs, outputs, 3, padding=1), torch.nn.BatchNorm2d(outputs),
                                   torch.nn.ReLU(), torch.nn.Conv2d(outputs, outputs, 3, padding=1),
                                   torch.nn.BatchNorm2d(outputs), torch.nn.ReLU())

    class UNet(torch.nn.Module):
        def __init__(self, widths=(16, 32, 64)):
            super().__init__()
            self.down = torch.nn.ModuleList([double(a, b) for a, b in zip((3, *widths), widths)])
            self.pool = torch.nn.MaxPool2d(2)
            pairs = list(zip(widths[:0:-1], widths[-2::-1]))
            self.up = torch.nn.ModuleList([torch.nn.ConvTranspose2d(a, b, 2, stride=2) for a, b in pairs])
            self.merge = torch.nn.ModuleList([double(2 * b, b) for _, b in pairs])
            self.out = torch.nn.Conv2d(widths[0], 2, 1)

        def forward(self, x):
            skips = []
            for i, block in enumerate(self.down):
                x = block(x if i == 0 else self.pool(x))
                skips.append(x)
            for up, merge, skip in zip(self.up, self.merge, skips[-2::-1]):
                x = merge(torch.cat([up(x), skip], dim=1))
            return self.out(torch.nn.functional.interpolate(x, scale_factor=2, mode="bilinear"))

    return UNet(), (torch.randn(1, 3, 64, 64),)


CLASSIFIERS = ["resnet18", "resnet50", "mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "efficientnet_b0",
               "densenet121", "squeezenet1_1"]
OTHERS = {"vit": make_vit, "bert": make_bert, "gpt": make_gpt, "lstm": make_lstm, "unet": make_unet}


def export(name, folder):
    import numpy as np
    import onnx
    import onnxruntime
    import torch
    torch.manual_seed(0)
    model, inputs = OTHERS[name]() if name in OTHERS else make_classifier(name)
    model.eval()
    data = folder / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    path = folder / "model.onnx"
    with torch.no_grad():
        torch.onnx.export(model, inputs, str(path), dynamo=True, external_data=False, verbose=False)
    session = onnxruntime.InferenceSession(str(path))
    arrays = [value.numpy() for value in inputs]
    results = session.run(None, {info.name: value for info, value in zip(session.get_inputs(), arrays)})
    for stem, values in (("input", arrays), ("output", results)):
        for i, value in enumerate(values):
            tensor = onnx.numpy_helper.from_array(np.asarray(value))
            (data / f"{stem}_{i}.pb").write_bytes(tensor.SerializeToString())
    print("exported", name, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the models go")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--only", action="append", choices=[*CLASSIFIERS, *OTHERS], help="only these networks")
    args = parser.parse_args()
    environment.ensure(args.build, "requirements-export.txt")
    for name in args.only or [*CLASSIFIERS, *OTHERS]:
        if not (args.folder / name / "test_data_set_0" / "output_0.pb").exists():
            export(name, args.folder / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
