"""Compiles a pass that new_pass.py wrote, with a body from a page.

usage: compile_pass.py COPY FOLDER NAME BODY.inc

COPY has scripts, include and lib of the repository, where new_pass.py was run. The flags are those of
the build tree that hgc-opt on the PATH belongs to.
"""
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys


def flags(build, folder):
    """The compiler and its options for sources of a folder."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if f"Hgc{folder}.dir" in entry["command"]:
            command = shlex.split(entry["command"])
            return command[:command.index("-o")]
    sys.exit(f"error: {build} does not build lib/{folder}")


def main():
    copy, folder, name, body = pathlib.Path(sys.argv[1]).resolve(), *sys.argv[2:4], pathlib.Path(sys.argv[4])
    source = copy / "lib" / folder / f"{name}.cpp"
    text, count = re.subn(rf"^struct {name} final .*?^}};\n", lambda _: body.read_text(), source.read_text(), flags=re.S | re.M)
    assert count == 1
    source.write_text(text)
    build = pathlib.Path(shutil.which("hgc-opt")).resolve().parent.parent
    generated = copy / "generated" / "hgc" / folder
    generated.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mlir-tblgen", "-gen-pass-decls", "-name", f"Hgc{folder}", "-I", "/usr/lib/llvm-22/include", "-I", copy / "include",
                    copy / "include" / "hgc" / folder / "Passes.td", "-o", generated / "Passes.h.inc"], check=True)
    command = flags(build, folder)
    return subprocess.run([command[0], "-I", copy / "generated", "-I", copy / "include", *command[1:], "-fsyntax-only", source],
                          cwd=build).returncode


if __name__ == "__main__":
    sys.exit(main())
