//===- BlobTable.cpp - parameters and constants as blobs ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ModuleTables.h"

using namespace mlir;
using namespace hgc;

std::string SymbolNames::makeUnique(StringRef name) {
  std::string candidate = name.str();
  for (unsigned n = 1; !used.insert(candidate).second; ++n)
    candidate = (name + "_" + Twine(n)).str();
  return candidate;
}

MemRefType hgc::getBufferType(Type tensor, Attribute space) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface{}, space);
}

BlobTable::BlobTable(ModuleOp module, SymbolNames &names)
    : builder(OpBuilder::atBlockBegin(module.getBody())), names(names) {
  llvm::StringSet<> read, assigned;
  module.walk([&](Operation *op) {
    if (auto reader = dyn_cast<graph::ReadOp>(op))
      read.insert(reader.getParameter());
    else if (auto assign = dyn_cast<graph::AssignOp>(op); assign && !assign->getParentOp()->hasAttr("hgc.load"))
      assigned.insert(assign.getParameter());
  });
  for (auto parameter : module.getOps<graph::ParameterOp>()) {
    StringRef name = parameter.getSymName();
    bool isMutable = assigned.contains(name);
    // What no entry touches (say, a weight that lives on in packed form only)
    // takes no space in the library.
    if (!isMutable && !read.contains(name))
      continue;
    // Filled by the load program: has no bytes of its own.
    bool isLoaded = parameter->hasAttr("hgc.loaded");
    auto packedFrom = parameter->getAttrOfType<StringAttr>("hgc.packed_from");
    StringAttr holds = isLoaded ? StringAttr() : packedFrom ? packedFrom : builder.getStringAttr(name);
    Attribute value = isLoaded ? builder.getUnitAttr() : parameter.getValue();
    auto blob = exec::BlobOp::create(builder, parameter.getLoc(), name, getBufferType(parameter.getTensorType()), value,
                                     isMutable, holds, /*packed=*/packedFrom != nullptr, /*offset=*/nullptr,
                                     /*init_offset=*/nullptr, /*device_offsets=*/nullptr, /*device_only=*/isLoaded);
    parameters[name] = blob;
  }
}

exec::BlobOp BlobTable::getConstant(ElementsAttr value, Location loc) {
  exec::BlobOp &blob = constants[value];
  if (!blob)
    blob = exec::BlobOp::create(builder, loc, names.makeUnique("const"), getBufferType(value.getType()), value,
                                /*is_mutable=*/false, /*parameter=*/nullptr, /*packed=*/false, /*offset=*/nullptr,
                                /*init_offset=*/nullptr, /*device_offsets=*/nullptr, /*device_only=*/false);
  return blob;
}
