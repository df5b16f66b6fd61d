//===- HostTensor.h - a tensor's value in host memory -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row-major, contiguous, in the memory form of the element type (i1 is a byte).
// Copies share memory; writing to a shared or borrowed tensor copies it first.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_EVAL_HOSTTENSOR_H
#define HGC_GRAPH_EVAL_HOSTTENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hgc {

/// A typed, shaped array of bytes.
class HostTensor {
public:
  /// A null tensor: no type, no data.
  HostTensor() = default;

  /// All zeros.
  HostTensor(mlir::Type element, llvm::ArrayRef<int64_t> shape);

  /// Refers to `data`, kept alive by `owner` and aligned for the element type.
  static HostTensor borrow(mlir::Type element, llvm::ArrayRef<int64_t> shape, const char *data,
                           std::shared_ptr<const void> owner);

  /// Every element is `value`, rounded or wrapped to the element type.
  static HostTensor splat(mlir::Type element, llvm::ArrayRef<int64_t> shape, double value);

  /// Rounds each value to the element type (floats and i1: nonzero is true;
  /// integers truncate and wrap).
  static HostTensor fromDoubles(mlir::Type element, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<double> values);

  /// Wraps each value to an integer element type, or rounds it to a float.
  static HostTensor fromInts(mlir::Type element, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> values);

  /// Value of a `dense`, splat or `dense_resource` attribute.
  static llvm::Expected<HostTensor> fromAttr(mlir::ElementsAttr attr);

  /// A splat or `dense` attribute, or a `dense_resource` (shared memory, named
  /// `name`) when the data is larger than 1 KiB.
  mlir::ElementsAttr toAttr(llvm::StringRef name = "hgc_constant") const;

  explicit operator bool() const { return static_cast<bool>(element); }
  mlir::Type getElementType() const { return element; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  int64_t getDim(int64_t dim) const { return shape[dim]; }
  /// `tensor<2x3xf32>` for this tensor.
  mlir::RankedTensorType getType() const { return mlir::RankedTensorType::get(shape, element); }
  int64_t getNumElements() const { return count; }
  int64_t getElementBytes() const;
  int64_t getNumBytes() const { return count * getElementBytes(); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(element); }

  const char *data() const { return bytes.get(); }
  llvm::ArrayRef<char> getBytes() const { return {bytes.get(), static_cast<size_t>(getNumBytes())}; }
  /// Memory only this tensor refers to.
  char *mutableData();

  /// Element `index` in row-major order, exact for all but 64-bit integers.
  double getDouble(int64_t index) const;
  /// Element of an integer tensor; ui64 keeps its bits. Floats truncate.
  int64_t getInt(int64_t index) const;
  uint64_t getUInt(int64_t index) const { return static_cast<uint64_t>(getInt(index)); }
  void setDouble(int64_t index, double value);
  void setInt(int64_t index, int64_t value);

  std::vector<double> toDoubles() const;
  std::vector<int64_t> toInts() const;

  /// The same elements under another shape with as many elements.
  HostTensor reshape(llvm::ArrayRef<int64_t> newShape) const;
  /// The same bytes read as another element type of equal size.
  HostTensor bitcast(mlir::Type newElement) const;
  /// Copies the elements at `offset + sum(index[i] * strides[i])` (in elements)
  /// for every index of `newShape`.
  HostTensor gatherStrided(llvm::ArrayRef<int64_t> newShape, llvm::ArrayRef<int64_t> strides, int64_t offset = 0) const;
  /// Row-major strides, in elements.
  llvm::SmallVector<int64_t> getStrides() const;

  /// Same type, shape and bytes.
  bool operator==(const HostTensor &other) const;
  bool operator!=(const HostTensor &other) const { return !(*this == other); }
  /// Whether all elements have the same bytes; true for one element.
  bool isSplat() const;

  /// Text such as `2x2xf32=1,2,3,4`, at most `limit` elements.
  std::string str(int64_t limit = 16) const;

private:
  mlir::Type element;
  llvm::SmallVector<int64_t> shape;
  int64_t count = 0;
  bool owned = false;
  std::shared_ptr<char> bytes;
};

/// Elements of `shape`, or nothing when they or `elementBytes` times as many
/// overflow 63 bits or an extent is negative.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape, int64_t elementBytes = 1);

/// Rounds to the nearest value of a float type.
double roundToFloat(mlir::Type element, double value);
/// Wraps to the range of an integer type (i1: the lowest bit).
int64_t wrapToInt(mlir::Type element, int64_t value);

/// How far `actual` is from `expected`.
struct Comparison {
  /// Types and shapes agree; nothing else is meaningful when they do not.
  bool comparable = false;
  /// NaN and infinities are at the same places, with the same signs.
  bool patternsMatch = true;
  /// max|a-b| / max(max|b|, 1e-3 rms(b), tiny) over the finite elements.
  double error = 0;
  /// Row-major index of the first element that is off by more than the bound or
  /// breaks the pattern; -1 if there is none.
  int64_t firstBad = -1;

  bool ok(double bound) const { return comparable && patternsMatch && error <= bound; }
};

/// Measures the error of a whole tensor; `bound` only decides `firstBad`.
Comparison compare(const HostTensor &actual, const HostTensor &expected, double bound = 0);

} // namespace hgc

#endif // HGC_GRAPH_EVAL_HOSTTENSOR_H
