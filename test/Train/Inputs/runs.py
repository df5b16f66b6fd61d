"""Runs that end badly: runs.py kill|interrupt|full CHECKPOINT COMMAND..."""
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

kind, checkpoint, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))


def wait_for_change(before):
    """Until another checkpoint is there than the one before."""
    while not checkpoint.exists() or checkpoint.stat().st_ino == before:
        time.sleep(0.002)


if kind == "full":  # the disk has no room for a checkpoint
    done = subprocess.run(command, preexec_fn=limit)
    sys.exit(done.returncode)
rounds = 3 if kind == "kill" else 1
for number in range(rounds):
    before = checkpoint.stat().st_ino if checkpoint.exists() else None
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    wait_for_change(before)
    if kind == "kill":
        run.kill()
        assert run.wait() == -signal.SIGKILL, "the run was over before it was killed"
    else:
        run.send_signal(signal.SIGINT)
        sys.exit(run.wait())
    leftovers = [p for p in checkpoint.parent.iterdir() if p != checkpoint]
    for path in leftovers:
        os.remove(path)
