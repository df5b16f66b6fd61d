//===- TileChoice.cpp - sizes of loops that were measured -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/TileChoice.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace hgc;

static constexpr std::pair<llvm::StringLiteral, int64_t TileChoice::*> kFields[] = {
    {"rows", &TileChoice::rows},
    {"panels", &TileChoice::panels},
    {"row_block", &TileChoice::rowBlock},
    {"panel_block", &TileChoice::panelBlock},
    {"depth_block", &TileChoice::depthBlock}};

std::string TileChoice::str() const {
  std::string text;
  for (const auto &[name, field] : kFields)
    if (this->*field)
      text += (text.empty() ? "" : ",") + name.str() + "=" + std::to_string(this->*field);
  return text;
}

std::optional<TileChoice> TileChoice::parse(StringRef text) {
  // Larger than any extent that a block could have.
  constexpr int64_t most = 1 << 24;
  TileChoice choice;
  for (StringRef item : llvm::split(text, ',')) {
    if (text.empty())
      break;
    std::pair<StringRef, StringRef> parts = item.split('=');
    const auto *field = llvm::find_if(kFields, [&](const auto &field) { return field.first == parts.first; });
    int64_t size = 0;
    if (field == std::end(kFields) || parts.second.getAsInteger(10, size) || size < 1 || size > most)
      return std::nullopt;
    choice.*field->second = size;
  }
  return choice;
}

TileChoice hgc::getTileChoice(Operation *op) {
  auto text = op->getAttrOfType<StringAttr>(kTileAttr);
  return text ? TileChoice::parse(text.getValue()).value_or(TileChoice()) : TileChoice();
}

void hgc::setTileChoice(Operation *op, const TileChoice &choice) {
  op->removeAttr(kTileAttr);
  if (std::string text = choice.str(); !text.empty())
    op->setAttr(kTileAttr, StringAttr::get(op->getContext(), text));
}
