"""Runs a command whose standard error is a terminal and prints what it got, a line for each time the cursor
went to the left; a line that was drawn again only because time passed counts once. The command reads FILE as
its input, but has to wait for it until the terminal shows TEXT.

usage: terminal.py TEXT FILE COMMAND..."""

import os
import pty
import re
import select
import subprocess
import sys

text, path, command = sys.argv[1].encode(), sys.argv[2], sys.argv[3:]
terminal, side = pty.openpty()
process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=side)
os.close(side)
got = b""
while text not in got:
    if not select.select([terminal], [], [], 60)[0]:
        sys.exit(f"the terminal did not show '{sys.argv[1]}' within a minute, only {got!r}")
    got += os.read(terminal, 4096)
with open(path, "rb") as model:
    process.stdin.write(model.read())
process.stdin.close()
try:
    while data := os.read(terminal, 4096):
        got += data
except OSError:  # all is read, and nobody has the other side
    pass


def activity(line):
    return re.sub(r"^\d+ s  ", "", line)


shown = []
for line in got.decode().replace("\r\n", "\n").replace("\n", " [end]\n").replace("\r", "\n").split("\n"):
    if len(shown) > 1 and line.strip() and not shown[-1].strip() and activity(line) == activity(shown[-2]):
        shown.pop()  # only the seconds changed
    else:
        shown.append(line)
for line in shown:
    print(f"|{line}")
print("exit code", process.wait())
