"""JAX: the ONNX graph as one function under jit in f32, weights as arguments on the
device; the faster of both orders of dims for images.
"""
import os

from .runner import Job, PythonRunner, pick_fastest


def prepare(job: Job) -> None:
    """Before the first import: XLA's pool has as many threads as there are cores in the affinity; one means none."""
    if job.threads == 1:
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
    import jax  # noqa: F401


def load(job: Job) -> PythonRunner:
    import jax
    import numpy as np
    import onnx

    from . import onnx_in_jax
    model = onnx.load(str(job.folder / "model.onnx"))
    inputs = [jax.device_put(value) for value in job.inputs]

    def make(last, settings):
        function, weights = onnx_in_jax.make_function(model, last)
        weights = {name: jax.device_put(value) for name, value in weights.items()}
        compiled = jax.jit(function).lower(weights, *inputs).compile()
        return PythonRunner(lambda: jax.block_until_ready(compiled(weights, *inputs)),
                            lambda results: [np.array(value) for value in results], settings)
    is_image = any(node.op_type == "Conv" for node in model.graph.node)
    if not is_image:
        return make(False, "jit")
    if job.first_only:
        return make(True, "jit, channels last")
    return pick_fastest([make(True, "jit, channels last"), make(False, "jit, channels first")])
