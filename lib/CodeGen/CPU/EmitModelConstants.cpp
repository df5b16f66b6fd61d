//===- EmitModelConstants.cpp - constants of the model library ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitModelConstants.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

ConstantBuilder::ConstantBuilder(ModuleOp module) : module(module), symbols(module), builder(module.getContext()) {}

std::string ConstantBuilder::uniqueName(StringRef name) {
  std::string unique = name.str();
  for (unsigned number = 2; symbols.lookup(unique); ++number)
    unique = (name + "_" + Twine(number)).str();
  return unique;
}

LLVM::GlobalOp ConstantBuilder::createGlobal(StringRef name, Type type, Attribute value, unsigned alignment) {
  builder.setInsertionPointToEnd(module.getBody());
  auto global = LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                       uniqueName(name), value, alignment);
  global.setDsoLocal(true);
  symbols.insert(global);
  return global;
}

std::string ConstantBuilder::bytes(StringRef name, StringRef value) {
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), value.size());
  return createGlobal(name, type, builder.getStringAttr(value), 16).getSymName().str();
}

std::string ConstantBuilder::text(StringRef value) {
  std::string &symbol = texts[value];
  if (symbol.empty()) {
    std::string terminated = value.str();
    terminated.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), terminated.size());
    LLVM::GlobalOp global = createGlobal("hgc_text", type, builder.getStringAttr(terminated), 1);
    // Equal texts of several objects may be merged by the linker.
    global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
    symbol = global.getSymName().str();
  }
  return symbol;
}

Field ConstantBuilder::numbers(StringRef name, ArrayRef<int64_t> values) {
  if (values.empty())
    return Field::null();
  auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), values.size());
  return Field::pointer(createGlobal(name, type, builder.getI64TensorAttr(values), 8).getSymName());
}

Value ConstantBuilder::buildField(OpBuilder &init, const Field &field) {
  Location loc = module.getLoc();
  if (field.bits)
    return LLVM::ConstantOp::create(init, loc, init.getIntegerType(field.bits), field.value);
  if (field.symbol.empty())
    return LLVM::ZeroOp::create(init, loc, pointerType());
  return LLVM::AddressOfOp::create(init, loc, pointerType(), field.symbol);
}

std::string ConstantBuilder::structs(StringRef name, ArrayRef<Fields> elements) {
  SmallVector<Type> types;
  for (const Field &field : elements.front())
    types.push_back(field.bits ? Type(builder.getIntegerType(field.bits)) : pointerType());
  auto structType = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  auto arrayType = LLVM::LLVMArrayType::get(structType, elements.size());
  LLVM::GlobalOp global = createGlobal(name, arrayType, Attribute(), 8);

  Location loc = module.getLoc();
  OpBuilder init = OpBuilder::atBlockBegin(&global.getInitializerRegion().emplaceBlock());
  Value array = LLVM::UndefOp::create(init, loc, arrayType);
  for (auto [i, fields] : llvm::enumerate(elements)) {
    Value element = LLVM::UndefOp::create(init, loc, structType);
    for (auto [k, field] : llvm::enumerate(fields))
      element = LLVM::InsertValueOp::create(init, loc, element, buildField(init, field), k);
    array = LLVM::InsertValueOp::create(init, loc, array, element, i);
  }
  LLVM::ReturnOp::create(init, loc, array);
  return global.getSymName().str();
}

Field ConstantBuilder::table(StringRef name, ArrayRef<Fields> elements) {
  return elements.empty() ? Field::null() : Field::pointer(structs(name, elements));
}

void ConstantBuilder::makeRoom(StringRef name) {
  if (Operation *holder = symbols.lookup(name))
    (void)symbols.rename(holder, uniqueName((name + "_").str()));
}

LLVM::LLVMFuncOp ConstantBuilder::declare(StringRef name, Type result, ArrayRef<Type> arguments) {
  if (auto function = symbols.lookup<LLVM::LLVMFuncOp>(name))
    return function;
  builder.setInsertionPointToEnd(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, arguments));
  if (name.starts_with("hgc_rt_")) {
    // Linked into the same library: no indirection through the GOT.
    function.setVisibility_(LLVM::Visibility::Hidden);
    function.setDsoLocal(true);
  }
  symbols.insert(function);
  return function;
}
