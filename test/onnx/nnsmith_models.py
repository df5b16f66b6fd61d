"""Models of NNSmith, a generator of random networks: https://pypi.org/project/nnsmith.

Its graphs of PyTorch operators go through PyTorch's exporter, so that they look as
exported networks do. Operators and types are those that ONNX Runtime has.
"""
import functools
import logging
import multiprocessing
import random
import tempfile
import warnings

logging.disable(logging.CRITICAL)
warnings.filterwarnings("ignore")

import onnx  # noqa: E402
import torch  # noqa: E402

# NNSmith is older than these packages: exports from traces are no longer the
# default, and its way to serialise models is gone.
torch.onnx.export = functools.partial(torch.onnx.export, dynamo=False)
onnx._serialize = onnx.ModelProto.SerializeToString
torch.set_num_threads(1)

from nnsmith.backends.factory import BackendFactory  # noqa: E402
from nnsmith.graph_gen import model_gen  # noqa: E402
from nnsmith.materialize import Model  # noqa: E402
from nnsmith import narrow_spec  # noqa: E402


class Generator:
    """Makes models from seeds, in the process that calls it first: PyTorch does not
    survive a fork once it has worked."""

    def __init__(self, max_nodes):
        self.max_nodes, self.operators = max_nodes, None
        # What ONNX Runtime has is found by trying, once for all processes.
        self.cache = tempfile.TemporaryDirectory(prefix="hgc-nnsmith-")
        narrow_spec.NNSMITH_CACHE_DIR = self.cache.name
        prepare = multiprocessing.get_context("fork").Process(target=self.find_operators)
        prepare.start()
        prepare.join()

    def find_operators(self):
        if not self.operators:
            self.type = Model.init("onnx", backend_target="cpu")
            self.type.add_seed_setter()
            factory = BackendFactory.init("onnxruntime", target="cpu", optmax=True)
            self.operators = narrow_spec.auto_opset(self.type, factory, vulops=True)
        return self.operators

    def make(self, seed):
        """A model and sets of inputs by name: one that NNSmith found to give finite
        numbers, if it could, and random ones around zero, five and one half."""
        operators = self.find_operators()
        nodes = random.Random(seed).randint(1, self.max_nodes)
        graph = model_gen(opset=operators, method="symbolic-cinit", seed=seed, max_nodes=nodes).make_concrete()
        model = self.type.from_gir(graph)
        model.refine_weights()
        found = model.make_oracle().input
        return model.native_model, [found, *(self.make_inputs(model, base, margin)
                                             for base, margin in ((0, 4), (5, 4), (0.5, 0.5)))]

    @staticmethod
    def make_inputs(model, base, margin):
        inputs = model.torch_model.get_random_inps(base=base, margin=margin)
        return {name: value.numpy() for name, value in inputs.items()}
