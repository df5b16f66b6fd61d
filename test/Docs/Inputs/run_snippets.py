"""Runs the fenced blocks of a Markdown page that are marked for it.

usage: run_snippets.py PAGE.md SOURCE_DIR WORK_DIR

The info string of a block says what happens to it, in the order of the page:
  sh test        run by bash in WORK_DIR, which links to the repository's folders; Python finds the package hgc
  text output    must equal what the `sh test` block before it printed
  mlir file=F    written to WORK_DIR/F; likewise `c file=F` and any other language
  mlir check     must be accepted by hgc-opt
  c check        compiled (not run) as the body of a function, after its includes,
                 beside the headers of examples/mlp
Blocks without such a word are left alone. hgc is found through PATH.
"""
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+) ([^\n]+)\n(.*?)^```$", flags=re.S | re.M)
# Names the fragments of the pages use without declaring them.
PRELUDE = """#include <stdio.h>
#include <stdlib.h>
static mlp *model; static const float *image; static float *probs;
"""


def fail(page, number, message):
    sys.exit(f"{page}: snippet {number}: {message}")


def find_python():
    """A folder with a `python3` that has numpy, for the pages' own scripts."""
    for python in [sys.executable, "/usr/bin/python3", shutil.which("python3")]:
        if python and subprocess.run([python, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    sys.exit("error: no python3 with numpy was found\nhint: install python3-numpy, as scripts/check.sh does")


def run_shell(text, work):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", f"export PATH={work}/.bin:$PATH PYTHONPATH={work}/python\n{text}"], cwd=work, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def check_c(text, work):
    if not (work / ".check" / "mlp.h").exists():
        (work / ".check").mkdir(exist_ok=True)
        subprocess.run(["hgc", "compile", "examples/mlp/mlp.mlir", "-o", ".check/mlp.so"], cwd=work, check=True)
    lines = text.splitlines()
    includes = [line for line in lines if line.startswith("#include")] + ['#include "mlp.h"']
    body = [line for line in lines if not line.startswith("#include")]
    source = "\n".join(includes) + "\n" + PRELUDE + "int snippet(void);\nint snippet(void) {\n" + "\n".join(body) + "\nreturn 0;\n}\n"
    done = subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-I.check", "-fsyntax-only", "-xc", "-"],
                          input=source, cwd=work, text=True, stderr=subprocess.STDOUT, stdout=subprocess.PIPE)
    return done.returncode, done.stdout


def check_mlir(text, work):
    done = subprocess.run(["hgc-opt", "-o", "/dev/null", "-"], input=text, cwd=work, text=True, stderr=subprocess.STDOUT,
                          stdout=subprocess.PIPE)
    return done.returncode, done.stdout


def main():
    page, source, work = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    shutil.rmtree(work, ignore_errors=True)
    (work / ".bin").mkdir(parents=True)
    (work / ".bin" / "python3").symlink_to(find_python())
    for name in ["dialects", "docs", "examples", "include", "lib", "python", "scripts", "test"]:
        (work / name).symlink_to(source / name)
    count, output = 0, ""
    for language, info, text in BLOCK.findall(page.read_text()):
        code, message = 0, ""
        if info.startswith("file="):
            (work / info.removeprefix("file=")).write_text(text)
        elif (language, info) == ("sh", "test"):
            code, message = run_shell(text, work)
            output = message
        elif (language, info) == ("text", "output"):
            code, message = int(output != text), f"expected:\n{text}got:\n{output}"
        elif (language, info) == ("c", "check"):
            code, message = check_c(text, work)
        elif (language, info) == ("mlir", "check"):
            code, message = check_mlir(text, work)
        else:
            fail(page.name, count + 1, f"unknown mark '{language} {info}'")
        count += 1
        if code:
            fail(page.name, count, f"failed\n{text}---\n{message}")
    if not count:
        fail(page.name, 0, "no block is marked for testing")
    print(f"{page.name}: {count} snippets ok")


if __name__ == "__main__":
    main()
