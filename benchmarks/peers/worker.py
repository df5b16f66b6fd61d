"""A process with one contender and one model. It reads commands from its standard
input and answers each, all as lines of JSON:

  ["load"]                   loads the model, computes once
  ["time", SECONDS, LEAST]   times calls for so long, at least so many
  ["save", "FILE.npz"]       writes the results of a call
"""
import argparse
import contextlib
import importlib
import json
import os
import pathlib
import resource
import statistics
import sys
import time


def resident_bytes():
    """Resident memory now."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def wait_for_rest(pause=0.02, most=2.0):
    """Returns when no thread of this process runs any more: those that numpy's linear algebra starts spin for a while
    after the import, on a core that whatever is measured next would have to share."""
    end = time.monotonic() + most
    while time.monotonic() < end:
        before = time.process_time()
        time.sleep(pause)
        if time.process_time() - before < pause / 10:
            return


def make_job(args):
    import numpy as np

    from .native import Native
    from .runner import Job, align
    about = json.loads((args.folder / "model.json").read_text())
    with np.load(args.folder / "data.npz") as data:
        inputs = [align(data[f"input_{i}"]) for i in range(len(about["inputs"]))]
    return Job(folder=args.folder, name=args.folder.name, threads=args.threads, inputs=inputs,
               input_names=about["inputs"], output_names=about["outputs"],
               output_types=[(tuple(shape), np.float32) for shape in about["output_shapes"]],
               native=Native(args.native), quick=args.quick, first_only=args.first_only)


class Worker:
    make_job = staticmethod(make_job)

    def __init__(self, args):
        self.args = args
        self.job = self.make_job(args)
        self.runner = None

    def find_module(self):
        return importlib.import_module(f".with_{self.args.contender}", __package__)

    def load(self):
        """Also says how long it took and how much memory there is more than before."""
        wait_for_rest()
        memory, start = resident_bytes(), time.perf_counter()
        module = self.find_module()
        if hasattr(module, "prepare"):
            module.prepare(self.job)
        imported = time.perf_counter()
        self.runner = module.load(self.job)
        self.runner.time_calls(0, 1)
        answer = {"settings": self.runner.settings, "import_seconds": imported - start,
                  "load_seconds": time.perf_counter() - imported, "memory_bytes": resident_bytes() - memory}
        if self.runner.artefact:
            answer.update(artefact_bytes=self.runner.artefact.stat().st_size,
                          compile_seconds=self.runner.compile_seconds)
        return answer

    def time(self, seconds, least):
        times = self.runner.time_calls(seconds, least)
        return {"median": statistics.median(times), "least": min(times), "calls": len(times)}

    def save(self, path):
        import numpy as np
        np.savez(path, *self.runner.outputs())
        return {}


def serve(worker, answers):
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        try:
            answer = getattr(worker, command)(*arguments)
        except Exception as error:  # the reason goes into the report
            text = " ".join(str(error).split())
            answer = {"error": f"{type(error).__name__}: {text[:300]}"}
        print(json.dumps(answer), file=answers, flush=True)


def main(kind=Worker):
    parser = argparse.ArgumentParser(description="one contender of the comparison")
    parser.add_argument("contender")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--native", type=pathlib.Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--first-only", action="store_true")
    args = parser.parse_args()
    # Whatever libraries print must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with contextlib.redirect_stdout(sys.stderr):
        serve(kind(args), answers)


if __name__ == "__main__":
    main()
