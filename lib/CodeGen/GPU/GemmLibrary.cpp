//===- GemmLibrary.cpp - products a library may compute -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only products without an epilogue: a library would need another pass over the
// result for it.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/GemmLibrary.h"

#include "hgc/CodeGen/Common/EmitContext.h"
#include "hgc/CodeGen/GPU/Contraction.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

/// Time at the arithmetic peak from which on a call of the library pays.
static constexpr double kWorthwhilePs = 1e7;

/// Smallest extent of such a product.
static constexpr int64_t kSmallestExtent = 64;

static double getPeak(const Contraction &problem, const GpuTable &gpu) {
  if (problem.element.isF64())
    return gpu.rate(graph::FlopClass::F64);
  if (problem.element.isF32())
    return problem.isTf32() ? gpu.tensorTf32 : gpu.rate(graph::FlopClass::F32);
  return gpu.tensorF16;
}

/// The one step between matrices of a batch; nothing when steps differ.
static std::optional<int64_t> getUniformStride(ArrayRef<int64_t> extents, ArrayRef<int64_t> strides) {
  int64_t stride = 0, expected = 0;
  bool isFirst = true;
  for (size_t d = extents.size(); d-- > 0;) {
    if (extents[d] == 1)
      continue;
    if (isFirst)
      stride = strides[d];
    else if (strides[d] != expected)
      return std::nullopt;
    isFirst = false;
    expected = strides[d] * extents[d];
  }
  return stride;
}

namespace {
/// A row-major matrix, perhaps stored transposed.
struct Matrix {
  explicit Matrix(const OperandMap &map) {
    isTransposed = map.depth[0].stride != 1;
    leading = isTransposed ? map.depth[0].stride : map.rows[0].stride;
  }
  bool isTransposed;
  int64_t leading;
};
} // namespace

/// Number of the buffer that an operand was loaded from.
static int64_t getArgument(Value operand) {
  return cast<BlockArgument>(operand.getDefiningOp<exec::LoadOp>().getBuffer()).getArgNumber();
}

static bool isPlainProduct(exec::KernelOp kernel, graph::MatmulOp op, const Contraction &problem, const GpuTable &gpu) {
  if (codegen::getStore(kernel).getValue() != op.getResult() || !isa<FloatType>(problem.element))
    return false;
  if (!problem.lhs.isMatrix() || !problem.rhs.isMatrix())
    return false;
  if (std::min({problem.rows, problem.columns, problem.depth}) < kSmallestExtent)
    return false;
  double operations = 2.0 * static_cast<double>(problem.rows) * static_cast<double>(problem.columns) *
                      static_cast<double>(problem.depth) * static_cast<double>(problem.batch);
  return 1e12 * operations / std::max(getPeak(problem, gpu), 1e9) >= kWorthwhilePs;
}

DictionaryAttr hgc::gpu::describeLibraryGemm(exec::KernelOp kernel, const GpuTable &gpu) {
  auto op = dyn_cast_or_null<graph::MatmulOp>(codegen::getRoot(kernel));
  if (!op)
    return nullptr;
  Contraction problem(op);
  problem.allowsTf32 = gpu.sm >= kOldestTf32Sm && allowsTf32(kernel->getParentOfType<ModuleOp>());
  if (!isPlainProduct(kernel, op, problem, gpu))
    return nullptr;
  auto strideA = getUniformStride(problem.batchExtents, problem.lhs.batchStrides);
  auto strideB = getUniformStride(problem.batchExtents, problem.rhs.batchStrides);
  if (!strideA || !strideB)
    return nullptr;
  Builder b(kernel.getContext());
  NamedAttrList fields;
  auto add = [&](StringRef key, int64_t value) { fields.set(key, b.getI64IntegerAttr(value)); };
  // The right operand's rows are columns of the product.
  Matrix left(problem.lhs), right(problem.rhs);
  add("m", problem.rows);
  add("n", problem.columns);
  add("k", problem.depth);
  add("batch", problem.batch);
  add("lda", left.leading);
  add("ldb", right.leading);
  add("ldc", problem.columns);
  add("stride_a", *strideA);
  add("stride_b", *strideB);
  add("stride_c", problem.rows * problem.columns);
  fields.set("type_a", TypeAttr::get(problem.element));
  fields.set("type_b", TypeAttr::get(problem.element));
  fields.set("type_c", TypeAttr::get(problem.accumulator));
  add("transpose_a", left.isTransposed);
  add("transpose_b", !right.isTransposed);
  add("arg_a", getArgument(op.getLhs()));
  add("arg_b", getArgument(op.getRhs()));
  if (problem.isTf32())
    add("allow_tf32", 1);
  add("arg_c", kernel.getBody().getNumArguments() - 1);
  return fields.getDictionary(kernel.getContext());
}
