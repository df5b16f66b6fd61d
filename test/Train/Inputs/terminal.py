"""Runs a command on a terminal and prints what it shows: terminal.py COMMAND..."""
import os
import pty
import sys

sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], lambda terminal: os.read(terminal, 65536).replace(b"\r", b"\n"))))
