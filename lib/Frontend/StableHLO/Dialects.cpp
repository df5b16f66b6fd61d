//===- Dialects.cpp - StableHLO's text as generic operations --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Dialects.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace hgc::stablehlo;

namespace {

/// `#stablehlo<comparison_direction LT>` is the string `LT`; attributes whose parts
/// an importer looks at are dictionaries; others their text, which nothing reads.
Attribute parseAnyAttribute(DialectAsmParser &parser) {
  StringRef text = parser.getFullSymbolSpec();
  mlir::Builder &builder = parser.getBuilder();
  StringRef mnemonic = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  bool isStructured = llvm::is_contained({"dot", "gather", "scatter", "conv"}, mnemonic);
  if (!isStructured || !text.drop_front(mnemonic.size()).starts_with("<"))
    return builder.getStringAttr(text.drop_front(mnemonic.size()).trim());
  if (parser.parseKeyword(mnemonic) || parser.parseLess())
    return {};
  if (mnemonic == "conv") {
    Attribute numbers;
    return parseValue(parser, numbers) || parser.parseGreater() ? Attribute() : numbers;
  }
  NamedAttrList pairs;
  if (parsePairs(parser, pairs) || parser.parseGreater())
    return {};
  return pairs.getDictionary(builder.getContext());
}

/// Whatever the text says is accepted; importers check what they use.
class LenientDialect : public Dialect {
public:
  LenientDialect(StringRef name, MLIRContext *context, TypeID id) : Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override { return ParseOpHook(parsePrettyOp); }
  Attribute parseAttribute(DialectAsmParser &parser, Type) const override { return parseAnyAttribute(parser); }
  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::get(StringAttr::get(getContext(), getNamespace()), parser.getFullSymbolSpec());
  }
  void printType(Type, DialectAsmPrinter &) const override {}
};

struct StableHloDialect : LenientDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StableHloDialect)
  explicit StableHloDialect(MLIRContext *context)
      : LenientDialect(getDialectNamespace(), context, TypeID::get<StableHloDialect>()) {}
  static StringRef getDialectNamespace() { return "stablehlo"; }
};

/// Ops that are composed of others, such as `chlo.erf`.
struct ChloDialect : LenientDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ChloDialect)
  explicit ChloDialect(MLIRContext *context)
      : LenientDialect(getDialectNamespace(), context, TypeID::get<ChloDialect>()) {}
  static StringRef getDialectNamespace() { return "chlo"; }
};

/// Shardings, which JAX writes into attributes.
struct ShardyDialect : LenientDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShardyDialect)
  explicit ShardyDialect(MLIRContext *context)
      : LenientDialect(getDialectNamespace(), context, TypeID::get<ShardyDialect>()) {}
  static StringRef getDialectNamespace() { return "sdy"; }
};

} // namespace

void hgc::stablehlo::loadDialects(MLIRContext &context) {
  context.loadDialect<StableHloDialect, ChloDialect, ShardyDialect>();
}
