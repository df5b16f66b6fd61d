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
    else if (auto assign = dyn_cast<graph::AssignOp>(op))
      assigned.insert(assign.getParameter());
  });
  for (auto parameter : module.getOps<graph::ParameterOp>()) {
    StringRef name = parameter.getSymName();
    bool isMutable = assigned.contains(name);
    // What no entry touches (say, a weight that lives on in packed form only)
    // takes no space in the library.
    if (!isMutable && !read.contains(name))
      continue;
    auto packedFrom = parameter->getAttrOfType<StringAttr>("hgc.packed_from");
    auto blob =
        exec::BlobOp::create(builder, parameter.getLoc(), name, getBufferType(parameter.getTensorType()),
                             parameter.getValue(), isMutable, packedFrom ? packedFrom : builder.getStringAttr(name),
                             /*packed=*/packedFrom != nullptr, /*offset=*/nullptr, /*init_offset=*/nullptr,
                             /*device_offsets=*/nullptr);
    parameters[name] = blob;
  }
}

exec::BlobOp BlobTable::getConstant(ElementsAttr value, Location loc) {
  exec::BlobOp &blob = constants[value];
  if (!blob)
    blob = exec::BlobOp::create(builder, loc, names.makeUnique("const"), getBufferType(value.getType()), value,
                                /*is_mutable=*/false, /*parameter=*/nullptr, /*packed=*/false, /*offset=*/nullptr,
                                /*init_offset=*/nullptr, /*device_offsets=*/nullptr);
  return blob;
}
