//===- hgc-opt.cpp - runs passes on textual IR ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Pipeline/Registration.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  hgc::registerPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  hgc::registerDialects(registry);
  // Tests of the tests: a pass named here does nothing (scripts/check_tests.py).
  if (const char *name = std::getenv("HGC_SKIP_PASS"))
    hgc::skipPass(registry, name);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "hgc pass driver\n", registry));
}
