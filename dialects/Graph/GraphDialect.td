//===- GraphDialect.td - dialect, attributes, op classes -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_DIALECT_TD
#define HGC_GRAPH_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Graph/Interfaces.td"

def HGC_Dialect : Dialect {
  let name = "hgc";
  let cppNamespace = "::hgc::graph";
  let summary = "model graphs on tensors";
  let description = [{
    A model is a module of `hgc.parameter` symbols and entry functions
    (`hgc.entry`). Ops have value semantics on ranked tensors; where they run is
    the attribute `hgc.device`, and shapes are static once `hgc-bind-dims` ran.

    Discardable attributes the dialect verifies: `hgc.entry` (unit, on
    functions), `hgc.name` (string, on ops, arguments and results), `hgc.shape`
    (dim names or extents, on arguments), `hgc.extents` (name of the result that
    holds the actual shape, on results whose type is the largest shape),
    `hgc.device` (`#hgc.device`, on ops and functions), `hgc.dims` (dictionary
    from dim name to its extents, on modules), `hgc.grad` (unit, or names of
    arguments and parameters to differentiate by, on entries), `hgc.frozen` (unit,
    on parameters that training leaves as they are).
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
    /// Names of the discardable attributes.
    static constexpr ::llvm::StringLiteral kEntry = "hgc.entry";
    static constexpr ::llvm::StringLiteral kName = "hgc.name";
    static constexpr ::llvm::StringLiteral kShape = "hgc.shape";
    static constexpr ::llvm::StringLiteral kExtents = "hgc.extents";
    static constexpr ::llvm::StringLiteral kDevice = "hgc.device";
    static constexpr ::llvm::StringLiteral kDims = "hgc.dims";
    static constexpr ::llvm::StringLiteral kFrozen = "hgc.frozen";
    static constexpr ::llvm::StringLiteral kGrad = "hgc.grad";
    /// Set by hgc-bind-dims on each clone: entry it came from, dims it is for.
    static constexpr ::llvm::StringLiteral kVariantOf = "hgc.variant_of";
    static constexpr ::llvm::StringLiteral kVariantDims = "hgc.variant_dims";
  }];
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class HGC_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::hgc::graph";
  let genSpecializedAttr = 0;
}
class HGC_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<HGC_Dialect, info, mnemonic>;

def HGC_DeviceKind : HGC_Enum<"DeviceKind", "kind of device", [
  I32EnumAttrCase<"CPU", 0, "cpu">, I32EnumAttrCase<"GPU", 1, "gpu">]>;
def HGC_InitKind : HGC_Enum<"InitKind", "initial distribution of a parameter", [
  I32EnumAttrCase<"Zeros", 0, "zeros">, I32EnumAttrCase<"Ones", 1, "ones">,
  I32EnumAttrCase<"Uniform", 2, "uniform">, I32EnumAttrCase<"Normal", 3, "normal">,
  I32EnumAttrCase<"GlorotUniform", 4, "glorot_uniform">, I32EnumAttrCase<"GlorotNormal", 5, "glorot_normal">,
  I32EnumAttrCase<"HeUniform", 6, "he_uniform">, I32EnumAttrCase<"HeNormal", 7, "he_normal">,
  I32EnumAttrCase<"LecunUniform", 8, "lecun_uniform">, I32EnumAttrCase<"LecunNormal", 9, "lecun_normal">]>;
def HGC_ComparePredicate : HGC_Enum<"ComparePredicate", "comparison", [
  I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">, I32EnumAttrCase<"LT", 2, "lt">,
  I32EnumAttrCase<"LE", 3, "le">, I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]>;
def HGC_ReduceKind : HGC_Enum<"ReduceKind", "reduction", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">, I32EnumAttrCase<"Prod", 2, "prod">,
  I32EnumAttrCase<"Max", 3, "max">, I32EnumAttrCase<"Min", 4, "min">,
  I32EnumAttrCase<"Any", 5, "any">, I32EnumAttrCase<"All", 6, "all">]>;
def HGC_PoolKind : HGC_Enum<"PoolKind", "pooling", [
  I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Avg", 1, "avg">, I32EnumAttrCase<"Sum", 2, "sum">]>;
def HGC_PadMode : HGC_Enum<"PadMode", "what padding holds", [
  I32EnumAttrCase<"Constant", 0, "constant">, I32EnumAttrCase<"Edge", 1, "edge">,
  I32EnumAttrCase<"Reflect", 2, "reflect">, I32EnumAttrCase<"Wrap", 3, "wrap">]>;
def HGC_DataLayout : HGC_Enum<"DataLayout", "order of a convolution's data dims", [
  I32EnumAttrCase<"ChannelsLast", 0, "channels_last">, I32EnumAttrCase<"ChannelsFirst", 1, "channels_first">]>;
def HGC_FilterLayout : HGC_Enum<"FilterLayout", "order of a convolution's filter dims", [
  I32EnumAttrCase<"HWIO", 0, "hwio">, I32EnumAttrCase<"OIHW", 1, "oihw">]>;
def HGC_PackKind : HGC_Enum<"PackKind", "which operand a packed tensor serves", [
  I32EnumAttrCase<"MatmulRhs", 0, "matmul_rhs">, I32EnumAttrCase<"ConvFilter", 1, "conv_filter">]>;

def HGC_InitKindAttr : HGC_EnumAttr<HGC_InitKind, "init_kind">;
def HGC_ComparePredicateAttr : HGC_EnumAttr<HGC_ComparePredicate, "predicate">;
def HGC_ReduceKindAttr : HGC_EnumAttr<HGC_ReduceKind, "reduce_kind">;
def HGC_PoolKindAttr : HGC_EnumAttr<HGC_PoolKind, "pool_kind">;
def HGC_PadModeAttr : HGC_EnumAttr<HGC_PadMode, "pad_mode">;
def HGC_DataLayoutAttr : HGC_EnumAttr<HGC_DataLayout, "data_layout">;
def HGC_FilterLayoutAttr : HGC_EnumAttr<HGC_FilterLayout, "filter_layout">;
def HGC_PackKindAttr : HGC_EnumAttr<HGC_PackKind, "pack_kind">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class HGC_Attr<string name, string attrMnemonic> : AttrDef<HGC_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def HGC_DeviceAttr : HGC_Attr<"Device", "device"> {
  let summary = "a device: `#hgc.device<gpu:0>`, `#hgc.device<cpu>`";
  let parameters = (ins EnumParameter<HGC_DeviceKind>:$kind, DefaultValuedParameter<"unsigned", "0">:$index);
  let assemblyFormat = "`<` $kind (`:` $index^)? `>`";
}
def HGC_FileAttr : HGC_Attr<"File", "file"> {
  let summary = "a tensor in a safetensors file, path relative to the model";
  let parameters = (ins StringRefParameter<"path of the file">:$path, StringRefParameter<"tensor in it">:$tensor);
  let assemblyFormat = "`<` $path `,` $tensor `>`";
}
def HGC_InitAttr : HGC_Attr<"Init", "init"> {
  let summary = "a seeded initial distribution: `#hgc.init<glorot_uniform, seed = 2>`";
  let description = [{
    `uniform` draws from [-scale, scale), `normal` has deviation `scale`; the
    scaled families take their deviation from the parameter's fans.
  }];
  let parameters = (ins EnumParameter<HGC_InitKind>:$kind, "int64_t":$seed, APFloatParameter<"">:$factor);
  let builders = [AttrBuilder<(ins "InitKind":$kind, CArg<"int64_t", "0">:$seed, CArg<"double", "1.0">:$scale),
                              [{ return $_get($_ctxt, kind, seed, ::llvm::APFloat(scale)); }]>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    double getScale() const { return getFactor().convertToDouble(); }
  }];
}
def HGC_PackedAttr : HGC_Attr<"Packed", "packed"> {
  let summary = "an operand in panel layout: panel width and logical shape";
  let description = [{
    `#hgc.packed<16, [784, 128]>` says that the operand holds the row-major
    tensor of that shape as written by `hgc.pack` with panels of 16 columns. How many
    rows are interleaved follows from the operand's last extent.
  }];
  let parameters = (ins "int64_t":$width, ArrayRefParameter<"int64_t">:$shape);
  let assemblyFormat = "`<` $width `,` `[` $shape `]` `>`";
}
def HGC_BoundsAttr : HGC_Attr<"Bounds", "bounds"> {
  let summary = "upper bounds of the dynamic extents of a tensor type's encoding";
  let parameters = (ins ArrayRefParameter<"int64_t">:$limits);
  let assemblyFormat = "`<` `[` $limits `]` `>`";
}

//===----------------------------------------------------------------------===//
// Types and op classes
//===----------------------------------------------------------------------===//

def HGC_Float : AnyTypeOf<[F32, F64, F16, BF16]>;
def HGC_Int : AnyTypeOf<[I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64]>;
def HGC_Number : AnyTypeOf<[F32, F64, F16, BF16, I8, I16, I32, I64, UI8, UI16, UI32, UI64]>;
def HGC_Element : AnyTypeOf<[F32, F64, F16, BF16, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64]>;
def HGC_Tensor : RankedTensorOf<[HGC_Element]>;
def HGC_FloatTensor : RankedTensorOf<[HGC_Float]>;
def HGC_IntTensor : RankedTensorOf<[HGC_Int]>;
def HGC_NumberTensor : RankedTensorOf<[HGC_Number]>;
def HGC_BoolTensor : RankedTensorOf<[I1]>;
def HGC_IndexTensor : RankedTensorOf<[I32, I64]>;

/// Operands and results fit into the size limit of a tensor.
def HGC_BoundedTensors : NativeOpTrait<"BoundedTensors"> { let cppNamespace = "::hgc::graph"; }
/// Reports a result type that does not follow from the op, with a hint; listed
/// before the upstream interface, whose own report has none.
def HGC_CheckedInference : NativeOpTrait<"CheckedInference"> { let cppNamespace = "::hgc::graph"; }

class HGC_Op<string mnemonic, list<Trait> traits = []>
    : Op<HGC_Dialect, mnemonic, !listconcat([HGC_BoundedTensors], traits)>;

/// Result types follow from operands and attributes. A declared type may be less
/// or more precise in its dynamic extents than the inferred one.
class HGC_InferredOp<string mnemonic, list<Trait> traits = []>
    : HGC_Op<mnemonic, !listconcat([Pure, CostOp, HGC_CheckedInference, InferTypeOpAdaptor], traits)> {
  code compatibleDecl = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange lhs, ::mlir::TypeRange rhs) {
      return ::hgc::graph::areCompatible(lhs, rhs);
    }
  }];
  let extraClassDeclaration = compatibleDecl;
}

/// Roots, index maps and views state their kind in `fusionKind`.
class HGC_KindedOp<string mnemonic, string fusionKind, list<Trait> traits = []>
    : HGC_InferredOp<mnemonic, !listconcat([FusibleOp], traits)> {
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::}] # fusionKind # [{; }
  }];
}

#endif // HGC_GRAPH_DIALECT_TD
