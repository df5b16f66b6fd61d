//===- InputShapes.cpp - a static shape for every input -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "InputShapes.h"
#include "Types.h"

#include "dialects/Graph/Eval/HostTensor.h"
#include "hgc/Frontend/Model.h"
#include "hgc/Support/Error.h"
#include "onnx.pb.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

namespace {

/// Most bytes of a tensor and most extents of a dim.
constexpr int64_t kMaxExtent = int64_t(1) << 40;
constexpr size_t kMaxVariants = 64;

/// Splits `name=value`; names may hold anything, values no `=`.
std::pair<StringRef, StringRef> splitOption(StringRef option) {
  auto [name, value] = option.rsplit('=');
  return {name.trim(), value.trim()};
}

llvm::Expected<SmallVector<int64_t>> parseExtents(StringRef text, char separator, StringRef option, StringRef form) {
  SmallVector<int64_t> extents;
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, separator);
  for (StringRef part : parts) {
    int64_t extent;
    if (part.trim().getAsInteger(10, extent) || extent < 0 || extent > kMaxExtent)
      return makeError("cannot read '" + option + "' as extents", "write " + form + ", with extents up to 2^40");
    extents.push_back(extent);
  }
  return extents;
}

std::string joinNames(ArrayRef<std::string> names) { return llvm::join(names, ", "); }

template <typename Map> std::string joinKeys(const Map &map) {
  std::vector<std::string> names;
  for (const auto &item : map)
    names.push_back(item.first);
  return joinNames(names);
}

} // namespace

llvm::Error InputShapes::parseDims(ArrayRef<std::string> options) {
  for (StringRef option : options) {
    auto [name, value] = splitOption(option);
    auto extents = parseExtents(value, ',', option, "--dim batch=1,8");
    if (!extents)
      return extents.takeError();
    if (name.empty() || extents->empty() || llvm::is_contained(*extents, 0))
      return makeError("cannot read '" + option + "' as extents of a dim", "write --dim batch=1,8");
    SmallVector<int64_t> &list = dims[name.str()];
    for (int64_t extent : *extents)
      if (!llvm::is_contained(list, extent))
        list.push_back(extent);
  }
  return llvm::Error::success();
}

llvm::Error InputShapes::parseShapes(ArrayRef<std::string> options) {
  for (StringRef option : options) {
    auto [name, value] = splitOption(option);
    auto extents = parseExtents(value, 'x', option, "--shape input=1x3x224x224");
    if (!extents)
      return extents.takeError();
    if (name.empty() || !option.contains('='))
      return makeError("cannot read '" + option + "' as the shape of an input", "write --shape input=1x3x224x224");
    if (!shapes.insert({name.str(), std::move(*extents)}).second)
      return makeError("'--shape' gives input '" + name + "' twice", "give it one shape");
  }
  return llvm::Error::success();
}

/// A shape on the command line settles the named dims of that input everywhere.
llvm::Error InputShapes::bindFromShapes(const ::onnx::GraphProto &graph) {
  for (const auto &info : graph.input()) {
    auto shape = shapes.find(info.name());
    if (shape == shapes.end() || !info.type().tensor_type().has_shape())
      continue;
    const auto &declared = info.type().tensor_type().shape().dim();
    if (declared.size() != static_cast<int>(shape->second.size()))
      return makeError("'--shape' gives input '" + Twine(info.name()) + "' " + Twine(shape->second.size()) +
                           " extents, the model has " + Twine(declared.size()),
                       "give one extent for each dim");
    for (auto [dim, extent] : llvm::zip(declared, shape->second)) {
      if (getDimName(dim).empty())
        continue;
      auto [known, isNew] = fixed.insert({dim.dim_param(), extent});
      if (!isNew && known->second != extent)
        return makeError("'--shape' gives dim '" + Twine(dim.dim_param()) + "' the extents " + Twine(known->second) +
                             " and " + Twine(extent),
                         "dims of one name have one extent");
    }
  }
  return llvm::Error::success();
}

llvm::Expected<InputDim> InputShapes::addNamedDim(StringRef input, StringRef param) {
  std::string name = param.str();
  auto [it, isNew] = identifiers.insert({name, toIdentifier(param)});
  // Two names may have the same letters and digits.
  if (isNew)
    for (auto &other : llvm::drop_end(identifiers))
      if (other.second == it->second)
        it->second += "_" + std::to_string(identifiers.size());
  std::string identifier = it->second;
  bool isListed = dims.count(name) || dims.count(identifier);
  auto settled = fixed.find(name);
  if (settled != fixed.end() && isListed)
    return makeError("dim '" + name + "' has extents from '--dim' and from '--shape'", "use one of the two");
  if (settled != fixed.end())
    return InputDim{settled->second, ""};
  if (!isListed)
    unbound[name].push_back(input.str());
  return InputDim{-1, identifier};
}

llvm::Expected<InputDim> InputShapes::addDim(StringRef input, size_t dim, int64_t value, StringRef param,
                                             std::optional<int64_t> given) {
  if (!param.empty())
    return addNamedDim(input, param);
  if (value < 0 || value > kMaxExtent)
    return makeError("dim " + Twine(dim) + " of input '" + input + "' is " + Twine(value) +
                         ", expected an extent from 0 to 2^40",
                     "export the model with a name for that dim, and bind it with --dim");
  if (given && *given != value)
    return makeError("'--shape' makes dim " + Twine(dim) + " of input '" + input + "' " + Twine(*given) +
                         ", the model says " + Twine(value),
                     "only dims without an extent can be chosen");
  return InputDim{value, ""};
}

llvm::Error InputShapes::addInput(const ::onnx::ValueInfoProto &info, MLIRContext *context) {
  StringRef name = info.name();
  if (StringRef kind = describeKind(info.type()); !kind.empty())
    return makeError("input '" + name + "' is a " + kind + ", which hgc does not import", "inputs must be tensors");
  const auto &tensor = info.type().tensor_type();
  InputInfo input{name.str(), getElementType(tensor.elem_type(), context), {}};
  if (!input.element)
    return makeError("input '" + name + "' is a tensor of " + describeElementType(tensor.elem_type()) +
                         ", which hgc does not import",
                     "hgc has floats of 16 to 64 bits, integers of 8 to 64 bits and bool");
  auto shape = shapes.find(name.str());
  bool isGiven = shape != shapes.end();
  if (!tensor.has_shape()) {
    if (isGiven)
      for (int64_t extent : shape->second)
        input.dims.push_back({extent, ""});
    else
      shapeless[name.str()] = "2x3";
    inputs.push_back(std::move(input));
    return llvm::Error::success();
  }
  std::string example;
  bool isOpen = false;
  for (auto [i, dim] : llvm::enumerate(tensor.shape().dim())) {
    std::optional<int64_t> given;
    if (isGiven)
      given = shape->second[i];
    bool isFixed = dim.has_dim_value() && !isOpenDim(dim);
    example += (i ? "x" : "") + std::to_string(isFixed ? dim.dim_value() : 1);
    if (isOpenDim(dim)) {
      isOpen |= !given;
      input.dims.push_back({given.value_or(1), ""});
      continue;
    }
    auto added = addDim(name, i, dim.dim_value(), getDimName(dim), given);
    if (!added)
      return added.takeError();
    input.dims.push_back(std::move(*added));
  }
  if (isOpen)
    shapeless[name.str()] = example;
  inputs.push_back(std::move(input));
  return llvm::Error::success();
}

/// One message for all that is missing.
llvm::Error InputShapes::checkUnbound() const {
  if (unbound.empty() && shapeless.empty())
    return llvm::Error::success();
  std::vector<std::string> missing, flags;
  for (const auto &[name, users] : unbound) {
    missing.push_back("'" + name + "' (of " + joinNames(users) + ")");
    flags.push_back("--dim " + identifiers.find(name)->second + "=1");
  }
  for (const auto &[name, example] : shapeless) {
    missing.push_back("dims of '" + name + "' without a name");
    flags.push_back("--shape " + name + "=" + example);
  }
  return makeError("the model has dims without an extent: " + joinNames(missing), "add " + llvm::join(flags, " "));
}

/// What is misspelt would be without effect.
llvm::Error InputShapes::checkUnused() const {
  for (const auto &item : dims) {
    auto isUse = [&](const auto &used) { return used.first == item.first || used.second == item.first; };
    if (llvm::none_of(identifiers, isUse))
      return makeError("the model has no dim '" + item.first + "'",
                       identifiers.empty() ? Twine("no dim of this model has a name")
                                           : "its dims are " + Twine(joinKeys(identifiers)));
  }
  for (const auto &item : shapes)
    if (llvm::none_of(inputs, [&](const InputInfo &input) { return input.name == item.first; })) {
      std::vector<std::string> names;
      for (const InputInfo &input : inputs)
        names.push_back(input.name);
      return makeError("the model has no input '" + item.first + "'", "its inputs are " + joinNames(names));
    }
  return llvm::Error::success();
}

llvm::Expected<InputShapes> InputShapes::create(const ::onnx::GraphProto &graph, const OnnxOptions &options,
                                                MLIRContext *context) {
  InputShapes result;
  if (llvm::Error error = result.parseDims(options.dims))
    return std::move(error);
  if (llvm::Error error = result.parseShapes(options.shapes))
    return std::move(error);
  if (llvm::Error error = result.bindFromShapes(graph))
    return std::move(error);
  // Before IR version 4 initialisers were inputs, too: their values are defaults.
  llvm::StringSet<> initialised;
  for (const auto &tensor : graph.initializer())
    initialised.insert(tensor.name());
  for (const auto &tensor : graph.sparse_initializer())
    initialised.insert(tensor.values().name());
  for (const auto &info : graph.input())
    if (!initialised.contains(info.name()))
      if (llvm::Error error = result.addInput(info, context))
        return std::move(error);
  if (llvm::Error error = result.checkUnused())
    return std::move(error);
  if (llvm::Error error = result.checkUnbound())
    return std::move(error);
  size_t count = 1;
  for (const auto &item : result.dims)
    if ((count *= item.second.size()) > kMaxVariants)
      return makeError("'--dim' asks for more than " + Twine(kMaxVariants) + " variants", "list fewer extents");
  return std::move(result);
}

std::vector<DimBinding> InputShapes::getBindings() const {
  std::vector<DimBinding> bindings(1);
  for (const auto &[name, identifier] : identifiers) {
    if (fixed.count(name))
      continue;
    auto found = dims.find(name);
    const auto &extents = (found == dims.end() ? dims.find(identifier) : found)->second;
    std::vector<DimBinding> longer;
    for (const DimBinding &binding : bindings)
      for (int64_t extent : extents) {
        longer.push_back(binding);
        longer.back()[identifier] = extent;
      }
    bindings = std::move(longer);
  }
  return bindings;
}

llvm::Expected<RankedTensorType> InputShapes::getType(const InputInfo &input, const DimBinding &binding) const {
  SmallVector<int64_t> shape;
  for (const InputDim &dim : input.dims)
    shape.push_back(dim.name.empty() ? dim.extent : binding.lookup(dim.name));
  std::optional<int64_t> count = hgc::countElements(shape, 8);
  if (!count || *count > kMaxExtent)
    return makeError("input '" + input.name + "' is larger than the limit of 2^40 elements", "choose smaller extents");
  return RankedTensorType::get(shape, input.element);
}
