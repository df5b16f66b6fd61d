"""What every contender gives to the worker: a loaded model that can be timed.

A module with_NAME.py has one function:

    load(job) -> Runner

and may have another one, prepare(job), which does what is done once for all models: imports.
`job` (see Job) says which model, how many threads, and which settings may be tried.
"""
import pathlib
import time
from typing import Callable, List, NamedTuple, Optional, Sequence

from .native import Native


class Job(NamedTuple):
    folder: pathlib.Path  # of the model: model.onnx, data.npz, model.so
    name: str
    threads: int
    inputs: list  # arrays
    input_names: list
    output_names: list
    output_types: list  # (shape, type)
    native: Native
    quick: bool  # settings that take long to set up are left out
    first_only: bool  # the first results are wanted, not the fastest settings


def align(array):
    """The same on a line of the cache: no contender shall read or write across two without need."""
    import numpy as np
    memory = np.empty(array.nbytes + 64, np.uint8)
    start = -memory.ctypes.data % 64
    result = memory[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


class Runner:
    """settings: a few words on how the peer runs, for the report. artefact, compile_seconds: the file that was compiled
    ahead and the time that took, of a peer that does so."""

    settings = ""
    artefact: Optional[pathlib.Path] = None
    compile_seconds: Optional[float] = None

    def time_calls(self, seconds: float, least: int) -> Sequence[float]:
        """Seconds of each of at least so many calls, for about so long."""
        raise NotImplementedError

    def outputs(self) -> list:
        """Arrays of the last call."""
        raise NotImplementedError


class PythonRunner(Runner):
    """A Python function without arguments that returns when its results are there."""

    def __init__(self, call: Callable[[], object], read: Callable[[object], list], settings: str):
        self.call, self.read, self.settings = call, read, settings

    def time_calls(self, seconds, least):
        call, clock = self.call, time.perf_counter
        times: List[float] = []
        start = before = clock()
        while len(times) < least or before - start < seconds:
            call()
            after = clock()
            times.append(after - before)
            before = after
        return times

    def outputs(self):
        return self.read(self.call())


class NativeRunner(Runner):
    """A C function with integer and pointer arguments that gives status 0; it is
    called from C, so that no interpreter is in the way."""

    def __init__(self, native, function: int, arguments: Sequence[int], read: Callable[[], list], settings: str,
                 keep: object = None):
        self.native, self.function, self.arguments = native, function, arguments
        self.read, self.settings, self.keep = read, settings, keep

    def time_calls(self, seconds, least):
        return self.native.time_calls(self.function, self.arguments, seconds, least)

    def outputs(self):
        self.time_calls(0, 1)
        return self.read()


def pick_fastest(candidates: Sequence[Runner], seconds: float = 0.3) -> Runner:
    """The runner with the least time; each is warmed up first."""
    def least(runner):
        runner.time_calls(seconds / 3, 2)
        return min(runner.time_calls(seconds, 3))
    return min(candidates, key=least)
