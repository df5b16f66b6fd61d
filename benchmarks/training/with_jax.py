"""JAX: one jitted function for loss, gradients and Adam, whose state is donated; channels last. For pooling the faster
of reduce_window and of the maximum over split dims counts.
"""
from peers import with_jax
from peers.runner import pick_fastest

from . import cases
from .steps import Job, StepRunner

prepare = with_jax.prepare


def pool_windows(x):
    import jax
    return jax.lax.reduce_window(x, -jax.numpy.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def pool_split(x):
    batch, height, width, channels = x.shape
    x = x[:, :height // 2 * 2, :width // 2 * 2]
    return x.reshape(batch, height // 2, 2, width // 2, 2, channels).max((2, 4))


def make_step(network: cases.Network, pool):
    import jax
    import jax.numpy as jnp

    def compute_loss(weights, x, labels):
        for layer, _, _ in cases.walk(network):
            if layer.kind == "pool":
                x = pool(x)
                continue
            weight, bias = weights[f"{layer.name}.weight"], weights[f"{layer.name}.bias"]
            if layer.kind == "conv":
                x = jax.lax.conv_general_dilated(x, weight, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            else:
                x = x.reshape(x.shape[0], -1) @ weight
            x = x + bias
            if layer is not network.layers[-1]:
                x = jax.nn.relu(x)
        chosen = jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], axis=1)
        return -chosen.mean()

    def take_step(state, x, labels):
        step, weights, means, squares = state
        step = step + 1
        loss, grads = jax.value_and_grad(compute_loss)(weights, x, labels)
        rate = cases.RATE * jnp.sqrt(1 - cases.BETA_2 ** step) / (1 - cases.BETA_1 ** step)
        means = jax.tree.map(lambda m, g: m + (g - m) * (1 - cases.BETA_1), means, grads)
        squares = jax.tree.map(lambda v, g: v + (g * g - v) * (1 - cases.BETA_2), squares, grads)
        weights = jax.tree.map(lambda w, m, v: w - rate * m / (jnp.sqrt(v) + cases.EPSILON), weights, means, squares)
        return (step, weights, means, squares), loss
    return jax.jit(take_step, donate_argnums=0)


def make_runner(job: Job, pool, settings) -> StepRunner:
    import jax
    import numpy as np
    weights = cases.make_weights(job.network)
    batches = [jax.device_put(pair) for pair in cases.make_batches(job.network, job.batch)]
    take_step, state = make_step(job.network, pool), []

    def restart():
        zeros = {name: np.zeros_like(value) for name, value in weights.items()}
        # Copies: what is donated must not be memory of NumPy.
        state[:] = [jax.tree.map(lambda a: jax.numpy.array(a, copy=True), (np.float32(0), weights, zeros, zeros))]

    def run(first, count):
        current = state[0]
        for step in range(first, first + count):
            current, loss = take_step(current, *batches[(step - 1) % len(batches)])
        state[0] = current
        jax.block_until_ready(current)
        return float(loss)
    return StepRunner(restart, run, settings, job.network.checked)


def load(job: Job) -> StepRunner:
    if len(job.network.row) == 1:
        return make_runner(job, None, "jit")
    return pick_fastest([make_runner(job, pool_windows, "jit, channels last"),
                         make_runner(job, pool_split, "jit, channels last, pool by reshape")])
