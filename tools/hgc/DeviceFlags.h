//===- DeviceFlags.h - where a model runs -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_DEVICEFLAGS_H
#define HGC_TOOLS_DEVICEFLAGS_H

#include "ArgParser.h"
#include "ModelLibrary.h"

namespace hgc::driver {

/// `--device`, of the commands that call a model.
struct DeviceFlags {
  std::string device;

  void addTo(ArgParser &parser);
  /// Puts the device and, for an emulated one, the emulator's path into
  /// `options`, checked.
  llvm::Error apply(ModelLibrary::Options &options) const;
};

/// The emulator that belongs to this hgc, or an error that names the path.
llvm::Expected<std::string> findEmulator();

/// `emulated a100` or the like, for reports; empty when the model runs on the
/// CPU because it has no other code.
std::string describeDevice(const ModelLibrary &library);

} // namespace hgc::driver

#endif // HGC_TOOLS_DEVICEFLAGS_H
