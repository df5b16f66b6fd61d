"""Runs that end badly: runs.py kill|interrupt|full CHECKPOINT COMMAND..."""
import pathlib
import resource
import signal
import subprocess
import sys
import time

kind, checkpoint, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))


def version():
    """What changes with every checkpoint."""
    try:
        status = checkpoint.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns


def run_until_checkpoint(number):
    """Ends the run by a signal once it has written a checkpoint; its exit code."""
    before = version()
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while version() in (None, before) and run.poll() is None:
        time.sleep(0.002)
    run.send_signal(number)
    return run.wait()


if kind == "full":  # the disk has no room for a checkpoint
    done = subprocess.run(command, preexec_fn=limit)
    sys.exit(done.returncode)
if kind == "interrupt":
    sys.exit(run_until_checkpoint(signal.SIGINT))
killed = 0
for attempt in range(50):
    if run_until_checkpoint(signal.SIGKILL) == -signal.SIGKILL:
        killed += 1
        if killed == 3:
            sys.exit(0)
    else:  # it was over first
        checkpoint.unlink()
        killed = 0
    for path in checkpoint.parent.iterdir():
        if path != checkpoint:
            path.unlink()
sys.exit("every run was over before it could be killed")
