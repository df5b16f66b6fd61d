"""PyTorch with oneDNN, without gradients: the fastest of eager, channels last, a
frozen script and torch.compile with freezing.
"""
import os

from .runner import Job, PythonRunner, pick_fastest


def as_list(results):
    return [results] if not isinstance(results, (tuple, list)) else list(results)


def prepare(job: Job) -> None:
    # No processes that compile beside the one that is timed.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    import torch
    torch.set_num_threads(job.threads)


def load(job: Job) -> PythonRunner:
    import torch

    from . import models
    torch.set_grad_enabled(False)
    module, _ = models.make(job.name)
    inputs = [torch.from_numpy(value) for value in job.inputs]
    is_image = any(value.dim() == 4 for value in inputs)

    def make(function, arguments, settings):
        def call():
            with torch.inference_mode():
                return function(*arguments)
        return PythonRunner(call, lambda results: [r.numpy().copy() for r in as_list(results)], settings)

    candidates = [lambda: make(module, inputs, "eager")]
    if is_image:
        def channels_last():
            wide = [v.to(memory_format=torch.channels_last) if v.dim() == 4 else v for v in inputs]
            copy, _ = models.make(job.name)
            return make(copy.to(memory_format=torch.channels_last), wide, "eager, channels last")
        candidates.append(channels_last)
    if not job.first_only:
        def frozen():
            script = torch.jit.freeze(torch.jit.trace(module, tuple(inputs), check_trace=False))
            return make(torch.jit.optimize_for_inference(script), inputs, "frozen script")
        candidates.append(frozen)
    if not job.quick and not job.first_only:
        def compiled():
            import torch._inductor.config as config
            config.freezing = True
            return make(torch.compile(module), inputs, "torch.compile, freezing")
        candidates.append(compiled)
    return choose(candidates, job.first_only)


def choose(candidates, first_only):
    """The fastest that works; eager mode always counts."""
    first = candidates[0]()
    if first_only:
        return first
    runners, failed = [first], []
    for candidate in candidates[1:]:
        try:
            runner = candidate()
            runner.call()
            runners.append(runner)
        except Exception as error:  # what a mode cannot do is no failure of the peer
            failed.append(f"{candidate.__name__} failed: {type(error).__name__}")
    fastest = pick_fastest(runners)
    fastest.settings = "; ".join([fastest.settings, *failed])
    return fastest
