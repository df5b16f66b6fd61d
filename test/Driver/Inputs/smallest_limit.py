"""Proves that the smallest limit of a refusal is one.

smallest_limit.py REFUSAL.txt COMMAND...

Runs the command with that limit, which must work, and with one byte less, which
must be refused with the same limit.
"""
import re
import subprocess
import sys

FOUND = r"smallest limit hgc found: (\d+) bytes on (\S+)"


def main():
    size, device = re.search(FOUND, open(sys.argv[1]).read()).groups()

    def compile_with(limit):
        return subprocess.run(sys.argv[2:] + [f"--memory-limit={device}={limit}"], stderr=subprocess.PIPE, text=True)

    less = compile_with(int(size) - 1)
    if less.returncode == 0 or re.search(FOUND, less.stderr).group(1) != size:
        sys.exit(f"a limit of {int(size) - 1} was not refused as expected:\n{less.stderr}")
    kept = compile_with(size)
    if kept.returncode != 0:
        sys.exit(f"a limit of {size} was not kept:\n{kept.stderr}")
    print(f"kept with {size}, refused with {int(size) - 1}")


if __name__ == "__main__":
    main()
