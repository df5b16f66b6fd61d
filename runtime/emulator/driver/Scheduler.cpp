//===- Scheduler.cpp - operations, and when they run ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "Driver.h"

using namespace hgc::emu::driver;

void Scheduler::attach(Stream &stream) {
  if (freeSlots.empty()) {
    stream.slot = unsigned(ticks.size());
    ticks.push_back(0);
    return;
  }
  stream.slot = freeSlots.back();
  freeSlots.pop_back();
}

void Scheduler::detach(Stream &stream) { retired.push_back(stream.slot); }

void Scheduler::destroy(const std::shared_ptr<Stream> &stream) {
  Context &context = *stream->context;
  detach(*stream);
  context.streams.erase(stream);
  context.orphans.push_back(stream);
  dropFinishedOrphans(context);
}

void Scheduler::dropFinishedOrphans(Context &context) {
  auto finished = [&](const std::shared_ptr<Stream> &stream) {
    const OpPtr &last = stream->last;
    return !last || host.covers(last->stamp.slot, last->stamp.tick);
  };
  auto &orphans = context.orphans;
  orphans.erase(std::remove_if(orphans.begin(), orphans.end(), finished),
                orphans.end());
}

OpPtr Scheduler::issue(const std::shared_ptr<Context> &context,
                       const std::shared_ptr<Stream> &stream, OpPtr op) {
  op->context = context;
  op->id = ++issued;
  auto dependOn = [&](const Stream &other) {
    if (other.last)
      op->dependencies.push_back(other.last);
  };
  dependOn(*stream);
  // The legacy default stream and the blocking streams wait for each other.
  if (stream->legacy) {
    auto dependOnBlocking = [&](const std::shared_ptr<Stream> &other) {
      if (other->blocking)
        dependOn(*other);
    };
    std::for_each(context->streams.begin(), context->streams.end(),
                  dependOnBlocking);
    std::for_each(context->orphans.begin(), context->orphans.end(),
                  dependOnBlocking);
  } else if (stream->blocking) {
    dependOn(*stream->context->legacy);
  }
  op->clock = host;
  for (const OpPtr &before : op->dependencies)
    op->clock.join(before->clock);
  op->stamp.slot = stream->slot;
  op->stamp.tick = ++ticks[stream->slot];
  op->stamp.who = std::make_shared<const std::string>(
      op->what + " (#" + std::to_string(op->id) + ", " + stream->name + ")");
  op->clock.set(stream->slot, op->stamp.tick);
  stream->last = op;
  pending.push_back(op);
  timeline.issue(op);
  if (config.schedule == Schedule::Eager)
    complete(op);
  else if (config.schedule == Schedule::Seed)
    for (uint64_t n = random() % 3; n > 0 && !pending.empty(); --n)
      runRandomReady();
  return op;
}

bool Scheduler::ready(const Op &op) const {
  return std::all_of(op.dependencies.begin(), op.dependencies.end(),
                     [](const OpPtr &before) { return before->done; });
}

void Scheduler::runRandomReady() {
  std::vector<OpPtr> candidates;
  for (const OpPtr &op : pending)
    if (ready(*op))
      candidates.push_back(op);
  execute(*candidates[random() % candidates.size()]);
}

void Scheduler::complete(const OpPtr &target) {
  if (!target)
    return;
  while (config.schedule == Schedule::Seed && !target->done)
    runRandomReady();
  std::vector<OpPtr> stack{target};
  while (!stack.empty()) {
    OpPtr op = stack.back();
    if (op->done) {
      stack.pop_back();
      continue;
    }
    auto waiting =
        std::find_if(op->dependencies.begin(), op->dependencies.end(),
                     [](const OpPtr &before) { return !before->done; });
    if (waiting == op->dependencies.end())
      execute(*op);
    else
      stack.push_back(*waiting);
  }
}

void Scheduler::step(const OpPtr &target) {
  OpPtr op = target;
  while (op && !op->done) {
    auto waiting =
        std::find_if(op->dependencies.begin(), op->dependencies.end(),
                     [](const OpPtr &before) { return !before->done; });
    if (waiting == op->dependencies.end())
      return execute(*op);
    op = *waiting;
  }
}

void Scheduler::execute(Op &op) {
  // Nothing runs any more in a context that met a fault.
  bool lost = op.context->sticky != HGC_CU_SUCCESS;
  if (op.run && (!lost || op.always))
    op.run(op);
  if (op.context->sticky == HGC_CU_SUCCESS)
    checkOrder(op);
  op.done = true;
  op.run = nullptr;
  op.accesses.clear();
  pending.remove_if([&](const OpPtr &other) { return other.get() == &op; });
}

void Scheduler::checkOrder(Op &op) {
  if (!config.checkOrder)
    return;
  bool reported = false;
  for (const Access &access : op.accesses) {
    auto conflict = history.access(access.begin, access.end, access.write,
                                   op.stamp, op.clock);
    if (!conflict || reported)
      continue;
    reported = true;
    uint64_t begin = std::max(conflict->begin, access.begin);
    uint64_t end = std::min(conflict->end, access.end);
    const char *memory = Driver::get().deviceOf(begin) ? "device" : "host";
    Driver::get().fault(
        *op.context, HGC_CU_ERROR_LAUNCH_FAILED,
        "missing synchronisation: " + *op.stamp.who +
            (access.write ? " writes " : " reads ") +
            std::to_string(end - begin) + " bytes of " + memory +
            " memory at " + hex(begin) + " that " + *conflict->other.who +
            (conflict->otherWrote ? " writes" : " reads") +
            ", and nothing orders the two",
        "record an event after the first and make the second stream wait for "
        "it, or synchronise");
  }
}

void Scheduler::hostWait(const OpPtr &op) {
  if (!op)
    return;
  complete(op);
  host.join(op->clock);
  timeline.hostWait(op);
  tidy();
}

void Scheduler::completeDevice(const Device *device) {
  // Running an operation may finish others of the list.
  std::vector<OpPtr> all(pending.begin(), pending.end());
  for (const OpPtr &op : all)
    if (!device || op->context->device == device)
      complete(op);
}

void Scheduler::abandon() {
  for (const OpPtr &op : pending) {
    op->done = true;
    op->run = nullptr;
  }
  pending.clear();
}

void Scheduler::hostWaitContext(Context *context) {
  std::vector<OpPtr> lasts;
  auto add = [&](const std::shared_ptr<Stream> &stream) {
    if (stream->last)
      lasts.push_back(stream->last);
  };
  add(context->legacy);
  std::for_each(context->streams.begin(), context->streams.end(), add);
  std::for_each(context->orphans.begin(), context->orphans.end(), add);
  std::sort(lasts.begin(), lasts.end(),
            [](const OpPtr &a, const OpPtr &b) { return a->id < b->id; });
  for (const OpPtr &op : lasts) {
    complete(op);
    host.join(op->clock);
    timeline.hostWait(op);
  }
  dropFinishedOrphans(*context);
  tidy();
}

void Scheduler::completeOverlapping(uint64_t begin, uint64_t end) {
  std::vector<OpPtr> all(pending.begin(), pending.end());
  for (const OpPtr &op : all)
    for (size_t i = 0; i < op->accesses.size(); ++i)
      if (op->accesses[i].begin < end && begin < op->accesses[i].end) {
        complete(op);
        break;
      }
}

bool Scheduler::mayBeWritten(uint64_t begin, uint64_t end) const {
  for (const OpPtr &op : pending) {
    if (op->hostCall)
      return true;
    for (const Access &a : op->accesses)
      if (a.write && a.begin < end && begin < a.end)
        return true;
  }
  return false;
}

void Scheduler::force(const OpPtr &op) {
  timeline.advance();
  while (!op->timed) {
    complete(timeline.blockedBy());
    timeline.advance();
  }
}

double Scheduler::hostTime() {
  while (OpPtr blocked = timeline.blockedBy()) {
    complete(blocked);
    timeline.advance();
  }
  return timeline.hostTime();
}

void Scheduler::tidy() {
  timeline.advance();
  if (!pending.empty())
    return;
  history.prune(host);
  for (size_t i = 0; i < retired.size();) {
    unsigned slot = retired[i];
    if (!host.covers(slot, ticks[slot])) {
      ++i;
      continue;
    }
    freeSlots.push_back(slot);
    retired.erase(retired.begin() + i);
  }
}
