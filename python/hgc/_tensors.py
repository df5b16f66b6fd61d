"""Arrays of the caller as tensors of the C interface, without copies where
their memory allows it."""
from __future__ import annotations

import ctypes as c
import sys
from typing import Any, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _abi
from ._errors import ArgumentError

# hgc_rt_dtype -> (name, NumPy's type); NumPy has no bf16, so its bits are passed.
DTYPES = {
    1: ("f32", np.float32), 2: ("f64", np.float64), 3: ("f16", np.float16), 4: ("bf16", np.uint16),
    5: ("i1", np.bool_), 6: ("i8", np.int8), 7: ("i16", np.int16), 8: ("i32", np.int32), 9: ("i64", np.int64),
    10: ("ui8", np.uint8), 11: ("ui16", np.uint16), 12: ("ui32", np.uint32), 13: ("ui64", np.uint64),
}
BF16 = 4
# (code, bits) of DLPack -> hgc_rt_dtype
DLPACK_TYPES = {(2, 32): 1, (2, 64): 2, (2, 16): 3, (4, 16): 4, (6, 8): 5, (0, 8): 6, (0, 16): 7, (0, 32): 8,
                (0, 64): 9, (1, 8): 10, (1, 16): 11, (1, 32): 12, (1, 64): 13}
ON_HOST = (1, 3, 13)

# Large arrays start on a line of the cache: vectors are written there without crossing one.
LINE = 64
LARGE = 64 * 1024


def allocate(shape: Sequence[int], dtype: Any) -> np.ndarray:
    """An array without contents."""
    size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    if size < LARGE:
        return np.empty(shape, dtype)
    memory = np.empty(size + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start:start + size].view(dtype).reshape(shape)


_get_pointer = c.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = c.c_void_p
_get_pointer.argtypes = [c.py_object, c.c_char_p]


class Buffer(NamedTuple):
    """Memory of one argument; `owner` keeps it alive."""

    address: int
    shape: Tuple[int, ...]
    dtype: int
    on_host: bool
    owner: Any

    def tensor(self) -> _abi.Tensor:
        dims = (c.c_int64 * max(1, len(self.shape)))(*self.shape)
        # ctypes keeps what a pointer field was given alive with the struct.
        return _abi.Tensor(self.address, c.cast(dims, c.POINTER(c.c_int64)), None, self.dtype, len(self.shape))


def is_torch(value: Any) -> bool:
    """Whether it is a tensor of PyTorch, without importing it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def _is_dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    step = 1
    for extent, stride in reversed(list(zip(shape, strides))):
        if extent > 1 and stride != step:
            return False
        step *= extent
    return True


def _from_dlpack(what: str, value: Any) -> Optional[Buffer]:
    """The tensor itself, or None when its elements are not dense and row-major."""
    try:
        capsule = value.__dlpack__()
    except (BufferError, RuntimeError, TypeError) as error:
        raise ArgumentError(f"{what} cannot be exported: {error}", "pass x.detach() of a tensor in main memory") from None
    tensor = _abi.DLTensor.from_address(_get_pointer(capsule, b"dltensor"))
    shape = tuple(tensor.shape[:tensor.ndim])
    dtype = DLPACK_TYPES.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    if dtype is None:
        raise ArgumentError(f"{what} has a type that hgc does not have", "convert it, for example with x.float()")
    if tensor.strides and not _is_dense(shape, tensor.strides[:tensor.ndim]):
        return None
    # The capsule was not consumed, so it gives the tensor back when it dies.
    return Buffer((tensor.data or 0) + tensor.byte_offset, shape, dtype, tensor.device_type in ON_HOST, (capsule, value))


def _from_numpy(what: str, array: np.ndarray, wanted: int) -> Buffer:
    name, numpy_type = DTYPES[wanted]
    # Packages such as ml_dtypes bring a bfloat16 of their own.
    fits = array.dtype == numpy_type or (wanted == BF16 and array.dtype.name == "bfloat16")
    if not fits:
        raise ArgumentError(f"{what} is {array.dtype}, expected {name}",
                            f"pass x.astype(numpy.{np.dtype(numpy_type).name})"
                            + (" with the bits of each element" if wanted == BF16 else ""))
    return Buffer(array.ctypes.data, array.shape, wanted, True, array)


def as_input(what: str, value: Any, wanted: int) -> Buffer:
    """An input as it is, or a dense copy of it; numbers and lists take the type that is wanted."""
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__") and not np.isscalar(value):
        buffer = _from_dlpack(what, value)
        if buffer is None:
            buffer = _from_dlpack(what, value.contiguous() if is_torch(value) else np.ascontiguousarray(np.from_dlpack(value)))
        assert buffer is not None
        if buffer.dtype != wanted:
            raise ArgumentError(f"{what} is {DTYPES[buffer.dtype][0]}, expected {DTYPES[wanted][0]}",
                                "convert it, for example with x.to(torch." + DTYPES[wanted][1].__name__ + ")")
        return buffer
    if not isinstance(value, (np.ndarray, np.generic)):
        try:
            value = np.asarray(value, DTYPES[wanted][1])
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"{what} is no array: {error}", "pass a numpy array or a DLPack tensor") from None
    # np.ascontiguousarray makes a vector of a scalar.
    array = np.asarray(value)
    return _from_numpy(what, array if array.flags.c_contiguous else array.copy("C"), wanted)


def as_output(what: str, value: Any, wanted: int) -> Buffer:
    """Memory of the caller that a result goes to; never a copy."""
    buffer: Optional[Buffer]
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous or not value.flags.writeable:
            raise ArgumentError(f"{what} is not dense, row-major and writable", "pass numpy.empty(shape, dtype)")
        return _from_numpy(what, value, wanted)
    if not hasattr(value, "__dlpack__"):
        raise ArgumentError(f"{what} is no array", "pass a numpy array or a DLPack tensor")
    buffer = _from_dlpack(what, value)
    if buffer is None or buffer.dtype != wanted:
        raise ArgumentError(f"{what} is not a dense tensor of {DTYPES[wanted][0]}", "pass one that is, or leave out `out`")
    return buffer


def to_torch(array: np.ndarray, dtype: int) -> Any:
    """The same memory as a tensor of PyTorch."""
    torch = sys.modules["torch"]
    if dtype == BF16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_dlpack(array)
