//===- Pretty.cpp - reads the form of ops that people look at -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most ops are a list of operands, words and `key = value` pairs, then a
// dictionary, then types. What is read gets the names of the generic form.
//===----------------------------------------------------------------------===//

#include "Dialects.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace hgc::stablehlo;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A list in brackets, if there is one: `[1, 2]` is an array of integers, other lists are lists of attributes.
static OptionalParseResult parseOptionalList(AsmParser &parser, Attribute &value) {
  if (failed(parser.parseOptionalLSquare()))
    return std::nullopt;
  SmallVector<Attribute> items;
  if (failed(parser.parseOptionalRSquare())) {
    do {
      if (parseValue(parser, items.emplace_back()))
        return failure();
    } while (succeeded(parser.parseOptionalComma()));
    if (parser.parseRSquare())
      return failure();
  }
  SmallVector<int64_t> numbers;
  for (Attribute item : items)
    if (auto number = dyn_cast<IntegerAttr>(item); number && number.getType().isSignlessInteger(64))
      numbers.push_back(number.getInt());
  bool isInts = numbers.size() == items.size();
  value = isInts ? Attribute(parser.getBuilder().getDenseI64ArrayAttr(numbers))
                 : Attribute(parser.getBuilder().getArrayAttr(items));
  return success();
}

/// `{stride = [1, 1], ...}` of windows and `<lhs_precision_type = tf32, ...>` of products.
static ParseResult parseGroup(AsmParser &parser, Attribute &value, bool isBraced) {
  NamedAttrList pairs;
  if (parsePairs(parser, pairs) || (isBraced ? parser.parseRBrace() : parser.parseGreater()))
    return failure();
  value = pairs.getDictionary(parser.getContext());
  return success();
}

/// A word, or a number; anything else is what MLIR takes it for.
static ParseResult parseScalar(AsmParser &parser, Attribute &value) {
  int64_t number;
  StringRef word;
  if (OptionalParseResult parsed = parser.parseOptionalInteger(number); parsed.has_value()) {
    value = parser.getBuilder().getI64IntegerAttr(number);
    return *parsed;
  }
  if (failed(parser.parseOptionalKeyword(&word)))
    return parser.parseAttribute(value);
  if (word == "true" || word == "false")
    value = parser.getBuilder().getI64IntegerAttr(word == "true");
  else
    value = parser.getBuilder().getStringAttr(word);
  return success();
}

ParseResult hgc::stablehlo::parseValue(AsmParser &parser, Attribute &value) {
  if (succeeded(parser.parseOptionalLBrace()))
    return parseGroup(parser, value, /*isBraced=*/true);
  if (succeeded(parser.parseOptionalLess()))
    return parseGroup(parser, value, /*isBraced=*/false);
  Attribute list;
  OptionalParseResult parsed = parseOptionalList(parser, list);
  if (!parsed.has_value())
    return parseScalar(parser, value);
  SmallVector<Attribute> lists;
  while (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    lists.push_back(list);
    if (failed(parser.parseOptionalKeyword("x")) && failed(parser.parseOptionalArrow()))
      break;
    parsed = parseOptionalList(parser, list);
    if (!parsed.has_value())
      return parser.emitError(parser.getCurrentLocation(), "expected a list in brackets");
  }
  value = lists.size() == 1 ? lists.front() : Attribute(parser.getBuilder().getArrayAttr(lists));
  return success();
}

ParseResult hgc::stablehlo::parsePairs(AsmParser &parser, NamedAttrList &pairs) {
  StringRef key;
  if (failed(parser.parseOptionalKeyword(&key)))
    return success();
  while (true) {
    Attribute value;
    if (parser.parseEqual() || parseValue(parser, value))
      return failure();
    pairs.set(key, value);
    if (failed(parser.parseOptionalComma()))
      return success();
    if (parser.parseKeyword(&key))
      return failure();
  }
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {

/// The generic form's name of a key.
StringRef getAttributeName(StringRef op, StringRef key) {
  std::string name = (op + "." + key).str();
  return llvm::StringSwitch<StringRef>(name)
      .Case("broadcast_in_dim.dims", "broadcast_dimensions")
      .Case("transpose.dims", "permutation")
      .Case("reverse.dims", "dimensions")
      .Case("iota.dim", "iota_dimension")
      .Cases({"concatenate.dim", "get_dimension_size.dim"}, "dimension")
      .Case("dynamic_slice.sizes", "slice_sizes")
      .Case("pad.low", "edge_padding_low")
      .Case("pad.high", "edge_padding_high")
      .Case("pad.interior", "interior_padding")
      .Case("convolution.dim_numbers", "dimension_numbers")
      .Case("window.stride", "window_strides")
      .Case("window.pad", "padding")
      .Case("window.lhs_dilate", "lhs_dilation")
      .Case("window.rhs_dilate", "rhs_dilation")
      .Case("window.reverse", "window_reversal")
      .Default(key);
}

class PrettyOp {
public:
  PrettyOp(OpAsmParser &parser, OperationState &state)
      : parser(parser), state(state), loc(parser.getNameLoc()), name(state.name.getStringRef().split('.').second) {}

  ParseResult parse();

private:
  ParseResult parseItems();
  OptionalParseResult parseItem();
  ParseResult parsePair(StringRef key);
  ParseResult parseRanges();
  ParseResult parseTypes();
  ParseResult parseConstant();
  ParseResult parseReduce();
  ParseResult parseReducer();
  ParseResult parseWhile();
  ParseResult parseMesh();
  void addReducer(StringRef op, Type type);

  OpAsmParser &parser;
  OperationState &state;
  SMLoc loc;
  StringRef name;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  unsigned words = 0;
};

} // namespace

ParseResult PrettyOp::parsePair(StringRef key) {
  Attribute value;
  if (parseValue(parser, value))
    return failure();
  if (auto window = dyn_cast<DictionaryAttr>(value); window && key == "window") {
    for (NamedAttribute item : window)
      state.addAttribute(getAttributeName(key, item.getName()), item.getValue());
    return success();
  }
  auto sides = dyn_cast<ArrayAttr>(value);
  if (name == "dot_general" && sides && sides.size() == 2 && key.consume_back("_dims")) {
    for (auto [side, dims] : llvm::zip(ArrayRef<StringRef>{"lhs_", "rhs_"}, sides))
      state.addAttribute((side + key + "_dimensions").str(), dims);
    return success();
  }
  state.addAttribute(getAttributeName(name, key), value);
  return success();
}

/// `[0:2, 1:3:2]`
ParseResult PrettyOp::parseRanges() {
  SmallVector<int64_t> starts, limits, strides;
  auto parseRange = [&]() -> ParseResult {
    strides.push_back(1);
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() || parser.parseInteger(limits.emplace_back()))
      return failure();
    return failed(parser.parseOptionalColon()) ? success() : parser.parseInteger(strides.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  mlir::Builder &builder = parser.getBuilder();
  state.addAttribute("start_indices", builder.getDenseI64ArrayAttr(starts));
  state.addAttribute("limit_indices", builder.getDenseI64ArrayAttr(limits));
  state.addAttribute("strides", builder.getDenseI64ArrayAttr(strides));
  return success();
}

OptionalParseResult PrettyOp::parseItem() {
  OpAsmParser::UnresolvedOperand operand;
  if (OptionalParseResult parsed = parser.parseOptionalOperand(operand); parsed.has_value()) {
    operands.push_back(operand);
    return *parsed;
  }
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parseItems() || parser.parseRParen());
  StringAttr symbol;
  if (succeeded(parser.parseOptionalSymbolName(symbol))) {
    state.addAttribute("call_target_name", symbol);
    return success();
  }
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return std::nullopt;
  if (succeeded(parser.parseOptionalEqual()))
    return parsePair(word);
  StringRef key = name == "compare" ? (words == 0 ? "comparison_direction" : "compare_type") : word;
  state.addAttribute(key, parser.getBuilder().getStringAttr(word));
  ++words;
  return success();
}

ParseResult PrettyOp::parseItems() {
  while (true) {
    OptionalParseResult parsed = parseItem();
    if (!parsed.has_value())
      return success();
    if (failed(*parsed))
      return failure();
    // A target and its operands have no comma between them, nor has a convolution before its numbers.
    (void)parser.parseOptionalComma();
  }
}

/// `: (A, B) -> C`, or `: A` where that says it all.
ParseResult PrettyOp::parseTypes() {
  SmallVector<Type> inputs;
  if (failed(parser.parseOptionalColon()))
    return parser.resolveOperands(operands, inputs, loc, state.operands);
  bool isFunction = succeeded(parser.parseOptionalLParen());
  if (isFunction && failed(parser.parseOptionalRParen()) && (parser.parseTypeList(inputs) || parser.parseRParen()))
    return failure();
  if (!isFunction && parser.parseTypeList(inputs))
    return failure();
  if (isFunction ? succeeded(parser.parseArrow()) : succeeded(parser.parseOptionalArrow())) {
    bool isList = succeeded(parser.parseOptionalLParen());
    if ((!isList || failed(parser.parseOptionalRParen())) &&
        (parser.parseTypeList(state.types) || (isList && parser.parseRParen())))
      return failure();
    return parser.resolveOperands(operands, inputs, loc, state.operands);
  }
  if (isFunction)
    return failure();
  if (name == "optimization_barrier")
    state.addTypes(inputs);
  else if (name != "return")
    state.addTypes(inputs.back());
  // Operands of one type have it once; a choice has the types of its condition and of its result.
  while (name != "return" && inputs.size() < operands.size())
    inputs.push_back(inputs.back());
  if (operands.empty())
    inputs.clear();
  return parser.resolveOperands(operands, inputs, loc, state.operands);
}

ParseResult PrettyOp::parseConstant() {
  Attribute value;
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseAttribute(value))
    return failure();
  state.addAttribute("value", value);
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed)
    return parser.emitError(loc, "a constant needs a value with a type");
  state.addTypes(typed.getType());
  return success();
}

/// `applies stablehlo.add`: the region that the generic form has.
void PrettyOp::addReducer(StringRef op, Type type) {
  auto tensor = dyn_cast<ShapedType>(type);
  Type scalar = RankedTensorType::get({}, tensor ? tensor.getElementType() : parser.getBuilder().getF32Type());
  Location where = parser.getEncodedSourceLoc(loc);
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments({scalar, scalar}, {where, where});
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&block);
  OperationState combine(where, op, block.getArguments(), scalar);
  OperationState yield(where, "stablehlo.return", builder.create(combine)->getResults(), TypeRange());
  builder.create(yield);
}

/// `reducer(%a: T, %b: T) (%i: U, %j: U) { ... }`: values of each input side by side.
ParseResult PrettyOp::parseReducer() {
  SmallVector<OpAsmParser::Argument> left, right;
  while (succeeded(parser.parseOptionalLParen()))
    if (parser.parseArgument(left.emplace_back(), /*allowType=*/true) || parser.parseComma() ||
        parser.parseArgument(right.emplace_back(), /*allowType=*/true) || parser.parseRParen())
      return failure();
  left.append(right);
  return parser.parseRegion(*state.addRegion(), left);
}

/// `(%x init: %c), (%y init: %d) applies stablehlo.add across dimensions = [1] : ...`
ParseResult PrettyOp::parseReduce() {
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  do {
    if (parser.parseLParen() || parser.parseOperand(operands.emplace_back()) || parser.parseKeyword("init") ||
        parser.parseColon() || parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  operands.append(inits);
  StringRef applied;
  if (succeeded(parser.parseOptionalKeyword("applies")) && parser.parseKeyword(&applied))
    return failure();
  Attribute dims;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") || parser.parseEqual() ||
      parseValue(parser, dims) || parser.parseOptionalAttrDict(state.attributes) || parseTypes())
    return failure();
  state.addAttribute("dimensions", dims);
  if (applied.empty())
    return failure(parser.parseKeyword("reducer") || parseReducer());
  addReducer(applied, state.operands.front().getType());
  return success();
}

/// `(%i = %a, ...) : T, ... cond { ... } do { ... }`
ParseResult PrettyOp::parseWhile() {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseAssignmentList(arguments, operands) ||
      (!arguments.empty() && (parser.parseColon() || parser.parseTypeList(state.types))) ||
      parser.resolveOperands(operands, state.types, loc, state.operands) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  for (auto [argument, type] : llvm::zip(arguments, state.types))
    argument.type = type;
  return failure(parser.parseKeyword("cond") || parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseKeyword("do") || parser.parseRegion(*state.addRegion(), arguments));
}

/// `@mesh = <["x"=1], ...>`: devices of JAX, which nothing reads.
ParseResult PrettyOp::parseMesh() {
  StringAttr symbol;
  NamedAttrList pairs;
  auto parseAxis = [&]() -> ParseResult {
    std::string axis;
    int64_t size;
    return failure(parser.parseString(&axis) || parser.parseEqual() || parser.parseInteger(size));
  };
  return failure(parser.parseSymbolName(symbol) || parser.parseEqual() || parser.parseLess() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalSquare, parseAxis) ||
                 (succeeded(parser.parseOptionalComma()) && parsePairs(parser, pairs)) || parser.parseGreater());
}

ParseResult PrettyOp::parse() {
  if (name == "mesh")
    return parseMesh();
  if (name == "constant")
    return parseConstant();
  if (name == "reduce")
    return parseReduce();
  if (name == "while")
    return parseWhile();
  if (name == "composite") {
    std::string composite;
    if (parser.parseString(&composite))
      return failure();
  }
  if (parseItems() || (name == "slice" && parseRanges()) || parser.parseOptionalAttrDict(state.attributes))
    return failure();
  return parseTypes();
}

ParseResult hgc::stablehlo::parsePrettyOp(OpAsmParser &parser, OperationState &state) {
  return PrettyOp(parser, state).parse();
}
