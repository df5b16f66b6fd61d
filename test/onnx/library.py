"""Compiled models, called through the C interface of runtime/include/hgc_rt.h."""
import ctypes
import os
import pathlib
import subprocess

import ml_dtypes
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# By hgc_rt_dtype.
DTYPES = [None, np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.bool_, np.int8, np.int16, np.int32,
          np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
CODES = {np.dtype(dtype): code for code, dtype in enumerate(DTYPES) if dtype}
pointer = ctypes.c_void_p


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dims", ctypes.POINTER(ctypes.c_int64)), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_int32)]


class EntryInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("n_dims", ctypes.c_int32), ("n_inputs", ctypes.c_int32),
                ("n_outputs", ctypes.c_int32), ("n_variants", ctypes.c_int32),
                ("dim_names", ctypes.POINTER(ctypes.c_char_p)), ("inputs", ctypes.POINTER(TensorInfo)),
                ("outputs", ctypes.POINTER(TensorInfo)), ("variant_dims", ctypes.POINTER(ctypes.c_int64))]


class Tensor(ctypes.Structure):
    _fields_ = [("data", pointer), ("dims", ctypes.POINTER(ctypes.c_int64)), ("strides", pointer),
                ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("version", ctypes.c_uint32), ("num_threads", ctypes.c_int32),
                ("flags", ctypes.c_uint32), ("weights_path", ctypes.c_char_p), ("alloc", pointer), ("free", pointer),
                ("alloc_user", pointer), ("log", pointer), ("log_user", pointer), ("kernel_timing", pointer),
                ("timing_user", pointer), ("pool", pointer), ("device", ctypes.c_char_p),
                ("emulator", ctypes.c_char_p), ("cuda_stream", pointer)]


CALL = ctypes.CFUNCTYPE(ctypes.c_int, pointer, ctypes.c_int32, ctypes.POINTER(Tensor), ctypes.c_int32,
                        ctypes.POINTER(Tensor), ctypes.c_int32)


class Api(ctypes.Structure):
    """In the order of the header; those that are not used have no type."""
    _fields_ = [("size", ctypes.c_uint32), ("version", ctypes.c_uint32), ("destroy", ctypes.CFUNCTYPE(None, pointer)),
                ("entry_count", pointer),
                ("entry_info", ctypes.CFUNCTYPE(ctypes.POINTER(EntryInfo), pointer, ctypes.c_int32)), ("call", CALL),
                *((name, pointer) for name in (
                    "start", "wait", "last_error", "describe_json", "memory_requirements", "param_count", "param_info",
                    "get_param", "set_param", "reset", "set_threads", "get_threads", "get_pool", "device",
                    "device_name", "fallback_reason")),
                ("shape_output", ctypes.CFUNCTYPE(ctypes.c_int32, pointer, ctypes.c_int32, ctypes.c_int32))]


class Export(ctypes.Structure):
    pass


Export._fields_ = [("size", ctypes.c_uint32), ("version", ctypes.c_uint32), ("name", ctypes.c_char_p),
                   ("desc", pointer),
                   ("create", ctypes.CFUNCTYPE(ctypes.c_int, pointer, ctypes.POINTER(Options), ctypes.POINTER(pointer))),
                   ("describe_json", pointer), ("last_error", ctypes.CFUNCTYPE(ctypes.c_char_p))]


class CallError(Exception):
    """What the library reported."""


class Library:
    """An instance of a compiled model, on one thread."""

    def __init__(self, path, device="cpu", emulator=None):
        self.handle = ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        self.handle.hgc_model_v1.restype = ctypes.POINTER(Export)
        self.export = self.handle.hgc_model_v1()
        options = Options(size=ctypes.sizeof(Options), version=1, num_threads=1, device=device.encode(),
                          emulator=str(emulator).encode() if emulator else None)
        self.model = pointer()
        self.check(self.export.contents.create(self.export, options, ctypes.byref(self.model)))
        self.api = ctypes.cast(self.model, ctypes.POINTER(ctypes.POINTER(Api))).contents.contents
        self.entry = self.api.entry_info(self.model, 0).contents
        self.inputs = [self.entry.inputs[i] for i in range(self.entry.n_inputs)]
        self.outputs = [self.entry.outputs[i] for i in range(self.entry.n_outputs)]

    def check(self, status):
        if status != 0:
            raise CallError(self.export.contents.last_error().decode(errors="replace").split("\nhint:")[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.api.destroy(self.model)
        ctypes.CDLL(None).dlclose(pointer(self.handle._handle))

    def make_outputs(self, inputs):
        """Arrays of the largest shapes a call with these inputs may give."""
        extents = {}
        for info, value in zip(self.inputs, inputs):
            extents.update((info.dims[i], value.shape[i]) for i in range(info.rank) if info.dims[i] < 0)
        shapes = [[extents.get(info.dims[i], info.dims[i]) for i in range(info.rank)] for info in self.outputs]
        return [np.zeros(shape, DTYPES[info.dtype]) for shape, info in zip(shapes, self.outputs)]

    def call(self, inputs):
        """Results of the first entry for a list of arrays."""
        def describe(array):
            dims = (ctypes.c_int64 * max(1, array.ndim))(*array.shape)
            return Tensor(array.ctypes.data, dims, None, CODES[array.dtype], array.ndim)

        inputs = [np.require(value, requirements=["C", "A"]) for value in inputs]
        outputs = self.make_outputs(inputs)
        ins, outs = [(Tensor * max(1, len(part)))(*map(describe, part)) for part in (inputs, outputs)]
        self.check(self.api.call(self.model, 0, ins, len(inputs), outs, len(outputs)))
        return self.cut_results(outputs)

    def cut_results(self, outputs):
        """Outputs in their actual shapes, without those that only say these."""
        has_shapes = self.api.size >= ctypes.sizeof(Api)
        shape_of = [self.api.shape_output(self.model, 0, i) if has_shapes else -1 for i in range(len(outputs))]
        results = []
        for i, array in enumerate(outputs):
            if i in shape_of:
                continue
            if shape_of[i] >= 0:
                # Dense in the actual shape, at the start of the buffer.
                shape = outputs[shape_of[i]]
                array = array.reshape(-1)[:int(np.prod(shape))].reshape(shape)
            results.append(array)
        return results


class CompileError(Exception):
    """What `hgc compile` said, and its exit status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def compile_command(build, model, output, flags=(), device="cpu"):
    """Compiles a file; every op is pinned to the GPU when it is to be emulated."""
    command = [build / "bin" / "hgc", "compile", model, "-o", output, "--name", "model", *flags]
    return command + (["--gpu=sm_80", "--place=gpu(.*)"] if device == "emulated" else [])


def compile_model(build, model, output, flags=(), device="cpu", timeout=120):
    command = [str(c) for c in compile_command(build, model, output, flags, device)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout,
                          cwd=pathlib.Path(output).parent)
    if done.returncode != 0:
        raise CompileError(done.returncode, done.stderr)


def open_library(build, path, device):
    return Library(path, device, build / "lib" / "libhgc_emucuda.so" if device == "emulated" else None)
