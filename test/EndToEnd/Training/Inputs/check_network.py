"""A perceptron and a convolutional network, trained for some steps beside a reference in plain Python.

check_network.py HGC FOLDER
"""
import pathlib
import random
import subprocess
import sys

import reference as ref
from check_training import compare
from library import Model

ROWS, SIDE, MAPS, CLASSES, HIDDEN = 3, 6, 2, 3, 4
PIXELS, POOLED = SIDE * SIDE, 2 * 2 * MAPS

MLP = """module @mlp {
  hgc.parameter @w1 : tensor<36x4xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @b1 : tensor<4xf32> = dense<0.1>
  hgc.parameter @w2 : tensor<4x3xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @b2 : tensor<3xf32> = dense<0.0>
  func.func @predict(%x: tensor<3x36xf32> {hgc.name = "x"}) -> tensor<3x3xf32> attributes {hgc.entry} {
    %w1 = hgc.read @w1 : tensor<36x4xf32>
    %b1 = hgc.read @b1 : tensor<4xf32>
    %w2 = hgc.read @w2 : tensor<4x3xf32>
    %b2 = hgc.read @b2 : tensor<3xf32>
    %0 = hgc.matmul %x, %w1 : (tensor<3x36xf32>, tensor<36x4xf32>) -> tensor<3x4xf32>
    %1 = hgc.add %0, %b1 : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %2 = hgc.relu %1 : tensor<3x4xf32>
    %3 = hgc.matmul %2, %w2 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
    %4 = hgc.add %3, %b2 : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %5 = hgc.softmax %4 axis 1 : tensor<3x3xf32>
    return %5 : tensor<3x3xf32>
  }
}
"""

CNN = """module @cnn {
  hgc.parameter @w1 : tensor<3x3x1x2xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @b1 : tensor<2xf32> = dense<0.1>
  hgc.parameter @w2 : tensor<8x3xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @b2 : tensor<3xf32> = dense<0.0>
  func.func @predict(%x: tensor<3x6x6x1xf32> {hgc.name = "x"}) -> tensor<3x3xf32> attributes {hgc.entry} {
    %w1 = hgc.read @w1 : tensor<3x3x1x2xf32>
    %b1 = hgc.read @b1 : tensor<2xf32>
    %w2 = hgc.read @w2 : tensor<8x3xf32>
    %b2 = hgc.read @b2 : tensor<3xf32>
    %0 = hgc.conv %x, %w1 channels_last hwio : (tensor<3x6x6x1xf32>, tensor<3x3x1x2xf32>) -> tensor<3x4x4x2xf32>
    %1 = hgc.add %0, %b1 : (tensor<3x4x4x2xf32>, tensor<2xf32>) -> tensor<3x4x4x2xf32>
    %2 = hgc.relu %1 : tensor<3x4x4x2xf32>
    %3 = hgc.pool max %2 window = [2, 2] strides = [2, 2] channels_last : (tensor<3x4x4x2xf32>) -> tensor<3x2x2x2xf32>
    %4 = hgc.reshape %3 shape [3, 8] : (tensor<3x2x2x2xf32>) -> tensor<3x8xf32>
    %5 = hgc.matmul %4, %w2 : (tensor<3x8xf32>, tensor<8x3xf32>) -> tensor<3x3xf32>
    %6 = hgc.add %5, %b2 : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %7 = hgc.softmax %6 axis 1 : tensor<3x3xf32>
    return %7 : tensor<3x3xf32>
  }
}
"""


def dense(x, w, b):
    return [b[j] + sum(v * w[k * len(b) + j] for k, v in enumerate(x)) for j in range(len(b))]


def mlp(p, x):
    return ref.softmax(dense([max(v, 0) for v in dense(x, p["w1"], p["b1"])], p["w2"], p["b2"]))


def cnn(p, x):
    def pixel(i, j, m):
        terms = (x[(i + a) * SIDE + j + c] * p["w1"][(a * 3 + c) * MAPS + m] for a in range(3) for c in range(3))
        return max(p["b1"][m] + sum(terms), 0)

    pooled = [max(pixel(2 * i + a, 2 * j + c, m) for a in range(2) for c in range(2))
              for i in range(2) for j in range(2) for m in range(MAPS)]
    return ref.softmax(dense(pooled, p["w2"], p["b2"]))


def main():
    hgc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text, forward in [("mlp", MLP, mlp), ("cnn", CNN, cnn)]:
        source, library = folder / f"{name}.mlir", folder / f"{name}.so"
        source.write_text(text)
        subprocess.run([hgc, "compile", source, "-o", library, "--train", "--loss", "sparse_categorical_crossentropy",
                        "--optimizer", "adam:lr=0.01"], check=True)
        model, rng = Model(library), random.Random(3)
        params = {key: model.get(key) for key in ["w1", "b1", "w2", "b2"]}
        optimizer = ref.Optimizer("adam", params)
        for step in range(1, 5):
            x = [[rng.uniform(-1, 1) for _ in range(PIXELS)] for _ in range(ROWS)]
            labels = [rng.randrange(CLASSES) for _ in range(ROWS)]

            def loss():
                return ref.mean(ref.sparse_categorical_crossentropy(forward(params, row), y) for row, y in zip(x, labels))

            expected = loss()
            actual = model.call("train_step", [v for row in x for v in row], labels, [step], [ROWS])[0]
            compare(f"{name}: loss of step {step}", actual, [expected])
            optimizer.update(params, ref.gradients(loss, params), 0.01, step)
            for key, values in params.items():
                compare(f"{name}: {key} after step {step}", model.get(key), values, 1e-3)
        model.close()
    print("networks: match")


if __name__ == "__main__":
    main()
