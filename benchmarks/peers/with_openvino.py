"""OpenVINO on the CPU in f32: latency hint, through its C interface with tensors of
its own that are filled once.
"""
import ctypes
import pathlib

import numpy as np

from .runner import Job, NativeRunner

pointer = ctypes.c_void_p


class Interface:
    def __init__(self):
        import importlib.util
        package = pathlib.Path(importlib.util.find_spec("openvino").origin).parent
        folder = package / "libs"
        # The C interface finds the others by name once they are loaded.
        for stem in ("libtbb.so*", "libopenvino.so*"):
            for path in sorted(folder.glob(stem)):
                ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        libraries = sorted(folder.glob("libopenvino_c.so*"))
        if not libraries:
            raise RuntimeError("the wheel holds no libopenvino_c.so")
        self.library = ctypes.CDLL(str(libraries[0]))
        self.library.ov_get_last_err_msg.restype = ctypes.c_char_p

    def do(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            message = self.library.ov_get_last_err_msg() or b""
            raise RuntimeError(f"{name}: status {status}: {message.decode(errors='replace').strip()}")

    def make(self, name, *arguments):
        handle = pointer()
        self.do(name, *arguments, ctypes.byref(handle))
        return handle


def view(api, request, kind, index, shape, dtype):
    """An array on the memory of an input or output of a request."""
    tensor = api.make(f"ov_infer_request_get_{kind}_tensor_by_index", request, ctypes.c_size_t(index))
    data = api.make("ov_tensor_data", tensor)
    count = int(np.prod(shape, dtype=np.int64))
    buffer = (ctypes.c_char * (count * np.dtype(dtype).itemsize)).from_address(data.value)
    return np.frombuffer(buffer, dtype).reshape(shape)


def prepare(_: Job) -> None:
    Interface()


def load(job: Job) -> NativeRunner:
    api = Interface()
    core = api.make("ov_core_create")
    properties = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32",
                  "INFERENCE_NUM_THREADS": str(job.threads), "NUM_STREAMS": "1"}
    texts = [ctypes.c_char_p(text.encode()) for pair in properties.items() for text in pair]
    compiled = pointer()
    api.do("ov_core_compile_model_from_file", core, ctypes.c_char_p(str(job.folder / "model.onnx").encode()),
           ctypes.c_char_p(b"CPU"), ctypes.c_size_t(len(texts)), ctypes.byref(compiled), *texts)
    request = api.make("ov_compiled_model_create_infer_request", compiled)
    for i, value in enumerate(job.inputs):
        view(api, request, "input", i, value.shape, value.dtype)[...] = value

    def read():
        return [view(api, request, "output", i, shape, dtype).copy()
                for i, (shape, dtype) in enumerate(job.output_types)]
    function = ctypes.cast(api.library.ov_infer_request_infer, pointer).value
    return NativeRunner(job.native, function, [request.value], read,
                        "C interface, own tensors, latency hint, f32", keep=api)
