//===- Windows.cpp - sliding windows of convolutions and pools ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Windows.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

/// Largest window, stride, dilation or padding the graph dialect takes.
static constexpr int64_t kMaxEntry = int64_t(1) << 24;

Extents SlidingWindow::getPads() const {
  Extents pads(low);
  pads.append(high.begin(), high.end());
  return pads;
}

Extents SlidingWindow::getCoveringPads() const {
  Extents pads(low);
  for (int64_t i = 0; i < getRank(); ++i)
    pads.push_back(std::max(high[i], (output[i] - 1) * strides[i] + getReach(i) - input[i] - low[i]));
  return pads;
}

bool SlidingWindow::hasEmptyWindow(int64_t dim) const {
  for (int64_t i = 0; i < output[dim]; ++i) {
    int64_t start = i * strides[dim] - low[dim];
    int64_t skipped = start < 0 ? llvm::divideCeil(-start, dilations[dim]) : 0;
    if (skipped >= kernel[dim] || start + skipped * dilations[dim] >= input[dim])
      return true;
  }
  return false;
}

FailureOr<Extents> hgc::onnx::getSpatialExtents(Node &node, Value data) {
  int64_t rank = Node::rankOf(data);
  if (rank < 3 || rank > 5)
    return node.unsupported("data of rank " + Twine(rank) + "; one to three spatial dims are supported");
  return Extents(Node::shapeOf(data).drop_front(2));
}

LogicalResult hgc::onnx::checkChannels(Node &node, Value data) {
  int64_t rank = Node::rankOf(data);
  if (rank >= 2)
    return success();
  return node.invalid("data of rank " + Twine(rank) + " has no channels", "data is [batch, channels, ...]");
}

FailureOr<Extents> hgc::onnx::getWindowList(Node &node, StringRef name, int64_t count, int64_t otherwise) {
  Extents list = node.getIntList(name);
  if (list.empty())
    return Extents(count, otherwise);
  int64_t least = name == "pads" || name == "output_padding" ? 0 : 1;
  bool isFit = static_cast<int64_t>(list.size()) == count &&
               llvm::all_of(list, [&](int64_t entry) { return entry >= least && entry <= kMaxEntry; });
  if (isFit)
    return list;
  return node.invalid("attribute '" + name + "' does not fit the spatial dims",
                      "it has " + Twine(count) + " entries, each at least " + Twine(least));
}

/// Sets the pads that `auto_pad` stands for and the result's extents.
static void padAutomatically(SlidingWindow &window, StringRef mode) {
  for (int64_t i = 0; i < window.getRank(); ++i) {
    int64_t extent = window.input[i], stride = window.strides[i], reach = window.getReach(i);
    bool isSame = mode != "VALID";
    int64_t output = isSame ? llvm::divideCeil(extent, stride) : (extent < reach ? 0 : (extent - reach) / stride + 1);
    int64_t total = isSame ? std::max<int64_t>((output - 1) * stride + reach - extent, 0) : 0;
    window.low[i] = mode == "SAME_LOWER" ? total - total / 2 : total / 2;
    window.high[i] = total - window.low[i];
    window.output.push_back(output);
  }
}

/// Extents of the result under the pads that are set.
static void slideOver(SlidingWindow &window, bool roundUp) {
  for (int64_t i = 0; i < window.getRank(); ++i) {
    int64_t stride = window.strides[i];
    int64_t room = window.input[i] + window.low[i] + window.high[i] - window.getReach(i);
    int64_t output = room < 0 ? 0 : room / stride + 1;
    // A window that only exists by rounding up starts inside the input.
    if (roundUp && room >= 0 && room % stride != 0 && output * stride < window.input[i] + window.low[i])
      ++output;
    window.output.push_back(output);
  }
}

/// The attributes of a window; pads are those that are written. The kernel is the
/// attribute `kernel_shape` unless it follows from a filter.
static FailureOr<SlidingWindow> readWindow(Node &node, Value data, Shape filter) {
  FailureOr<Extents> spatial = getSpatialExtents(node, data);
  if (failed(spatial))
    return failure();
  int64_t count = spatial->size();
  SlidingWindow window;
  window.input = *spatial;
  FailureOr<Extents> kernel = getWindowList(node, "kernel_shape", count, 1);
  FailureOr<Extents> strides = getWindowList(node, "strides", count, 1);
  FailureOr<Extents> dilations = getWindowList(node, "dilations", count, 1);
  FailureOr<Extents> pads = getWindowList(node, "pads", 2 * count, 0);
  if (failed(kernel) || failed(strides) || failed(dilations) || failed(pads))
    return failure();
  if (filter.empty() && !node.hasAttribute("kernel_shape"))
    return node.invalid("attribute 'kernel_shape' is missing", "give the extents of the window");
  if (!filter.empty() && node.hasAttribute("kernel_shape") && Shape(*kernel) != filter)
    return node.invalid("attribute 'kernel_shape' differs from the filter's shape",
                        "drop the attribute: the filter says it");
  window.kernel = filter.empty() ? *kernel : Extents(filter);
  window.strides = *strides;
  window.dilations = *dilations;
  window.low.assign(pads->begin(), pads->begin() + count);
  window.high.assign(pads->begin() + count, pads->end());
  StringRef mode = node.getString("auto_pad", "NOTSET");
  if (mode != "NOTSET" && mode != "VALID" && mode != "SAME_UPPER" && mode != "SAME_LOWER")
    return node.invalid("'" + mode + "' is no value of attribute 'auto_pad'",
                        "use NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  return window;
}

/// Resolves `auto_pad` and `ceil_mode`.
static FailureOr<SlidingWindow> placeWindow(Node &node, FailureOr<SlidingWindow> window) {
  if (failed(window))
    return failure();
  StringRef mode = node.getString("auto_pad", "NOTSET");
  if (mode == "NOTSET")
    slideOver(*window, node.getInt("ceil_mode", 0) != 0);
  else
    padAutomatically(*window, mode);
  if (llvm::is_contained(window->output, 0))
    return node.invalid("the window is larger than the padded input", "enlarge 'pads' or use a smaller window");
  return window;
}

/// The window a filter has; fails (reported) when it does not fit the data.
static FailureOr<SlidingWindow> readFilterWindow(Node &node, Value data, Value filter) {
  if (Node::rankOf(data) != Node::rankOf(filter) || Node::rankOf(filter) < 3)
    return node.invalid("data and filter do not fit in rank", "both have two dims before the spatial ones");
  return readWindow(node, data, Node::shapeOf(filter).drop_front(2));
}

FailureOr<SlidingWindow> hgc::onnx::getPoolWindow(Node &node, Value data) {
  return placeWindow(node, readWindow(node, data, {}));
}

FailureOr<SlidingWindow> hgc::onnx::getFilterWindow(Node &node, Value data, Value filter) {
  return placeWindow(node, readFilterWindow(node, data, filter));
}

FailureOr<SlidingWindow> hgc::onnx::getTransposedWindow(Node &node, Value data, Value filter) {
  FailureOr<SlidingWindow> window = readFilterWindow(node, data, filter);
  if (failed(window))
    return failure();
  int64_t count = window->getRank();
  FailureOr<Extents> extra = getWindowList(node, "output_padding", count, 0);
  Extents wanted = node.getIntList("output_shape");
  // Some exporters also name batch and channels.
  if (static_cast<int64_t>(wanted.size()) == count + 2)
    wanted.erase(wanted.begin(), wanted.begin() + 2);
  if (failed(extra))
    return failure();
  if (!wanted.empty() && static_cast<int64_t>(wanted.size()) != count)
    return node.invalid("attribute 'output_shape' does not fit the spatial dims", "give one extent per spatial dim");
  StringRef mode = node.getString("auto_pad", "NOTSET");
  for (int64_t i = 0; i < count; ++i) {
    int64_t full = window->getFull(i) + (*extra)[i];
    if (wanted.empty() && !mode.starts_with("SAME")) {
      if (mode == "VALID")
        window->low[i] = window->high[i] = 0;
      window->output.push_back(full - window->low[i] - window->high[i]);
      continue;
    }
    window->output.push_back(wanted.empty() ? window->input[i] * window->strides[i] : wanted[i]);
    int64_t total = std::max<int64_t>(full - window->output[i], 0);
    // Of an odd amount the larger part is at the start, with SAME_UPPER at the end.
    window->low[i] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
    window->high[i] = total - window->low[i];
  }
  if (llvm::any_of(window->output, [](int64_t extent) { return extent < 1; }))
    return node.invalid("the transposed convolution has no output", "use smaller 'pads' or a larger 'output_shape'");
  return window;
}

Value hgc::onnx::lowest(Node &node, Type element) {
  if (isa<FloatType>(element))
    return node.scalar(element, -std::numeric_limits<double>::infinity());
  if (element.isUnsignedInteger())
    return node.scalar(element, 0);
  return node.scalar(element, -std::ldexp(1.0, static_cast<int>(element.getIntOrFloatBitWidth()) - 1));
}
