"""Python environments of tests and documentation: packages of PyPI, by pinned
version, in a folder of the build tree.
"""
import hashlib
import importlib.metadata
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Status of a script that lacks what it needs.
SKIPPED = 77


def pins(requirements):
    lines = (line.split("#")[0].strip() for line in (HERE / requirements).read_text().splitlines())
    return dict(line.split("==") for line in lines if line)


def is_satisfied(requirements):
    """Whether this interpreter has the packages in the pinned versions."""
    try:
        return all(importlib.metadata.version(name) == version for name, version in pins(requirements).items())
    except importlib.metadata.PackageNotFoundError:
        return False


def install(folder, requirements):
    command = [sys.executable, "-m", "venv", str(folder)]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        return False
    command = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", "-r",
               str(HERE / requirements)]
    return subprocess.run(command).returncode == 0


def ensure(build, requirements="requirements.txt", name="onnx"):
    """Goes on in an interpreter that has the packages, made if need be; ends the
    script with status 77 where they cannot be had."""
    if is_satisfied(requirements):
        return
    text = (HERE / requirements).read_bytes()
    folder = pathlib.Path(build).resolve() / f"{name}-env-{hashlib.sha256(text).hexdigest()[:8]}"
    ready = folder / "ready"
    if not ready.exists():
        if not install(folder, requirements):
            print("skipped: PyPI could not be reached\nhint: install the packages of "
                  f"{HERE / requirements} and run with that interpreter", file=sys.stderr)
            sys.exit(SKIPPED)
        ready.touch()
    python = str(folder / "bin" / "python")
    os.execv(python, [python, *sys.argv])
