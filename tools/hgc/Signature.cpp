//===- Signature.cpp - inputs and outputs of an entry ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Signature.h"

#include "Driver.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Frontend/Model.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/Literal.h"
#include "hgc/Support/Npy.h"
#include "hgc/Support/Random.h"

using namespace hgc;
using namespace hgc::driver;
using graph::HGCDialect;

namespace {

std::string spellElement(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

int64_t indexOfDim(EntrySignature &entry, llvm::StringRef name) {
  auto it = llvm::find(entry.dimNames, name);
  if (it == entry.dimNames.end())
    it = entry.dimNames.insert(it, name.str());
  return -1 - (it - entry.dimNames.begin());
}

TensorSignature makeTensor(EntrySignature &entry, mlir::Type type, mlir::DictionaryAttr attrs,
                           const llvm::Twine &fallback) {
  TensorSignature tensor;
  auto name = attrs ? attrs.getAs<mlir::StringAttr>(HGCDialect::kName) : nullptr;
  tensor.name = name ? name.str() : fallback.str();
  auto ranked = mlir::cast<mlir::RankedTensorType>(type);
  tensor.element = ranked.getElementType();
  tensor.dims.assign(ranked.getShape().begin(), ranked.getShape().end());
  auto shape = attrs ? attrs.getAs<mlir::ArrayAttr>(HGCDialect::kShape) : nullptr;
  for (size_t i = 0; shape && i < tensor.dims.size(); ++i)
    if (auto dim = mlir::dyn_cast<mlir::StringAttr>(shape[i]))
      tensor.dims[i] = indexOfDim(entry, dim);
  return tensor;
}

/// The tensor an option's value stands for.
llvm::Expected<HostTensor> readValue(llvm::StringRef text, llvm::StringRef name, mlir::MLIRContext *context) {
  if (!text.consume_front("@"))
    return parseLiteral(text, context);
  auto [path, key] = text.split(':');
  if (!path.ends_with(".npz"))
    return readNpy(path, context);
  auto arrays = readNpz(path, context);
  if (!arrays)
    return arrays.takeError();
  llvm::StringRef wanted = key.empty() ? name : key;
  for (auto &[array, tensor] : *arrays)
    if (array == wanted)
      return tensor;
  return makeError("'" + path + "' holds no array '" + wanted + "'", "name one of its arrays as @" + path + ":array");
}

/// Checks a value against the signature and binds the dims it fixes.
llvm::Error check(const EntrySignature &entry, const TensorSignature &tensor, const HostTensor &value,
                  std::vector<int64_t> &extents) {
  std::string expected = entry.spell(tensor);
  if (value.getElementType() != tensor.element)
    return makeError("input '" + tensor.name + "' has elements of type " + spellElement(value.getElementType()) +
                         ", expected " + spellElement(tensor.element),
                     "the model declares it as " + expected);
  if (value.getRank() != static_cast<int64_t>(tensor.dims.size()))
    return makeError("input '" + tensor.name + "' has rank " + llvm::Twine(value.getRank()) + ", expected " +
                         llvm::Twine(tensor.dims.size()),
                     "the model declares it as " + expected);
  for (auto [i, extent] : llvm::enumerate(value.getShape())) {
    int64_t wanted = tensor.dims[i] >= 0 ? tensor.dims[i] : extents[-1 - tensor.dims[i]];
    if (wanted == 0 && tensor.dims[i] < 0)
      wanted = extents[-1 - tensor.dims[i]] = extent;
    if (wanted != extent)
      return makeError("input '" + tensor.name + "' has extent " + llvm::Twine(extent) + " in dim " + llvm::Twine(i) +
                           ", expected " + llvm::Twine(wanted),
                       "the model declares it as " + expected);
  }
  return llvm::Error::success();
}

using Given = llvm::StringMap<HostTensor>;

llvm::Error readAll(const EntrySignature &entry, llvm::ArrayRef<std::string> options, mlir::MLIRContext *context,
                    Given &given) {
  for (llvm::StringRef option : options) {
    if (option.starts_with("@")) {
      auto arrays = readNpz(option.drop_front(), context);
      if (!arrays)
        return arrays.takeError();
      for (auto &[name, tensor] : *arrays)
        given[name] = tensor;
      continue;
    }
    auto [name, text] = option.split('=');
    if (text.empty())
      return usageError("'--input " + option + "' is not of the form name=value",
                        "write x=@x.npy, x=4xf32=1,2,3,4 or @all.npz");
    auto value = readValue(text, name, context);
    if (!value)
      return addContext("input '" + name + "'", value.takeError());
    given[name] = *value;
  }
  for (auto &item : given) {
    auto isNamed = [&](const TensorSignature &tensor) { return tensor.name == item.first(); };
    if (llvm::none_of(entry.inputs, isNamed)) {
      std::vector<std::string> names;
      for (const TensorSignature &tensor : entry.inputs)
        names.push_back("'" + tensor.name + "'");
      return makeError("entry '" + entry.name + "' has no input '" + item.first() + "'",
                       "its inputs are " + llvm::join(names, ", "));
    }
  }
  return llvm::Error::success();
}

} // namespace

bool EntrySignature::isShape(size_t index) const {
  return llvm::any_of(outputs, [&](const TensorSignature &other) {
    return other.shapeOutput >= 0 && static_cast<size_t>(other.shapeOutput) == index;
  });
}

std::string EntrySignature::spell(const TensorSignature &tensor) const {
  std::string text;
  for (int64_t dim : tensor.dims)
    // The extents of results are unnamed until hgc-bind-dims ran.
    text += (dim >= 0 ? std::to_string(dim) : mlir::ShapedType::isDynamic(dim) ? "?" : dimNames[-1 - dim]) + "x";
  return text + spellElement(tensor.element);
}

EntrySignature hgc::driver::getSignature(mlir::func::FuncOp function) {
  EntrySignature entry;
  entry.name = function.getSymName().str();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    TensorSignature input = makeTensor(entry, type, function.getArgAttrDict(i), "arg" + llvm::Twine(i));
    // The evaluator takes any extent where the model names none.
    for (auto [axis, dim] : llvm::enumerate(input.dims))
      if (mlir::ShapedType::isDynamic(dim))
        dim = indexOfDim(entry, input.name + "." + std::to_string(axis));
    entry.inputs.push_back(std::move(input));
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    entry.outputs.push_back(makeTensor(entry, type, function.getResultAttrDict(i), "result" + llvm::Twine(i)));
  for (auto [i, output] : llvm::enumerate(entry.outputs))
    if (auto shape = function.getResultAttrOfType<mlir::StringAttr>(i, HGCDialect::kExtents))
      for (auto [k, other] : llvm::enumerate(entry.outputs))
        if (other.name == shape.getValue())
          output.shapeOutput = static_cast<int32_t>(k);
  return entry;
}

llvm::Expected<DimBinding> hgc::driver::parseDims(llvm::ArrayRef<std::string> options) {
  DimBinding dims;
  for (llvm::StringRef option : options) {
    auto [name, text] = option.split('=');
    int64_t extent = 0;
    if (name.empty() || text.split(',').first.getAsInteger(10, extent) || extent < 0)
      return usageError("'--dim " + option + "' is not of the form name=extent", "write for example --dim batch=32");
    dims[name.str()] = extent;
  }
  return dims;
}

/// Dims by the names the entry has for them: those of ONNX models may have other
/// characters than identifiers have.
static DimBinding spellDims(const EntrySignature &entry, const DimBinding &dims) {
  DimBinding result;
  for (const auto &[name, extent] : dims)
    result[llvm::is_contained(entry.dimNames, toIdentifier(name)) ? toIdentifier(name) : name] = extent;
  return result;
}

void hgc::driver::addCheckedRanges(mlir::func::FuncOp entry, InputRanges &ranges) {
  EntrySignature signature = getSignature(entry);
  for (auto [input, range] : llvm::zip_equal(signature.inputs, findCheckedRanges(entry)))
    if (range)
      ranges[input.name].intersect(*range);
}

/// Random data of an input, within what its type holds of its range.
static HostTensor makeRandom(const TensorSignature &tensor, llvm::ArrayRef<int64_t> shape, const InputOptions &options,
                             uint64_t seed) {
  auto known = options.ranges.find(tensor.name);
  auto type = mlir::dyn_cast<mlir::IntegerType>(tensor.element);
  if (known == options.ranges.end() || !type)
    return makeRandomTensor(tensor.element, shape, seed);
  IntegerRange range = known->second;
  unsigned bits = std::min(type.getWidth() - (type.isUnsigned() ? 0 : 1), 62u);
  range.intersect({type.isUnsigned() ? 0 : -(int64_t(1) << bits), int64_t(1) << bits});
  return range.isEmpty() ? makeRandomTensor(tensor.element, shape, seed)
                         : makeRandomIntegers(tensor.element, shape, seed, range.least, range.end);
}

llvm::Expected<std::vector<HostTensor>>
hgc::driver::makeInputs(const EntrySignature &entry, const InputOptions &options, mlir::MLIRContext *context) {
  Given given;
  if (llvm::Error error = readAll(entry, options.inputs, context, given))
    return std::move(error);
  llvm::Expected<DimBinding> dims = parseDims(options.dims);
  if (!dims)
    return dims.takeError();
  dims = spellDims(entry, *dims);
  for (const auto &item : *dims)
    if (!llvm::is_contained(entry.dimNames, item.first))
      return makeError("entry '" + entry.name + "' has no dim '" + item.first + "'",
                       entry.dimNames.empty() ? "drop --dim: all its extents are numbers"
                                              : "its dims are " + llvm::join(entry.dimNames, ", "));
  std::vector<int64_t> extents(entry.dimNames.size(), 0);
  for (auto [extent, name] : llvm::zip(extents, entry.dimNames))
    extent = dims->count(name) ? (*dims)[name] : 0;
  for (const TensorSignature &tensor : entry.inputs)
    if (auto it = given.find(tensor.name); it != given.end()) {
      // NumPy has no bf16: files hold its bits.
      if (tensor.element.isBF16() && it->second.getElementType().isUnsignedInteger(16))
        it->second = it->second.bitcast(tensor.element);
      if (llvm::Error error = check(entry, tensor, it->second, extents))
        return std::move(error);
    }
  // Random data takes the first compiled variant for dims nothing else fixes.
  for (size_t i = 0; i < extents.size(); ++i)
    if (extents[i] == 0)
      extents[i] = entry.variants.empty() ? 1 : entry.variants.front()[i];

  std::vector<HostTensor> values;
  for (const TensorSignature &tensor : entry.inputs) {
    if (auto it = given.find(tensor.name); it != given.end()) {
      values.push_back(it->second);
      continue;
    }
    llvm::SmallVector<int64_t> shape;
    for (int64_t dim : tensor.dims)
      shape.push_back(dim < 0 ? extents[-1 - dim] : dim);
    values.push_back(makeRandom(tensor, shape, options, options.seed + values.size()));
  }
  return values;
}
