//===- Trees.cpp - forests of decision trees ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All rows walk all trees at once: a state holds the node of each row in each
// tree, and a step looks up what it compares. Leaves follow the nodes in the
// tables and lead to themselves.
//===----------------------------------------------------------------------===//

#include "Classical.h"

#include "llvm/ADT/StringSwitch.h"
#include <limits>

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

namespace {

enum class Aggregate { Average, Sum, Min, Max };

/// Most targets; a leaf has a row of them.
constexpr int64_t kMostTargets = int64_t(1) << 16;

/// Numbers of the modes of TreeEnsemble.
enum Mode : int64_t { Leq, Lt, Gte, Gt, Eq, Neq, Member, ModeCount };

struct Forest {
  Extents features, modes, yes, no, roots;
  SmallVector<double> splits;
  SmallVector<int64_t> missing;
  /// Members of each node's set; empty for nodes of other modes.
  std::vector<std::vector<double>> sets;
  /// What a leaf gives to each target; nothing where it gives nothing.
  std::vector<std::vector<std::optional<double>>> leaves;
  int64_t targets = 1;
  Aggregate aggregate = Aggregate::Sum;

  int64_t nodeCount() const { return static_cast<int64_t>(modes.size()); }
  int64_t size() const { return nodeCount() + static_cast<int64_t>(leaves.size()); }
  bool isComplete(int64_t featureCount) const;
  std::optional<int64_t> getDepth() const;
};

class Walker {
public:
  Walker(Node &node, const Forest &forest, Value x)
      : node(node), forest(forest), x(x), element(Node::elementOf(x)), i64(node.getBuilder().getI64Type()) {}

  /// What the trees give together: [rows, targets].
  Value run(int64_t depth) {
    int64_t rows = Node::shapeOf(x)[0], trees = static_cast<int64_t>(forest.roots.size());
    Value start = node.broadcast(node.ints(forest.roots), {rows, trees});
    FailureOr<Values> reached =
        buildScan(node, start, node.iota({depth}, 0, i64), false,
                  [&](ValueRange states, ValueRange) -> FailureOr<Values> { return Values{step(states[0])}; });
    if (failed(reached))
      return {};
    Value leaf = node.sub(reached->front(), node.scalar(i64, static_cast<double>(forest.nodeCount())));
    return combine(leaf);
  }

private:
  /// Entries of a list at the current nodes; leaves have zero or their own number.
  Value lookUp(ArrayRef<int64_t> list, Value at, bool leafIsSelf) {
    Extents table(list);
    for (int64_t i = forest.nodeCount(); i < forest.size(); ++i)
      table.push_back(leafIsSelf ? i : 0);
    return node.gather(node.ints(table), at, 0);
  }

  Value compareFor(int64_t mode, Value value, Value split, Value at) {
    static constexpr ComparePredicate predicates[] = {ComparePredicate::LE, ComparePredicate::LT, ComparePredicate::GE,
                                                      ComparePredicate::GT, ComparePredicate::EQ, ComparePredicate::NE};
    if (mode != Member)
      return node.compare(predicates[mode], value, split);
    size_t width = 1;
    for (const std::vector<double> &set : forest.sets)
      width = std::max(width, set.size());
    // Nothing is equal to the rest of a row.
    std::vector<double> table(forest.size() * width, std::numeric_limits<double>::quiet_NaN());
    for (auto [i, set] : llvm::enumerate(forest.sets))
      llvm::copy(set, table.begin() + i * width);
    HostTensor members = HostTensor::fromDoubles(element, {forest.size(), static_cast<int64_t>(width)}, table);
    Value wanted = node.gather(node.constant(members), at, 0);
    Value equal = node.compare(ComparePredicate::EQ, node.unsqueeze(value, {2}), wanted);
    return node.reduce(graph::ReduceKind::Any, equal, {2}, false);
  }

  Value step(Value at) {
    SmallVector<double> splits(forest.splits);
    splits.resize(forest.size(), 0);
    Value split = node.gather(node.constant(HostTensor::fromDoubles(element, {forest.size()}, splits)), at, 0);
    Value value = node.create<graph::GatherAlongOp>(x, lookUp(forest.features, at, false), 1);
    Value mode = lookUp(forest.modes, at, false), holds;
    for (int64_t kind = 0; kind < ModeCount; ++kind) {
      if (!llvm::is_contained(forest.modes, kind))
        continue;
      Value found = compareFor(kind, value, split, at);
      Value applies = node.compare(ComparePredicate::EQ, mode, node.scalar(i64, static_cast<double>(kind)));
      holds = holds ? node.select(applies, found, holds) : found;
    }
    if (llvm::is_contained(forest.missing, 1)) {
      Value follows = node.cast(lookUp(forest.missing, at, false), node.getBuilder().getI1Type());
      holds = node.create<graph::OrOp>(holds, node.create<graph::AndOp>(follows, node.create<graph::IsNanOp>(value)));
    }
    return node.select(holds, lookUp(forest.yes, at, true), lookUp(forest.no, at, true));
  }

  /// Joins what the leaves [rows, trees] give.
  Value combine(Value leaf) {
    bool isMin = forest.aggregate == Aggregate::Min, isMax = forest.aggregate == Aggregate::Max;
    double neutral = isMin || isMax ? std::numeric_limits<double>::infinity() * (isMin ? 1 : -1) : 0;
    std::vector<double> weights;
    for (const auto &row : forest.leaves)
      for (std::optional<double> weight : row)
        weights.push_back(weight.value_or(neutral));
    HostTensor table =
        HostTensor::fromDoubles(element, {static_cast<int64_t>(forest.leaves.size()), forest.targets}, weights);
    Value given = node.gather(node.constant(table), leaf, 0); // [rows, trees, targets]
    graph::ReduceKind kind = isMin ? graph::ReduceKind::Min : isMax ? graph::ReduceKind::Max : graph::ReduceKind::Sum;
    Value joined = node.reduce(kind, given, {1}, false);
    if (isMin || isMax)
      joined = node.select(node.create<graph::IsInfOp>(joined), node.scalar(element, 0), joined);
    if (forest.aggregate == Aggregate::Average)
      joined = node.div(joined, node.scalar(element, static_cast<double>(forest.roots.size())));
    return joined;
  }

  Node &node;
  const Forest &forest;
  Value x;
  Type element, i64;
};

} // namespace

bool Forest::isComplete(int64_t featureCount) const {
  size_t count = modes.size();
  if (features.size() != count || yes.size() != count || no.size() != count || splits.size() < count || roots.empty() ||
      leaves.empty() || targets < 1 || (!missing.empty() && missing.size() != count))
    return false;
  auto isBelow = [](int64_t limit) { return [limit](int64_t value) { return value >= 0 && value < limit; }; };
  return llvm::all_of(features, isBelow(featureCount)) && llvm::all_of(modes, isBelow(ModeCount)) &&
         llvm::all_of(yes, isBelow(size())) && llvm::all_of(no, isBelow(size())) &&
         llvm::all_of(roots, isBelow(size()));
}

/// Most steps from a root to a leaf; nothing when a walk does not end.
std::optional<int64_t> Forest::getDepth() const {
  llvm::SmallVector<int64_t> level(roots);
  for (int64_t depth = 0; depth <= nodeCount(); ++depth) {
    llvm::SmallVector<int64_t> next;
    for (int64_t at : level)
      if (at < nodeCount())
        next.append({yes[at], no[at]});
    // A node that two lead to would be walked twice each time.
    llvm::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    if (next.empty())
      return std::max<int64_t>(depth, 1);
    level = next;
  }
  return std::nullopt;
}

static LogicalResult finish(Node &node, const Forest &forest, Value x, ArrayRef<double> base, StringRef transform) {
  std::optional<int64_t> depth;
  if (Node::rankOf(x) == 2 && forest.isComplete(Node::shapeOf(x)[1]))
    depth = forest.getDepth();
  if (!depth)
    return node.invalid("the lists of nodes and leaves do not describe trees",
                        "all lists of nodes are of one length, and their numbers are within the lists");
  Value scores = Walker(node, forest, x).run(*depth);
  if (scores && !base.empty())
    scores = node.add(scores, node.constant(HostTensor::fromDoubles(Node::elementOf(scores),
                                                                    {static_cast<int64_t>(base.size())}, base)));
  scores = transformScores(node, scores, transform);
  return scores ? node.done(scores) : failure();
}

LogicalResult importTrees(Node &node) {
  Forest forest;
  forest.features = node.getIntList("nodes_featureids");
  forest.roots = node.getIntList("tree_roots");
  forest.missing = node.getIntList("nodes_missing_value_tracks_true");
  forest.targets = node.getInt("n_targets", 1);
  if (forest.targets < 1 || forest.targets > kMostTargets)
    return finish(node, {}, node.getInput(0), {}, "NONE");
  forest.aggregate = static_cast<Aggregate>(node.getInt("aggregate_function", 1));
  HostTensor modes = node.getTensor("nodes_modes"), splits = node.getTensor("nodes_splits");
  HostTensor weights = node.getTensor("leaf_weights"), members = node.getTensor("membership_values");
  if (modes)
    llvm::append_range(forest.modes, modes.toInts());
  if (splits)
    llvm::append_range(forest.splits, splits.toDoubles());
  // Sets are one list, divided by NaN, in the order of their nodes.
  int64_t next = 0;
  forest.sets.resize(forest.modes.size());
  for (auto [i, mode] : llvm::enumerate(forest.modes))
    for (; mode == Member && members && next < members.getNumElements(); ++next) {
      double value = members.getDouble(next);
      if (value != value) {
        ++next;
        break;
      }
      forest.sets[i].push_back(value);
    }
  auto children = [&](StringRef ids, StringRef leafs) {
    Extents list = node.getIntList(ids), flags = node.getIntList(leafs);
    for (size_t i = 0; i < list.size() && i < flags.size(); ++i)
      list[i] += flags[i] ? forest.nodeCount() : 0;
    return list;
  };
  forest.yes = children("nodes_truenodeids", "nodes_trueleafs");
  forest.no = children("nodes_falsenodeids", "nodes_falseleafs");
  for (auto [i, target] : llvm::enumerate(node.getIntList("leaf_targetids"))) {
    std::vector<std::optional<double>> row(forest.targets);
    if (weights && target >= 0 && target < forest.targets && static_cast<int64_t>(i) < weights.getNumElements())
      row[target] = weights.getDouble(static_cast<int64_t>(i));
    forest.leaves.push_back(row);
  }
  static constexpr StringLiteral transforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  int64_t transform = std::clamp<int64_t>(node.getInt("post_transform", 0), 0, 4);
  return finish(node, forest, node.getInput(0), {}, transforms[transform]);
}

static int64_t modeOf(StringRef name) {
  return llvm::StringSwitch<int64_t>(name)
      .Case("BRANCH_LEQ", Leq)
      .Case("BRANCH_LT", Lt)
      .Case("BRANCH_GTE", Gte)
      .Case("BRANCH_GT", Gt)
      .Case("BRANCH_EQ", Eq)
      .Case("BRANCH_NEQ", Neq)
      .Default(-1);
}

/// The older form: leaves are nodes, and nodes have numbers within their tree.
LogicalResult importTreeRegressor(Node &node) {
  Forest forest;
  forest.targets = node.getInt("n_targets", 1);
  forest.aggregate = llvm::StringSwitch<Aggregate>(node.getString("aggregate_function", "SUM"))
                         .Case("AVERAGE", Aggregate::Average)
                         .Case("MIN", Aggregate::Min)
                         .Case("MAX", Aggregate::Max)
                         .Default(Aggregate::Sum);
  Extents trees = node.getIntList("nodes_treeids"), ids = node.getIntList("nodes_nodeids");
  Extents features = node.getIntList("nodes_featureids"), yes = node.getIntList("nodes_truenodeids");
  Extents no = node.getIntList("nodes_falsenodeids"), missing = node.getIntList("nodes_missing_value_tracks_true");
  SmallVector<double> splits = node.getFloatList("nodes_values");
  SmallVector<std::string> modes = node.getStringList("nodes_modes");
  size_t count = modes.size();
  auto isShort = [&](const auto &list) { return list.size() != count; };
  if (forest.targets < 1 || forest.targets > kMostTargets || isShort(trees) || isShort(ids) || isShort(features) ||
      isShort(yes) || isShort(no) || isShort(splits))
    return finish(node, {}, node.getInput(0), {}, "NONE");
  int64_t inner = llvm::count_if(modes, [](StringRef mode) { return mode != "LEAF"; }), leaf = 0, branch = 0;
  std::map<std::pair<int64_t, int64_t>, int64_t> positions;
  for (size_t i = 0; i < count; ++i)
    positions[{trees[i], ids[i]}] = modes[i] == "LEAF" ? inner + leaf++ : branch++;
  auto positionOf = [&](int64_t tree, int64_t id) {
    auto found = positions.find({tree, id});
    return found == positions.end() ? -1 : found->second;
  };
  forest.leaves.assign(leaf, std::vector<std::optional<double>>(forest.targets));
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || trees[i] != trees[i - 1])
      forest.roots.push_back(positionOf(trees[i], ids[i]));
    if (modes[i] == "LEAF")
      continue;
    forest.features.push_back(features[i]);
    forest.modes.push_back(modeOf(modes[i]));
    forest.splits.push_back(splits[i]);
    forest.yes.push_back(positionOf(trees[i], yes[i]));
    forest.no.push_back(positionOf(trees[i], no[i]));
    if (missing.size() == count)
      forest.missing.push_back(missing[i]);
  }
  Extents targets = node.getIntList("target_ids"), targetTrees = node.getIntList("target_treeids");
  Extents targetNodes = node.getIntList("target_nodeids");
  SmallVector<double> weights = node.getFloatList("target_weights");
  for (size_t i = 0; i < targets.size() && i < weights.size() && i < targetTrees.size() && i < targetNodes.size();
       ++i) {
    int64_t position = positionOf(targetTrees[i], targetNodes[i]) - inner;
    if (position >= 0 && targets[i] >= 0 && targets[i] < forest.targets)
      forest.leaves[position][targets[i]] = weights[i];
  }
  return finish(node, forest, node.cast(node.getInput(0), node.getBuilder().getF32Type()),
                node.getFloatList("base_values"), node.getString("post_transform", "NONE"));
}

} // namespace hgc::onnx
