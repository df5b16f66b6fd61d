"""Compiled models: loading, calling, parameters."""
from __future__ import annotations

import _ctypes
import ctypes as c
import json
import math
import os
import pathlib
import threading
import weakref
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi, _compiler, _tensors
from ._errors import ArgumentError, ModelError, Status, model_error

Dim = Union[int, str]


class TensorInfo(NamedTuple):
    """An argument, result or parameter; a dim is an extent or a name."""

    name: str
    dtype: str
    shape: Tuple[Dim, ...]

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype}[{', '.join(map(str, self.shape))}]"


class Results(Tuple[Any, ...]):
    """Results of a call: a tuple whose elements have names, too."""

    names: Tuple[str, ...]

    def __new__(cls, values: Sequence[Any], names: Sequence[str]) -> "Results":
        self = super().__new__(cls, values)
        self.names = tuple(names)
        return self

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self.names.index(key) if isinstance(key, str) else key)

    def __getattr__(self, name: str) -> Any:
        if name in self.names:
            return self[name]
        raise AttributeError(f"no result '{name}'; there are {', '.join(self.names)}")

    def as_dict(self) -> Dict[str, Any]:
        """Values by name."""
        return dict(zip(self.names, self))


class _Library:
    """A shared object, unloaded when the last instance is gone."""

    def __init__(self, path: pathlib.Path):
        try:
            self.handle = c.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        except OSError as error:
            raise ModelError(f"cannot load '{path}': {error}", "name a library that 'hgc compile' wrote",
                             Status.IO_ERROR) from None
        self.path = path
        weakref.finalize(self, _ctypes.dlclose, self.handle._handle)
        try:
            get = self.handle.hgc_model_v1
        except AttributeError:
            raise ModelError(f"'{path}' is no compiled model", "name a library that 'hgc compile' wrote",
                             Status.IO_ERROR) from None
        get.restype = c.POINTER(_abi.Export)
        self.export = get()


def _destroy(destroy: Any, handle: int, library: _Library, folder: Any) -> None:
    """The library must be there until the instance is gone, and its folder until then, too."""
    destroy(handle)


class _Call:
    """Arguments of one call, ready for the C interface."""

    def __init__(self, entry: "Entry", args: Sequence[Any], kwargs: Mapping[str, Any], out: Any):
        values = entry._bind(args, kwargs)
        self.entry = entry
        self.wants_torch = any(_tensors.is_torch(v) for v in values)
        self.inputs = [_tensors.as_input(f"input '{info.name}'", v, dtype)
                       for v, info, dtype in zip(values, entry.inputs, entry._input_types)]
        for i, buffer in enumerate(self.inputs):
            entry._check_place(i, buffer, entry.inputs[i].name)
        dims = entry._extents(self.inputs)
        given = entry._given_outputs(out)
        self.arrays: List[Any] = []
        self.outputs: List[_tensors.Buffer] = []
        for i, (info, dtype) in enumerate(zip(entry._all_outputs, entry._output_types)):
            array = given.get(info.name)
            if array is None:
                array = entry._allocate(i, dims)
            buffer = _tensors.as_output(f"output '{info.name}'", array, dtype)
            entry._check_place(len(self.inputs) + i, buffer, info.name)
            self.arrays.append(array)
            self.outputs.append(buffer)
        self.given = given
        self.c_inputs = (_abi.Tensor * max(1, len(self.inputs)))(*(b.tensor() for b in self.inputs))
        self.c_outputs = (_abi.Tensor * max(1, len(self.outputs)))(*(b.tensor() for b in self.outputs))

    def tensors(self) -> Tuple[Any, ...]:
        return self.c_inputs, len(self.inputs), self.c_outputs, len(self.outputs)

    def results(self) -> Any:
        """Arrays as the caller sees them: cut to their actual shape, of the caller's kind."""
        entry, values = self.entry, []
        for i, info in enumerate(entry._all_outputs):
            if i in entry._shape_outputs.values():
                continue
            value = self.arrays[i]
            if i in entry._shape_outputs:
                shape = tuple(int(n) for n in self.arrays[entry._shape_outputs[i]])
                value = value.reshape(-1)[:math.prod(shape)].reshape(shape)
            if self.wants_torch and info.name not in self.given:
                value = _tensors.to_torch(value, entry._output_types[i])
            values.append(value)
        return values[0] if len(values) == 1 else Results(values, [info.name for info in entry.outputs])


class Pending:
    """A call that `Entry.start` began."""

    def __init__(self, call: _Call, ticket: int):
        self._call: Optional[_Call] = call
        self._ticket = ticket

    def wait(self) -> Any:
        """Waits for the call and returns its results; once."""
        if self._call is None:
            raise ModelError("this call has been waited for", "keep what wait() returned", Status.INVALID_ARGUMENT)
        call, self._call = self._call, None
        model = call.entry._model
        model._check(model._api.wait(model._live, self._ticket))
        return call.results()

    def __del__(self) -> None:
        # Its buffers are in use until then.
        if self._call is not None and self._call.entry._model._alive:
            model = self._call.entry._model
            model._api.wait(model._handle, self._ticket)


class Entry:
    """A function of a model: `entry(x)`, `entry(x=x, out=y)`.

    Inputs are numpy arrays or DLPack tensors in order or by name. Dense ones are passed without a copy. Results
    are new arrays (PyTorch tensors if an input is one), or what `out` gives: an array, a sequence, or a dict.
    """

    _model: "Model"

    def __init__(self, model: "Model", index: int):
        self._index = index
        info = model._api.entry_info(model._handle, index).contents
        self.name: str = info.name.decode()
        #: Names of the dims that callers choose, and the extents there is code for.
        self.dims: Tuple[str, ...] = tuple(info.dim_names[i].decode() for i in range(info.n_dims))
        self.variants: List[Dict[str, int]] = [
            {name: info.variant_dims[v * info.n_dims + i] for i, name in enumerate(self.dims)}
            for v in range(info.n_variants)]
        self.inputs: Tuple[TensorInfo, ...] = tuple(self._tensor_info(info.inputs[i]) for i in range(info.n_inputs))
        self._all_outputs = tuple(self._tensor_info(info.outputs[i]) for i in range(info.n_outputs))
        self._input_types = [info.inputs[i].dtype for i in range(info.n_inputs)]
        self._output_types = [info.outputs[i].dtype for i in range(info.n_outputs)]
        # Output -> the output that holds its actual shape.
        self._shape_outputs: Dict[int, int] = {}
        for i in range(info.n_outputs):
            shape = model._api.shape_output(model._handle, index, i) if model._has("shape_output") else -1
            if shape >= 0:
                self._shape_outputs[i] = shape
        hidden = set(self._shape_outputs.values())
        self.outputs: Tuple[TensorInfo, ...] = tuple(t for i, t in enumerate(self._all_outputs) if i not in hidden)

    def __call__(self, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        """Runs the function and waits for it; other Python threads run meanwhile."""
        model = self._model
        call = _Call(self, args, kwargs, out)
        with model._lock:
            model._check(model._api.call(model._live, self._index, *call.tensors()))
        return call.results()

    def start(self, *args: Any, out: Any = None, **kwargs: Any) -> Pending:
        """Begins a call and returns at once; at most two are in flight. Do not touch its arrays until `wait`."""
        model = self._model
        call = _Call(self, args, kwargs, out)
        ticket = c.c_uint64()
        model._check(model._api.start(model._live, self._index, *call.tensors(), c.byref(ticket)))
        return Pending(call, ticket.value)

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.inputs))}) -> ({', '.join(map(str, self.outputs))})"

    def _of(self, model: "Model") -> "Entry":
        """The entry for callers. Models keep entries without a reference to themselves: a cycle would keep
        instances alive until the collector runs."""
        entry = Entry.__new__(Entry)
        entry.__dict__.update(self.__dict__, _model=model)
        return entry

    def _tensor_info(self, info: _abi.TensorInfo) -> TensorInfo:
        dims = (info.dims[i] for i in range(info.rank))
        return TensorInfo(info.name.decode(), _tensors.DTYPES[info.dtype][0],
                          tuple(d if d >= 0 else self.dims[-1 - d] for d in dims))

    def _bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> List[Any]:
        names = [info.name for info in self.inputs]
        values = dict(zip(names, args))
        if len(args) > len(names):
            raise ArgumentError(f"'{self.name}' takes {len(names)} inputs, got {len(args)}", f"it is {self!r}")
        for name, value in kwargs.items():
            if name not in names or name in values:
                what = "was given twice" if name in values else "is no input of it"
                raise ArgumentError(f"'{self.name}': '{name}' {what}", f"it is {self!r}")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise ArgumentError(f"'{self.name}' misses the inputs {', '.join(missing)}", f"it is {self!r}")
        return [values[name] for name in names]

    def _extents(self, inputs: Sequence[_tensors.Buffer]) -> Dict[str, int]:
        """Extents of the named dims: of the inputs, or of the only variant."""
        extents: Dict[str, int] = {}
        for buffer, info in zip(inputs, self.inputs):
            if len(buffer.shape) != len(info.shape):
                raise ArgumentError(f"input '{info.name}' has {len(buffer.shape)} dims, expected {len(info.shape)}",
                                    f"it is {info}")
            for extent, dim in zip(buffer.shape, info.shape):
                if isinstance(dim, str):
                    extents.setdefault(dim, extent)
        for name in self.dims:
            if name not in extents and len({v[name] for v in self.variants}) == 1:
                extents[name] = self.variants[0][name]
        return extents

    def _given_outputs(self, out: Any) -> Dict[str, Any]:
        names = [info.name for info in self.outputs]
        if out is None:
            return {}
        if isinstance(out, Mapping):
            unknown = [name for name in out if name not in names]
            if unknown:
                raise ArgumentError(f"'{self.name}' has no output '{unknown[0]}'", f"it is {self!r}")
            return dict(out)
        values = list(out) if isinstance(out, (tuple, list)) else [out]
        if len(values) != len(names):
            raise ArgumentError(f"'{self.name}' has {len(names)} outputs, got {len(values)}", f"it is {self!r}")
        return dict(zip(names, values))

    def _allocate(self, output: int, extents: Mapping[str, int]) -> np.ndarray:
        info, model = self._all_outputs[output], self._model
        if model._argument_gpu(self._index, len(self.inputs) + output) >= 0:
            raise ArgumentError(f"output '{info.name}' is device memory in this plan",
                                "pass a CUDA tensor of its shape with out=")
        unknown = [d for d in info.shape if isinstance(d, str) and d not in extents]
        if unknown:
            raise ArgumentError(f"the extent of '{unknown[0]}' follows from no input", f"pass output '{info.name}' with out=")
        shape = [d if isinstance(d, int) else extents[d] for d in info.shape]
        return _tensors.allocate(shape, _tensors.DTYPES[self._output_types[output]][1])

    def _check_place(self, argument: int, buffer: _tensors.Buffer, name: str) -> None:
        model = self._model
        if buffer.on_host:
            if model._argument_gpu(self._index, argument) < 0:
                return
            gpu = -1
        else:
            gpu = max(0, model._argument_gpu(self._index, argument))
            if not model._has("check_argument_gpu"):
                raise ArgumentError(f"'{name}' is device memory", "copy it to main memory, with x.cpu()")
        model._check(model._api.check_argument_gpu(model._live, self._index, argument, gpu))


class Model:
    """An instance of a compiled model. Calls from several threads take turns; `new_instance` makes another one
    that runs beside it and shares the weights."""

    def __init__(self, library: _Library, options: Mapping[str, Any], folder: Any = None):
        self._library, self._options, self._folder = library, dict(options), folder
        self._lock = threading.Lock()
        handle = c.c_void_p()
        self._c_options = _make_options(**options)
        export = library.export.contents
        code = export.create(library.export, c.byref(self._c_options), c.byref(handle))
        if code:
            raise model_error(code, (export.last_error() or b"").decode(errors="replace"))
        self._handle: int = handle.value or 0
        self._api = _abi.Instance.from_address(self._handle).api.contents
        self._finalizer = weakref.finalize(self, _destroy, self._api.destroy, self._handle, library,
                                           (folder, self._c_options))
        self.path: pathlib.Path = library.path
        self.name: str = export.name.decode()
        count = self._api.entry_count(self._handle)
        self._entries = {e.name: e for e in (Entry(self, i) for i in range(count))}

    def __call__(self, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        """Calls the only entry, or the one named predict or run; see `Entry`."""
        return self._main_entry()(*args, out=out, **kwargs)

    @property
    def entries(self) -> Dict[str, Entry]:
        """Functions of the model by name."""
        return {name: entry._of(self) for name, entry in self._entries.items()}

    def __getattr__(self, name: str) -> Entry:
        entries: Dict[str, Entry] = self.__dict__.get("_entries", {})
        if name in entries:
            return entries[name]._of(self)
        raise AttributeError(f"model '{self.__dict__.get('name')}' has no entry '{name}'; there are {', '.join(entries)}")

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]._of(self)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._entries]

    def __repr__(self) -> str:
        return f"<hgc.Model {self.name} on {self.device if self._alive else 'nothing: closed'}: " \
               f"{'; '.join(map(repr, self._entries.values()))}>"

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Waits for calls in flight and frees the instance; otherwise done when the object dies."""
        with self._lock:
            self._finalizer()

    def new_instance(self, **options: Any) -> "Model":
        """Another instance of the same library, with options of `load` that differ."""
        return Model(self._library, {**self._options, **options}, self._folder)

    @property
    def device(self) -> str:
        """Where it runs: cpu, gpu or emulated."""
        return self._text("device", "cpu")

    @property
    def device_name(self) -> str:
        """Name of the processor or GPU."""
        return self._text("device_name", "")

    @property
    def fallback_reason(self) -> str:
        """Why it does not run on a GPU although it has code for one; empty otherwise."""
        return self._text("fallback_reason", "")

    @property
    def num_threads(self) -> int:
        """Threads that kernels are split for; can be set, 0 as at `load`."""
        return int(self._api.get_threads(self._live))

    @num_threads.setter
    def num_threads(self, count: int) -> None:
        self._check(self._api.set_threads(self._live, count))

    def describe(self) -> Dict[str, Any]:
        """Entries, parameters and memory, as `hgc inspect model.so` prints them."""
        size = self._api.describe_json(self._live, None, 0)
        buffer = c.create_string_buffer(size + 1)
        self._api.describe_json(self._live, buffer, size + 1)
        description: Dict[str, Any] = json.loads(buffer.value)
        return description

    def memory(self) -> Dict[str, int]:
        """Bytes of this instance by purpose."""
        info = _abi.MemoryInfo(size=c.sizeof(_abi.MemoryInfo), version=_abi.VERSION)
        self._check(self._api.memory_requirements(self._live, c.byref(info)))
        return {field[0]: getattr(info, field[0]) for field in info._fields_[2:]}

    def explain(self, **options: Any) -> "_compiler.Explanation":
        """Which op runs where, what it costs, and why; needs the plan that `hgc compile` wrote beside the library."""
        return _compiler.explain(self.path, **options)

    @property
    def params(self) -> Dict[str, TensorInfo]:
        """Parameters by name."""
        return {info.name: info for info, _ in self._params()}

    @property
    def mutable_params(self) -> Dict[str, TensorInfo]:
        """Those that live in the instance and can be set: the state."""
        return {info.name: info for info, c_info in self._params() if c_info.flags & _abi.PARAM_MUTABLE}

    def get_param(self, name: str) -> np.ndarray:
        """A copy of a parameter."""
        index, info, dtype = self._find_param(name)
        array: np.ndarray = np.empty([int(extent) for extent in info.shape], _tensors.DTYPES[dtype][1])
        self._check(self._api.get_param(self._live, index, array.ctypes.data, array.nbytes))
        return array

    def set_param(self, name: str, value: Any) -> None:
        """Sets a mutable parameter."""
        index, info, dtype = self._find_param(name)
        buffer = _tensors.as_input(f"parameter '{name}'", value, dtype)
        if buffer.shape != tuple(info.shape) or not buffer.on_host:
            raise ArgumentError(f"parameter '{name}' is {info}, got shape {list(buffer.shape)}", "pass a host array of that shape")
        size = math.prod(buffer.shape) * np.dtype(_tensors.DTYPES[dtype][1]).itemsize
        self._check(self._api.set_param(self._live, index, buffer.address, size))

    def state(self) -> Dict[str, np.ndarray]:
        """Copies of all mutable parameters."""
        return {name: self.get_param(name) for name in self.mutable_params}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Sets mutable parameters, such as `state` returned them."""
        for name, value in state.items():
            self.set_param(name, value)

    def save_state(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes all mutable parameters to a safetensors file."""
        self._file_call("save", path)

    def read_state(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Reads what `save_state` wrote; a file that does not fit changes nothing."""
        self._file_call("load", path)

    def _file_call(self, function: str, path: Union[str, "os.PathLike[str]"]) -> None:
        if not self._has(function):
            raise ModelError("this library cannot save its state", "compile the model with this version of hgc",
                             Status.UNSUPPORTED)
        self._check(getattr(self._api, function)(self._live, os.fsencode(path)))

    def reset(self) -> None:
        """Gives mutable parameters their initial values."""
        self._check(self._api.reset(self._live))

    @property
    def _alive(self) -> bool:
        return self._finalizer.alive

    @property
    def _live(self) -> int:
        if not self._alive:
            raise ModelError("the model is closed", "load it again", Status.INVALID_ARGUMENT)
        return self._handle

    def _main_entry(self) -> Entry:
        names = list(self._entries)
        for name in names if len(names) == 1 else ["predict", "run"]:
            if name in self._entries:
                return self._entries[name]._of(self)
        raise ArgumentError(f"model '{self.name}' has several entries: {', '.join(names)}", f"call model.{names[0]}(...)")

    def _has(self, function: str) -> bool:
        """Whether the library is new enough for a function."""
        return bool(self._api.size > getattr(_abi.ModelApi, function).offset)

    def _argument_gpu(self, entry: int, argument: int) -> int:
        return self._api.argument_gpu(self._live, entry, argument) if self._has("argument_gpu") else -1

    def _text(self, function: str, default: str) -> str:
        return (getattr(self._api, function)(self._live) or b"").decode() if self._has(function) else default

    def _check(self, code: int) -> None:
        if code:
            raise model_error(code, (self._api.last_error() or b"").decode(errors="replace"))

    def _params(self) -> List[Tuple[TensorInfo, _abi.ParamInfo]]:
        infos = []
        for i in range(self._api.param_count(self._live)):
            info = self._api.param_info(self._live, i).contents
            shape = tuple(info.tensor.dims[d] for d in range(info.tensor.rank))
            infos.append((TensorInfo(info.tensor.name.decode(), _tensors.DTYPES[info.tensor.dtype][0], shape), info))
        return infos

    def _find_param(self, name: str) -> Tuple[int, TensorInfo, int]:
        for i, (info, c_info) in enumerate(self._params()):
            if info.name == name:
                return i, info, c_info.tensor.dtype
        raise ArgumentError(f"no parameter '{name}'", "model.params lists them")


def _make_options(num_threads: int = 0, device: Optional[str] = None, weights_path: Any = None, strict: bool = False,
                  verify_weights: bool = False, log: Optional[Callable[[int, str], None]] = None,
                  emulator: Any = None) -> _abi.Options:
    options = _abi.Options.default()
    options.num_threads = num_threads
    options.flags = _abi.STRICT_PLACEMENT * strict | _abi.VERIFY_WEIGHTS * verify_weights
    options.weights_path = os.fsencode(weights_path) if weights_path is not None else None
    options.device = device.encode() if device is not None else None
    if emulator is None and device is not None and device.startswith("emulated") and "HGC_EMULATOR" not in os.environ:
        emulator = _compiler.find_emulator()
    options.emulator = os.fsencode(emulator) if emulator is not None else None
    if log is not None:
        options.log = _abi.LogFn(lambda _, level, text: log(level, text.decode(errors="replace")))
    return options


def load(path: Union[str, "os.PathLike[str]"], *, num_threads: int = 0, device: Optional[str] = None,
         weights_path: Any = None, strict: bool = False, verify_weights: bool = False,
         log: Optional[Callable[[int, str], None]] = None, emulator: Any = None) -> Model:
    """Makes an instance of a library that `hgc compile` wrote.

    num_threads: 0 takes HGC_NUM_THREADS, else what was compiled in, else all cores.
    device: "cpu", "gpu", "emulated" or "emulated:a100"; by default a GPU if the model has code for it and it can
        be used, else the CPU.
    strict: fail instead of falling back to the CPU.
    weights_path: file or folder of external weights; verify_weights: hash them.
    log: called with a level (0 info, 1 warning, 2 error) and a message.
    emulator: path of libhgc_emucuda.so, by default the one beside the program hgc.
    """
    library = _Library(pathlib.Path(path).resolve())
    return Model(library, dict(num_threads=num_threads, device=device, weights_path=weights_path, strict=strict,
                               verify_weights=verify_weights, log=log, emulator=emulator))
