//===- Refused.cpp - ops of the standard that hgc does not import ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "lib/Frontend/ONNX/OpTable.h"

#include "llvm/ADT/ArrayRef.h"

namespace hgc::onnx {

static void refuseAll(OpTable &table, llvm::StringRef reason, llvm::ArrayRef<llvm::StringRef> ops) {
  for (llvm::StringRef op : ops)
    table.refuse(op, reason);
}

void addRefusedOps(OpTable &table) {
  refuseAll(table, "hgc has no tensors of strings",
            {"RegexFullMatch", "StringConcat", "StringNormalizer", "StringSplit"});
  refuseAll(table, "the caller decodes images", {"ImageDecoder"});
  refuseAll(table, "hgc has no maps", {"ai.onnx.ml::CastMap", "ai.onnx.ml::DictVectorizer", "ai.onnx.ml::ZipMap"});
  refuseAll(table, "classical models are not imported",
            {
                "ai.onnx.ml::CategoryMapper",
                "ai.onnx.ml::LabelEncoder",
                "ai.onnx.ml::LinearClassifier",
                "ai.onnx.ml::OneHotEncoder",
                "ai.onnx.ml::SVMClassifier",
                "ai.onnx.ml::SVMRegressor",
                "ai.onnx.ml::TreeEnsembleClassifier",
            });
}

} // namespace hgc::onnx
