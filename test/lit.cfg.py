"""lit configuration: suites mirror the source folders."""
import os
import shutil
import subprocess

import lit.formats

config.name = "hgc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".c", ".txtpb"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.hgc_source, "test")
config.test_exec_root = os.path.join(config.hgc_build, "test")

path = [os.path.join(config.hgc_build, "bin"), config.llvm_tools, os.environ["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)
for name in ["NUM_THREADS", "TRACE", "DEVICE", "EMULATOR", "STRICT", "VISIBLE_DEVICES", "LOG"]:
    config.environment.pop("HGC_" + name, None)
if "HGC_SKIP_PASS" in os.environ:  # scripts/check_tests.py
    config.environment["HGC_SKIP_PASS"] = os.environ["HGC_SKIP_PASS"]
if any(map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])):
    config.available_features.add("chromium")
if os.path.exists("/proc/cpuinfo") and {"amx_tile", "amx_bf16", "amx_int8"} <= set(open("/proc/cpuinfo").read().split()):
    config.available_features.add("amx")
# PyTorch, in the interpreter of the tests or in another one.
torch_python = os.environ.get("HGC_TORCH_PYTHON", config.python)
finds_torch = "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)"
if subprocess.run([torch_python, "-c", finds_torch]).returncode == 0:
    config.available_features.add("torch")
if config.aarch64_compiler:
    # hgc links libraries for aarch64; programs for it need more files, and something that runs them.
    config.available_features.add("aarch64")
    program = subprocess.run(config.aarch64_compiler.split() + ["-xc", "-", "-o", "/dev/null"], input=b"int main() { return 0; }",
                             stderr=subprocess.DEVNULL)
    if program.returncode == 0 and shutil.which("qemu-aarch64") and shutil.which("clang-22"):
        config.available_features.add("aarch64-programs")
if config.sanitize:
    config.available_features.add("sanitized")
if config.sanitize == "address":
    # libMLIR is not instrumented; containers cross the border.
    config.environment["ASAN_OPTIONS"] = "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0"
    # Programs of the tests open the emulator, which is instrumented.
    config.c_compiler += " -fsanitize=address"
    config.cxx_compiler += " -fsanitize=address"

config.substitutions += [
    # Paths alone, for CMake.
    ("%cc_path", config.c_compiler.split()[0]),
    ("%cxx_path", config.cxx_compiler.split()[0]),
    ("%aarch64_cc", config.aarch64_compiler),
    ("%qemu", "qemu-aarch64 -L /usr/aarch64-linux-gnu"),
    ("%cc", config.c_compiler),
    ("%cxx", config.cxx_compiler),
    # Runs a program with the emulated GPU; what it leaks and does wrong is said on stderr.
    ("%emulated", "env HGC_DEVICE=emulated HGC_EMU_LEAKS=1 HGC_EMULATOR="
     + os.path.join(config.hgc_build, "lib", "libhgc_emucuda.so")),
    ("%exits", config.python + " " + os.path.join(config.test_source_root, "Driver", "Inputs", "exits.py")),
    ("%large_megabytes", "240" if os.environ.get("HGC_TEST_FULL") else "20"),
    # `%onnx FILE.txtpb > MODEL.onnx`: a model from protobuf's text format.
    ("%onnx", "protoc --proto_path=" + os.path.join(config.hgc_source, "lib", "Frontend", "ONNX")
     + " --encode=onnx.ModelProto onnx.proto <"),
    ("%python", config.python),
    ("%torch_python", torch_python),
    ("%source", config.hgc_source),
    ("%build", config.hgc_build),
    ("%examples", os.path.join(config.hgc_source, "examples")),
]
