//===- Leaks.cpp - objects nobody released --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Leaks.h"
#include "Driver.h"

using namespace hgc::emu::driver;

void Leaks::collect(const Driver &driver, const Context *context,
                    std::vector<std::string> &lines) const {
  auto leaks = [&](uint64_t handle, const Context *owner) {
    return owner == context && !excused.count(handle);
  };
  std::string where = " of device " + std::to_string(context->device->ordinal);
  for (const auto &[address, block] : driver.blocks)
    if (leaks(address, block.context))
      lines.push_back("leak: " + std::to_string(block.bytes) +
                      " bytes of device memory at " + hex(address) + where);
  for (const auto &[address, block] : driver.host.all())
    if (leaks(address, block.context))
      lines.push_back("leak: " + std::to_string(block.bytes) +
                      (block.registered ? " bytes of registered host memory"
                                        : " bytes of pinned host memory") +
                      where);
  for (const auto &[handle, stream] : driver.streams.all())
    if (leaks(handle, stream->context))
      lines.push_back("leak: " + stream->name + where);
  size_t events = 0;
  for (const auto &[handle, event] : driver.events.all())
    events += leaks(handle, event->context);
  if (events)
    lines.push_back("leak: " + std::to_string(events) + " events" + where);
  for (const auto &[handle, blas] : driver.blas.all())
    if (leaks(handle, blas->context))
      lines.push_back("leak: a cuBLAS handle" + where);
  for (const auto &[handle, module] : driver.modules.all())
    if (leaks(handle, module->context))
      lines.push_back("leak: a module with " +
                      std::to_string(module->code->kernels().size()) +
                      " kernels" + where);
}

void Leaks::contextDestroyed(const Driver &driver, const Context &context) {
  // A client that lost its context, or one of whose calls was made to fail,
  // may have no other way to release than with the whole context.
  if (context.sticky == HGC_CU_SUCCESS && !driver.failures.injected())
    collect(driver, &context, past);
}

std::vector<std::string> Leaks::list(const Driver &driver) const {
  std::vector<std::string> lines = past;
  for (const auto &[handle, context] : driver.contexts.all()) {
    const Device &device = *context->device;
    collect(driver, context.get(), lines);
    // A failed release of the primary context is excused by its device.
    uint64_t released =
        context->primary ? uint64_t(device.ordinal) + 1 : handle;
    if (!excused.count(released))
      lines.push_back(
          "leak: " +
          std::string(context->primary ? "the primary context" : "a context") +
          " of device " + std::to_string(device.ordinal));
  }
  return lines;
}
