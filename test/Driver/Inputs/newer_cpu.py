"""newer_cpu.py COMMAND...: the command must fail with exit code 1, or succeed on
a machine with AMX, where the library is no newer than the CPU."""
import subprocess
import sys

with open("/proc/cpuinfo") as cpuinfo:
    flags = next(line for line in cpuinfo if line.startswith("flags")).split()
is_new = "amx_tile" in flags and "avx512_fp16" in flags
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if is_new:
    print("this CPU has it all")
print(done.stdout)
if done.returncode != (0 if is_new else 1):
    sys.exit(f"exit code {done.returncode}")
