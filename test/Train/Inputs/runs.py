"""Runs that end badly: runs.py kill|finish|interrupt|full CHECKPOINT COMMAND...

`kill` ends an endless run three times and notes how many epochs would finish it; `finish` runs that many. `kill+N` leaves N
epochs to do, else 20.
"""
import json
import pathlib
import resource
import signal
import struct
import subprocess
import sys
import time

kind, checkpoint, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
kind, _, left = kind.partition("+")
noted = checkpoint.parent.with_suffix(".epochs")


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


def epochs_done():
    with checkpoint.open("rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    return json.loads(header["__metadata__"]["hgc.train"])["epoch"]


if kind == "full":  # the disk has no room for a checkpoint
    sys.exit(subprocess.run(command, preexec_fn=limit).returncode)
if kind == "finish":
    sys.exit(subprocess.run(command + ["--epochs", noted.read_text()]).returncode)
if kind == "interrupt":
    sys.exit(run_until_checkpoint(signal.SIGINT))
for attempt in range(3):
    if run_until_checkpoint(signal.SIGKILL) != -signal.SIGKILL:
        sys.exit("the run ended by itself")
    for path in checkpoint.parent.iterdir():
        if path != checkpoint:
            path.unlink()
noted.write_text(str(epochs_done() + int(left or 20)))
