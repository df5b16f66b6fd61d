//===- NpyHeader.cpp - the dictionary at the top of a .npy ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header is a Python literal. Only what NumPy writes is understood: string
// keys, and values that are strings, booleans or tuples of integers.
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"

#include "dialects/Graph/ElementTypes.h"
#include "dialects/Graph/Eval/HostTensor.h"
#include "hgc/Support/Error.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace hgc;

static llvm::Error malformed(const llvm::Twine &what) {
  return makeError("malformed .npy header: " + what, "write the file again with numpy.save");
}

namespace {

/// Recursive descent over the dictionary; every step consumes from `text`.
struct HeaderParser {
  llvm::StringRef text;
  std::optional<std::string> descr;
  std::optional<bool> fortranOrder;
  std::optional<llvm::SmallVector<int64_t>> shape;

  void skipSpace() { text = text.ltrim(" \t\r\n"); }
  bool consume(char c) {
    skipSpace();
    return text.consume_front(llvm::StringRef(&c, 1));
  }

  llvm::Expected<llvm::StringRef> parseString() {
    skipSpace();
    if (text.empty() || (text.front() != '\'' && text.front() != '"'))
      return malformed("expected a string");
    size_t end = text.find(text.front(), 1);
    if (end == llvm::StringRef::npos)
      return malformed("unterminated string");
    llvm::StringRef result = text.slice(1, end);
    text = text.drop_front(end + 1);
    return result;
  }

  llvm::Error parseShape() {
    if (!consume('('))
      return malformed("'shape' is not a tuple");
    shape.emplace();
    while (!consume(')')) {
      int64_t extent;
      skipSpace();
      if (text.empty() || !llvm::isDigit(text.front()) || text.consumeInteger(10, extent))
        return malformed("'shape' holds something that is no extent");
      // Python 2 wrote long integers with a suffix.
      text.consume_front("L");
      shape->push_back(extent);
      if (!consume(',') && (skipSpace(), !text.starts_with(")")))
        return malformed("'shape' is not closed");
    }
    return llvm::Error::success();
  }

  llvm::Error parseEntry() {
    llvm::Expected<llvm::StringRef> key = parseString();
    if (!key)
      return key.takeError();
    if (!consume(':'))
      return malformed("expected ':' after '" + *key + "'");
    if (*key == "descr") {
      llvm::Expected<llvm::StringRef> value = parseString();
      if (!value) {
        llvm::consumeError(value.takeError());
        return makeError("structured .npy arrays are not tensors", "save one array per file");
      }
      descr = value->str();
      return llvm::Error::success();
    }
    if (*key == "fortran_order") {
      skipSpace();
      bool isTrue = text.consume_front("True");
      if (!isTrue && !text.consume_front("False"))
        return malformed("'fortran_order' is neither True nor False");
      fortranOrder = isTrue;
      return llvm::Error::success();
    }
    if (*key == "shape")
      return parseShape();
    return malformed("unknown key '" + *key + "'");
  }

  llvm::Error parse() {
    if (!consume('{'))
      return malformed("expected a dictionary");
    while (!consume('}')) {
      if (llvm::Error error = parseEntry())
        return error;
      if (!consume(',') && (skipSpace(), !text.starts_with("}")))
        return malformed("the dictionary is not closed");
    }
    if (!descr || !fortranOrder || !shape)
      return malformed("'descr', 'fortran_order' and 'shape' are needed");
    return llvm::Error::success();
  }
};

} // namespace

static Type elementOfDescr(llvm::StringRef name, MLIRContext *context) {
  unsigned bytes;
  if (name.size() != 2 || name.drop_front().getAsInteger(10, bytes))
    return {};
  bool isPower = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  switch (name.front()) {
  case 'b':
    return bytes == 1 ? IntegerType::get(context, 1) : Type();
  case 'i':
    return isPower ? IntegerType::get(context, 8 * bytes) : Type();
  case 'u':
    return isPower ? IntegerType::get(context, 8 * bytes, IntegerType::Unsigned) : Type();
  case 'f':
    if (bytes == 2)
      return Float16Type::get(context);
    if (bytes == 4)
      return Float32Type::get(context);
    return bytes == 8 ? Float64Type::get(context) : Type();
  default:
    return {};
  }
}

llvm::Expected<NpyHeader> hgc::parseNpyHeader(llvm::StringRef bytes, MLIRContext *context) {
  using namespace llvm::support;
  constexpr llvm::StringLiteral kMagic = "\x93NUMPY";
  if (!bytes.starts_with(kMagic))
    return makeError("not a .npy file: it does not start with the NumPy magic", "write it with numpy.save");
  if (bytes.size() < 12)
    return makeError("truncated .npy file: " + llvm::Twine(bytes.size()) + " bytes", "copy the file again");
  uint8_t version = bytes[6];
  if (version < 1 || version > 3)
    return makeError(".npy version " + llvm::Twine(unsigned(version)) + " is not known", "use version 1.0 to 3.0");
  size_t start = version == 1 ? 10 : 12;
  size_t length = version == 1 ? endian::read16le(bytes.data() + 8) : endian::read32le(bytes.data() + 8);
  if (length > bytes.size() - start)
    return makeError("truncated .npy file: the header has " + llvm::Twine(length) + " bytes, the file " +
                         llvm::Twine(bytes.size()),
                     "copy the file again");
  HeaderParser parser{bytes.substr(start, length), {}, {}, {}};
  if (llvm::Error error = parser.parse())
    return error;
  NpyHeader header;
  llvm::StringRef descr = *parser.descr;
  header.swapBytes = descr.consume_front(">");
  if (!header.swapBytes && !descr.consume_front("<") && !descr.consume_front("|"))
    descr.consume_front("=");
  header.element = elementOfDescr(descr, context);
  if (!header.element)
    return makeError("NumPy type '" + *parser.descr + "' is not a tensor element type",
                     "convert with astype to float16/32/64, bool, int8..64 or uint8..64");
  header.shape = std::move(*parser.shape);
  header.fortranOrder = *parser.fortranOrder;
  header.dataOffset = start + length;
  if (!countElements(header.shape, graph::getElementBytes(header.element)))
    return malformed("the shape overflows");
  return header;
}

std::string hgc::getNpyDescr(Type element) {
  if (element.isInteger(1))
    return "|b1";
  int64_t bytes = graph::getElementBytes(element);
  char kind = element.isBF16() || element.isUnsignedInteger() ? 'u' : isa<FloatType>(element) ? 'f' : 'i';
  return std::string(1, bytes == 1 ? '|' : '<') + kind + std::to_string(bytes);
}
