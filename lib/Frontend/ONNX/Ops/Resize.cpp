//===- Resize.cpp - Resize and Upsample -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Resample.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;
using graph::ReduceKind;

namespace {
class Resizer {
public:
  explicit Resizer(Node &node) : node(node), data(node.getInput(0)), shape(Node::shapeOf(data)), result(shape) {}

  LogicalResult readMode();
  /// Scales of Upsample's attributes, or the inputs of both ops.
  LogicalResult readScales();
  Value run();

private:
  LogicalResult useScales(Value scales);
  LogicalResult useSizes(Value sizes);
  LogicalResult keepAspect(Value sizes, bool isNotLarger);
  void readRegion();
  /// The input's extents along the axes.
  Value getExtents(Type type);
  ResampleAxis &add(int64_t dim) {
    return dims.emplace_back(ResampleAxis{dim, shape[dim], shape[dim], {}, {}, {}, {}});
  }
  bool isIdentity(const ResampleAxis &axis);
  /// Extents of the result along the axes: the values when known, or declared.
  LogicalResult setExtents(Value extents, StringRef what);

  Node &node;
  Value data;
  Extents shape, result;
  ResampleMode mode;
  SmallVector<ResampleAxis> dims;
};
} // namespace

LogicalResult Resizer::readMode() {
  bool isOld = node.getOpset() < 11 || node.getOpType() == "Upsample";
  StringRef name = node.getString("mode", "nearest");
  auto kernel = llvm::StringSwitch<std::optional<Kernel>>(name)
                    .Case("nearest", Kernel::Nearest)
                    .Cases({"linear", "bilinear"}, Kernel::Linear)
                    .Case("cubic", Kernel::Cubic)
                    .Default(std::nullopt);
  if (!kernel)
    return node.invalid("mode '" + name + "' is unknown", "use nearest, linear or cubic");
  mode.kernel = *kernel;
  mode.transform = isOld ? "asymmetric" : node.getString("coordinate_transformation_mode", "half_pixel");
  // Upsample takes the element before, the first Resize the one after it when it shrinks.
  mode.rounding = isOld ? "simple" : node.getString("nearest_mode", "round_prefer_floor");
  mode.cubicFactor = node.getFloat("cubic_coeff_a", -0.75);
  mode.antialias = node.getInt("antialias", 0);
  mode.excludeOutside = node.getInt("exclude_outside", 0);
  static constexpr StringLiteral transforms[] = {"half_pixel",          "half_pixel_symmetric", "pytorch_half_pixel",
                                                 "align_corners",       "asymmetric",           "tf_crop_and_resize",
                                                 "tf_half_pixel_for_nn"};
  if (!llvm::is_contained(transforms, mode.transform))
    return node.invalid("coordinate transformation '" + mode.transform + "' is unknown",
                        "use one of the specification, such as half_pixel or align_corners");
  return success();
}

LogicalResult Resizer::setExtents(Value extents, StringRef what) {
  std::optional<Extents> known = node.getInts(extents);
  if (!known) {
    RankedTensorType type = needType(node, 0, shape.size());
    if (!type)
      return failure();
    known.emplace();
    for (ResampleAxis &axis : dims)
      known->push_back(type.getDimSize(axis.dim));
    requireInts(node, extents, *known, what);
  }
  for (auto [axis, extent] : llvm::zip_equal(dims, *known)) {
    if (extent < 0 || (axis.from == 0 && extent != 0))
      return node.invalid("extent " + Twine(axis.from) + " cannot become " + Twine(extent), "check scales and sizes");
    axis.to = result[axis.dim] = extent;
  }
  return success();
}

Value Resizer::getExtents(Type type) {
  SmallVector<double> extents;
  for (ResampleAxis &axis : dims)
    extents.push_back(static_cast<double>(axis.from));
  return node.constant(HostTensor::fromDoubles(type, {static_cast<int64_t>(extents.size())}, extents));
}

LogicalResult Resizer::useScales(Value scales) {
  OpBuilder &builder = node.getBuilder();
  Value from = getExtents(builder.getF32Type());
  scales = node.cast(scales, builder.getF32Type());
  Value sizes = node.create<graph::FloorOp>(node.mul(scales, from));
  if (failed(setExtents(node.cast(sizes, builder.getI64Type()), "scales")))
    return failure();
  for (auto [i, axis] : llvm::enumerate(dims)) {
    axis.scale = element(node, scales, i);
    axis.width = node.mul(axis.scale, f32(node, static_cast<double>(axis.from)));
  }
  return success();
}

/// One scale for all axes, so that no side is larger (or smaller) than asked for.
LogicalResult Resizer::keepAspect(Value sizes, bool isNotLarger) {
  OpBuilder &builder = node.getBuilder();
  Value from = getExtents(builder.getF32Type());
  Value ratios = node.div(node.cast(sizes, builder.getF32Type()), from);
  Value scale = node.reduce(isNotLarger ? ReduceKind::Min : ReduceKind::Max, ratios, {0}, false);
  Value rounded = node.create<graph::FloorOp>(node.add(node.mul(from, scale), f32(node, 0.5)));
  if (failed(setExtents(node.cast(rounded, builder.getI64Type()), "sizes")))
    return failure();
  for (ResampleAxis &axis : dims) {
    axis.scale = scale;
    axis.width = node.mul(scale, f32(node, static_cast<double>(axis.from)));
  }
  return success();
}

LogicalResult Resizer::useSizes(Value sizes) {
  StringRef policy = node.getString("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch")
    return keepAspect(sizes, policy == "not_larger");
  if (failed(setExtents(sizes, "sizes")))
    return failure();
  for (ResampleAxis &axis : dims) {
    axis.scale = f32(node, static_cast<float>(axis.to) / static_cast<float>(axis.from));
    axis.width = f32(node, static_cast<double>(axis.to));
  }
  return success();
}

LogicalResult Resizer::readScales() {
  int64_t rank = shape.size();
  std::optional<Extents> axes =
      normalizeAxes(node, node.getIntList("axes", llvm::to_vector(llvm::seq<int64_t>(0, rank))), rank);
  if (!axes)
    return failure();
  for (int64_t dim : *axes)
    add(dim);
  OpBuilder &builder = node.getBuilder();
  SmallVector<double> given = node.getFloatList("scales");
  if (node.hasAttribute("height_scale"))
    given = {1, 1, node.getFloat("height_scale", 1), node.getFloat("width_scale", 1)};
  auto isGiven = [&](unsigned input) {
    return node.hasInput(input) && Node::countOf(node.getInput(input)) != 0;
  };
  bool isOld = node.getOpset() < 11 || node.getOpType() == "Upsample";
  Value list;
  bool isScales = true;
  if (!given.empty())
    list = node.constant(HostTensor::fromDoubles(builder.getF32Type(), {static_cast<int64_t>(given.size())}, given));
  else if (isGiven(isOld ? 1 : 2))
    list = node.flatten(node.getInput(isOld ? 1 : 2));
  else if (!isOld && isGiven(3)) {
    list = asList(node, node.getInput(3));
    isScales = false;
  }
  if (!list || Node::shapeOf(list)[0] != static_cast<int64_t>(axes->size()))
    return node.invalid("there are no scales or sizes for the axes", "give one of both lists, with one entry an axis");
  if (failed(isScales ? useScales(list) : useSizes(list)))
    return failure();
  if (mode.transform == "tf_crop_and_resize") {
    if (!isGiven(1) || Node::countOf(node.getInput(1)) != 2 * Node::shapeOf(list)[0])
      return node.invalid("'roi' does not have two entries an axis", "give the starts of all axes, then their ends");
    readRegion();
  }
  return success();
}

void Resizer::readRegion() {
  Value region = node.cast(node.flatten(node.getInput(1)), node.getBuilder().getF32Type());
  for (auto [i, axis] : llvm::enumerate(dims)) {
    axis.roiStart = element(node, region, i);
    axis.roiEnd = element(node, region, dims.size() + i);
  }
}

/// Whether a dim stays as it is, for certain.
bool Resizer::isIdentity(const ResampleAxis &axis) {
  auto is = [&](Value scalar, double value) {
    std::optional<HostTensor> known = node.getConstant(scalar);
    return known && known->getDouble(0) == value;
  };
  return axis.from == axis.to && is(axis.scale, 1) && (!axis.roiStart || (is(axis.roiStart, 0) && is(axis.roiEnd, 1)));
}

Value Resizer::run() {
  OpBuilder &builder = node.getBuilder();
  Type element = Node::elementOf(data);
  bool isInt = isa<IntegerType>(element);
  Type type = element;
  if (mode.kernel != Kernel::Nearest && (isInt || element.getIntOrFloatBitWidth() < 32))
    type = isInt && element.getIntOrFloatBitWidth() > 16 ? builder.getF64Type() : builder.getF32Type();
  Value value = node.cast(data, type), isOutside;
  for (const ResampleAxis &axis : dims) {
    if (isIdentity(axis))
      continue;
    Value coordinates = getCoordinates(node, mode, axis);
    value = resample(node, value, mode, axis, coordinates);
    if (mode.transform != "tf_crop_and_resize")
      continue;
    Value low = node.compare(ComparePredicate::LT, coordinates, f32(node, 0));
    Value high = node.compare(ComparePredicate::GT, coordinates, f32(node, static_cast<double>(axis.from - 1)));
    Value out = along(node, node.create<graph::OrOp>(low, high), shape.size(), axis.dim);
    isOutside = isOutside ? node.create<graph::OrOp>(isOutside, out) : out;
  }
  if (isOutside)
    value = node.select(isOutside, node.scalar(type, node.getFloat("extrapolation_value", 0)), value);
  if (isInt && type != element)
    value = node.create<graph::RoundOp>(value);
  return node.cast(value, element);
}

static LogicalResult importResize(Node &node) {
  Resizer resizer(node);
  if (failed(resizer.readMode()) || failed(resizer.readScales()))
    return failure();
  return node.done(resizer.run());
}

void hgc::onnx::addResizeOps(OpTable &table) {
  table.add("Resize", withInputs<1, importResize>);
  table.add("Upsample", withInputs<1, importResize>);
}
