#!/usr/bin/env python3
"""Checks the machine code of one kernel of each family against its budget.

Every kernel of the input becomes PTX for each GPU generation, ptxas assembles
it, nvdisasm shows the instructions. Registers, spills, the width of global loads
and the share of useful instructions in the main loop must keep to the floors of
the budgets file. The emulator executes smaller ones and counts memory sectors and
bank conflicts. Without ptxas and nvdisasm the check is skipped, with status 77.
"""
import argparse
import collections
import ctypes
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INPUTS = ROOT / "test" / "CodeGen" / "GPU" / "Inputs"
SKIPPED = 77
ELEMENT_BYTES = {"f64": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i8": 1, "i64": 8, "i16": 2, "i1": 1}
WHEELS = ["nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-nvdisasm"]


def find_tool(name, build):
    """Path of a CUDA tool: PATH, the toolkit, or the wheels in the build folder."""
    places = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    found = shutil.which(name)
    if found:
        return found
    for place in places:
        if place and (pathlib.Path(place) / "bin" / name).is_file():
            return str(pathlib.Path(place) / "bin" / name)
    for path in sorted((pathlib.Path(build) / "cuda-tools").glob(f"**/bin/{name}")):
        if os.access(path, os.X_OK):
            return str(path)
    return None


def install_tools(build):
    """Gets the tools that are missing from PyPI into the build folder."""
    missing = [wheel for wheel, tool in zip(WHEELS, ["ptxas", "nvdisasm"]) if not find_tool(tool, build)]
    if not missing:
        return True
    target = pathlib.Path(build) / "cuda-tools"
    command = [sys.executable, "-m", "venv", str(target)]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        return False
    command = [str(target / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *missing]
    return subprocess.run(command).returncode == 0


def run(command, **kwargs):
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, **kwargs)
    if result.returncode != 0:
        sys.exit(f"error: {' '.join(str(c) for c in command)}\n{result.stderr}")
    return result


def unescape(text):
    """The bytes of an MLIR string literal."""
    return re.sub(r"\\([0-9A-Fa-f]{2}|.)", lambda m: chr(int(m.group(1), 16)) if len(m.group(1)) == 2 else m.group(1),
                  text)


def make_ptx(opt, source, gpu):
    """PTX of all kernels in `source`, and the text of each after emission."""
    text = source.read_text().replace("@GPU@", gpu)
    result = run([opt, "-", "--hgc-emit-gpu-kernels", "--hgc-lower-gpu-to-ptx"], input=text)
    data = re.search(r'exec\.gpu_images = \[\{data = "((?:[^"\\]|\\.)*)"', result.stdout)
    if not data:
        sys.exit(f"error: no PTX in the output for {gpu}")
    kernels = {}
    for kernel in re.finditer(r"exec\.kernel[^\n]*?@(\w+)(.*?)(?=exec\.kernel|\Z)", result.stdout, re.S):
        kernels[kernel.group(1)] = kernel.group(2)
    return unescape(data.group(1)).rstrip("\0"), kernels


def launches_of(kernel):
    """(function, grid, block) of each launch of a kernel."""
    pattern = r"\{block = array<i64: ([\d, ]+)>, function = \"(\w+)\", grid = array<i64: ([\d, ]+)>"
    return [(name, [int(g) for g in grid.split(",")], [int(b) for b in block.split(",")])
            for block, name, grid in re.findall(pattern, kernel)]


class Function:
    """What ptxas and nvdisasm say of one function."""

    def __init__(self):
        self.registers = self.spills = self.shared = 0
        self.code = []  # (position, label or None, mnemonic, text)
        self.labels = {}

    def main_loop(self):
        """Mnemonics of the innermost loop with the most instructions."""
        loops = []
        for position, mnemonic, text in self.code:
            target = re.search(r"\(\.L_\w+\)", text) if mnemonic.startswith("BRA") else None
            start = self.labels.get(target.group(0)[1:-1]) if target else None
            if start is not None and start < position:
                loops.append((start, position))
        inner = [a for a in loops if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
        bodies = [[m for p, m, _ in self.code if lo <= p <= hi] for lo, hi in inner]
        return max(bodies, key=len, default=[])


def read_ptxas(log, functions):
    name = None
    for line in log.splitlines():
        match = re.search(r"Compiling entry function '([^']*)'|Function properties for (\S+)", line)
        if match:
            name = match.group(1) or match.group(2)
        spill = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line)
        if spill and name:
            functions[name].spills = int(spill.group(1)) + int(spill.group(2))
        used = re.search(r"Used (\d+) registers", line)
        if used and name:
            functions[name].registers = int(used.group(1))
            shared = re.search(r"(\d+) bytes smem", line)
            functions[name].shared = int(shared.group(1)) if shared else 0


def read_sass(text, functions):
    name = None
    for line in text.splitlines():
        section = re.match(r"\s*\.section\s+\.text\.([^,\s]+)", line)
        if section:
            name = section.group(1)
            continue
        label = re.match(r"(\.L_\w+):", line)
        if label and name:
            functions[name].labels[label.group(1)] = len(functions[name].code)
            continue
        code = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)", line)
        if code and name and code.group(1) != "NOP":
            body = functions[name]
            body.code.append((len(body.code), code.group(1), code.group(2)))


def measure(ptx, arch, tools, folder):
    source, cubin = folder / f"{arch}.ptx", folder / f"{arch}.cubin"
    source.write_text(ptx)
    functions = collections.defaultdict(Function)
    read_ptxas(run([tools["ptxas"], f"-arch={arch}", "-v", source, "-o", cubin]).stderr, functions)
    read_sass(run([tools["nvdisasm"], "-c", cubin]).stdout, functions)
    return functions


def load_width(function):
    """Bits of the widest global load."""
    widths = [32]
    for _, mnemonic, _ in function.code:
        if mnemonic.startswith(("LDG", "LDGSTS")):
            widths += [int(part) for part in mnemonic.split(".") if part in ("64", "128", "256")]
    return max(widths)


def check_function(function, budget, where):
    """Problems of one function; prints its figures."""
    problems = []
    loop = function.main_loop()
    share = None
    if "ops" in budget:
        useful = sum(m.split(".")[0] in budget["ops"] for m in loop)
        share = 100.0 * useful / len(loop) if loop else 0.0
        if share < budget["density"]:
            problems.append(f"{where}: {share:.1f} % {'/'.join(budget['ops'])} in the main loop of {len(loop)} "
                            f"instructions, the floor is {budget['density']} %")
    if function.spills > budget.get("spills", 0):
        problems.append(f"{where}: {function.spills} bytes of spills, {budget.get('spills', 0)} are allowed")
    if function.registers > budget["registers"]:
        problems.append(f"{where}: {function.registers} registers, the budget is {budget['registers']}")
    width = load_width(function)
    if width < budget.get("load_bits", 32):
        problems.append(f"{where}: global loads of {width} bits, expected {budget['load_bits']}")
    density = f", {share:.1f} % of {len(loop)}" if share is not None else ""
    print(f"{where}: {function.registers} registers, {function.shared} bytes shared, loads {width}{density}")
    return problems


def check_code(args, budgets, arch, tools):
    """Problems with the machine code for one generation."""
    problems, seen = [], set()
    for source in args.kernels:
        ptx, kernels = make_ptx(args.build / "bin" / "hgc-opt", source, arch)
        with tempfile.TemporaryDirectory() as folder:
            functions = measure(ptx, arch, tools, pathlib.Path(folder))
        seen |= set(kernels)
        for name, kernel in kernels.items():
            if name not in budgets:
                problems.append(f"{arch} {name}: has no budget")
                continue
            # The first launch does the work.
            budget = dict(budgets[name], **budgets[name].get(arch, {}))
            problems += check_function(functions[launches_of(kernel)[0][0]], budget, f"{arch} {name}")
    return problems + [f"{arch} {name}: no such kernel" for name in budgets if name not in seen]


class Emulator:
    """Executes kernels through the driver functions of the emulator."""

    def __init__(self, library, ptx):
        self.driver = ctypes.CDLL(str(library))
        context, self.module = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)
        self.call("cuModuleLoadData", ctypes.byref(self.module), ptx.encode() + b"\0")

    def call(self, name, *args):
        status = getattr(self.driver, name)(*args)
        if status != 0:
            sys.exit(f"error: {name} of the emulator returned {status}")

    def launch(self, kernel):
        """Runs a kernel on zeros."""
        buffers = [math.prod(int(d) for d in shape.split("x")[:-1]) * ELEMENT_BYTES[shape.split("x")[-1]]
                   for shape in re.findall(r"%arg\d+: memref<([^,>]*)>", kernel)]
        scratch = re.search(r"scratch_bytes = (\d+)", kernel)
        if scratch and int(scratch.group(1)):
            buffers.append(int(scratch.group(1)))
        pointers = []
        for size in buffers:
            pointers.append(ctypes.c_uint64())
            self.call("cuMemAlloc_v2", ctypes.byref(pointers[-1]), ctypes.c_size_t(size))
            self.call("cuMemsetD8_v2", pointers[-1], 0, ctypes.c_size_t(size))
        args = (ctypes.c_void_p * len(pointers))(*[ctypes.addressof(p) for p in pointers])
        for name, grid, block in launches_of(kernel):
            function = ctypes.c_void_p()
            self.call("cuModuleGetFunction", ctypes.byref(function), self.module, name.encode())
            self.call("cuLaunchKernel", function, *grid, *block, 0, None, args, None)
        self.call("cuCtxSynchronize")
        for pointer in pointers:
            self.call("cuMemFree_v2", pointer)


def execute(args):
    """What the child process of check_counters does."""
    ptx, kernels = make_ptx(args.build / "bin" / "hgc-opt", args.counted[0], args.execute)
    emulator = Emulator(args.build / "lib" / "libhgc_emucuda.so", ptx)
    for kernel in kernels.values():
        emulator.launch(kernel)
    print(json.dumps({name: launches_of(kernel)[0][0] for name, kernel in kernels.items()}))
    return 0


def check_counters(args, source, budgets):
    """Problems with how kernels use memory. The emulator reports at its end."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "counters.json"
        child = run([sys.executable, __file__, "--build", args.build, "--counted", source, "--execute",
                     budgets["gpu"]], env=dict(os.environ, HGC_EMU_DEVICE=budgets["gpu"], HGC_EMU_COUNTERS=str(report)))
        counters = {kernel["name"]: kernel for kernel in json.loads(report.read_text())["kernels"]}
    problems = []
    functions = json.loads(child.stdout)
    for name, function in functions.items():
        sectors = 100 * counters[function]["sector_efficiency"]
        conflicts = counters[function]["bank_conflict_factor"]
        print(f"emulated {name}: {sectors:.1f} % of sectors used, bank conflicts {conflicts:.2f}")
        budget = dict(budgets, **budgets["exceptions"].get(name, {}))
        if sectors < budget["sectors"]:
            problems.append(f"emulated {name}: {sectors:.1f} % of the bytes of memory sectors are used, the floor is "
                            f"{budget['sectors']} %")
        if conflicts > budget["conflicts"]:
            problems.append(f"emulated {name}: {conflicts:.2f} passes of shared memory for one, the budget is "
                            f"{budget['conflicts']}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--kernels", type=pathlib.Path, nargs="+", help="default: those of the tests",
                        default=[INPUTS / f"{n}.mlir" for n in ("kernels", "gradients", "tf32", "families")])
    parser.add_argument("--counted", type=pathlib.Path, nargs="+", help="kernels that the emulator executes",
                        default=[INPUTS / f"{n}.mlir" for n in ("counters", "gradients-counters", "tf32-counters", "families")])
    parser.add_argument("--budgets", type=pathlib.Path, default=INPUTS / "budgets.json")
    parser.add_argument("--arch", action="append", help="default: those of the budgets file")
    parser.add_argument("--install", action="store_true", help="get missing tools from PyPI first")
    parser.add_argument("--execute", metavar="GPU", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.execute:
        return execute(args)
    if args.install and not install_tools(args.build):
        print("hint: PyPI could not be reached; put ptxas and nvdisasm on PATH", file=sys.stderr)
    tools = {name: find_tool(name, args.build) for name in ("ptxas", "nvdisasm")}
    absent = [name for name, path in tools.items() if not path]
    if absent:
        print(f"skipped: no {' and no '.join(absent)}; run scripts/check_kernels.py --install", file=sys.stderr)
        return SKIPPED
    budgets = json.loads(args.budgets.read_text())
    problems = []
    for source in args.counted:
        problems += check_counters(args, source, budgets["counters"])
    for arch in args.arch or budgets["architectures"]:
        problems += check_code(args, budgets["kernels"], arch, tools)
    for problem in problems:
        print("error:", problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
