"""Trains small models with compiled steps and with the reference, and compares losses, metrics and parameters.

check_training.py HGC FOLDER GROUP [FLAG...]: compiles the cases of a group with `hgc compile FLAG...` into the folder.
"""
import math
import pathlib
import random
import subprocess
import sys

import reference as ref
from library import Model

ROWS, FEATURES, CLASSES, STEPS = 6, 4, 3, 4
ACTIVATIONS = {"linear": lambda row: row, "softmax": ref.softmax, "log_softmax": lambda row: [math.log(p) for p in ref.softmax(row)],
               "sigmoid": lambda row: [ref.sigmoid(v) for v in row], "positive": lambda row: [math.exp(v) for v in row]}


class Case:
    def __init__(self, loss, labels, activation="linear", optimizer="sgd:lr=0.1", method=("sgd", {}), rate=0.1, schedule="",
                 factor=lambda done: 1, metrics="", regularize="", penalty=lambda params: 0, function=None):
        self.loss, self.labels, self.activation, self.optimizer = loss, labels, activation, optimizer
        self.method, self.rate, self.schedule, self.factor = method, rate, schedule, factor
        self.metrics, self.regularize, self.penalty = metrics, regularize, penalty
        self.function = function or getattr(ref, loss.split(":")[0])


def optimizer(spec, kind, rate, **arguments):
    return Case("mse", "numbers", optimizer=spec, method=(kind, arguments), rate=rate)


def schedule(spec, factor):
    return Case("mse", "numbers", schedule=spec, factor=factor)


GROUPS = {
    "crossentropy": [
        Case("sparse_categorical_crossentropy", "classes", "softmax", metrics="accuracy,top_2_accuracy"),
        Case("sparse_categorical_crossentropy", "classes", "positive"),
        Case("sparse_categorical_crossentropy:from_logits=true", "classes",
             function=lambda row, label: ref.sparse_categorical_crossentropy(ref.softmax(row), label)),
        Case("categorical_crossentropy", "one-hot", "softmax", metrics="accuracy,top_1_accuracy"),
        Case("categorical_crossentropy:label_smoothing=0.2", "one-hot", "log_softmax",
             function=lambda row, label: ref.categorical_crossentropy([math.exp(v) for v in row], label, 0.2)),
        Case("binary_crossentropy", "bits", "sigmoid", metrics="accuracy"),
        Case("binary_crossentropy:from_logits,label_smoothing=0.1", "bits",
             function=lambda row, label: ref.binary_crossentropy([ref.sigmoid(v) for v in row], label, 0.1)),
    ],
    "losses": [
        Case("mse", "numbers", metrics="mse,mae", regularize="l1=0.01,l2=0.05",
             penalty=lambda p: sum(0.01 * abs(w) + 0.05 * w * w for w in p["w"])),
        Case("mae", "numbers"), Case("mape", "numbers"), Case("msle", "positive", "positive"),
        Case("huber:delta=0.7", "numbers", function=lambda row, label: ref.huber(row, label, 0.7)),
        Case("log_cosh", "numbers"), Case("poisson", "positive", "positive"),
    ],
    "margins": [
        Case("hinge", "bits"), Case("squared_hinge", "bits"), Case("categorical_hinge", "one-hot"),
        Case("kl_divergence", "shares", "softmax"), Case("cosine_similarity", "numbers"),
    ],
    "optimizers": [
        optimizer("sgd:lr=0.1,momentum=0.9", "sgd", 0.1, momentum=0.9),
        optimizer("sgd:lr=0.1,momentum=0.9,nesterov", "sgd", 0.1, momentum=0.9, nesterov=True),
        optimizer("adam", "adam", 1e-3),
        optimizer("adam:lr=0.01,beta_1=0.8,beta_2=0.9,amsgrad", "adam", 0.01, beta_1=0.8, beta_2=0.9, amsgrad=True),
        optimizer("adamw:lr=0.1,global_clipnorm=0.5", "adam", 0.1, weight_decay=0.004, global_clipnorm=0.5),
        optimizer("rmsprop:lr=0.01,clipnorm=0.5", "rmsprop", 0.01, clipnorm=0.5),
        optimizer("rmsprop:lr=0.01,momentum=0.5,centered", "rmsprop", 0.01, momentum=0.5, centered=True),
    ],
    "more-optimizers": [
        optimizer("adagrad:lr=0.1", "adagrad", 0.1, start=0.1),
        optimizer("adadelta:lr=1", "adadelta", 1),
        optimizer("adamax:lr=0.01", "adamax", 0.01),
        optimizer("lion:lr=0.01,clipvalue=0.3", "lion", 0.01, clipvalue=0.3),
    ],
    "gpu": [
        Case("sparse_categorical_crossentropy", "classes", "softmax", "adam", ("adam", {}), 1e-3, metrics="accuracy"),
        Case("binary_crossentropy", "bits", "sigmoid", "sgd:lr=0.1,momentum=0.9,global_clipnorm=0.5",
             ("sgd", {"momentum": 0.9, "global_clipnorm": 0.5}), 0.1, regularize="l2=0.05",
             penalty=lambda p: sum(0.05 * w * w for w in p["w"])),
    ],
    "schedules": [
        schedule("exponential:decay_steps=2,decay_rate=0.5", lambda n: 0.5 ** (n / 2)),
        schedule("exponential:decay_steps=2,decay_rate=0.5,staircase", lambda n: 0.5 ** (n // 2)),
        schedule("cosine:decay_steps=3,alpha=0.1", lambda n: 0.9 * 0.5 * (1 + math.cos(math.pi * min(n, 3) / 3)) + 0.1),
        schedule("step:every=2,factor=0.3", lambda n: 0.3 ** (n // 2)),
        schedule("inverse_time:decay_steps=1,decay_rate=0.5,warmup_steps=2", lambda n: n / 2 if n < 2 else 1 / (1 + 0.5 * (n - 2))),
        schedule("polynomial:decay_steps=3,end_lr=0.01,power=2", lambda n: 0.9 * (1 - min(n, 3) / 3) ** 2 + 0.1),
    ],
}


def list_text(values, columns=None):
    if columns:
        values = [values[i:i + columns] for i in range(0, len(values), columns)]
        return "[" + ", ".join(list_text(row) for row in values) + "]"
    return "[" + ", ".join(f"{v:.6e}" for v in values) + "]"


def write_model(path, activation, params):
    out = f"tensor<{ROWS}x{CLASSES}xf32>"
    last = {"linear": "", "positive": f"%2 = hgc.exp %1 : {out}", "sigmoid": f"%2 = hgc.sigmoid %1 : {out}"}
    body = last.get(activation, f"%2 = hgc.{activation} %1 axis 1 : {out}")
    path.write_text(f"""module @m {{
  hgc.parameter @w : tensor<{FEATURES}x{CLASSES}xf32> = dense<{list_text(params["w"], CLASSES)}>
  hgc.parameter @b : tensor<{CLASSES}xf32> = dense<{list_text(params["b"])}>
  func.func @predict(%x: tensor<{ROWS}x{FEATURES}xf32> {{hgc.name = "x"}}) -> ({out} {{hgc.name = "y"}}) attributes {{hgc.entry}} {{
    %w = hgc.read @w : tensor<{FEATURES}x{CLASSES}xf32>
    %b = hgc.read @b : tensor<{CLASSES}xf32>
    %0 = hgc.matmul %x, %w : (tensor<{ROWS}x{FEATURES}xf32>, tensor<{FEATURES}x{CLASSES}xf32>) -> {out}
    %1 = hgc.add %0, %b : ({out}, tensor<{CLASSES}xf32>) -> {out}
    {body}
    return %{2 if body else 1} : {out}
  }}
}}
""")


def predict(params, activation, x):
    rows = []
    for row in x:
        values = [params["b"][j] + sum(row[k] * params["w"][k * CLASSES + j] for k in range(FEATURES)) for j in range(CLASSES)]
        rows.append(ACTIVATIONS[activation](values))
    return rows


def make_labels(rng, kind):
    if kind == "classes":
        return [rng.randrange(CLASSES) for _ in range(ROWS)]
    if kind == "one-hot":
        return [[float(j == c) for j in range(CLASSES)] for c in (rng.randrange(CLASSES) for _ in range(ROWS))]
    if kind == "bits":
        return [[float(rng.random() < 0.5) for _ in range(CLASSES)] for _ in range(ROWS)]
    if kind == "shares":
        return [ref.softmax([rng.uniform(-1, 1) for _ in range(CLASSES)]) for _ in range(ROWS)]
    low = 0.2 if kind == "positive" else -1
    return [[rng.uniform(low, 1) for _ in range(CLASSES)] for _ in range(ROWS)]


def measure(name, rows, labels, kind):
    def hit(row, label):
        if isinstance(label, int):
            return row.index(max(row)) == label
        return row.index(max(row)) == label.index(max(label))

    def top(row, label, k):
        right = row[label] if isinstance(label, int) else row[label.index(max(label))]
        return sum(v > right for v in row) < k

    if name == "accuracy" and kind == "bits":
        return ref.mean((v > 0.5) == (y > 0.5) for row, label in zip(rows, labels) for v, y in zip(row, label))
    if name == "accuracy":
        return ref.mean(hit(row, label) for row, label in zip(rows, labels))
    if name.startswith("top_"):
        return ref.mean(top(row, label, int(name.split("_")[1])) for row, label in zip(rows, labels))
    return ref.mean(getattr(ref, name)(row, label) for row, label in zip(rows, labels))


def compare(what, actual, expected, bound=2e-5):
    scale = max(max((abs(v) for v in expected), default=0), 1e-3)
    worst = max((abs(a - e) for a, e in zip(actual, expected)), default=0) / scale
    if len(actual) != len(expected) or not worst <= bound:
        sys.exit(f"{what}: {actual}, expected {expected} (off by {worst:.2e})")


def flat(labels):
    return labels if isinstance(labels[0], int) else [v for row in labels for v in row]


def run_case(hgc, folder, number, case, flags):
    rng = random.Random(number)
    params = {"w": [round(rng.uniform(-1, 1), 5) for _ in range(FEATURES * CLASSES)],
              "b": [round(rng.uniform(-1, 1), 5) for _ in range(CLASSES)]}
    source, library = folder / f"case{number}.mlir", folder / f"case{number}.so"
    write_model(source, case.activation, params)
    command = [hgc, "compile", source, "-o", library, "--train", "--loss", case.loss, "--optimizer", case.optimizer, *flags]
    for flag, text in [("--lr-schedule", case.schedule), ("--metrics", case.metrics), ("--regularize", case.regularize)]:
        command += [flag, text] if text else []
    subprocess.run(command, check=True)
    model = Model(library, device="emulated" if "--gpu" in flags else None)
    optimizer = ref.Optimizer(case.method[0], params, **case.method[1])
    names = case.metrics.split(",") if case.metrics else []
    label = f"{case.loss} {case.optimizer} {case.schedule}"
    for step in range(1, STEPS + 1):
        # The last batch is not full.
        valid = ROWS if step < STEPS else ROWS - 2
        x = [[rng.uniform(-1, 1) for _ in range(FEATURES)] for _ in range(ROWS)]
        labels = make_labels(rng, case.labels)
        used = labels[:valid]

        def loss():
            rows = predict(params, case.activation, x[:valid])
            return ref.mean(case.function(row, y) for row, y in zip(rows, used)) + case.penalty(params)

        rows = predict(params, case.activation, x[:valid])
        expected = [[loss()]] + [[measure(name, rows, used, case.labels)] for name in names]
        inputs = [v for row in x for v in row], flat(labels)
        for name, results in [("evaluate", model.call("evaluate", *inputs, [valid])),
                              ("train_step", model.call("train_step", *inputs, [step], [valid]))]:
            for output, actual, wanted in zip(["loss", *names], results, expected):
                compare(f"{label}: {output} of {name} in step {step}", actual, wanted)
        optimizer.update(params, ref.gradients(loss, params), case.rate * case.factor(step - 1), step)
        for name, values in params.items():
            compare(f"{label}: {name} after step {step}", model.get(name), values, 1e-4)
    model.close()


def main():
    hgc, folder, group, *flags = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number, case in enumerate(GROUPS[group]):
        run_case(hgc, folder, number, case, flags)
    print(f"{group}: {len(GROUPS[group])} cases match")


if __name__ == "__main__":
    main()
