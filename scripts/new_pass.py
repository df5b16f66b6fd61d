#!/usr/bin/env python3
"""Scaffold a pass: scripts/new_pass.py Transforms CancelRoundTrips

Writes the .td entry, the .cpp file, the CMake line and a lit test, each with the
places to fill in marked by FILL. Refuses to touch a pass that exists.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

TD = """def {name} : Pass<"{flag}", "::mlir::ModuleOp"> {{
  let summary = "FILL: a verb phrase, lower case";
  let description = [{{
    FILL: what it does.

    Needs FILL to have run. Guarantees FILL.

    ```mlir
    FILL: before
    // becomes
    FILL: after
    ```
  }}];
}}

"""

CPP = """//===- {name}.cpp - FILL: title {dashes}===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILL: why the pass exists, in at most six lines.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphOps.h"
#include "hgc/{group}/Passes.h"

namespace hgc {{
#define GEN_PASS_DEF_{upper}
#include "hgc/{group}/Passes.h.inc"
}} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {{

struct {name} final : hgc::impl::{name}Base<{name}> {{
  void runOnOperation() override {{
    getOperation().walk([](Operation *op) {{ (void)op; /* FILL */ }});
  }}
}};

}} // namespace
"""

TEST = """// RUN: hgc-opt --{flag} --split-input-file %s | FileCheck %s

// FILL: one sentence per case; the rewrite, the nearest non-match, a multi-use
// case. Errors go into {file}-errors.mlir.
// CHECK-LABEL: func.func @FILL
"""


def to_flag(name):
    return "-".join(part.lower() for part in re.findall(r"[A-Z][a-z0-9]*", name))


def insert_source(cmake, name):
    """Adds `name`.cpp to the sorted SRCS list of the folder's library."""
    lines = cmake.read_text().splitlines()
    sources = [i for i, line in enumerate(lines) if re.fullmatch(r"    \w+\.cpp", line)]
    if not sources:
        sys.exit(f"new_pass: no list of sources in {cmake}")
    at = next((i for i in sources if lines[i].strip() > f"{name}.cpp"), sources[-1] + 1)
    lines.insert(at, f"    {name}.cpp")
    cmake.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("group", help="folder under lib/, such as Transforms")
    parser.add_argument("name", help="a verb phrase in camel case, such as CancelRoundTrips")
    args = parser.parse_args()
    if not re.fullmatch(r"([A-Z][a-z0-9]+)+", args.name):
        parser.error(f"'{args.name}' is not camel case")
    folder = ROOT / "lib" / args.group
    td = ROOT / "include" / "hgc" / args.group / "Passes.td"
    if not td.exists():
        parser.error(f"'{args.group}' has no {td.relative_to(ROOT)}")
    source = folder / f"{args.name}.cpp"
    if source.exists():
        parser.error(f"{source.relative_to(ROOT)} exists")

    file = to_flag(args.name)
    words = {"name": args.name, "group": args.group, "flag": f"hgc-{file}", "file": file,
             "upper": args.name.upper(), "dashes": "-" * max(1, 54 - len(args.name))}
    head, end = td.read_text().rsplit("#endif", 1)
    td.write_text(head + TD.format(**words) + "#endif" + end)
    source.write_text(CPP.format(**words))
    insert_source(folder / "CMakeLists.txt", args.name)
    test = ROOT / "test" / args.group / f"{file}.mlir"
    test.parent.mkdir(parents=True, exist_ok=True)
    test.write_text(TEST.format(**words))
    for path in (td, source, folder / "CMakeLists.txt", test):
        print(path.relative_to(ROOT))
    print("next: fill in FILL, add the pass to lib/Pipeline with a line saying why there")


if __name__ == "__main__":
    main()
