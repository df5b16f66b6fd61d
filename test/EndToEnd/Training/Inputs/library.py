"""A compiled model through the C interface of hgc_rt.h, with nothing but the standard library."""
import ctypes
import os
import struct

pointer = ctypes.c_void_p
CODES = {"f": 1, "i": 8, "q": 9, "B": 10, "Q": 13}
FORMATS = {code: letter for letter, code in CODES.items()}


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dims", ctypes.POINTER(ctypes.c_int64)), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_int32)]


class EntryInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("n_dims", ctypes.c_int32), ("n_inputs", ctypes.c_int32),
                ("n_outputs", ctypes.c_int32), ("n_variants", ctypes.c_int32), ("dim_names", pointer),
                ("inputs", ctypes.POINTER(TensorInfo)), ("outputs", ctypes.POINTER(TensorInfo)),
                ("variant_dims", ctypes.POINTER(ctypes.c_int64))]


class ParamInfo(ctypes.Structure):
    _fields_ = [("tensor", TensorInfo), ("flags", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("bytes", ctypes.c_int64)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", pointer), ("dims", pointer), ("strides", pointer), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_int32)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("version", ctypes.c_uint32), ("num_threads", ctypes.c_int32),
                ("flags", ctypes.c_uint32), ("weights_path", ctypes.c_char_p), ("hooks", pointer * 8),
                ("device", ctypes.c_char_p), ("emulator", ctypes.c_char_p), ("cuda_stream", pointer)]


def function(result, *arguments):
    return ctypes.CFUNCTYPE(result, *arguments)


STATUS = ctypes.c_int
PATH = function(STATUS, pointer, ctypes.c_char_p)
PARAM = function(STATUS, pointer, ctypes.c_int32, pointer, ctypes.c_int64)


class Api(ctypes.Structure):
    """In the order of the header; what is not used has no type."""
    _fields_ = [("size", ctypes.c_uint32), ("version", ctypes.c_uint32), ("destroy", function(None, pointer)),
                ("entry_count", function(ctypes.c_int32, pointer)),
                ("entry_info", function(ctypes.POINTER(EntryInfo), pointer, ctypes.c_int32)),
                ("call", function(STATUS, pointer, ctypes.c_int32, pointer, ctypes.c_int32, pointer, ctypes.c_int32)),
                ("start", pointer), ("wait", pointer), ("last_error", function(ctypes.c_char_p)),
                ("describe_json", pointer), ("memory_requirements", pointer),
                ("param_count", function(ctypes.c_int32, pointer)),
                ("param_info", function(ctypes.POINTER(ParamInfo), pointer, ctypes.c_int32)), ("get_param", PARAM),
                ("set_param", PARAM), ("reset", function(STATUS, pointer)),
                *((name, pointer) for name in ("set_threads", "get_threads", "get_pool", "device", "device_name",
                                               "fallback_reason", "shape_output", "argument_gpu",
                                               "check_argument_gpu", "device_alloc", "device_free", "device_copy")),
                ("save", PATH), ("load", PATH)]


class Export(ctypes.Structure):
    pass


Export._fields_ = [("size", ctypes.c_uint32), ("version", ctypes.c_uint32), ("name", ctypes.c_char_p),
                   ("desc", pointer), ("create", function(STATUS, ctypes.POINTER(Export), pointer, pointer))]


class Failure(Exception):
    """A status other than OK, with the library's message."""


class Model:
    """An instance; tensors are flat lists of numbers."""

    def __init__(self, path, threads=0, device=None):
        self.library = ctypes.CDLL(os.path.abspath(path))
        self.library.hgc_model_v1.restype = ctypes.POINTER(Export)
        export = self.library.hgc_model_v1()
        emulator = os.environ.get("HGC_EMULATOR")
        options = Options(size=ctypes.sizeof(Options), version=1, num_threads=threads,
                          device=device.encode() if device else None,
                          emulator=emulator.encode() if device == "emulated" else None)
        self.model = pointer()
        status = export.contents.create(export, ctypes.byref(options), ctypes.byref(self.model))
        if status:
            raise Failure(f"create: status {status}")
        self.api = ctypes.cast(self.model, ctypes.POINTER(ctypes.POINTER(Api))).contents.contents
        self.entries = {}
        for i in range(self.api.entry_count(self.model)):
            self.entries[self.api.entry_info(self.model, i).contents.name.decode()] = i
        self.params = {}
        for i in range(self.api.param_count(self.model)):
            info = self.api.param_info(self.model, i).contents
            self.params[info.tensor.name.decode()] = (i, FORMATS[info.tensor.dtype], info.bytes, info.flags & 1)

    def check(self, status):
        if status:
            raise Failure(self.api.last_error().decode())

    def close(self):
        self.api.destroy(self.model)

    def call(self, entry, *inputs, batch=None):
        """Runs an entry; returns one list for each output."""
        index = self.entries[entry]
        info = self.api.entry_info(self.model, index).contents
        keep = []

        def tensor(description, values):
            dims = [batch if description.dims[d] < 0 else description.dims[d] for d in range(description.rank)]
            count = 1
            for extent in dims:
                count *= extent
            letter = FORMATS[description.dtype]
            values = [0] * count if values is None else values
            assert len(values) == count, (entry, description.name, len(values), count)
            data = ctypes.create_string_buffer(struct.pack(f"{count}{letter}", *values), max(1, count * struct.calcsize(letter)))
            shape = (ctypes.c_int64 * max(1, len(dims)))(*dims)
            keep.append((data, shape, f"{count}{letter}"))
            return Tensor(ctypes.addressof(data), ctypes.addressof(shape), None, description.dtype, description.rank)

        ins = (Tensor * max(1, info.n_inputs))(*(tensor(info.inputs[i], values) for i, values in enumerate(inputs)))
        first = len(keep)
        outs = (Tensor * max(1, info.n_outputs))(*(tensor(info.outputs[i], None) for i in range(info.n_outputs)))
        self.check(self.api.call(self.model, index, ctypes.byref(ins), info.n_inputs, ctypes.byref(outs), info.n_outputs))
        return [list(struct.unpack(form, data.raw[:struct.calcsize(form)])) for data, _, form in keep[first:]]

    def get(self, name):
        index, letter, size, _ = self.params[name]
        data = ctypes.create_string_buffer(max(1, size))
        self.check(self.api.get_param(self.model, index, data, size))
        return list(struct.unpack(f"{size // struct.calcsize(letter)}{letter}", data.raw[:size]))

    def state(self):
        """All mutable parameters, as bytes."""
        result = {}
        for name, (index, _, size, mutable) in self.params.items():
            if mutable:
                data = ctypes.create_string_buffer(max(1, size))
                self.check(self.api.get_param(self.model, index, data, size))
                result[name] = data.raw[:size]
        return result

    def save(self, path):
        self.check(self.api.save(self.model, os.fsencode(path)))

    def load(self, path):
        self.check(self.api.load(self.model, os.fsencode(path)))
