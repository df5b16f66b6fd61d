// A layered drawing: every op in the layer behind its inputs, long edges through
// points in the layers between, fewer crossings by sorting towards neighbours.

const kMaxPoints = 30000;

/** Nodes and edges of an entry: ops, arguments and one node for the results. */
function buildGraph(entry) {
  const nodes = [], index = new Map(), edges = [];
  const add = (node) => {
    index.set(node.name, nodes.length);
    nodes.push(node);
  };
  const used = new Set(entry.ops.flatMap((op) => op.inputs).concat(entry.outputs));
  for (const name of used)
    if (name.startsWith("%")) add({ name, kind: "input", device: "cpu", isEnd: true });
  for (const op of entry.ops) add({ name: op.name, kind: op.op, device: op.device, op });
  const sent = new Map();
  for (const copy of entry.transfers)
    if (copy.when === "call") sent.set(copy.value + "\n" + copy.to, copy);
  const connect = (from, to) => {
    if (!index.has(from) || !index.has(to)) return;
    const source = nodes[index.get(from)], target = nodes[index.get(to)];
    const copy = source.device !== target.device;
    edges.push({ from: index.get(from), to: index.get(to), copy, bytes: copy ? (sent.get(from + "\n" + target.device) || {}).bytes : 0 });
  };
  for (const op of entry.ops)
    for (const input of op.inputs) connect(input, op.name);
  if (entry.outputs.length) {
    add({ name: "results", kind: "output", device: "cpu", isEnd: true });
    for (const output of entry.outputs) connect(output, "results");
  }
  return { nodes, edges };
}

/** Longest distance from a source; inputs of ops come first in `nodes`. What
 *  depends on no input stands close to its reader instead. */
function assignLayers(nodes, edges) {
  for (const node of nodes) {
    node.layer = 0;
    node.isFree = node.kind !== "input";
  }
  const into = nodes.map(() => []), out = nodes.map(() => []);
  for (const edge of edges) {
    into[edge.to].push(edge.from);
    out[edge.from].push(edge.to);
  }
  nodes.forEach((node, i) => {
    for (const from of into[i]) if (from < i && !nodes[from].isFree) node.isFree = false;
    for (const from of into[i]) if (from < i) node.layer = Math.max(node.layer, nodes[from].layer + 1);
  });
  // Layers of the rest, as if what is free were not there.
  nodes.forEach((node, i) => {
    const bound = into[i].filter((from) => from < i && !nodes[from].isFree);
    if (!node.isFree) node.layer = bound.reduce((layer, from) => Math.max(layer, nodes[from].layer + 1), 0);
  });
  for (let i = nodes.length - 1; i >= 0; --i)
    if ((nodes[i].isFree || nodes[i].kind === "input") && out[i].length)
      nodes[i].layer = out[i].reduce((layer, to) => Math.min(layer, nodes[to].layer), Infinity) - 1;
  const first = nodes.reduce((layer, node) => Math.min(layer, node.layer), Infinity);
  for (const node of nodes) node.layer -= first;
}

/** Layers of points: nodes, and places where long edges pass. */
function makePoints(nodes, edges) {
  const layers = [];
  const put = (point) => {
    (layers[point.layer] = layers[point.layer] || []).push(point);
    return point;
  };
  const points = nodes.map((node) => put({ node, layer: node.layer, up: [], down: [], x: 0 }));
  let spare = kMaxPoints;
  for (const edge of edges) {
    let last = points[edge.from];
    edge.path = [last];
    const end = points[edge.to];
    for (let layer = last.layer + 1; layer < end.layer && spare > 0; ++layer, --spare) {
      const next = put({ layer, up: [], down: [], x: 0 });
      last.down.push(next);
      next.up.push(last);
      edge.path.push(last = next);
    }
    last.down.push(end);
    end.up.push(last);
    edge.path.push(end);
  }
  for (let i = 0; i < layers.length; ++i) layers[i] = layers[i] || [];
  return { layers, points };
}

const mean = (list, get, otherwise) => (list.length ? list.reduce((sum, item) => sum + get(item), 0) / list.length : otherwise);

/** Sorts layers by the middle of their neighbours, down and up in turns. */
function orderLayers(layers, rounds) {
  layers.forEach((layer) => layer.forEach((point, i) => { point.order = i; }));
  for (let round = 0; round < rounds; ++round) {
    const isDown = round % 2 === 0;
    for (const layer of isDown ? layers : [...layers].reverse()) {
      for (const point of layer) point.weight = mean(isDown ? point.up : point.down, (p) => p.order, point.order);
      layer.sort((a, b) => a.weight - b.weight || a.order - b.order);
      layer.forEach((point, i) => { point.order = i; });
    }
  }
}

/** Moves points towards their neighbours, keeping order and distance. */
function placePoints(layers, rounds) {
  const width = (point) => (point.node ? 1 : 0.28);
  for (const layer of layers) {
    let at = 0;
    for (const point of layer) {
      point.x = at + width(point) / 2;
      at += width(point);
    }
    for (const point of layer) point.x -= at / 2;
  }
  for (let round = 0; round < rounds; ++round) {
    const isDown = round % 2 === 0;
    for (const layer of isDown ? layers : [...layers].reverse()) {
      for (const point of layer) point.want = mean(isDown ? point.up : point.down, (p) => p.x, point.x);
      spread(layer, width);
    }
  }
}

/** Closest positions to those wanted that keep the order: pools of neighbours
 *  that touch share their mean. */
function spread(layer, width) {
  const pools = [];
  for (const point of layer) {
    let pool = { points: [point], start: point.want - width(point) / 2, size: width(point), weight: 1 };
    while (pools.length && pools[pools.length - 1].start + pools[pools.length - 1].size > pool.start) {
      const left = pools.pop();
      const start = (left.start * left.weight + (pool.start - left.size) * pool.weight) / (left.weight + pool.weight);
      pool = { points: left.points.concat(pool.points), start, size: left.size + pool.size, weight: left.weight + pool.weight };
    }
    pools.push(pool);
  }
  for (const pool of pools) {
    let at = pool.start;
    for (const point of pool.points) {
      point.x = at + width(point) / 2;
      at += width(point);
    }
  }
}

/** Places for all nodes and edges, in pixels. The shape of the view decides
 *  whether layers are rows or columns. */
function layOut(entry, view) {
  const { nodes, edges } = buildGraph(entry);
  assignLayers(nodes, edges);
  const { layers, points } = makePoints(nodes, edges);
  const rounds = nodes.length > 1500 ? 8 : 16;
  orderLayers(layers, rounds);
  placePoints(layers, rounds);
  const all = layers.flat();
  const low = Math.min(...all.map((point) => point.x)) || 0, high = Math.max(...all.map((point) => point.x)) || 0;
  const box = { width: 148, height: 38 };
  const sizes = [
    { isDown: true, across: 176, along: 66, width: (high - low + 1) * 176, height: layers.length * 66 },
    { isDown: false, across: 62, along: 200, width: layers.length * 200, height: (high - low + 1) * 62 },
  ];
  const fit = (size) => Math.min(view.width / size.width, view.height / size.height);
  const shape = fit(sizes[0]) >= fit(sizes[1]) * 0.9 ? sizes[0] : sizes[1];
  for (const point of all) {
    const across = (point.x - low + 0.5) * shape.across, along = (point.layer + 0.5) * shape.along;
    point.at = shape.isDown ? [across, along] : [along, across];
  }
  nodes.forEach((node, i) => {
    [node.x, node.y] = points[i].at;
    node.width = box.width;
    node.height = box.height;
  });
  for (const edge of edges) edge.places = edge.path.map((point) => point.at);
  return { nodes, edges, width: shape.width, height: shape.height, isDown: shape.isDown, half: (shape.isDown ? box.height : box.width) / 2 };
}
