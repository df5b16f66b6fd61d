"""limited.py BYTES COMMAND...: the command must fail with exit code 1 when no file
may grow over BYTES."""
import resource
import subprocess
import sys

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
code = subprocess.run(sys.argv[2:]).returncode
if code != 1:
    sys.exit(f"exit code {code}, expected 1")
