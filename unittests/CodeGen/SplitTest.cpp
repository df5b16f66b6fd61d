//===- SplitTest.cpp - objects of large modules ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/TranslateToObject.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ELFObjectFile.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace hgc;

namespace {

/// Functions known by their addresses, each with a helper of its own and as many
/// instructions as asked for; all read one constant.
std::string makeModule(unsigned functions, unsigned instructions) {
  std::string text = "llvm.mlir.global internal constant @table(dense<7> : tensor<4xi32>) : !llvm.array<4 x i32>\n";
  std::string addresses;
  for (unsigned i = 0; i < functions; ++i) {
    std::string name = "kernel" + std::to_string(i), helper = "body" + std::to_string(i);
    text += "llvm.func internal @" + name + "(%p: !llvm.ptr) { llvm.call @" + helper +
            "(%p) : (!llvm.ptr) -> ()\n llvm.return }\n";
    text += "llvm.func internal @" + helper + "(%p: !llvm.ptr) attributes {no_inline} {\n" +
            "%t = llvm.mlir.addressof @table : !llvm.ptr\n";
    for (unsigned j = 0; j < instructions; ++j) {
      std::string value = "%v" + std::to_string(j);
      text += value + " = llvm.load volatile " + (j % 2 ? "%p" : "%t") + " : !llvm.ptr -> i32\n";
    }
    text += "llvm.return }\n";
    addresses += "%a" + std::to_string(i) + " = llvm.mlir.addressof @" + name + " : !llvm.ptr\n" + "%s" +
                 std::to_string(i + 1) + " = llvm.insertvalue %a" + std::to_string(i) + ", %s" + std::to_string(i) +
                 "[" + std::to_string(i) + "] : !llvm.array<" + std::to_string(functions) + " x ptr>\n";
  }
  std::string type = "!llvm.array<" + std::to_string(functions) + " x ptr>";
  return "module @m attributes {hgc.target_cpu = \"x86-64-v3\"} {\n" + text +
         "llvm.mlir.global external constant @all() : " + type + " {\n%s0 = llvm.mlir.undef : " + type + "\n" +
         addresses + "llvm.return %s" + std::to_string(functions) + " : " + type + "\n}\n}\n";
}

struct SplitTest : testing::Test {
  SplitTest() { context.loadDialect<LLVM::LLVMDialect>(); }

  std::vector<cpu::ObjectCode> translate(unsigned functions, unsigned instructions) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(makeModule(functions, instructions), &context);
    cpu::ObjectOptions options;
    options.progress = [&](unsigned done, unsigned all) { most = std::max<unsigned>(most, done), total = all; };
    if (module)
      if (auto objects = cpu::translateToObjects(*module, options); succeeded(objects))
        return std::move(*objects);
    return {};
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::atomic<unsigned> most = 0, total = 0;
};

TEST_F(SplitTest, SmallModulesAreOneObject) {
  EXPECT_EQ(translate(8, 100).size(), 1u);
  EXPECT_EQ(total, 0u);
}

TEST_F(SplitTest, PartsShareHiddenSymbolsOnly) {
  std::vector<cpu::ObjectCode> objects = translate(8, 1500);
  ASSERT_EQ(objects.size(), 1u + 4u);
  EXPECT_EQ(most, 8u);
  EXPECT_EQ(total, 8u);
  std::map<std::string, unsigned> definitions;
  for (const cpu::ObjectCode &code : objects) {
    auto object = llvm::object::ObjectFile::createObjectFile(
        llvm::MemoryBufferRef(StringRef(code.data(), code.size()), "part.o"));
    ASSERT_TRUE(static_cast<bool>(object));
    for (const llvm::object::ELFSymbolRef symbol : cast<llvm::object::ELFObjectFileBase>(**object).symbols()) {
      uint32_t flags = llvm::cantFail(symbol.getFlags());
      if (!(flags & llvm::object::SymbolRef::SF_Global))
        continue;
      std::string name = llvm::cantFail(symbol.getName()).str();
      bool isDefined = !(flags & llvm::object::SymbolRef::SF_Undefined);
      definitions[name] += isDefined;
      if (isDefined && name != "all")
        EXPECT_EQ(symbol.getOther() & 3, llvm::ELF::STV_HIDDEN) << name;
    }
  }
  // Helpers and constants went along, and are nobody else's.
  EXPECT_EQ(definitions.size(), 9u);
  for (const auto &[name, count] : definitions)
    EXPECT_EQ(count, 1u) << name;
}

TEST_F(SplitTest, TheSameBytesAgain) { EXPECT_EQ(translate(8, 1500), translate(8, 1500)); }

} // namespace
