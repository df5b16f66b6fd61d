//===- Arity.cpp - how many inputs an op must have ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the specification. Import functions need not look for inputs that every
// node of their op has. Exporters leave out the `roi` of Resize where it must be.
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace hgc::onnx;
using llvm::StringRef;

namespace {

/// Ops, and from which opset on they have how many inputs that cannot be left out.
struct ArityGroup {
  StringRef versions, ops;
};

constexpr ArityGroup kGroups[] = {
    {"1:0 9:1", "Scan"},
    {"1:1",
     "Abs Acos Acosh ArgMax ArgMin Asin Asinh Atan Atanh AveragePool Bernoulli BitCast BitwiseNot BlackmanWindow "
     "Cast Ceil Celu Clip Concat ConcatFromSequence ConstantOfShape Cos Cosh DFT DepthToSpace Det Dropout "
     "DynamicQuantizeLinear Einsum Elu Erf Exp EyeLike Flatten Floor Gelu GlobalAveragePool GlobalLpPool "
     "GlobalMaxPool HammingWindow HannWindow HardSigmoid HardSwish Hardmax Identity If ImageDecoder IsInf IsNaN "
     "LRN LeakyRelu Log LogSoftmax LpNormalization LpPool Max MaxPool Mean MeanVarianceNormalization Min Mish "
     "Multinomial Neg NonZero Not OptionalGetElement RandomNormalLike RandomUniformLike Reciprocal ReduceL1 "
     "ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare "
     "RegexFullMatch Relu Resize Round Selu SequenceConstruct SequenceErase SequenceLength SequenceMap Shape Shrink "
     "Sigmoid Sign Sin Sinh Size Softmax Softplus Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze "
     "StringNormalizer StringSplit Sum Swish Tan Tanh TfIdfVectorizer ThresholdedRelu Transpose Trilu Unique "
     "ai.onnx.ml::Binarizer ai.onnx.ml::CastMap ai.onnx.ml::CategoryMapper ai.onnx.ml::DictVectorizer "
     "ai.onnx.ml::FeatureVectorizer ai.onnx.ml::Imputer ai.onnx.ml::LabelEncoder ai.onnx.ml::LinearClassifier "
     "ai.onnx.ml::LinearRegressor ai.onnx.ml::Normalizer ai.onnx.ml::OneHotEncoder ai.onnx.ml::SVMClassifier "
     "ai.onnx.ml::SVMRegressor ai.onnx.ml::Scaler ai.onnx.ml::TreeEnsemble ai.onnx.ml::TreeEnsembleClassifier "
     "ai.onnx.ml::TreeEnsembleRegressor ai.onnx.ml::ZipMap ai.onnx.preview.training::Gradient"},
    {"1:1 10:2", "TopK"},
    {"1:1 10:3", "Slice"},
    {"1:1 11:2", "Pad"},
    {"1:1 13:2", "Unsqueeze"},
    {"1:1 18:0", "OptionalHasElement"},
    {"1:1 5:2", "Reshape"},
    {"1:1 9:2", "Upsample"},
    {"1:2", "Add AffineGrid And BitShift BitwiseAnd BitwiseOr BitwiseXor CastLike CausalConvWithState CenterCropPad "
            "Compress Conv ConvInteger ConvTranspose CumProd CumSum DequantizeLinear Div Equal Expand Gather "
            "GatherElements GatherND Greater GreaterOrEqual GridSample LayerNormalization Less LessOrEqual MatMul "
            "MatMulInteger MaxRoiPool MaxUnpool Mod Mul NegativeLogLikelihoodLoss NonMaxSuppression Or PRelu Pow "
            "QuantizeLinear RMSNormalization ReverseSequence STFT SequenceAt SequenceInsert SoftmaxCrossEntropyLoss "
            "StringConcat Sub TensorScatter Xor ai.onnx.ml::ArrayFeatureExtractor"},
    {"1:3", "Attention Col2Im DeformConv GRU GroupNormalization InstanceNormalization LSTM LinearAttention OneHot RNN "
            "Range RoiAlign RotaryEmbedding Scatter ScatterElements ScatterND Where ai.onnx.preview.training::Adagrad "
            "ai.onnx.preview.training::Adam ai.onnx.preview.training::Momentum ai.onnx.preview::FlexAttention"},
    {"1:3 11:2", "Gemm"},
    {"1:3 6:2", "Tile"},
    {"1:5", "BatchNormalization MelWeightMatrix"},
    {"1:8", "QLinearConv QLinearMatMul"},
};

/// First opset and number of inputs, in ascending order.
using Arities = llvm::SmallVector<std::pair<int64_t, unsigned>, 3>;

llvm::StringMap<Arities> makeTable() {
  llvm::StringMap<Arities> table;
  for (const ArityGroup &group : kGroups) {
    Arities arities;
    for (StringRef version : llvm::split(group.versions, ' ')) {
      auto [since, count] = version.split(':');
      std::pair<int64_t, unsigned> &entry = arities.emplace_back();
      (void)since.getAsInteger(10, entry.first);
      (void)count.getAsInteger(10, entry.second);
    }
    for (StringRef op : llvm::split(group.ops, ' '))
      table[op] = arities;
  }
  return table;
}

} // namespace

unsigned hgc::onnx::getNumRequiredInputs(StringRef domain, StringRef op, int64_t opset) {
  static const llvm::StringMap<Arities> table = makeTable();
  auto found = table.find(domain.empty() ? op.str() : (domain + "::" + op).str());
  unsigned count = 0;
  if (found != table.end())
    for (auto [since, required] : found->second)
      if (opset >= since)
        count = required;
  return count;
}
