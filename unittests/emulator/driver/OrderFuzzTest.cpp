//===- OrderFuzzTest.cpp - random programs over streams -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random operations on random streams and buffers, with exactly the waits their
// conflicts need. Every schedule must give the result of running them one after
// the other, without a finding. With one wait left out, all schedules must agree
// whether anything is wrong.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <array>
#include <random>

namespace {

constexpr unsigned elements = 96;
constexpr size_t bytes = elements * sizeof(float);
constexpr int buffers = 5, streams = 3;

/// One operation: `to` = f(`from`), on device buffers or with the host.
struct Step {
  enum Kind { Scale, Copy, Fill, Upload, Download } kind;
  int stream, from, to;
};

std::vector<Step> randomProgram(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Step> steps;
  for (int i = 0; i < 30; ++i) {
    Step step;
    step.kind = Step::Kind(random() % 5);
    step.stream = int(random() % streams);
    step.from = int(random() % buffers);
    step.to = int(random() % buffers);
    steps.push_back(step);
  }
  return steps;
}

struct Outcome {
  std::array<float, buffers> device{}, host{};
  bool found = false;
  uint64_t waits = 0;
};

/// The result in the order of the program.
Outcome sequential(const std::vector<Step> &program) {
  Outcome out;
  for (int b = 0; b < buffers; ++b) {
    out.device[size_t(b)] = float(b + 1);
    out.host[size_t(b)] = float(b + 10);
  }
  for (const Step &step : program) {
    size_t from = size_t(step.from), to = size_t(step.to);
    switch (step.kind) {
    case Step::Scale:
      out.device[to] = out.device[from] * 0.5f;
      break;
    case Step::Copy:
      out.device[to] = out.device[from];
      break;
    case Step::Fill:
      out.device[to] = 0;
      break;
    case Step::Upload:
      out.device[to] = out.host[from];
      break;
    case Step::Download:
      out.host[to] = out.device[from];
      break;
    }
  }
  return out;
}

class OrderFuzzTest : public EmulatorTest {
protected:
  Outcome run(const std::vector<Step> &program, const std::string &schedule, uint64_t skip);
  void issue(const Step &step);
  /// Waits for the operations of other streams that `step` conflicts with.
  void waitFor(const Step &step);
  bool conflict(const Step &a, const Step &b) const;

  std::vector<Step> issued;
  std::vector<hgc_cu_event> events;
  hgc_cu_stream stream_[streams];
  hgc_cu_ptr device[buffers];
  float *host[buffers];
};

/// Device buffers are numbered from 0, host buffers behind them.
int reads(const Step &s) { return s.kind == Step::Fill ? -1 : s.kind == Step::Upload ? buffers + s.from : s.from; }
int writes(const Step &s) { return s.kind == Step::Download ? buffers + s.to : s.to; }

bool OrderFuzzTest::conflict(const Step &a, const Step &b) const {
  return writes(a) == writes(b) || writes(a) == reads(b) || reads(a) == writes(b);
}

void OrderFuzzTest::waitFor(const Step &step) {
  for (size_t i = 0; i < issued.size(); ++i)
    if (issued[i].stream != step.stream && conflict(issued[i], step))
      cuStreamWaitEvent(stream_[step.stream], events[i], 0);
}

void OrderFuzzTest::issue(const Step &step) {
  hgc_cu_stream s = stream_[step.stream];
  hgc_cu_ptr from = device[step.from], to = device[step.to];
  // With a wait left out the context may be lost already.
  switch (step.kind) {
  case Step::Scale:
    scale(from, to, 0.5f, elements, s);
    break;
  case Step::Copy:
    if (from != to)
      cuMemcpyDtoDAsync_v2(to, from, bytes, s);
    break;
  case Step::Fill:
    cuMemsetD32Async(to, 0, elements, s);
    break;
  case Step::Upload:
    cuMemcpyHtoDAsync_v2(to, host[step.from], bytes, s);
    break;
  case Step::Download:
    cuMemcpyDtoHAsync_v2(host[step.to], from, bytes, s);
    break;
  }
}

Outcome OrderFuzzTest::run(const std::vector<Step> &program, const std::string &schedule, uint64_t skip) {
  configure({"HGC_EMU_SCHEDULE=" + schedule, "HGC_EMU_SKIP=cuStreamWaitEvent:" + std::to_string(skip)});
  start();
  issued.clear();
  events.clear();
  kernel("scale");
  for (hgc_cu_stream &s : stream_)
    s = stream();
  for (int b = 0; b < buffers; ++b) {
    device[b] = floats(elements, float(b + 1));
    host[b] = pinned(elements, float(b + 10));
  }
  for (const Step &step : program) {
    if (hgcemu_findings() == 0)
      waitFor(step);
    if (hgcemu_findings() == 0)
      issue(step);
    hgc_cu_event e = nullptr;
    cuEventCreate(&e, 0);
    cuEventRecord(e, stream_[step.stream]);
    issued.push_back(step);
    events.push_back(e);
  }
  Outcome out;
  cuCtxSynchronize();
  out.found = hgcemu_findings() != 0;
  out.waits = hgcemu_calls("cuStreamWaitEvent");
  for (int b = 0; b < buffers && !out.found; ++b) {
    out.device[size_t(b)] = read(device[b], elements)[elements - 1];
    out.host[size_t(b)] = host[b][0];
  }
  return out;
}

const char *const schedules[] = {"lazy", "eager", "seed:1", "seed:2", "seed:3"};

} // namespace

TEST_F(OrderFuzzTest, EveryScheduleGivesTheSequentialResult) {
  for (unsigned seed = 0; seed < 15; ++seed) {
    std::vector<Step> program = randomProgram(seed);
    Outcome want = sequential(program);
    for (const char *schedule : schedules) {
      Outcome got = run(program, schedule, 1000000);
      EXPECT_FALSE(got.found) << seed << " " << schedule << lastFinding();
      EXPECT_EQ(got.device, want.device) << seed << " " << schedule;
      EXPECT_EQ(got.host, want.host) << seed << " " << schedule;
    }
  }
}

TEST_F(OrderFuzzTest, AllSchedulesAgreeOnAMissingWait) {
  int found = 0, harmless = 0;
  for (unsigned seed = 20; seed < 23; ++seed) {
    std::vector<Step> program = randomProgram(seed);
    uint64_t waits = run(program, "eager", 1000000).waits;
    for (uint64_t skip = 1; skip <= waits; skip += 4) {
      bool eager = run(program, "eager", skip).found;
      (eager ? found : harmless) += 1;
      for (const char *schedule : {"lazy", "seed:4", "seed:5"})
        EXPECT_EQ(run(program, schedule, skip).found, eager) << seed << " " << schedule << " wait " << skip;
    }
  }
  EXPECT_GT(found, 5);
  EXPECT_GT(harmless, 5);
}
