//===- GraphTest.h - a parsed module and its ops ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_UNITTESTS_GRAPH_GRAPHTEST_H
#define HGC_UNITTESTS_GRAPH_GRAPHTEST_H

#include "dialects/Graph/GraphOps.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace hgc::graph {

class GraphTest : public testing::Test {
protected:
  GraphTest() { context.loadDialect<HGCDialect, mlir::vector::VectorDialect>(); }

  /// Parses a function `@f` with the given arguments and body.
  void parse(llvm::StringRef arguments, llvm::StringRef body) {
    std::string text = ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
  }

  /// The first op of a kind, which must exist.
  template <typename Op> Op find() {
    Op found;
    module->walk([&](Op op) {
      if (!found)
        found = op;
    });
    return found;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace hgc::graph

#endif // HGC_UNITTESTS_GRAPH_GRAPHTEST_H
