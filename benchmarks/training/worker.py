"""A process with one contender and one network; commands as in peers/worker.py."""
import importlib
import json

from peers import worker
from peers.native import Native

from . import cases
from .steps import Job


def make_job(args):
    about = json.loads((args.folder / "model.json").read_text())
    return Job(contender=args.contender, folder=args.folder, network=cases.NETWORKS[about["network"]],
               batch=about["batch"], threads=args.threads, native=Native(args.native), quick=args.quick)


class TrainingWorker(worker.Worker):
    make_job = staticmethod(make_job)

    def find_module(self):
        """torch, torch_fused and torch_compile are one module."""
        return importlib.import_module(f".with_{self.args.contender.split('_')[0]}", __package__)


if __name__ == "__main__":
    worker.main(TrainingWorker)
