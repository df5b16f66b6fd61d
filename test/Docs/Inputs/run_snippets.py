"""Runs the fenced blocks of a Markdown page.

usage: run_snippets.py [--installed FOLDER] PAGE.md SOURCE_DIR WORK_DIR

The info string of a block says what happens to it, in the order of the page:
  sh test        run by bash in WORK_DIR, which links to the repository's folders; Python finds the package hgc
  py test        run by python3 there
  text output    must equal what the block before it printed
  console test   lines '$ command' are run, and must print what follows them
  mlir file=F    written to WORK_DIR/F; likewise `c file=F` and any other language
  mlir from=F    must be a part of the file F, blank space aside, or several with lines '...' between; likewise any other language
  mlir check     must be accepted by hgc-opt
  c check        compiled (not run) as the body of a function, after its includes,
                 beside the headers of examples/mlp
A line `<!-- setup: COMMAND -->` runs a command that readers need not see; variables that it writes to the file .env are set from then on. Blocks without such a
word are left alone; check_snippets.py tells which there may be. hgc is found through PATH.
With --installed, python3 and hgc are those of a folder, and the package is what python3 has.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^<!-- setup: (?P<setup>.*?) -->$|^```(?P<language>\w*)(?: (?P<mark>[^\n]+))?\n(?P<text>.*?)^```$",
                   flags=re.S | re.M)
FOLDERS = ["benchmarks", "cmake", "dialects", "docs", "examples", "include", "lib", "python", "runtime", "scripts", "test"]
# Names the fragments of the pages use without declaring them.
PRELUDE = """#include <stdio.h>
#include <stdlib.h>
static mlp *model; static const float *image; static float *probs;
"""


def run(command, work, text=None, **kwargs):
    done = subprocess.run(command, input=text, cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kwargs)
    return done.returncode, done.stdout


def find_python():
    """A `python3` that has numpy, for the pages' own scripts."""
    for python in [sys.executable, "/usr/bin/python3", shutil.which("python3")]:
        if python and subprocess.run([python, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    sys.exit("error: no python3 with numpy was found\nhint: install python3-numpy, as scripts/check.sh does")


class Page:
    """The blocks of a page, run one after another."""

    def __init__(self, work, env):
        self.work, self.env, self.output = work, env, ""

    def shell(self, text):
        return run(["bash", "-euo", "pipefail", "-c", text], self.work, env=self.env)

    def console(self, text):
        for command, expected in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", text, flags=re.M):
            output = self.shell(command)[1]
            if output != expected:
                return 1, f"{command}\nexpected:\n{expected}got:\n{output}"
        return 0, ""

    def check_c(self, text):
        if not (self.work / ".check" / "mlp.h").exists():
            (self.work / ".check").mkdir(exist_ok=True)
            subprocess.run(["hgc", "compile", "examples/mlp/mlp.mlir", "-o", ".check/mlp.so"], cwd=self.work, check=True)
        lines = text.splitlines()
        includes = [line for line in lines if line.startswith("#include")] + ['#include "mlp.h"']
        body = [line for line in lines if not line.startswith("#include")]
        source = "\n".join(includes) + "\n" + PRELUDE + "int snippet(void);\nint snippet(void) {\n" + "\n".join(body) + "\nreturn 0;\n}\n"
        return run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-I.check", "-fsyntax-only", "-xc", "-"],
                   self.work, source)

    def find(self, text, path):
        whole, at = "".join((self.work / path).read_text().split()), 0
        for part in re.split(r"^\.\.\.$", text, flags=re.M):
            at = whole.find("".join(part.split()), at)
            if at < 0:
                return 1, f"{path} does not have\n{part}"
        return 0, ""

    def run(self, language, mark, text):
        """Status and what to say if it is not 0; None for an unknown mark."""
        if mark.startswith("file="):
            path = self.work / mark.removeprefix("file=")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            return 0, ""
        if mark.startswith("from="):
            return self.find(text, mark.removeprefix("from="))
        kind = f"{language} {mark}"
        if kind == "text output":
            return int(self.output != text), f"expected:\n{text}got:\n{self.output}"
        if kind in ("sh test", "py test"):
            code, self.output = self.shell(text) if language == "sh" else run(["python3", "-c", text], self.work, env=self.env)
            return code, self.output
        if kind == "console test":
            return self.console(text)
        if kind == "c check":
            return self.check_c(text)
        if kind == "mlir check":
            return run(["hgc-opt", "-o", "/dev/null", "-"], self.work, text)
        return None


def prepare(work, source, installed):
    """The folder and environment that the blocks run in."""
    shutil.rmtree(work, ignore_errors=True)
    (work / ".bin").mkdir(parents=True)
    for name in FOLDERS:
        (work / name).symlink_to(source / name)
    (work / ".env").touch()
    env = dict(os.environ, BASH_ENV=str(work / ".env"))
    if installed:
        return dict(env, PATH=f"{installed}:{os.environ['PATH']}")
    (work / ".bin" / "python3").symlink_to(find_python())
    return dict(env, PATH=f"{work}/.bin:{os.environ['PATH']}", PYTHONPATH=f"{work}/python")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--installed", type=pathlib.Path)
    parser.add_argument("paths", nargs=3, type=pathlib.Path)
    args = parser.parse_args()
    path, source, work = (p.resolve() for p in args.paths)
    page = Page(work, prepare(work, source, args.installed and args.installed.absolute()))
    count = 0
    for block in BLOCK.finditer(path.read_text()):
        setup, language, mark, text = block.group("setup", "language", "mark", "text")
        if setup is None and mark is None:
            continue
        count += 1
        result = page.shell(setup) if setup else page.run(language, mark, text)
        if result is None:
            sys.exit(f"{path.name}: snippet {count}: unknown mark '{language} {mark}'")
        if result[0]:
            sys.exit(f"{path.name}: snippet {count}: failed\n{setup or text}\n---\n{result[1]}")
    if not count:
        sys.exit(f"{path.name}: no block is marked for testing")
    print(f"{path.name}: {count} snippets ok")


if __name__ == "__main__":
    main()
