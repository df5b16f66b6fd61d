#!/usr/bin/env python3
"""Writes well-known networks as models for hgc, with seeded random weights.

    examples/zoo/zoo.py resnet50 > resnet50.mlir
    examples/zoo/zoo.py encoder --batch 8 --scale 4 > small.mlir

`--scale N` divides widths and depths, for quick runs; `--element f16` gives the
weights of products that type, with sums in f32.
"""
import argparse

from writer import Writer


def mlp(w, batch, scale):
    """784-128-10, the first model of many guides."""
    x = w.argument("x", (batch, 784))
    hidden = w.dense("fc1", x, max(8, 128 // scale), "relu")
    return w.softmax(w.dense("fc2", hidden, 10), "probs")


def bottleneck(w, name, x, channels, stride):
    y = w.unary("relu", w.conv_norm(f"{name}.conv1", x, channels, 1))
    y = w.unary("relu", w.conv_norm(f"{name}.conv2", y, channels, 3, stride))
    y = w.conv_norm(f"{name}.conv3", y, 4 * channels, 1)
    if x.shape != y.shape:
        x = w.conv_norm(f"{name}.shortcut", x, 4 * channels, 1, stride)
    return w.unary("relu", w.binary("add", y, x))


def resnet50(w, batch, scale):
    """Bottleneck blocks 3-4-6-3 on 224x224 images."""
    width, size = max(4, 64 // scale), 224 if scale == 1 else 64
    x = w.argument("image", (batch, size, size, 3))
    x = w.unary("relu", w.conv_norm("stem", x, width, 7, 2))
    x = w.pool("max", x, 3, 2, 1)
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks if scale == 1 else 1):
            stride = 2 if stage and not block else 1
            x = bottleneck(w, f"stage{stage}.block{block}", x, width << stage, stride)
    return w.dense("fc", w.reduce("mean", x, (1, 2)), 1000 // scale)


def inception_block(w, name, x, width):
    """Four ways through the same input, joined along the channels."""
    one = w.unary("relu", w.conv_norm(f"{name}.one", x, width, 1))
    three = w.unary("relu", w.conv_norm(f"{name}.three_in", x, width, 1))
    three = w.unary("relu", w.conv_norm(f"{name}.three", three, 2 * width, 3))
    seven = w.unary("relu", w.conv_norm(f"{name}.seven_in", x, width, 1))
    seven = w.unary("relu", w.conv_norm(f"{name}.seven_row", seven, width, (1, 7)))
    seven = w.unary("relu", w.conv_norm(f"{name}.seven_column", seven, width, (7, 1)))
    pool = w.unary("relu", w.conv_norm(f"{name}.pool", w.pool("avg", x, 3, 1, 1), width, 1))
    return w.concat([one, three, seven, pool], 3)


def inception(w, batch, scale):
    """Parallel branches, eight blocks at three resolutions."""
    width, size = max(4, 64 // scale), 147 if scale == 1 else 35
    x = w.argument("image", (batch, size, size, 3))
    x = w.unary("relu", w.conv_norm("stem", x, width, 3, 2, 0))
    for stage, blocks in enumerate((2, 4, 2)):
        for block in range(blocks if scale == 1 else 1):
            x = inception_block(w, f"stage{stage}.block{block}", x, width << min(stage, 1))
        x = w.pool("max", x, 3, 2)
    return w.dense("fc", w.reduce("mean", x, (1, 2)), 1000 // scale)


def split_heads(w, x, heads):
    batch, length, width = x.shape
    return w.transpose(w.reshape(x, (batch, length, heads, width // heads)), (0, 2, 1, 3))


def transformer_layer(w, name, x, heads, causal):
    """Normalisation first, then attention and a two-layer network."""
    batch, length, width = x.shape
    y = w.layer_norm(f"{name}.norm1", x)
    q, k, v = (split_heads(w, w.dense(f"{name}.{part}", y, width), heads) for part in ("query", "key", "value"))
    text = "hgc.attention {}" + (" causal" if causal else "")
    # Queries, keys and values are as narrow as the weights.
    y = w.emit(text, [w.cast(part, w.element) for part in (q, k, v)], q.shape, w.element, f"{name}.attention")
    y = w.reshape(w.transpose(w.cast(y, w.wide), (0, 2, 1, 3)), (batch, length, width))
    x = w.binary("add", x, w.dense(f"{name}.output", y, width))
    y = w.dense(f"{name}.up", w.layer_norm(f"{name}.norm2", x), 4 * width, "gelu")
    return w.binary("add", x, w.dense(f"{name}.down", y, width))


def embed(w, tokens, vocabulary, width):
    table = w.parameter("tokens.table", (vocabulary, width), "glorot_uniform")
    positions = w.parameter("positions.table", (tokens.shape[1], width), "glorot_uniform")
    return w.binary("add", w.gather(table, tokens, "embedding"), positions)


def encoder(w, batch, scale):
    """BERT-base: 12 layers of width 768 on 128 tokens, and a classifier."""
    width, layers, length = 768 // scale, max(1, 12 // scale), 128 // scale
    tokens = w.argument("tokens", (batch, length), "i64")
    x = embed(w, tokens, 30522 // scale, width)
    for layer in range(layers):
        x = transformer_layer(w, f"layer{layer}", x, 12, causal=False)
    return w.dense("classifier", w.reduce("mean", w.layer_norm("norm", x), (1,)), 2)


def decoder(w, batch, scale):
    """GPT-2 small: 12 causal layers of width 768 on 64 tokens, logits of the vocabulary."""
    width, layers, length = 768 // scale, max(1, 12 // scale), 64 // scale
    tokens = w.argument("tokens", (batch, length), "i64")
    x = embed(w, tokens, 50257 // scale, width)
    for layer in range(layers):
        x = transformer_layer(w, f"layer{layer}", x, 12, causal=True)
    return w.dense("logits", w.layer_norm("norm", x), 50257 // scale)


def recommender(w, batch, scale):
    """Eight embeddings of sparse features, a network for dense ones, a network on both."""
    rows, width = 200000 // scale, 64
    ids = w.argument("ids", (8, batch), "i64")
    numbers = w.argument("numbers", (batch, 13))
    parts = [w.dense("bottom2", w.dense("bottom1", numbers, 512 // scale, "relu"), width, "relu")]
    for feature in range(8):
        table = w.parameter(f"feature{feature}.table", (rows, width), "glorot_uniform")
        row = w.emit(f"hgc.slice {{}} starts = [{feature}, 0] sizes = [1, {batch}]", [ids], (1, batch), "i64")
        parts.append(w.gather(table, w.reshape(row, (batch,)), f"feature{feature}.lookup"))
    x = w.concat(parts, 1)
    for number, features in enumerate((1024, 1024, 512)):
        x = w.dense(f"top{number}", x, features // scale, "relu")
    return w.unary("sigmoid", w.dense("click", x, 1), "probability")


def preprocess(w, batch, scale):
    """Bytes of images become normalised floats, which a convolutional network classifies."""
    size, width = 224 // scale, max(8, 64 // scale)
    image = w.argument("image", (batch, size, size, 3), "ui8")
    x = w.cast(image, w.wide)
    mean, deviation = (w.parameter(f"input.{part}", (3,), value) for part, value in (("mean", 118.0), ("deviation", 58.0)))
    x = w.binary("div", w.binary("sub", x, mean, "center"), deviation, "normalise")
    x = w.unary("relu", w.conv_norm("stem", x, width, 7, 4))
    for stage in range(3):
        x = w.unary("relu", w.conv_norm(f"stage{stage}", x, width << stage, 3, 2))
    return w.softmax(w.dense("fc", w.reduce("mean", x, (1, 2)), 1000 // scale), "probs")


MODELS = {function.__name__: function
          for function in (mlp, resnet50, inception, encoder, decoder, recommender, preprocess)}


def main():
    listing = "\n".join(f"  {name:12} {function.__doc__}" for name, function in MODELS.items())
    parser = argparse.ArgumentParser(description=f"{__doc__}\nmodels:\n{listing}",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--scale", type=int, default=1, help="divides widths, depths and tables")
    parser.add_argument("--element", default="f32", choices=["f32", "f16", "bf16"])
    args = parser.parse_args()
    writer = Writer(args.model, args.element)
    writer.print_module(MODELS[args.model](writer, args.batch, args.scale), "result")


if __name__ == "__main__":
    main()
