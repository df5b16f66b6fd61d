"""Keras on TensorFlow with oneDNN: train_on_batch; the faster of graph mode and XLA."""
import os

from peers.runner import pick_fastest

from . import cases
from .steps import Job, StepRunner


def prepare(job: Job) -> None:
    os.environ.update(KERAS_BACKEND="tensorflow", TF_CPP_MIN_LOG_LEVEL="3")
    import tensorflow
    tensorflow.config.threading.set_intra_op_parallelism_threads(job.threads)
    tensorflow.config.threading.set_inter_op_parallelism_threads(job.threads)
    import keras  # noqa: F401


def make_model(network: cases.Network):
    import keras
    parts = [keras.Input(network.row)]
    is_image = len(network.row) > 1
    for layer in network.layers:
        activation = None if layer is network.layers[-1] else "relu"
        if layer.kind == "conv":
            parts.append(keras.layers.Conv2D(layer.width, 3, activation=activation))
        elif layer.kind == "pool":
            parts.append(keras.layers.MaxPooling2D(2))
        else:
            parts += [keras.layers.Flatten()] if is_image else []
            is_image = False
            parts.append(keras.layers.Dense(layer.width, activation=activation))
    return keras.Sequential(parts)


def make_runner(job: Job, uses_xla) -> StepRunner:
    import keras
    import tensorflow
    model = make_model(job.network)
    model.compile(keras.optimizers.Adam(cases.RATE, epsilon=cases.EPSILON),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  jit_compile=uses_xla)
    model.optimizer.build(model.trainable_variables)
    weights = list(cases.make_weights(job.network).values())
    slots = [(variable, variable.numpy()) for variable in model.optimizer.variables]
    batches = [(tensorflow.constant(x), tensorflow.constant(labels))
               for x, labels in cases.make_batches(job.network, job.batch)]

    def restart():
        model.set_weights(weights)
        for variable, value in slots:
            variable.assign(value)

    def run(first, count):
        if count == 1:
            # It gives the mean of the losses since then.
            model.reset_metrics()
        for step in range(first, first + count):
            loss = model.train_on_batch(*batches[(step - 1) % len(batches)])
        return loss
    return StepRunner(restart, run, "train_on_batch, " + ("XLA" if uses_xla else "graph mode"),
                      job.network.checked)


def load(job: Job) -> StepRunner:
    runners = [make_runner(job, False)]
    if not job.quick:
        runners.append(make_runner(job, True))
    return pick_fastest(runners)
