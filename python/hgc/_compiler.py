"""Runs the program `hgc`: compiling and explaining models."""
from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._errors import CompileError

if TYPE_CHECKING:
    from ._model import Model

Source = Union[str, bytes, "os.PathLike[str]", Any]
Extents = Union[int, Sequence[int]]


def find_compiler() -> str:
    """Path of the program hgc: HGC_EXECUTABLE, else that of the virtual environment, else on the PATH, else beside this Python."""
    named = os.environ.get("HGC_EXECUTABLE")
    own = shutil.which("hgc", path=os.path.dirname(sys.executable))
    if named:
        found = shutil.which(named)
    elif own and sys.prefix != sys.base_prefix:
        found = own  # the wheel's
    else:
        found = shutil.which("hgc") or own
    if not found:
        raise CompileError(f"'{named}' of HGC_EXECUTABLE is no program" if named else "the program hgc was not found",
                           "install hgc, put it on the PATH, or set HGC_EXECUTABLE to it")
    return found


def find_emulator() -> Optional[str]:
    """The emulated GPU that belongs to the program hgc."""
    prefix = pathlib.Path(find_compiler()).resolve().parent.parent
    for folder in ("lib/hgc", "lib"):
        if (prefix / folder / "libhgc_emucuda.so").exists():
            return str(prefix / folder / "libhgc_emucuda.so")
    return None


def _as_input(source: Source) -> Tuple[str, Optional[bytes]]:
    """The argument for hgc, and what it reads from its standard input."""
    if hasattr(source, "SerializeToString"):  # onnx.ModelProto
        return "-", source.SerializeToString()
    if hasattr(source, "as_text"):  # what jax.jit(f).lower(...) gives
        return "-", source.as_text(debug_info=True).encode()
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "-", bytes(source)
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return "-", source.encode()
    return os.fspath(source), None


def _run(command: str, source: Source, arguments: Sequence[str]) -> str:
    path, data = _as_input(source)
    done = subprocess.run([find_compiler(), command, path, *arguments], input=data if data is not None else b"",
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        text = done.stderr.decode(errors="replace").strip()
        hints = list(re.finditer(r"^(?:.*: note: )?hint: (.*)$", text, flags=re.M))
        message = text[:hints[-1].start()].strip() if hints else text
        hint = hints[-1].group(1) if hints else ""
        raise CompileError(message or f"hgc ended with status {done.returncode}", hint, done.returncode)
    return done.stdout.decode(errors="replace")


def _list(value: Any) -> str:
    return value if isinstance(value, str) else ",".join(map(str, value))


def _arguments(dims: Optional[Mapping[str, Extents]], shapes: Optional[Mapping[str, Sequence[int]]],
               gpu: Union[str, Sequence[str], None], place: Optional[str], memory_limit: Optional[Mapping[str, str]],
               target_cpu: Optional[str], name: Optional[str], options: Sequence[str]) -> List[str]:
    arguments = [f"--dim={dim}={_list([n] if isinstance(n, int) else n)}" for dim, n in (dims or {}).items()]
    arguments += [f"--shape={i}={'x'.join(map(str, shape))}" for i, shape in (shapes or {}).items()]
    if gpu:
        arguments.append("--gpu=" + _list(gpu))
    if memory_limit:
        arguments.append("--memory-limit=" + ",".join(f"{d}={size}" for d, size in memory_limit.items()))
    for flag, value in (("place", place), ("target-cpu", target_cpu), ("name", name)):
        if value:
            arguments.append(f"--{flag}={value}")
    return arguments + list(options)


def compile_to(source: Source, output: Union[str, "os.PathLike[str]"], *, dims: Optional[Mapping[str, Extents]] = None,
               shapes: Optional[Mapping[str, Sequence[int]]] = None, gpu: Union[str, Sequence[str], None] = None,
               place: Optional[str] = None, memory_limit: Optional[Mapping[str, str]] = None,
               target_cpu: Optional[str] = None, name: Optional[str] = None, verify: bool = False,
               loss: Optional[str] = None, optimizer: Optional[str] = None, metrics: Sequence[str] = (),
               options: Sequence[str] = ()) -> pathlib.Path:
    """Writes a library and its headers; returns the library's path.

    source: path of a .onnx or .mlir file, ONNX as bytes or as onnx.ModelProto, MLIR or StableHLO text, or what
        jax.jit(f).lower(...) gives.
    dims: extents of named dims, one or several each: {"batch": [1, 32]}.
    shapes: shapes of inputs of an ONNX model.
    gpu: also make a GPU plan, for these GPUs: "sm_80", ["a100", "h100"].
    place: rules that pin ops, as of `hgc compile --place`.
    memory_limit: {"gpu": "64MiB"}.
    target_cpu: a name of `hgc devices`, or "native"; by default x86-64-v3.
    verify: run the result on random inputs and compare with the evaluator.
    loss: makes a model that trains, with the entries init, train_step and evaluate: "mse".
    optimizer, metrics: of training: "sgd:lr=0.1,momentum=0.9", ["accuracy"].
    options: further options of `hgc compile`.
    """
    arguments = _arguments(dims, shapes, gpu, place, memory_limit, target_cpu, name, options)
    if loss:
        arguments += ["--train", f"--loss={loss}"]
    if optimizer:
        arguments.append(f"--optimizer={optimizer}")
    if metrics:
        arguments.append("--metrics=" + _list(metrics))
    _run("compile", source, [*arguments, *(["--verify"] if verify else []), "-o", os.fspath(output)])
    return pathlib.Path(output)


class _Folder:
    """A temporary folder that goes with its owner, without a warning."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="hgc-")
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def compile(source: Source, output: Union[str, "os.PathLike[str]", None] = None, *,
            load_options: Optional[Mapping[str, Any]] = None, **compile_options: Any) -> "Model":
    """Compiles a model for this machine and loads it; options are those of `compile_to`, with target_cpu="native".

    output: where the library goes; by default a folder of its own that is removed with the model.
    load_options: options of `load`.
    """
    from ._model import Model, _Library

    compile_options.setdefault("target_cpu", "native")
    folder = None
    if output is None:
        folder = _Folder()
        output = os.path.join(folder.path, "model.so")
    path = compile_to(source, output, **compile_options)
    return Model(_Library(path.resolve()), load_options or {}, folder)


class OpRow(NamedTuple):
    """One op of a plan. Costs are modelled seconds by kind of device."""

    entry: str
    dims: Dict[str, int]
    op: str
    kind: str
    device: str
    costs: Dict[str, float]
    kernel: str
    reason: str


class Explanation:
    """Where each op runs, what it costs, and why: a table of `OpRow`s, and text."""

    def __init__(self, plan: Dict[str, Any], text: str):
        self.plan = plan
        self.text = text
        self.rows: List[OpRow] = list(self._read())

    def _read(self) -> Iterator[OpRow]:
        for variant in self.plan["variants"]:
            # The last plan is the one that a GPU runs, if there is one.
            for entry in variant["plans"][-1]["entries"]:
                for op in entry["ops"]:
                    costs = {device: ps * 1e-12 for device, ps in op["cost_ps"].items()}
                    yield OpRow(entry["name"], variant["dims"], op["name"], op["op"], op["device"], costs,
                                op.get("kernel", ""), op.get("reason", ""))

    def __iter__(self) -> Iterator[OpRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return self.text

    def to_dicts(self) -> List[Dict[str, Any]]:
        """Rows for pandas.DataFrame and the like."""
        return [row._asdict() for row in self.rows]

    def _repr_html_(self) -> str:
        import html

        head = "".join(f"<th>{name}</th>" for name in ("entry", "op", "kind", "device", "cost", "kernel", "why"))
        body = ""
        for row in self.rows:
            cost = ", ".join(f"{device} {seconds * 1e6:.2f} us" for device, seconds in row.costs.items())
            entry = row.entry + ("" if not row.dims else f" ({', '.join(f'{d}={n}' for d, n in row.dims.items())})")
            cells = (entry, row.op, row.kind, row.device, cost, row.kernel, row.reason)
            body += "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
        return f"<table><tr>{head}</tr>{body}</table>"


def explain(source: Source, *, dims: Optional[Mapping[str, Extents]] = None,
            shapes: Optional[Mapping[str, Sequence[int]]] = None, gpu: Union[str, Sequence[str], None] = None,
            place: Optional[str] = None, memory_limit: Optional[Mapping[str, str]] = None,
            target_cpu: Optional[str] = None, options: Sequence[str] = ()) -> Explanation:
    """Plans a model, or reads the plan of a compiled one, and says which op runs where and why.

    source: as of `compile_to`, or a library whose plan is beside it, or that plan.
    """
    arguments = _arguments(dims, shapes, gpu, place, memory_limit, target_cpu, None, options)
    plan = json.loads(_run("explain", source, [*arguments, "--json"]))
    return Explanation(plan, _run("explain", source, arguments))
