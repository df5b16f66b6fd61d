"""Runs a command whose standard error is a terminal and prints what it got, a line for each time the cursor
went to the left. The command reads FILE as its input, but has to wait for it.

usage: terminal.py SECONDS FILE COMMAND..."""

import os
import pty
import subprocess
import sys
import time

seconds, path, command = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
terminal, side = pty.openpty()
process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=side)
os.close(side)
time.sleep(seconds)
with open(path, "rb") as model:
    process.stdin.write(model.read())
process.stdin.close()
got = b""
try:
    while data := os.read(terminal, 4096):
        got += data
except OSError:  # all is read, and nobody has the other side
    pass
for line in got.decode().replace("\r\n", "\n").replace("\n", " [end]\n").replace("\r", "\n").split("\n"):
    print(f"|{line}")
print("exit code", process.wait())
