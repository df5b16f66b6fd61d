//===- VersionCommand.cpp - hgc version -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ArgParser.h"
#include "Driver.h"

#include "hgc/Support/Version.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"

int hgc::driver::runVersion(llvm::ArrayRef<const char *> args) {
  ArgParser parser("version", "print versions of hgc and LLVM", "", "  hgc version\n");
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed)
    return report(parsed.takeError());
  if (*parsed)
    llvm::outs() << "hgc " HGC_VERSION_STRING "\nLLVM " LLVM_VERSION_STRING "\nhost "
                 << llvm::sys::getDefaultTargetTriple() << " " << llvm::sys::getHostCPUName() << "\n";
  return kDone;
}
