"""Checks that examples of the generated reference pages are accepted by hgc-opt.

usage: check_examples.py PAGE.md [PAGE.md...]

An example is a block of mlir. What it uses and does not define is added: values of the types that
the parser asks for, and parameters. Parts of an example before and after `// becomes` and the like are examples of
their own. Those with '...' are sketches: only pages of passes may have them.
"""
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```mlir\n(.*?)^```$", flags=re.S | re.M)
PART = re.compile(r"^// (?:becomes|adds|gives)[^\n]*\n", flags=re.M)
TOP = re.compile(r"^(?:func\.func|hgc\.parameter|exec\.kernel|exec\.blob|llvm\.func|module)\b")
VALUE = re.compile(r"%\w+")
WANTED = re.compile(r"use of value '(%\w+)' expects different type than prior uses: '(.*?)' vs")
# What an example may leave out: kernels, weights, bodies of functions.
LEFT_OUT = re.compile(r"which does not exist$|has no body$|symbol declaration cannot have public visibility$")
SEPARATOR = "// -----\n"


class Example:
    """A part of a page as a module of its own."""

    def __init__(self, where, text):
        self.where, self.text, self.error = where, text, ""
        lines = text.splitlines(keepends=True)
        # Declarations come first, then what is inside of a function.
        body = next((i for i, line in enumerate(lines) if line.startswith(("%", "^"))), len(lines)) if TOP.match(text) else 0
        self.top, self.body = "".join(lines[:body]), "".join(lines[body:])
        if self.top.startswith("module") and self.top.rstrip().endswith("]}"):
            self.top = self.top.rstrip() + " {}\n"
        parameters = dict(re.findall(r"hgc\.(?:read|assign) (@[\w.]+)[^:\n]*: (\S+)", text))
        self.symbols = "".join(f"hgc.parameter {name} : {kind} = #hgc.init<zeros>\n" for name, kind in sorted(parameters.items()))
        defined = set()
        for line in lines:
            defined.update(VALUE.findall(line.split(" = ")[0]) if re.match(r"\s*%", line) and " = " in line else [])
            defined.update(re.findall(r"[(,] ?(%\w+): ", line))
        self.values = {name: "i1" for name in VALUE.findall(re.sub(r"//.*", "", text)) if name not in defined}

    def module(self):
        if not self.body:
            return self.top
        values = "".join(f'{name} = "example.value"() : () -> {kind}\n' for name, kind in self.values.items())
        return f"{self.top}{self.symbols}func.func @example() {{\n{values}{self.body}return\n}}\n"


def parse(examples):
    """Notes the first error of each, or the type that it asks for; whether another round may help."""
    starts, text = [], ""
    for example in examples:
        example.error = ""
        starts.append(text.count("\n") + 1)
        text += example.module() + SEPARATOR
    done = subprocess.run(["hgc-opt", "--split-input-file", "--allow-unregistered-dialect", "-o", "/dev/null", "-"], input=text, text=True,
                          stderr=subprocess.PIPE)
    learned = False
    for line, message in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", done.stderr, flags=re.M):
        example = next(e for e, start in reversed(list(zip(examples, starts))) if start <= int(line))
        if LEFT_OUT.search(message):
            continue
        wanted = WANTED.search(message)
        if wanted and example.values.get(wanted[1]) == "i1":
            example.values[wanted[1]] = wanted[2]
            learned = True
        example.error = example.error or message
    if done.returncode and "error: " not in done.stderr:
        sys.exit(done.stderr)
    return learned


def read(path):
    sketches = path.name == "passes.md"
    for number, block in enumerate(BLOCK.findall(path.read_text()), 1):
        for part in PART.split(block):
            if "..." not in part or not sketches:
                yield Example(f"{path.name}: example {number}", part)


def main():
    examples = [example for name in sys.argv[1:] for example in read(pathlib.Path(name))]
    while parse(examples):
        pass
    bad = [f"{e.where}: {e.error}\n{e.text}" for e in examples if e.error]
    print("\n".join(bad) or f"examples: {len(examples)} ok")
    return 1 if bad or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
