"""hgc: train_step of the compiled library, called through its C interface."""
import ctypes

from peers import with_hgc

from . import cases
from .steps import Job, StepRunner

prepare = with_hgc.prepare


def make_loop(model, batches, native):
    """A function that takes steps: run(first, count) -> the loss of the last one. batches: inputs and labels, in memory
    as the entry takes them."""
    import numpy as np
    from hgc import _abi, _model
    entry, rows = model.entries["train_step"], len(batches[0][0])
    step, valid = np.array(1, np.int64), np.array(rows, np.int64)
    results = {info.name: np.zeros((), np.float32) for info in entry.outputs}
    calls = [_model._Call(entry, [x, labels, step, valid], {}, results) for x, labels in batches]
    count = len(calls[0].inputs)
    tensors = (_abi.Tensor * (count * len(calls)))(*(tensor for call in calls for tensor in call.c_inputs))
    function = ctypes.cast(model._api.call, ctypes.c_void_p).value
    arguments = (ctypes.c_size_t * 8)(model._handle, entry._index, ctypes.addressof(tensors), count,
                                      ctypes.addressof(calls[0].c_outputs), len(calls[0].outputs))
    stride = count * ctypes.sizeof(_abi.Tensor)

    def run(first, steps, keep=(model, calls, tensors)):
        status = native.steps(function, arguments, 2, stride, len(calls), step.ctypes.data, first, steps)
        if status:
            raise RuntimeError(f"train_step gave status {status}")
        return results["loss"]
    return run


def load(job: Job) -> StepRunner:
    import hgc
    import numpy as np
    model = hgc.load(job.folder / "model.so", num_threads=job.threads, device="cpu")
    weights = cases.make_weights(job.network)

    def restart():
        model.entries["init"](np.array(1, np.int64))
        for name, value in weights.items():
            model.set_param(name, value)
    run = make_loop(model, cases.make_batches(job.network, job.batch), job.native)
    return StepRunner(restart, run, "C interface, --target-cpu=native", job.network.checked)
