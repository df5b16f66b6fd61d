"""Runs cases in worker processes: one that crashes or hangs is a result, and the
others go on."""
import collections
import multiprocessing
import multiprocessing.connection
import pathlib
import shutil
import signal
import tempfile
import time

FAILED = "failed"


def serve(connection, execute, folder):
    """Loop of a worker: cases in, results out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
    while (case := connection.recv()) is not None:
        try:
            connection.send(execute(case, folder))
        except Exception as error:  # noqa: a case must not end the run
            connection.send({"outcome": FAILED, "text": f"the harness: {type(error).__name__}: {error}"})
        for file in folder.iterdir():
            file.unlink()


class Worker:
    """A process that runs one case at a time and may die of it."""

    def __init__(self, execute, folder):
        self.execute, self.folder, self.case = execute, folder, None
        self.start()

    def start(self):
        self.connection, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=serve, daemon=True, args=(other, self.execute, self.folder))
        self.process.start()
        other.close()

    def give(self, case):
        # The compiler has the same limit; the rest is for what follows it.
        self.case, self.limit = case, 3 * case["timeout"]
        self.deadline = time.time() + self.limit
        self.connection.send(case)

    def take(self):
        """The result of the case; of a worker that died or hangs, a failure."""
        try:
            if self.connection.poll():
                return self.connection.recv()
            self.process.kill()
            text = f"no result after {self.limit:.0f} s"
        except EOFError:
            self.process.join()
            text = f"crash: the process that called the library ended with {self.process.exitcode}"
        self.process.join()
        self.start()
        return {"outcome": FAILED, "text": text}


def run_cases(cases, execute, jobs, report=lambda case, result: None):
    """Results of `execute(case, folder)` by the names of the cases. The folder is
    for files of one case; `report` is called as results come."""
    multiprocessing.set_start_method("fork", force=True)
    results, pending = {}, collections.deque(cases)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hgc-onnx-"))
    workers = [Worker(execute, folder) for _ in range(min(jobs, len(cases)))]
    try:
        for worker in workers:
            worker.give(pending.popleft())
        while busy := [worker for worker in workers if worker.case]:
            wait = max(0, min(worker.deadline for worker in busy) - time.time())
            ready = multiprocessing.connection.wait([worker.connection for worker in busy], wait)
            for worker in busy:
                if worker.connection not in ready and time.time() < worker.deadline:
                    continue
                case, result = worker.case, worker.take()
                results[case["name"]] = result
                report(case, result)
                worker.case = None
                if pending:
                    worker.give(pending.popleft())
        for worker in workers:
            worker.connection.send(None)
            worker.process.join()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return results
