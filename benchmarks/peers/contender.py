"""A worker seen from the comparison: started, told what to do, stopped while it
waits, so that threads that spin take nothing from the others."""
import ctypes
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent


LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


class Failed(Exception):
    """Why a contender cannot run a model."""


class Contender:
    def __init__(self, name, folder, cores, native, quick=False, first_only=False, package="peers"):
        self.name = name
        flags = ["--quick"] * quick + ["--first-only"] * first_only
        threads = str(len(cores))
        environment = dict(os.environ, OMP_NUM_THREADS=threads, MKL_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=threads,
                           JAX_PLATFORMS="cpu", CUDA_VISIBLE_DEVICES="")
        self.log = open(folder / f"{name}.log", "w")
        # A session of its own: processes that a peer starts are stopped with it.
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"{package}.worker", name, str(folder), "--threads", threads, "--native", str(native),
             *flags], cwd=BENCHMARKS, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            start_new_session=True, bufsize=0, preexec_fn=lambda: self.prepare(cores))

    @staticmethod
    def prepare(cores):
        os.sched_setaffinity(0, cores)
        # A stopped process would outlive a comparison that is killed.
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    def signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def ask(self, *command, timeout=600):
        """The answer to a command; the process runs only until then."""
        self.signal(signal.SIGCONT)
        try:
            self.process.stdin.write((json.dumps(command) + "\n").encode())
            line = self.read_line(timeout)
        except BrokenPipeError:
            line = b""
        if not line:
            raise Failed(self.end_reason())
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        self.stop()
        return answer

    def stop(self):
        """Returns when all threads stand still; the end of a process is left to be seen by others."""
        self.signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def read_line(self, timeout):
        end, line = time.monotonic() + timeout, b""
        descriptor = self.process.stdout.fileno()
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([descriptor], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise Failed(f"no answer within {timeout} s")
            part = os.read(descriptor, 1 << 16)
            if not part:
                return b""
            line += part
        return line

    def end_reason(self):
        status = self.process.wait()
        self.log.flush()
        lines = [line for line in pathlib.Path(self.log.name).read_text(errors="replace").splitlines() if line.strip()]
        return f"the process ended with status {status}" + (f": {lines[-1][:300]}" if lines else "")

    def close(self):
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.log):
            stream.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
