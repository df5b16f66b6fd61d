//===- SamplePlan.h - a plan with a bit of everything -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_UNITTESTS_REPORT_SAMPLEPLAN_H
#define HGC_UNITTESTS_REPORT_SAMPLEPLAN_H

#include "hgc/Report/Plan.h"

namespace hgc::plans {

/// `embed` on the CPU, `fc` and `act` on the GPU; two copies a call, one at load.
inline Plan makeSample() {
  OpPlan embed;
  embed.name = "embed";
  embed.op = "gather";
  embed.device = "cpu";
  embed.costPs = {{"cpu", 2000000}, {"gpu", 9000000}};
  embed.switchPricePs = 5000000;
  embed.reason = "the table is large";
  embed.bytes = 4096;
  embed.inputs = {"%tokens", "@table"};
  OpPlan fc;
  fc.name = "fc";
  fc.op = "matmul";
  fc.device = fc.pin = "gpu:0";
  fc.costPs = {{"cpu", 50000000}, {"gpu", 6000000}};
  fc.switchPricePs = 44000000;
  fc.kernel = "fc.matmul_relu";
  fc.bytes = 2048;
  fc.inputs = {"embed", "@fc.weight"};
  OpPlan act;
  act.name = "act";
  act.op = "relu";
  act.device = "gpu:0";
  act.costPs = {{"cpu", 100000}, {"gpu", 300000}};
  act.kernel = "fc.matmul_relu";
  act.bytes = 2048;
  act.inputs = {"fc"};
  EntryPlan entry;
  entry.name = "predict";
  entry.serialCostPs = 28000000;
  entry.boundPs = 28000000;
  entry.makespanPs = 25000000;
  entry.alternatives = {{"all_cpu", 52000000}, {"all_gpu", 30000000}, {"greedy", 29000000}};
  entry.ops = {embed, fc, act};
  entry.outputs = {"act"};
  entry.transfers = {{"embed", "cpu", "gpu:0", "read by fc", 4096, false},
                     {"act", "gpu:0", "cpu", "", 2048, false},
                     {"@fc.weight", "cpu", "gpu:0", "the parameter never changes", 65536, true}};
  entry.kernels = {{"embed.gather", "cpu", "rows", {"embed"}, 1, 0},
                   {"fc.matmul_relu", "gpu:0", "tile 64x64", {"fc", "act"}, 2, 512}};
  MemoryPlan host, device;
  host.device = "cpu";
  host.arenaBytes = 8192;
  host.weightsBytes = 1 << 20;
  device.device = "gpu:0";
  device.arenaBytes = 16384;
  device.weightsBytes = 65536;
  device.scratchBytes = 512;
  device.lowerBound = 8192;
  device.limit = 1 << 20;
  device.boundPs = 27000000;
  device.gapPs = 1000000;
  EntryPlan onHost;
  onHost.name = "predict";
  onHost.serialCostPs = 52000000;
  Plan plan;
  plan.hgcVersion = "0.1.0";
  plan.modelHash = "00112233445566778899aabbccddeeff";
  plan.cpu = "x86-64-v3";
  plan.gpus = {"a100"};
  plan.tableHash = "ffeeddccbbaa99887766554433221100";
  plan.variants = {{{{"batch", 32}}, {{"cpu", {onHost}, {host}}, {"gpu", {entry}, {host, device}}}}};
  return plan;
}

/// The entry of the GPU plan.
inline EntryPlan &getEntry(Plan &plan) { return plan.variants[0].plans[1].entries[0]; }

/// The sample with an argument and a result that the caller has on the GPU.
inline Plan makeResidentSample() {
  Plan plan = makeSample();
  getEntry(plan).residents = {{"tokens", "%tokens", "gpu:0", false}, {"probs", "act", "gpu:0", true}};
  return plan;
}

} // namespace hgc::plans

#endif // HGC_UNITTESTS_REPORT_SAMPLEPLAN_H
