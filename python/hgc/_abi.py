"""hgc_rt.h in ctypes. Structs only grow at their end and tell their size."""
from __future__ import annotations

import ctypes as c
from typing import Any

VERSION = 1
STRICT_PLACEMENT, VERIFY_WEIGHTS = 1, 2
PARAM_MUTABLE, PARAM_PACKED = 1, 2


class TensorInfo(c.Structure):
    _fields_ = [("name", c.c_char_p), ("dims", c.POINTER(c.c_int64)), ("dtype", c.c_int32), ("rank", c.c_int32)]


class EntryInfo(c.Structure):
    _fields_ = [("name", c.c_char_p), ("n_dims", c.c_int32), ("n_inputs", c.c_int32), ("n_outputs", c.c_int32),
                ("n_variants", c.c_int32), ("dim_names", c.POINTER(c.c_char_p)), ("inputs", c.POINTER(TensorInfo)),
                ("outputs", c.POINTER(TensorInfo)), ("variant_dims", c.POINTER(c.c_int64))]


class ParamInfo(c.Structure):
    _fields_ = [("tensor", TensorInfo), ("flags", c.c_uint32), ("reserved", c.c_int32), ("bytes", c.c_int64)]


class Tensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("dims", c.POINTER(c.c_int64)), ("strides", c.POINTER(c.c_int64)),
                ("dtype", c.c_int32), ("rank", c.c_int32)]


class MemoryInfo(c.Structure):
    _fields_ = [("size", c.c_uint32), ("version", c.c_uint32)] + [
        (name, c.c_int64) for name in ("arena_bytes", "scratch_bytes_per_thread", "scratch_bytes", "weights_bytes",
                                       "state_bytes", "guarded_bytes", "device_bytes", "pinned_bytes")]


LogFn = c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_char_p)


class Options(c.Structure):
    _fields_ = [("size", c.c_uint32), ("version", c.c_uint32), ("num_threads", c.c_int32), ("flags", c.c_uint32),
                ("weights_path", c.c_char_p), ("alloc", c.c_void_p), ("free", c.c_void_p), ("alloc_user", c.c_void_p),
                ("log", LogFn), ("log_user", c.c_void_p), ("kernel_timing", c.c_void_p), ("timing_user", c.c_void_p),
                ("pool", c.c_void_p), ("device", c.c_char_p), ("emulator", c.c_char_p), ("cuda_stream", c.c_void_p)]

    @classmethod
    def default(cls) -> "Options":
        return cls(size=c.sizeof(cls), version=VERSION)


def _fn(result: Any, *arguments: Any) -> Any:
    # Functions of a CFUNCTYPE release the interpreter's lock while they run.
    return c.CFUNCTYPE(result, *arguments)


_model, _tensors, _i32, _i64 = c.c_void_p, c.POINTER(Tensor), c.c_int32, c.c_int64


class ModelApi(c.Structure):
    _fields_ = [
        ("size", c.c_uint32), ("version", c.c_uint32),
        ("destroy", _fn(None, _model)),
        ("entry_count", _fn(_i32, _model)),
        ("entry_info", _fn(c.POINTER(EntryInfo), _model, _i32)),
        ("call", _fn(_i32, _model, _i32, _tensors, _i32, _tensors, _i32)),
        ("start", _fn(_i32, _model, _i32, _tensors, _i32, _tensors, _i32, c.POINTER(c.c_uint64))),
        ("wait", _fn(_i32, _model, c.c_uint64)),
        ("last_error", _fn(c.c_char_p)),
        ("describe_json", _fn(_i64, _model, c.c_char_p, _i64)),
        ("memory_requirements", _fn(_i32, _model, c.POINTER(MemoryInfo))),
        ("param_count", _fn(_i32, _model)),
        ("param_info", _fn(c.POINTER(ParamInfo), _model, _i32)),
        ("get_param", _fn(_i32, _model, _i32, c.c_void_p, _i64)),
        ("set_param", _fn(_i32, _model, _i32, c.c_void_p, _i64)),
        ("reset", _fn(_i32, _model)),
        ("set_threads", _fn(_i32, _model, _i32)),
        ("get_threads", _fn(_i32, _model)),
        ("get_pool", _fn(c.c_void_p, _model)),
        ("device", _fn(c.c_char_p, _model)),
        ("device_name", _fn(c.c_char_p, _model)),
        ("fallback_reason", _fn(c.c_char_p, _model)),
        ("shape_output", _fn(_i32, _model, _i32, _i32)),
        ("argument_gpu", _fn(_i32, _model, _i32, _i32)),
        ("check_argument_gpu", _fn(_i32, _model, _i32, _i32, _i32)),
        ("device_alloc", _fn(_i32, _model, _i32, _i64, c.POINTER(c.c_void_p))),
        ("device_free", _fn(_i32, _model, _i32, c.c_void_p)),
        ("device_copy", _fn(_i32, _model, _i32, c.c_void_p, c.c_void_p, _i64, _i32)),
        ("save", _fn(_i32, _model, c.c_char_p)),
        ("load", _fn(_i32, _model, c.c_char_p)),
    ]


class Instance(c.Structure):
    _fields_ = [("api", c.POINTER(ModelApi))]


class Export(c.Structure):
    pass


Export._fields_ = [
    ("size", c.c_uint32), ("version", c.c_uint32), ("name", c.c_char_p), ("desc", c.c_void_p),
    ("create", _fn(_i32, c.POINTER(Export), c.POINTER(Options), c.POINTER(_model))),
    ("describe_json", _fn(_i64, c.POINTER(Export), c.c_char_p, _i64)),
    ("last_error", _fn(c.c_char_p)),
]


class DLTensor(c.Structure):
    """DLTensor of DLPack, with which a DLManagedTensor begins."""

    _fields_ = [("data", c.c_void_p), ("device_type", c.c_int32), ("device_id", c.c_int32), ("ndim", c.c_int32),
                ("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16), ("shape", c.POINTER(c.c_int64)),
                ("strides", c.POINTER(c.c_int64)), ("byte_offset", c.c_uint64)]
