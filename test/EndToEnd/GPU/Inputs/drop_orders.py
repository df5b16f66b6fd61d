"""Deletes one exec.wait or exec.sync of the entry's GPU program at a time: who notices?
The last exec.sync stays: the runtime waits at the end of a call, whatever the program did.

usage: drop_orders.py HGC EXEC.mlir
"""
import os
import re
import subprocess
import sys


def run(hgc, path, **env):
    """What compiling at stage exec says, and running on the emulated GPU."""
    made = subprocess.run([hgc, "compile", path, "--start-from=exec", "-o", "dropped.so"], capture_output=True, text=True,
                          env={**os.environ, **env})
    if made.returncode:
        return made.stderr
    return subprocess.run([hgc, "run", "dropped.so", "--device=emulated", "--output=y=@dropped.npy"],
                          capture_output=True, text=True).stderr


def main():
    hgc, path = sys.argv[1:]
    lines = open(path).read().split("\n")
    start = next(i for i, line in enumerate(lines) if "exec.program" in line and ".gpu" in line)
    end = next(i for i in range(start, len(lines)) if "exec.return" in lines[i])
    print("as it is:", run(hgc, path) or "ok")
    for i in range(start, end - 1):
        found = re.match(r"\s*(exec\.(wait|sync).* \d+)", lines[i])
        if not found:
            continue
        with open("dropped.mlir", "w") as out:
            out.write("\n".join(lines[:i] + lines[i + 1:]))
        verifier = "may still" in (said := run(hgc, "dropped.mlir")) or "before the host has waited" in said
        emulator = "hgc-emu: error" in (seen := run(hgc, "dropped.mlir", HGC_SKIP_PASS="hgc-verify-exec"))
        print(f"{found[1]}: {'refused by hgc-verify-exec' if verifier else 'missed by hgc-verify-exec: ' + said}, "
              f"{'found by the emulator' if emulator else 'missed by the emulator: ' + seen}")


if __name__ == "__main__":
    main()
