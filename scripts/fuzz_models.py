#!/usr/bin/env python3
"""Feeds mutated models and tensor files to hgc; models are untrusted input.

Good: exit code 0, or 1 or 2 with a message and a hint. Bad: exit code 70, a
signal, a time-out, too much memory, an error without message or hint, an
output file after a failure. Valid graphs over extents of 0 and 1 must also
compile and agree with the evaluator. Ends with exit code 1 if anything was bad.
"""
import argparse
import concurrent.futures
import functools
import io
import os
import pathlib
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

import random_graphs

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT_BYTES = 2 << 30
# Address space: more than the limit, so that the limit itself is what is seen.
LIMIT_SPACE = 6 << 30
# What a model may ask of a machine is bounded by the machine: these stop a
# run that only does what it was told to.
LIMIT_SECONDS = 20

NUMBERS = ["0", "1", "2", "-1", "-2", "3", "7", "16", "255", "1024", "65536", "16777217", "2147483647", "2147483648",
           "4294967296", "1099511627776", "1099511627777", "9223372036854775807", "-9223372036854775808",
           "18446744073709551616"]
EXTENTS = ["0", "0", "1", "1", "2", "3", "?", "17", "4096", "1048576", "4294967296", "1099511627776",
           "9223372036854775807"]
ELEMENTS = ["f32", "f64", "f16", "bf16", "i1", "i8", "i16", "i32", "i64", "ui8", "ui64", "i4", "i128", "f80", "f8E4M3FN",
            "index", "complex<f32>", "!hgc.none", "vector<4xf32>", "tensor<2xf32>", "none"]
WORDS = re.compile(r"[A-Za-z_][\w.]*|[%@#!^][\w.]+|-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+|\"[^\"]*\"|->|[^\s\w]")
TENSOR = re.compile(r"tensor<((?:[\d?]+x)*)(\w+)>")
INTEGER = re.compile(r"(?<![\w.%@#^x])-?\d+(?![\w.])")


def load_models():
    """Texts to start from: whole models, and the pieces of the dialect's tests."""
    texts = [path.read_text() for pattern in ("examples/*/*.mlir", "test/Frontend/StableHLO/Inputs/*.mlir")
             for path in sorted(ROOT.glob(pattern))]
    for path in sorted(ROOT.glob("test/Dialect/Graph/*.mlir")) + sorted(ROOT.glob("test/Robustness/*.mlir")):
        for piece in path.read_text().split("// -----"):
            piece = "\n".join(line for line in piece.splitlines() if not line.strip().startswith("//"))
            if not piece.strip():
                continue
            if "hgc.entry" not in piece:  # only entries are compiled
                piece = re.sub(r"(func\.func @[^{]*?)(\s*\{\s*\n)", r"\1 attributes {hgc.entry}\2", piece)
            texts.append(piece)
    return texts


def make_graph(rng, extents):
    """A valid graph over the given extents."""
    saved = random_graphs.EXTENTS, random_graphs.SMALL, random_graphs.MAX_ELEMENTS
    random_graphs.EXTENTS = random_graphs.SMALL = extents
    random_graphs.MAX_ELEMENTS = 1 << 62
    try:
        return random_graphs.make_module(rng.randrange(1 << 30), 1)
    finally:
        random_graphs.EXTENTS, random_graphs.SMALL, random_graphs.MAX_ELEMENTS = saved


class Mutator:
    def __init__(self, rng, texts):
        self.rng, self.texts = rng, texts

    def start(self):
        roll = self.rng.random()
        if roll < 0.5:
            return self.hostile_graph()
        if roll < 0.8:
            return random_graphs.make_module(self.rng.randrange(1 << 30), 1)
        return self.rng.choice(self.texts)

    def hostile_graph(self):
        """A valid graph over extents a model of good will would not use."""
        return make_graph(self.rng, self.rng.choice([[1, 3, 65536], [1, 2, 1 << 20], [1, 2, 1 << 31], [0, 1, 1 << 40],
                                                     [1, 8, 1024], [1, 1 << 62], [0, 1, 17]]))

    def substitute(self, pattern, text, replace):
        """Replaces one match of `pattern`."""
        matches = list(pattern.finditer(text))
        if not matches:
            return text
        match = self.rng.choice(matches)
        return text[:match.start()] + replace(match) + text[match.end():]

    def swap_tokens(self, text):
        tokens = list(WORDS.finditer(text))
        if len(tokens) < 2:
            return text
        a, b = sorted(self.rng.sample(tokens, 2), key=lambda m: m.start())
        return text[:a.start()] + b.group() + text[a.end():b.start()] + a.group() + text[b.end():]

    def delete_token(self, text):
        return self.substitute(WORDS, text, lambda m: "")

    def change_number(self, text):
        return self.substitute(INTEGER, text, lambda m: self.rng.choice(NUMBERS))

    def change_extent(self, text):
        return self.substitute(re.compile(r"(?<=[<x])[\d?]+(?=x)"), text, lambda m: self.rng.choice(EXTENTS))

    def change_extent_everywhere(self, text):
        """Keeps the model consistent, so that later stages see the extent."""
        extents = sorted(set(re.findall(r"(?<=[<x])\d+(?=x)", text)))
        if not extents:
            return text
        old, new = self.rng.choice(extents), self.rng.choice(EXTENTS)
        text = re.sub(rf"(?<=[<x]){old}(?=x)", new, text)
        return re.sub(rf"(?<=[\[ ]){old}(?=[,\]])", new if new != "?" else "-1", text)

    def change_element(self, text):
        return self.substitute(re.compile(r"(?<=[x<])(?:u?i\d+|bf16|f\d+)(?=>)"), text,
                               lambda m: self.rng.choice(ELEMENTS))

    def change_element_everywhere(self, text):
        elements = sorted(set(re.findall(r"(?<=[x<])(?:u?i\d+|bf16|f\d+)(?=>)", text)))
        if not elements:
            return text
        old, new = self.rng.choice(elements), self.rng.choice(ELEMENTS)
        return re.sub(rf"(?<=[x<]){old}(?=>)", new, text)

    def change_rank(self, text):
        def replace(match):
            dims = match.group(1).split("x")[:-1]
            roll = self.rng.random()
            if roll < 0.3:
                dims = []
            elif roll < 0.6 and dims:
                dims.pop(self.rng.randrange(len(dims)))
            else:
                dims.insert(self.rng.randrange(len(dims) + 1), self.rng.choice(EXTENTS))
            if roll > 0.95:
                dims = ["1"] * 200
            return "tensor<" + "".join(d + "x" for d in dims) + match.group(2) + ">"
        return self.substitute(TENSOR, text, replace)

    def change_lines(self, text):
        lines = text.split("\n")
        i, j = self.rng.randrange(len(lines)), self.rng.randrange(len(lines))
        kind = self.rng.randrange(3)
        if kind == 0:
            del lines[i]
        elif kind == 1:
            lines.insert(j, lines[i])
        else:
            lines[i], lines[j] = lines[j], lines[i]
        return "\n".join(lines)

    def change_list(self, text):
        """Edits an attribute such as `strides = [1, 2]`."""
        def replace(match):
            items = [item.strip() for item in match.group()[1:-1].split(",") if item.strip()]
            roll = self.rng.randrange(4)
            if roll == 0:
                items = []
            elif roll == 1:
                items.append(self.rng.choice(NUMBERS))
            elif roll == 2 and items:
                items[self.rng.randrange(len(items))] = self.rng.choice(NUMBERS)
            else:
                items = [self.rng.choice(NUMBERS)] * len(items)
            return "[" + ", ".join(items) + "]"
        return self.substitute(re.compile(r"\[[^\[\]\n]*\]"), text, replace)

    def change_op(self, text):
        names = sorted(set(re.findall(r"hgc\.[a-z_0-9]+", "\n".join(self.texts))))
        return self.substitute(re.compile(r"hgc\.[a-z_0-9]+"), text, lambda m: self.rng.choice(names))

    def change_value(self, text):
        return self.substitute(re.compile(r"%\w+"), text, lambda m: self.rng.choice(re.findall(r"%\w+", text)))

    def drop_region(self, text):
        return self.substitute(re.compile(r"\{[^{}]*\}"), text, lambda m: self.rng.choice(["", "{}", m.group() * 2]))

    def nest(self, text):
        depth = self.rng.choice([10, 100, 1000, 20000])
        left, right = self.rng.choice(["()", "[]", "{}", "<>"])
        return self.substitute(WORDS, text, lambda m: left * depth + m.group() + right * depth)

    def change_bytes(self, text):
        data = bytearray(text.encode())
        for _ in range(self.rng.choice([1, 2, 8])):
            if data:
                data[self.rng.randrange(len(data))] = self.rng.choice([0, 9, 34, 60, 123, 128, 255, self.rng.randrange(256)])
        return data.decode("latin-1")

    # Those that keep a model whole lead deepest, and come often.
    KINDS = [change_extent_everywhere] * 10 + [change_list] * 4 + [change_number] * 3 + [change_value] * 3 + \
            [change_element_everywhere] * 3 + [change_op, change_rank, change_lines] * 2 + \
            [swap_tokens, delete_token, change_extent, change_element, drop_region, change_bytes, nest]

    def make(self):
        text = self.start()
        for _ in range(self.rng.choice([0, 0, 0, 1, 1, 1, 2, 3])):
            text = self.rng.choice(self.KINDS)(self, text)
        return text


def mutate_bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5])):
        kind = rng.randrange(5)
        at = rng.randrange(len(data)) if data else 0
        if kind == 0:
            data = data[:at]
        elif kind == 1 and data:
            data[at] = rng.randrange(256)
        elif kind == 2:
            data[at:at + 8] = struct.pack("<Q", rng.choice([0, 1, 255, 1 << 31, 1 << 40, (1 << 63) - 1, (1 << 64) - 1]))
        elif kind == 3:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice([1, 8, 64])))
        else:
            numbers = list(re.finditer(rb"\d+", bytes(data[:400])))
            if numbers:
                m = rng.choice(numbers)
                data[m.start():m.end()] = rng.choice(NUMBERS).encode()
    return bytes(data)


def make_npy(rng):
    order = rng.choice(["True", "False"])
    head = f"{{'descr': '<f4', 'fortran_order': {order}, 'shape': (3, 4), }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack("<12f", *range(12))


def make_tensor_file(rng, folder):
    """A mutated .npy, .npz or .safetensors file and the command that reads it."""
    kind = rng.choice(["npy", "npz", "safetensors"])
    out = io.BytesIO()
    if kind == "npy":
        out.write(make_npy(rng))
    elif kind == "npz":
        with zipfile.ZipFile(out, "w", rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
            archive.writestr("x.npy", make_npy(rng))
    else:
        head = b'{"w": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]}}'
        out.write(struct.pack("<Q", len(head)) + head + struct.pack("<12f", *range(12)))
    data = mutate_bytes(rng, out.getvalue()) if rng.random() < 0.95 else out.getvalue()
    (folder / f"x.{kind}").write_bytes(data)
    text = "module {\n  func.func @f(%x: tensor<3x4xf32> {hgc.name = \"x\"}) -> tensor<3x4xf32> attributes {hgc.entry} {\n"
    value = "%x"
    if kind == "safetensors":
        text = text.replace("  func", '  hgc.parameter @w : tensor<3x4xf32> = #hgc.file<"x.safetensors", "w">\n  func', 1)
        text += "    %w = hgc.read @w : tensor<3x4xf32>\n"
        value = "%w"
    text += f"    %y = hgc.add %x, {value} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>\n"
    text += "    return %y : tensor<3x4xf32>\n  }\n}\n"
    inputs = [] if kind == "safetensors" else [f"--input=x=@{folder}/x.{kind}"]
    return text, [rng.choice(["eval", "run"]), *inputs]


def make_plan(rng, folder):
    """A mutated plan file and a command that reads it."""
    data = (ROOT / "test/Report/Inputs/apply-plan.json").read_bytes()
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        data = mutate_bytes(rng, data) if rng.random() < 0.5 else mutate_json(rng, data)
    (folder / "x.plan.json").write_bytes(data)
    model = random_graphs.make_module(rng.randrange(1 << 30), 1)
    plan = str(folder / "x.plan.json")
    return model, rng.choice([["explain"], ["explain", "--json"], ["explain", "--report=-"],
                              ["check", "--max-transfers=1", "--max-peak=gpu=1MiB", "--require-device=gpu(.*)"],
                              ["compile", f"--plan={plan}", "--gpu=sm_80", "--emit=placed", "-o", "-"]]), plan


def mutate_json(rng, data):
    """Another value for some key, or a key more or less."""
    values = list(re.finditer(rb'"(\w+)": ("[^"]*"|\d+|\[\]|\{\})', data))
    if not values:
        return data
    m = rng.choice(values)
    new = rng.choice([b"null", b"-1", b"1e400", b"[]", b"{}", b'"gpu:99999999999"', b'"\\ud800"', b"[" * 200, m.group(2)])
    key = rng.choice([m.group(1), m.group(1), b"other", b""])
    return data[:m.start()] + b'"' + key + b'": ' + new + data[m.end():]


@functools.lru_cache
def load_onnx():
    """ONNX models in protobuf's text format, and names of ops."""
    texts = [re.sub(r"^#.*$", "", path.read_text(), flags=re.M) for path in
             sorted(ROOT.glob("test/Frontend/ONNX/*.txtpb"))]
    return texts, sorted(set(re.findall(r'add\w*(?:<[^>]*>+)?\((?:table, )?"([A-Z]\w+)"', "".join(
        path.read_text() for path in sorted(ROOT.glob("lib/Frontend/ONNX/Ops/*.cpp"))))))


def encode_onnx(text):
    """The model of a text, or nothing when the text is none."""
    folder = ROOT / "lib/Frontend/ONNX"
    done = subprocess.run(["protoc", f"--proto_path={folder}", "--encode=onnx.ModelProto", "onnx.proto"],
                          input=text.encode(), capture_output=True)
    return done.stdout if done.returncode == 0 else b""


def make_onnx(rng):
    """A mutated ONNX model: fields and ops of its text, or its bytes."""
    texts, ops = load_onnx()
    text = rng.choice(texts)
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        numbers = list(re.finditer(r'(?<=: )-?\d+|(?<=op_type: ")\w+|(?<=put: ")\w+', text))
        m = rng.choice(numbers)
        new = rng.choice(NUMBERS[:-1]) if m.group()[-1].isdigit() else rng.choice(ops) \
            if text[:m.start()].endswith('op_type: "') else rng.choice(re.findall(r'put: "(\w+)"', text))
        text = text[:m.start()] + new + text[m.end():]
    data = encode_onnx(text) or encode_onnx(rng.choice(texts))
    return mutate_bytes(rng, data) if rng.random() < 0.3 else data


def limits():
    # A sanitizer reserves terabytes of addresses.
    if "HGC_FUZZ_NO_SPACE_LIMIT" not in os.environ:
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT_SPACE, LIMIT_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def execute(command, folder):
    """Exit code (None: took too long), standard error, peak of memory."""
    with open(folder / "stderr", "wb") as errors:
        process = subprocess.Popen([str(c) for c in command], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limits)
        end = time.time() + 8 * LIMIT_SECONDS
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.time() > end:
                process.kill()
                os.wait4(process.pid, 0)
                process.returncode = -9
                return None, "", 0
            time.sleep(0.003)
    process.returncode = os.waitstatus_to_exitcode(status)
    code = None if process.returncode in (-24, -9) else process.returncode
    return code, (folder / "stderr").read_text(errors="replace"), usage.ru_maxrss * 1024


def is_large(text):
    """Whether some tensor has over a million elements: work, not a hang."""
    for dims, _ in TENSOR.findall(text):
        if functools.reduce(lambda a, d: a * int(d), re.findall(r"\d+", dims), 1) > 1 << 20:
            return True
    return False


def judge(code, errors, peak, command, folder, text):
    """What is wrong with a run, or nothing."""
    if code is None and command[1] in ("run", "eval") and is_large(text):
        return None
    if code is None:
        return f"took more than {LIMIT_SECONDS} s"
    if code < 0:
        return f"ended by signal {-code}"
    if code not in (0, 1, 2):
        return f"exit code {code}"
    if code and "--verify" in command:
        return "a valid model was refused, or gave wrong values"
    outOfMemory = "out of memory" in errors
    # Data may be as large as the model says; a compiler's own memory may not.
    if peak > LIMIT_BYTES and command[1] == "compile":
        return f"used {peak >> 20} MiB"
    if code and "error: " not in errors:
        return "no message"
    if code and "hint: " not in errors:
        return "no hint"
    if code and not outOfMemory and any((folder / name).exists() for name in ("out.so", "out.h")):
        return "left an output file behind"
    return None


# Where the kinds of cases lie in the numbers that are rolled.
KINDS = {"tensors": (0, 0.12), "plans": (0.12, 0.16), "onnx": (0.16, 0.20), "valid": (0.20, 0.28), "models": (0.28, 1)}


def make_case(seed, texts, folder, kind=None):
    rng = random.Random(seed)
    low, high = KINDS[kind] if kind else (0, 1)
    roll = low + (high - low) * rng.random()
    if roll < KINDS["tensors"][1]:
        text, command = make_tensor_file(rng, folder)
    elif roll < KINDS["plans"][1]:
        text, command, plan = make_plan(rng, folder)
        if command[0] != "compile":
            return text, [command[0], plan, *command[1:]]
    elif roll < KINDS["onnx"][1]:
        model = folder / "model.onnx"
        model.write_bytes(make_onnx(rng))
        flags = rng.choice([[], [], ["--shape=x=2x3"], ["--dim=batch=" + rng.choice(NUMBERS)]])
        return "", [rng.choice(["compile", "compile", "inspect"]), model, *flags]
    elif roll < KINDS["valid"][1]:
        text = make_graph(rng, rng.choice([[0, 1, 2], [0, 1, 5, 17], [1], [0]]))
        command = ["compile", "--verify", rng.choice(["-O0", "-O3"]), "-o", folder / "out.so"]
        command += rng.choice([[], ["--gpu=sm_80", "--device=emulated"]])
    else:
        text = Mutator(rng, texts).make()
        command = rng.choice([
            ["compile", "--emit=exec", "-o", "-"], ["compile", "--emit=llvm", "-o", "-"],
            ["compile", "-o", folder / "out.so"], ["compile", "-O0", "-o", folder / "out.so"],
            ["compile", "--arena=separate", "--emit=llvm", "-o", "-"], ["eval"], ["eval"], ["inspect"],
            ["compile", "--weights=external", "-o", folder / "out.so"], ["run"],
            ["compile", "--gpu=sm_80", "-o", folder / "out.so"], ["compile", "--gpu=sm_75", "-O0", "--emit=ptx", "-o", "-"],
            ["compile", "--gpu=sm_90", "--arena=separate", "--emit=exec", "-o", "-"]])
        dims = sorted(set(re.findall(r'"([a-z]\w*)"', text)))
        if dims and rng.random() < 0.2:
            command = command + [f"--dim={rng.choice(dims)}={rng.choice(NUMBERS)}"] if command[0] != "inspect" else command
    model = folder / "model.mlir"
    model.write_bytes(text.encode("latin-1", errors="replace"))
    return text, [command[0], model, *command[1:]]


def run_case(hgc, texts, keep, kind, seed):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text, command = make_case(seed, texts, folder, kind)
        command = [hgc, *command]
        code, errors, peak = execute(command, folder)
        problem = judge(code, errors, peak, command, folder, text)
        if problem and keep:
            shutil.copytree(folder, keep / str(seed), dirs_exist_ok=True)
        shown = " ".join("hgc" if c == hgc else str(c).replace(name + "/", "") for c in command)
        return seed, shown, code, problem, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--count", type=int, default=150, help="number of cases")
    parser.add_argument("--seed", type=int, default=0, help="first seed; case i has seed + i")
    parser.add_argument("--kind", choices=KINDS, help="only cases of this kind")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the cases that fail")
    parser.add_argument("--print", action="store_true", help="print the first model and its command, and stop")
    parser.add_argument("--no-space-limit", action="store_true", help="for builds with a sanitizer")
    args = parser.parse_args()
    if args.no_space_limit:
        os.environ["HGC_FUZZ_NO_SPACE_LIMIT"] = "1"
    texts = load_models()
    hgc = (ROOT / args.build).resolve() / "bin" / "hgc"
    if args.print:
        with tempfile.TemporaryDirectory() as name:
            text, command = make_case(args.seed, texts, pathlib.Path(name), args.kind)
            print(text, "//", *command)
        return 0
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    bad, codes = 0, {}
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        run = functools.partial(run_case, hgc, texts, args.keep, args.kind)
        for seed, command, code, problem, errors in pool.map(run, range(args.seed, args.seed + args.count)):
            codes[code] = codes.get(code, 0) + 1
            if problem:
                bad += 1
                print(f"seed {seed}: {command}: {problem}\n{errors[-1500:]}", flush=True)
    spread = ", ".join(f"{n} with exit code {code}" for code, n in sorted(codes.items(), key=str))
    print(f"fuzzed {args.kind or 'models'}: {args.count} cases ({spread}), {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
