//===- ExecDialect.td - buffers, copies, launches --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_EXEC_DIALECT_TD
#define HGC_EXEC_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::hgc::exec";
  let summary = "what a compiled model does, step by step";
  let description = [{
    A module holds blobs (weights, constants, state), kernels and programs. A
    program is a sequence of actions on buffers; each program compiles to one
    function, each kernel to one or more. Buffers are memrefs with the element
    types of the graph; a memref without memory space is in host memory.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::hgc::graph::HGCDialect", "::mlir::memref::MemRefDialect"];
  let extraClassDeclaration = "void registerAttributes();";
}

def Exec_SpaceKind : I32EnumAttr<"SpaceKind", "kind of memory", [
    I32EnumAttrCase<"Pinned", 0, "pinned">, I32EnumAttrCase<"GPU", 1, "gpu">]> {
  let cppNamespace = "::hgc::exec";
  let genSpecializedAttr = 0;
}
def Exec_SpaceAttr : AttrDef<Exec_Dialect, "Space"> {
  let mnemonic = "space";
  let summary = "memory space of a buffer that is not plain host memory";
  let parameters = (ins EnumParameter<Exec_SpaceKind>:$kind, DefaultValuedParameter<"unsigned", "0">:$index);
  let assemblyFormat = "`<` $kind (`:` $index^)? `>`";
}

class Exec_Op<string mnemonic, list<Trait> traits = []> : Op<Exec_Dialect, mnemonic, traits>;

#endif // HGC_EXEC_DIALECT_TD
