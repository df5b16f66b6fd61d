"""IREE: the ONNX graph compiled for this CPU, called through its virtual machine with
buffers of its own that are filled once; the fastest of a few sets of options.
"""
import functools
import hashlib
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import time
from typing import List, NamedTuple

from .runner import Job, PythonRunner, pick_fastest

# Kernels of attention need more than the 32 KiB of stack that are allowed by default. Threads get twice as much.
STACK_BYTES = 1 << 20
COMMON = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
          "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3", "--iree-opt-data-tiling",
          f"--iree-llvmcpu-stack-allocation-limit={STACK_BYTES}"]
TILED = "--iree-dispatch-creation-experimental-set-data-tiling-ops"


class Options(NamedTuple):
    words: List[str]
    flags: List[str]
    shared: bool  # kernels are cut into parts for threads

    def without_parts(self):
        return Options([*self.words, "kernels in one part"], [*self.flags, "--iree-llvmcpu-disable-distribution"],
                       False)


UKERNELS = Options(["ukernels"], ["--iree-llvmcpu-enable-ukernels=all"], True)
GENERATED = Options(["generated kernels"], ["--iree-llvmcpu-enable-ukernels=none"], True)
# Convolutions as they come out of ONNX are slower by far.
IM2COL = Options(["im2col"], [*UKERNELS.flags, "--iree-global-opt-use-im2col-for-convs"], True)
TILED_CONV = Options(["tiled convolutions"], [*UKERNELS.flags, f"{TILED}=matmul", f"{TILED}=scaled_matmul",
                                              f"{TILED}=convolution"], True)


def option_sets(is_image):
    sets = [IM2COL, TILED_CONV] if is_image else [UKERNELS, GENERATED]
    return [*sets, *(options.without_parts() for options in sets)]


class CompileFailed(Exception):
    """Why there is no module."""


def run_tool(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        errors = [line for line in lines if "error:" in line.lower()] or lines[-1:]
        reason = errors[0].split("error: ")[-1] if errors else f"status {done.returncode}"
        raise CompileFailed(f"{pathlib.Path(command[0]).name}: {reason}")


@functools.lru_cache(maxsize=None)
def describe_host():
    """What a module depends on beside the model and the options."""
    info = pathlib.Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return [importlib.metadata.version("iree-base-compiler"),
            next((line for line in lines if line.startswith(("flags", "Features"))), "")]


class Compiler:
    """Modules lie beside the model, each with a note on how it was made, until one of that changes."""

    def __init__(self, folder):
        self.folder, self.model, self.source = folder, folder / "model.onnx", folder / "iree.mlir"
        self.import_seconds = None

    def import_model(self):
        if self.import_seconds is None:
            start = time.perf_counter()
            run_tool(self.tool("iree-import-onnx"), str(self.model), "-o", str(self.source))
            self.import_seconds = time.perf_counter() - start

    @staticmethod
    def tool(name):
        return str(pathlib.Path(sys.executable).with_name(name))

    def key(self, options):
        # Sizes and times of the model: to read a large one would count as time to load it.
        status = self.model.stat()
        parts = [*describe_host(), COMMON, options.flags, status.st_size, status.st_mtime_ns]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def compile(self, options):
        """The module, and seconds that it took."""
        stem = "-".join(" ".join(["iree", *options.words]).split())
        module, note = self.folder / f"{stem}.vmfb", self.folder / f"{stem}.json"
        key = self.key(options)
        if module.exists() and note.exists():
            made = json.loads(note.read_text())
            if made["key"] == key:
                return module, made["seconds"]
        note.unlink(missing_ok=True)
        self.import_model()
        start = time.perf_counter()
        run_tool(self.tool("iree-compile"), str(self.source), "-o", str(module), *COMMON, *options.flags)
        seconds = self.import_seconds + time.perf_counter() - start
        # A module without its note is one whose compilation did not end.
        note.write_text(json.dumps({"key": key, "seconds": seconds, "flags": [*COMMON, *options.flags]}))
        return module, seconds

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.source.unlink(missing_ok=True)


def prepare(job: Job) -> None:
    import iree.runtime as runtime
    cores = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    runtime.flags.parse_flags(f"--task_topology_cpu_ids={cores}", f"--task_worker_stack_size={2 * STACK_BYTES}")
    describe_host()


def make_runner(job, device_name, module_path, settings):
    """A call of the function without conversions between arrays and buffers."""
    import iree.runtime as runtime
    device = runtime.get_device(device_name)
    instance = runtime.VmInstance()
    module = runtime.VmModule.mmap(instance, str(module_path))
    context = runtime.VmContext(instance, [runtime.create_hal_module(instance, device), module])
    # There is also one that does not wait for its results.
    names = module.function_names
    function = module.lookup_function(next(name for name in names if f"{name}$async" in names))
    inputs = runtime.VmVariantList(len(job.inputs))
    for value in job.inputs:
        inputs.push_ref(device.allocator.allocate_buffer_copy(
            memory_type=runtime.MemoryType.DEVICE_LOCAL, allowed_usage=runtime.BufferUsage.DEFAULT, device=device,
            buffer=value, element_type=runtime.array_interop.map_dtype_to_element_type(value.dtype)))
    count = len(job.output_names)

    def call():
        results = runtime.VmVariantList(count)
        context.invoke(function, inputs, results)
        return results

    def read(results):
        views = [results.get_as_object(i, runtime.HalBufferView) for i in range(len(results))]
        return [runtime.DeviceArray(device, view).to_host().copy() for view in views]
    return PythonRunner(call, read, settings)


def load(job: Job) -> PythonRunner:
    # Threads that wait for work take their time to wake up: small models may be faster without.
    devices = ["local-task", "local-sync"] if job.threads > 1 else ["local-sync"]
    runners, failed = [], []
    with Compiler(job.folder) as compiler:
        for options in option_sets(any(value.ndim == 4 for value in job.inputs)):
            try:
                module, seconds = compiler.compile(options)
            except CompileFailed as error:
                failed.append((options, error))
                continue
            for device in devices:
                if device == "local-task" and not options.shared:
                    continue
                runner = make_runner(job, device, module, ", ".join([device, *options.words]))
                runner.artefact, runner.compile_seconds = module, seconds
                runners.append(runner)
                if job.first_only:
                    return runner
    if not runners:
        raise failed[0][1]
    fastest = pick_fastest(runners)
    fastest.settings = "; ".join([fastest.settings, *(f"{', '.join(options.words)} failed" for options, _ in failed)])
    return fastest
