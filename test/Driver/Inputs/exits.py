"""exits.py CODE COMMAND...: runs the command, prints it and all it says, and
succeeds if its exit code is CODE. A signal is never an expected outcome."""
import os
import subprocess
import sys

code, command = int(sys.argv[1]), sys.argv[2:]
done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
print("$", " ".join([os.path.basename(command[0])] + command[1:]), flush=True)
sys.stdout.buffer.write(done.stdout)
if done.returncode != code:
    sys.exit(f"{' '.join(command)}: exit code {done.returncode}, expected {code}\n{done.stdout.decode(errors='replace')}")
