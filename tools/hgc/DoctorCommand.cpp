//===- DoctorCommand.cpp - hgc doctor -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at all that hgc and its libraries may need from a machine. What must work
// is tried, not looked up.
//===----------------------------------------------------------------------===//

#include "DeviceFlags.h"
#include "Driver.h"
#include "Loading.h"

#include "hgc/Link/Link.h"
#include "hgc/Support/OutputFile.h"
#include "hgc/Support/Version.h"
#include "runtime/include/hgc_rt_cuda.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include <unistd.h>

using namespace hgc;
using namespace hgc::driver;

namespace {

/// Prints findings; remembers whether something is broken.
class Doctor {
public:
  int examine();

private:
  enum class Mark { Good, Absent, Broken };
  void tell(Mark mark, llvm::StringRef what, const llvm::Twine &finding, const llvm::Twine &advice = "");
  /// As above, with an error's first line as finding and its hint as advice.
  void tell(Mark mark, llvm::StringRef what, llvm::Error error);
  void examineCpu();
  void examineCompiler();
  /// A model with or without GPU code, compiled and run by a process of its own.
  void tryModel(llvm::StringRef what, llvm::ArrayRef<llvm::StringRef> flags);
  void examineGpus();
  void examineDeviceFiles();
  void examineTools();

  bool isBroken = false;
};

constexpr llvm::StringLiteral kModel = R"(module @doctor {
  func.func @run(%x: tensor<4xf32> {hgc.name = "x"}) -> (tensor<4xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %0 = hgc.exp %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
)";

} // namespace

void Doctor::tell(Mark mark, llvm::StringRef what, const llvm::Twine &finding, const llvm::Twine &advice) {
  llvm::StringRef marks[] = {"ok", "--", "NO"};
  llvm::outs() << llvm::formatv("  {0,-4}{1,-18}", marks[static_cast<int>(mark)], what) << finding << "\n";
  if (std::string text = advice.str(); !text.empty())
    llvm::outs() << std::string(24, ' ') << "hint: " << text << "\n";
  isBroken |= mark == Mark::Broken;
}

void Doctor::tell(Mark mark, llvm::StringRef what, llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  auto [problem, hint] = llvm::StringRef(text).split("\nhint: ");
  tell(mark, what, problem, hint.rtrim());
}

void Doctor::examineCpu() {
  llvm::StringRef host = llvm::sys::getHostCPUName();
  llvm::Expected<std::string> table = findNativeCpu();
  if (!table)
    return tell(Mark::Absent, "cpu", table.takeError());
  // What runs on the default's CPUs must have its features.
  bool runsDefault = llvm::sys::getHostCPUFeatures().lookup("avx2");
  tell(runsDefault ? Mark::Good : Mark::Absent, "cpu",
       host + ", --target-cpu=native means " + *table + (runsDefault ? "" : "; it cannot run code for x86-64-v3"),
       runsDefault ? "" : "compile with --target-cpu=native or x86-64-v2");
}

void Doctor::tryModel(llvm::StringRef what, llvm::ArrayRef<llvm::StringRef> flags) {
  llvm::Expected<std::unique_ptr<TempFolder>> folder = TempFolder::create();
  if (!folder)
    return tell(Mark::Broken, what, folder.takeError());
  std::string model = (*folder)->path("doctor.mlir"), log = (*folder)->path("log");
  if (llvm::Error error = writeFile(model, kModel))
    return tell(Mark::Broken, what, std::move(error));
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&runDoctor));
  if (!llvm::sys::fs::exists(self))
    return tell(Mark::Broken, what, "hgc cannot find its own file: /proc is not mounted", "mount -t proc proc /proc");
  std::vector<llvm::StringRef> arguments = {self, "run", model, "--input=x=4xf32=0,1,2,3"};
  llvm::append_range(arguments, flags);
  std::optional<llvm::StringRef> redirects[] = {"", log, log};
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(self, arguments, std::nullopt, redirects, /*SecondsToWait=*/120, 0, &problem);
  auto text = llvm::MemoryBuffer::getFile(log);
  llvm::StringRef output = text ? (*text)->getBuffer().trim() : problem;
  if (code == 0 && output.contains("4xf32=1,"))
    return tell(Mark::Good, what, "a model was compiled, loaded and run");
  tell(Mark::Broken, what, "failed: " + (output.empty() ? llvm::StringRef(problem) : output),
       "set TMPDIR to a folder that is writable and not mounted noexec; otherwise report this");
}

void Doctor::examineCompiler() {
  tell(Mark::Good, "hgc", "version " HGC_VERSION_STRING " with LLVM " LLVM_VERSION_STRING);
  tryModel("compiling", {"--device=cpu"});
  if (llvm::Error error = link::checkTarget("aarch64-unknown-linux-gnu"))
    tell(Mark::Absent, "aarch64", std::move(error));
  else
    tell(Mark::Good, "aarch64", "libraries for it can be linked: --target-cpu=armv8-a");
}

/// Files of the driver that a process must open.
void Doctor::examineDeviceFiles() {
  for (const char *path : {"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0", "/dev/dxg"})
    if (llvm::sys::fs::exists(path) && access(path, R_OK | W_OK) != 0)
      tell(Mark::Absent, "permissions", llvm::Twine("this user may not open '") + path + "'",
           "join the group that owns it, such as video or render, or run the container with --gpus all");
}

void Doctor::examineGpus() {
  auto info = std::make_unique<hgc_rt_cuda_info>();
  bool found = hgc_rt_cuda_find("gpu", nullptr, info.get()) == HGC_RT_OK && info->n_gpus > 0;
  if (!found) {
    auto [problem, hint] = llvm::StringRef(info->problem).rtrim().split("\nhint: ");
    tell(Mark::Absent, "gpu", problem.empty() ? "the driver sees none" : problem,
         hint.empty() ? "models with GPU code run on the CPU here" : hint);
  } else {
    tell(Mark::Good, "gpu",
         llvm::formatv("{0} of them, driver for CUDA {1}.{2}; 'hgc devices' lists them", info->n_gpus,
                       info->driver_version / 1000, info->driver_version % 1000 / 10));
  }
  examineDeviceFiles();
  llvm::Expected<std::string> emulator = findEmulator();
  if (!emulator)
    return tell(Mark::Absent, "emulated gpu", emulator.takeError());
  tryModel("emulated gpu", {"--device=emulated", "--gpu=sm_80", "--place=gpu(.*)"});
}

void Doctor::examineTools() {
  if (llvm::Expected<std::string> ptxas = findPtxas()) {
    tell(Mark::Good, "ptxas", *ptxas);
  } else {
    llvm::consumeError(ptxas.takeError());
    tell(Mark::Absent, "ptxas", "not found; only --cubin needs it",
         "install the CUDA toolkit, then set CUDA_HOME or put it on the PATH");
  }
  llvm::ErrorOr<std::string> compiler = llvm::sys::findProgramByName("cc");
  if (compiler)
    tell(Mark::Good, "c compiler", *compiler);
  else
    tell(Mark::Absent, "c compiler", "not found; programs that call models need one, hgc does not",
         "on Debian: apt-get install gcc");
}

int Doctor::examine() {
  llvm::outs() << "ok: works, --: optional and absent, NO: broken\n\n";
  examineCompiler();
  examineCpu();
  examineGpus();
  examineTools();
  llvm::outs() << "\n" << (isBroken ? "Something that hgc needs does not work.\n" : "hgc works on this machine.\n");
  return isBroken ? kUserError : kDone;
}

int hgc::driver::runDoctor(llvm::ArrayRef<const char *> args) {
  ArgParser parser("doctor", "check this machine: what works, what is missing, how to get it", "", "  hgc doctor\n");
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed)
    return report(parsed.takeError());
  return *parsed ? Doctor().examine() : kDone;
}
