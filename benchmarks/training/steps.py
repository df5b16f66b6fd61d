"""What every contender gives to the worker: a network that takes steps.

A module with_NAME.py has a function load(job) -> StepRunner, and may have prepare(job), which imports.
"""
import pathlib
import time
from typing import Callable, List, NamedTuple

from peers.native import Native
from peers.runner import Runner

from . import cases

# Steps between two looks at the clock: who computes ahead while the next step is prepared may do so.
CHUNK = 8


class Job(NamedTuple):
    contender: str
    folder: pathlib.Path  # of the line: model.so
    network: cases.Network
    batch: int
    threads: int
    native: Native
    quick: bool  # settings that take long to set up are left out


class StepRunner(Runner):
    """restart: back to the initial weights and an optimiser that has seen nothing. run: takes some steps from a step number
    on (the first is 1), and returns the loss of the last one when it is there. checked: steps whose losses are compared."""

    def __init__(self, restart: Callable[[], None], run: Callable[[int, int], float], settings: str, checked: int):
        self.restart, self.run, self.settings, self.checked = restart, run, settings, checked

    def time_calls(self, seconds, least):
        """Seconds of a step; a turn begins anew, and with two steps that are not timed."""
        run, clock = self.run, time.perf_counter
        self.restart()
        run(1, 2)
        times: List[float] = []
        step, start = 3, clock()
        before = start
        while len(times) < least or before - start < seconds:
            run(step, CHUNK)
            after = clock()
            times.append((after - before) / CHUNK)
            step, before = step + CHUNK, after
        return times

    def outputs(self):
        import numpy as np
        self.restart()
        return [np.array(float(self.run(step, 1))) for step in range(1, self.checked + 1)]
