"""Ahead-of-time compiled model graphs: compile them, load them, call them.

    import hgc
    model = hgc.compile("net.onnx", dims={"batch": 1})   # or hgc.load("net.so")
    y = model(x)                                         # numpy arrays or DLPack tensors

Loading and calling needs nothing but numpy; compiling and explaining runs the
program `hgc` (see `find_compiler`).
"""
from ._compiler import Explanation, OpRow, compile, compile_to, explain, find_compiler
from ._errors import ArgumentError, CompileError, HgcError, ModelError, Status
from ._model import Entry, Model, Pending, Results, TensorInfo, load

__version__ = "0.1.0"
__all__ = [
    "ArgumentError", "CompileError", "Entry", "Explanation", "HgcError", "Model", "ModelError", "OpRow", "Pending",
    "Results", "Status", "TensorInfo", "compile", "compile_to", "explain", "find_compiler", "load",
]
