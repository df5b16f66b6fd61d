"""ONNX Runtime: all optimisations, through its C interface with inputs and outputs
bound once. The wheel holds the library that has this interface.
"""
import ctypes
import pathlib

import numpy as np

from .runner import Job, NativeRunner, align

# Places of the functions in OrtApi, which only grows at its end.
PLACES = {
    "GetErrorMessage": 2, "CreateEnv": 3, "CreateSession": 7, "CreateSessionOptions": 10,
    "SetSessionGraphOptimizationLevel": 23, "SetIntraOpNumThreads": 24, "SetInterOpNumThreads": 25,
    "CreateTensorWithDataAsOrtValue": 49, "CreateCpuMemoryInfo": 69,
    "RunWithBinding": 133, "CreateIoBinding": 134, "BindInput": 136, "BindOutput": 137,
}
VERSION = 14
ENABLE_ALL = 99
WARNING = 2
# ONNXTensorElementDataType
TYPES = {"float32": 1, "int32": 6, "int64": 7, "bool": 9, "float64": 11}
pointer = ctypes.c_void_p


class Interface:
    def __init__(self):
        import importlib.util
        package = pathlib.Path(importlib.util.find_spec("onnxruntime").origin).parent
        libraries = sorted((package / "capi").glob("libonnxruntime.so*"))
        if not libraries:
            raise RuntimeError("the wheel holds no libonnxruntime.so")
        library = ctypes.CDLL(str(libraries[0]))
        library.OrtGetApiBase.restype = ctypes.POINTER(pointer)
        get = ctypes.CFUNCTYPE(pointer, ctypes.c_uint32)(library.OrtGetApiBase()[0])
        self.table = ctypes.cast(get(VERSION), ctypes.POINTER(pointer))

    def address(self, name):
        return self.table[PLACES[name]]

    def make(self, name, *arguments):
        """Calls a function whose last argument is the handle it makes; returns that."""
        handle = pointer()
        self.do(name, *arguments, ctypes.byref(handle))
        return handle

    def do(self, name, *arguments):
        status = ctypes.CFUNCTYPE(pointer)(self.address(name))(*arguments)
        if status:
            message = ctypes.CFUNCTYPE(ctypes.c_char_p, pointer)(self.address("GetErrorMessage"))(pointer(status))
            raise RuntimeError(message.decode(errors="replace"))


def tensor(api, memory, array):
    dims = (ctypes.c_int64 * max(1, array.ndim))(*array.shape)
    return api.make("CreateTensorWithDataAsOrtValue", memory, pointer(array.ctypes.data), ctypes.c_size_t(array.nbytes),
                    dims, ctypes.c_size_t(array.ndim), ctypes.c_int(TYPES[array.dtype.name]))


def prepare(_: Job) -> None:
    Interface()


def load(job: Job) -> NativeRunner:
    api = Interface()
    environment = api.make("CreateEnv", ctypes.c_int(WARNING), ctypes.c_char_p(b"peers"))
    options = api.make("CreateSessionOptions")
    api.do("SetSessionGraphOptimizationLevel", options, ctypes.c_int(ENABLE_ALL))
    api.do("SetIntraOpNumThreads", options, ctypes.c_int(job.threads))
    api.do("SetInterOpNumThreads", options, ctypes.c_int(1))
    path = str(job.folder / "model.onnx").encode()
    session = api.make("CreateSession", environment, ctypes.c_char_p(path), options)
    memory = api.make("CreateCpuMemoryInfo", ctypes.c_int(1), ctypes.c_int(0))
    binding = api.make("CreateIoBinding", session)
    inputs = [np.ascontiguousarray(value) for value in job.inputs]
    outputs = [align(np.zeros(shape, dtype)) for shape, dtype in job.output_types]
    for names, arrays, bind in ((job.input_names, inputs, "BindInput"), (job.output_names, outputs, "BindOutput")):
        for name, array in zip(names, arrays):
            api.do(bind, binding, ctypes.c_char_p(name.encode()), tensor(api, memory, array))
    return NativeRunner(job.native, api.address("RunWithBinding"), [session.value, 0, binding.value],
                        lambda: [array.copy() for array in outputs], "C interface, bound tensors, all optimisations",
                        keep=(api, inputs, outputs))
