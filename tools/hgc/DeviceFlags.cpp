//===- DeviceFlags.cpp - where a model runs -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceFlags.h"

#include "Driver.h"

#include "hgc/Support/Error.h"
#include "hgc/Target/GpuTable.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace hgc;
using namespace hgc::driver;

void DeviceFlags::addTo(ArgParser &parser) {
  parser.value("device", "DEVICE", device,
               "where to run: cpu, gpu, or emulated[:a100], which executes the GPU code on the CPU");
}

llvm::Expected<std::string> hgc::driver::findEmulator() {
  // Any address inside the program finds its file.
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findEmulator));
  llvm::StringRef prefix = llvm::sys::path::parent_path(llvm::sys::path::parent_path(self));
  llvm::SmallString<128> path;
  // As it is installed, and of a build tree.
  for (llvm::StringRef folder : {"lib/hgc", "lib"}) {
    path = prefix;
    llvm::sys::path::append(path, folder, "libhgc_emucuda.so");
    if (llvm::sys::fs::exists(path))
      return std::string(path);
  }
  return makeError("the emulator is not at '" + path.str() + "'",
                   "install it beside hgc: its lib folder belongs to it");
}

llvm::Error DeviceFlags::apply(ModelLibrary::Options &options) const {
  if (device.empty())
    return llvm::Error::success();
  auto [kind, table] = llvm::StringRef(device).split(':');
  bool isEmulated = kind == "emulated";
  bool isKnown = device == "cpu" || device == "gpu" || device == "emulated" || (isEmulated && !table.empty());
  if (!isKnown)
    return usageError("unknown device '" + device + "'", "use cpu, gpu, emulated or emulated:a100");
  if (isEmulated && !table.empty() && !llvm::is_contained(listGpus(), table))
    return usageError("no GPU '" + table + "' to emulate", "the known ones are " + llvm::join(listGpus(), ", "));
  options.device = device;
  if (!isEmulated)
    return llvm::Error::success();
  llvm::Expected<std::string> path = findEmulator();
  if (!path)
    return path.takeError();
  options.emulator = *path;
  return llvm::Error::success();
}

std::string hgc::driver::describeDevice(const ModelLibrary &library) {
  llvm::StringRef device = hgc_rt_model_device(library.getModel());
  if (device == "cpu")
    return "";
  std::string text = (device + " " + hgc_rt_model_device_name(library.getModel())).str();
  std::string json(hgc_rt_model_describe_json(library.getModel(), nullptr, 0) + 1, '\0');
  hgc_rt_model_describe_json(library.getModel(), json.data(), static_cast<int64_t>(json.size()));
  json.pop_back();
  llvm::Expected<llvm::json::Value> description = llvm::json::parse(json);
  if (!description) {
    llvm::consumeError(description.takeError());
    return text;
  }
  const llvm::json::Object *gpu = description->getAsObject()->getObject("gpu");
  if (gpu && gpu->getBoolean("idle").value_or(false))
    text += "; its plan computes everything on the CPU, 'hgc explain' says why";
  return text;
}
