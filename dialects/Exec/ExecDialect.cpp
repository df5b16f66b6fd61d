//===- ExecDialect.cpp - registration of the exec dialect -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Exec/ExecOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace hgc::exec;

#include "dialects/Exec/ExecDialect.cpp.inc"
#include "dialects/Exec/ExecEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Exec/ExecAttrs.cpp.inc"

void ExecDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Exec/ExecAttrs.cpp.inc"
      >();
}

std::optional<unsigned> hgc::exec::getGpu(Type buffer) {
  auto memref = dyn_cast<MemRefType>(buffer);
  auto space = memref ? dyn_cast_if_present<SpaceAttr>(memref.getMemorySpace()) : SpaceAttr();
  if (!space || space.getKind() != SpaceKind::GPU)
    return std::nullopt;
  return space.getIndex();
}

std::string hgc::exec::getSpaceName(Attribute space) {
  auto attr = cast<SpaceAttr>(space);
  return (stringifySpaceKind(attr.getKind()) + "_" + Twine(attr.getIndex())).str();
}

std::optional<unsigned> hgc::exec::getActionGpu(Operation *op) {
  if (!isa<CopyOp, FillOp, LaunchOp, LibraryOp>(op))
    return std::nullopt;
  std::optional<unsigned> gpu;
  // The last buffer is the target.
  for (Value buffer : op->getOperands())
    if (std::optional<unsigned> other = getGpu(buffer.getType()))
      gpu = other;
  return gpu;
}

void ExecDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Exec/ExecOps.cpp.inc"
      >();
}
