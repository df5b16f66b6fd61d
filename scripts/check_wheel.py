#!/usr/bin/env python3
"""Makes a wheel of a build tree, installs it in a fresh environment and tests it there.

With nothing but the wheel, the snippets of README.md run, and its Python lines print what its
C program prints; the tests of the package pass, with the NumPy that pip chooses; mypy finds
nothing wrong with the type hints. Exits with 77 where PyPI cannot be reached.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Status of a script that lacks what it needs.
SKIPPED = 77
# A program of a user, for mypy.
TYPED = """import hgc
import numpy as np

model: hgc.Model = hgc.load("mlp.so", num_threads=2)
entry: hgc.Entry = model.predict
print(entry(np.zeros((1, 784), np.float32)), model.explain().rows[0].device, model.params["fc1.weight"].shape)
"""


def run(command, **kwargs):
    print("==>", " ".join(map(str, command)), flush=True)
    return subprocess.run(list(map(str, command)), **kwargs).returncode == 0


def make_environment(folder, *packages):
    """An environment with packages; None where they cannot be had."""
    made = run([sys.executable, "-m", "venv", folder]) and \
        run([folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *packages])
    return folder / "bin" if made else None


def make_wheels(tools, build, work):
    """The wheel with the compiler, and the one without, which runs everywhere."""
    command = [tools / "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", ROOT]
    if not run([*command, "-w", work / "whole", f"--config-settings=cmake.define.HGC_BUILD={build}", f"--config-settings=build-dir={work}/cmake"]) or \
       not run([*command, "-w", work / "pure", "--config-settings=wheel.cmake=false", f"--config-settings=build-dir={work}/none"]):
        sys.exit("error: the wheel was not built")
    if not list((work / "pure").glob("hgc-*-py3-none-any.whl")):
        sys.exit("error: the wheel without the compiler is not for every machine")
    return next((work / "whole").glob("hgc-*-py3-none-linux_*.whl"))


def test(tools, fresh, build, work):
    """Names of what failed."""
    # hgc-opt, which checks models of the page, is not in the wheel.
    path = [str(fresh), "/usr/local/bin", "/usr/bin", "/bin", str(build / "bin")]
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HGC_", "PYTHON"))}
    env.update(PATH=os.pathsep.join(path), HGC_TEST_SOURCE=str(ROOT))
    failed = []
    if not run([fresh / "python", ROOT / "test/Docs/Inputs/run_snippets.py", "--installed", fresh, ROOT / "README.md", ROOT, work / "readme"],
               env=env):
        failed.append("the snippets of README.md")
    with open(ROOT / "test/Python/Inputs/relu.txtpb") as text, open(work / "relu.onnx", "wb") as model:
        run(["protoc", f"--proto_path={ROOT}/lib/Frontend/ONNX", "--encode=onnx.ModelProto", "onnx.proto"], stdin=text, stdout=model)
    if not run([fresh / "python", "-m", "unittest", "-q", "package_test", "tensors_test"], cwd=work,
               env=dict(env, PYTHONPATH=str(ROOT / "test/Python/Inputs"))):
        failed.append("the tests of the package")
    (work / "typed.py").write_text(TYPED)
    mypy = [tools / "python", "-m", "mypy", "--strict", "--python-executable", fresh / "python", "--cache-dir", work / "mypy"]
    if not run([*mypy, "-p", "hgc"], cwd=work) or not run([*mypy, "typed.py"], cwd=work):
        failed.append("the type hints")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="build tree whose compiler goes into the wheel")
    build = (ROOT / parser.parse_args().build).resolve()
    work = build / "wheel-test"
    shutil.rmtree(work, ignore_errors=True)
    tools = make_environment(work / "tools", "scikit-build-core", "mypy")
    if not tools:
        print("skipped: PyPI could not be reached", file=sys.stderr)
        return SKIPPED
    fresh = make_environment(work / "fresh", make_wheels(tools, build, work))
    if not fresh:
        sys.exit("error: the wheel was not installed")
    failed = test(tools, fresh, build, work)
    for name in failed:
        print("FAILED:", name)
    print("wheel:", f"{len(failed)} failed" if failed else "ok")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
