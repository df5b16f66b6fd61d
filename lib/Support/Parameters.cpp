//===- Parameters.cpp - initial values of a model's parameters ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Parameters.h"

#include "hgc/Support/Error.h"
#include "hgc/Support/Random.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir;
using namespace hgc;
using graph::InitKind;

Fans hgc::computeFans(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return {1, 1};
  if (shape.size() == 1)
    return {double(shape[0]), double(shape[0])};
  double field = 1;
  for (int64_t extent : shape.drop_back(2))
    field *= extent;
  return {field * shape[shape.size() - 2], field * shape.back()};
}

double hgc::computeVariance(InitKind kind, Fans fans) {
  double in = std::max(fans.in, 1.0), mean = std::max((fans.in + fans.out) / 2, 1.0);
  switch (kind) {
  case InitKind::GlorotUniform:
  case InitKind::GlorotNormal:
    return 1 / mean;
  case InitKind::HeUniform:
  case InitKind::HeNormal:
    return 2 / in;
  default:
    return 1 / in;
  }
}

llvm::Expected<HostTensor> hgc::makeInitialValue(graph::InitAttr init, RankedTensorType type) {
  Type element = type.getElementType();
  llvm::ArrayRef<int64_t> shape = type.getShape();
  InitKind kind = init.getKind();
  if (kind == InitKind::Zeros || kind == InitKind::Ones)
    return HostTensor::splat(element, shape, kind == InitKind::Ones);
  if (!isa<FloatType>(element)) {
    std::string name;
    llvm::raw_string_ostream(name) << element;
    return makeError("'" + graph::stringifyInitKind(kind) + "' cannot initialise elements of type " + name,
                     "use zeros or ones, or a float type");
  }
  Philox philox(static_cast<uint64_t>(init.getSeed()));
  double deviation = init.getScale() * std::sqrt(computeVariance(kind, computeFans(shape)));
  std::vector<double> values(*countElements(shape));
  for (size_t i = 0; i < values.size(); ++i) {
    switch (kind) {
    case InitKind::Uniform:
      values[i] = init.getScale() * (2 * philox.uniform(i) - 1);
      break;
    case InitKind::Normal:
      values[i] = init.getScale() * philox.normal(i);
      break;
    case InitKind::GlorotUniform:
    case InitKind::HeUniform:
    case InitKind::LecunUniform:
      values[i] = std::sqrt(3.0) * deviation * (2 * philox.uniform(i) - 1);
      break;
    default:
      values[i] = deviation / kTruncatedDeviation * philox.truncatedNormal(i);
      break;
    }
  }
  return HostTensor::fromDoubles(element, shape, values);
}

llvm::Expected<HostTensor> ParameterLoader::loadFile(graph::FileAttr file, RankedTensorType type) {
  namespace path = llvm::sys::path;
  llvm::StringRef name = file.getPath();
  bool escapes = name.empty() || path::is_absolute(name) || name.contains('\0');
  for (auto it = path::begin(name); it != path::end(name); ++it)
    escapes |= *it == "..";
  if (escapes)
    return makeError("weights path '" + name + "' leaves the model's folder",
                     "use a path relative to the model, without '..'");
  auto it = files.find(name);
  if (it == files.end()) {
    llvm::SmallString<256> full(baseDirectory);
    path::append(full, name);
    llvm::Expected<SafetensorsFile> opening = SafetensorsFile::open(full, type.getContext());
    if (!opening)
      return opening.takeError();
    opened.push_back(full.str().str());
    it = files.try_emplace(name, std::move(*opening)).first;
  }
  llvm::Expected<HostTensor> tensor = it->second.get(file.getTensor());
  if (!tensor)
    return addContext("'" + name + "'", tensor.takeError());
  if (tensor->getType() != type) {
    std::string text;
    llvm::raw_string_ostream(text) << "tensor '" << file.getTensor() << "' of '" << name << "' is " << tensor->getType()
                                   << ", the parameter is " << type;
    return makeError(text, "give the parameter the type of the file, or convert the file");
  }
  return tensor;
}

llvm::Expected<HostTensor> ParameterLoader::load(Attribute attr, RankedTensorType type) {
  if (!type.hasStaticShape() || !countElements(type.getShape(), 8))
    return makeError("a parameter needs a static shape that fits in memory", "write every extent as a number");
  if (auto init = dyn_cast<graph::InitAttr>(attr))
    return makeInitialValue(init, type);
  if (auto file = dyn_cast<graph::FileAttr>(attr))
    return loadFile(file, type);
  auto elements = dyn_cast<ElementsAttr>(attr);
  if (!elements || elements.getShapedType() != type)
    return makeError("a parameter's value does not have the parameter's type",
                     "use dense, dense_resource, #hgc.file or #hgc.init");
  return HostTensor::fromAttr(elements);
}

llvm::Expected<HostTensor> ParameterLoader::load(graph::ParameterOp parameter) {
  llvm::Expected<HostTensor> value = load(parameter.getValue(), parameter.getTensorType());
  if (!value)
    return addContext("parameter '" + parameter.getSymName() + "'", value.takeError());
  return value;
}

llvm::LogicalResult ParameterLoader::loadAll(ModuleOp module, llvm::StringMap<HostTensor> &values) {
  for (auto parameter : module.getOps<graph::ParameterOp>()) {
    llvm::Expected<HostTensor> value = load(parameter);
    if (!value)
      return hgc::emitError(parameter.getLoc(), value.takeError());
    values[parameter.getSymName()] = std::move(*value);
  }
  return llvm::success();
}
