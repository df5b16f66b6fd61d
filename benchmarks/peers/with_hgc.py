"""hgc: the compiled library, called through its C interface."""
import ctypes
import pathlib
import sys

from .runner import Job, NativeRunner

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))


def prepare(_: Job) -> None:
    import hgc  # noqa: F401


def load(job: Job) -> NativeRunner:
    import hgc
    from hgc import _model
    model = hgc.load(job.folder / "model.so", num_threads=job.threads, device="cpu")
    entry = next(iter(model.entries.values()))
    call = _model._Call(entry, job.inputs, {}, None)
    function = ctypes.cast(model._api.call, ctypes.c_void_p).value
    arguments = [model._handle, entry._index, ctypes.addressof(call.c_inputs), len(call.inputs),
                 ctypes.addressof(call.c_outputs), len(call.outputs)]

    def read():
        results = call.results()
        return list(results) if isinstance(results, tuple) else [results]
    return NativeRunner(job.native, function, arguments, read, "C interface, --target-cpu=native",
                        keep=(model, call))
