// The graph on a canvas: zoom, pan, search, details.

const graph = { layout: null, scale: 1, x: 0, y: 0, selected: null, hovered: null, found: new Set(), at: -1 };

function graphSize() {
  const stage = $("canvas").parentElement;
  return { width: stage.clientWidth, height: stage.clientHeight };
}

function fitGraph() {
  const size = graphSize(), layout = graph.layout;
  const whole = Math.min((size.width - 40) / layout.width, (size.height - 40) / layout.height, 1.25);
  // A large graph starts at its beginning, in a size that can be read.
  graph.scale = Math.max(whole, 0.8);
  graph.x = layout.width * graph.scale <= size.width - 20 || layout.isDown ? (size.width - layout.width * graph.scale) / 2 : 20;
  graph.y = layout.height * graph.scale <= size.height - 20 || !layout.isDown ? (size.height - layout.height * graph.scale) / 2 : 20;
  if (layout.isDown && layout.width * graph.scale > size.width) centreOn(layout.nodes[0], true);
}

/** Whole graph in the view, however small. */
function fitWhole() {
  const size = graphSize(), layout = graph.layout;
  graph.scale = Math.min((size.width - 40) / layout.width, (size.height - 40) / layout.height, 1.25);
  graph.x = (size.width - layout.width * graph.scale) / 2;
  graph.y = (size.height - layout.height * graph.scale) / 2;
  drawGraph();
}

function centreOn(node, isTop) {
  if (!node) return;
  const size = graphSize();
  graph.x = size.width / 2 - node.x * graph.scale;
  graph.y = (isTop ? 60 : size.height / 2) - node.y * graph.scale;
}

function zoomBy(factor, x, y) {
  const scale = Math.max(0.02, Math.min(4, graph.scale * factor));
  graph.x = x - (x - graph.x) * (scale / graph.scale);
  graph.y = y - (y - graph.y) * (scale / graph.scale);
  graph.scale = scale;
  drawGraph();
}

/** Curves in the gaps between layers, straight lines across them. */
function tracePath(context, edge, layout) {
  const places = edge.places, half = layout.half, last = places.length - 1;
  for (let i = 0; i <= last; ++i) {
    const [x, y] = places[i];
    if (i === 0) {
      if (layout.isDown) context.moveTo(x, y + half);
      else context.moveTo(x + half, y);
      continue;
    }
    const [ax, ay] = places[i - 1];
    if (layout.isDown) {
      const from = ay + half, to = y - half, middle = (from + to) / 2;
      context.bezierCurveTo(ax, middle, x, middle, x, to);
      if (i < last) context.lineTo(x, y + half);
    } else {
      const from = ax + half, to = x - half, middle = (from + to) / 2;
      context.bezierCurveTo(middle, ay, middle, y, to, y);
      if (i < last) context.lineTo(x + half, y);
    }
  }
}

/** Whether something from (x0, y0) to (x1, y1) can be seen. */
function inView(x0, y0, x1, y1, size) {
  const { scale, x, y } = graph;
  return x1 * scale + x > 0 && x0 * scale + x < size.width && y1 * scale + y > 0 && y0 * scale + y < size.height;
}

function drawEdges(context, size) {
  const { edges } = graph.layout, active = graph.hovered || graph.selected;
  const lines = { plain: new Path2D(), copy: new Path2D(), active: new Path2D() };
  for (const edge of edges) {
    const xs = edge.places.map((p) => p[0]), ys = edge.places.map((p) => p[1]);
    if (!inView(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), size)) continue;
    const isActive = active && (graph.layout.nodes[edge.from] === active || graph.layout.nodes[edge.to] === active);
    tracePath(isActive ? lines.active : edge.copy ? lines.copy : lines.plain, edge, graph.layout);
  }
  const thin = Math.max(1.2, 0.7 / graph.scale);
  context.lineWidth = thin;
  context.strokeStyle = color("load");
  context.globalAlpha = 0.75;
  context.stroke(lines.plain);
  context.globalAlpha = 1;
  context.lineWidth = thin * 2;
  context.strokeStyle = color("copy");
  context.stroke(lines.copy);
  context.strokeStyle = color("accent");
  context.stroke(lines.active);
}

/** Sizes of copies, where there is room for them. */
function drawCopyLabels(context, size) {
  if (graph.scale < 0.45) return;
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  const drawn = new Set();
  for (const edge of graph.layout.edges) {
    if (!edge.copy || !edge.bytes) continue;
    // One copy serves all its readers.
    const key = edge.from + " " + graph.layout.nodes[edge.to].device;
    if (drawn.has(key)) continue;
    drawn.add(key);
    const [a, b] = edge.places, x = (a[0] + b[0]) / 2, y = (a[1] + b[1]) / 2;
    if (!inView(x - 40, y - 10, x + 40, y + 10, size)) continue;
    const text = bytes(edge.bytes), width = context.measureText(text).width + 12;
    context.fillStyle = color("panel");
    context.strokeStyle = color("copy");
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(x - width / 2, y - 8.5, width, 17, 8.5);
    context.fill();
    context.stroke();
    context.fillStyle = color("copy");
    context.fillText(text, x, y + 0.5);
  }
}

function cutText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(text.slice(0, middle) + "…").width <= width) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low) + "…";
}

function drawNodes(context, size) {
  const hasSearch = graph.found.size > 0, panel = color("panel"), text = color("text"), muted = color("muted");
  const shades = {};
  for (const node of graph.layout.nodes) {
    const left = node.x - node.width / 2, top = node.y - node.height / 2;
    if (!inView(left, top, left + node.width, top + node.height, size)) continue;
    const name = shade(node.device), tone = (shades[name] = shades[name] || color(name));
    const isActive = node === graph.selected || node === graph.hovered;
    context.globalAlpha = 1;
    context.beginPath();
    context.roundRect(left, top, node.width, node.height, node.isEnd ? 19 : 8);
    context.fillStyle = panel;
    context.fill();
    context.globalAlpha = hasSearch && !graph.found.has(node) ? 0.22 : 1;
    context.fillStyle = graph.scale < 0.25 && !node.isEnd ? tone : panel;
    context.fill();
    context.lineWidth = isActive || graph.found.has(node) ? 3 : 1.4;
    context.strokeStyle = graph.found.has(node) ? color("copy") : tone;
    if (node.isEnd) context.setLineDash([4, 3]);
    context.stroke();
    context.setLineDash([]);
    if (graph.scale < 0.25) continue;
    if (!node.isEnd) {
      context.save();
      context.clip();
      context.fillStyle = tone;
      context.fillRect(left, top, 6, node.height);
      context.globalAlpha *= 0.1;
      context.fillRect(left, top, node.width, node.height);
      context.restore();
    }
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillStyle = text;
    context.font = "600 12px system-ui, sans-serif";
    context.fillText(cutText(context, node.name, node.width - (node.op && node.op.pin ? 34 : 22)), left + 13, top + 13);
    context.fillStyle = muted;
    context.font = "11px system-ui, sans-serif";
    const cost = node.op && ownCost(node.op) ? " · " + time(ownCost(node.op)) : "";
    context.fillText(cutText(context, node.kind + cost, node.width - 22), left + 13, top + 27);
    if (node.op && node.op.pin) {
      context.fillStyle = tone;
      context.beginPath();
      context.arc(left + node.width - 13, top + 13, 4, 0, 7);
      context.fill();
    }
  }
  context.globalAlpha = 1;
}

function drawMap() {
  const { layout } = graph, size = graphSize(), map = $("map");
  const isNeeded = layout.width * graph.scale > size.width + 4 || layout.height * graph.scale > size.height + 4;
  map.style.display = isNeeded ? "block" : "none";
  if (!isNeeded) return;
  const scale = Math.min(190 / layout.width, 150 / layout.height);
  const width = Math.max(24, layout.width * scale), height = Math.max(24, layout.height * scale);
  map.style.width = width + "px";
  map.style.height = height + "px";
  const context = prepare(map, width, height);
  for (const node of layout.nodes) {
    context.fillStyle = graph.found.has(node) ? color("copy") : color(shade(node.device));
    const w = Math.max(1.5, node.width * scale), h = Math.max(1.5, node.height * scale);
    context.fillRect(node.x * scale - w / 2, node.y * scale - h / 2, w, h);
  }
  context.strokeStyle = color("text");
  context.lineWidth = 1.5;
  context.strokeRect((-graph.x / graph.scale) * scale, (-graph.y / graph.scale) * scale,
    (size.width / graph.scale) * scale, (size.height / graph.scale) * scale);
  graph.mapScale = scale;
}

function drawGraph() {
  const size = graphSize(), context = prepare($("canvas"), size.width, size.height);
  if (!graph.layout) return;
  context.translate(graph.x, graph.y);
  context.scale(graph.scale, graph.scale);
  drawEdges(context, size);
  drawNodes(context, size);
  drawCopyLabels(context, size);
  drawMap();
}

function nodeAt(event) {
  const box = $("canvas").getBoundingClientRect();
  const x = (event.clientX - box.left - graph.x) / graph.scale, y = (event.clientY - box.top - graph.y) / graph.scale;
  return graph.layout.nodes.find((node) => Math.abs(x - node.x) <= node.width / 2 && Math.abs(y - node.y) <= node.height / 2) || null;
}

/** Selects an op by name and brings it into view. */
function goTo(name) {
  const node = graph.layout.nodes.find((other) => other.name === name);
  if (!node) return;
  select(node);
  graph.scale = Math.max(graph.scale, 0.7);
  centreOn(node);
  drawGraph();
  $("graph").scrollIntoView({ block: "nearest" });
}

const link = (name) => make("a", { class: "op", onclick: () => goTo(name) }, name);

function linkAll(names) {
  const parts = names.flatMap((name, i) => [i ? ", " : "", name.startsWith("@") ? name : link(name)]);
  return parts.length ? parts : ["none"];
}

function select(node) {
  graph.selected = node;
  const details = $("details");
  details.classList.toggle("open", Boolean(node));
  details.replaceChildren();
  if (!node) return;
  const list = make("dl"), op = node.op;
  const row = (what, ...content) => list.append(make("dt", {}, what), make("dd", {}, ...content));
  row("kind", node.kind);
  row("device", chip(node.device), op && op.pin ? " pinned" : "", op && op.also_on ? " and " + op.also_on : "");
  if (op) {
    for (const [device, cost] of Object.entries(op.cost_ps)) row("on " + device, time(cost));
    if (op.switch_price_ps !== undefined) row("if switched", (op.switch_price_ps >= 0 ? "+" : "") + time(op.switch_price_ps));
    row("result", bytes(op.bytes));
    row("reads", ...linkAll(op.inputs));
    const kernel = op.kernel && shown.entry.kernels.find((other) => other.name === op.kernel && other.ops.includes(op.name));
    if (kernel) row("kernel", kernel.name, make("div", { class: "muted" }, kernel.schedule));
  }
  const readers = graph.layout.edges.filter((edge) => graph.layout.nodes[edge.from] === node).map((edge) => graph.layout.nodes[edge.to].name);
  if (readers.length) row("read by", ...linkAll(readers));
  const copies = shown.entry.transfers.filter((copy) => copy.value === node.name);
  for (const copy of copies) row("copied", "to " + copy.to + ", " + bytes(copy.bytes));
  details.append(make("button", { class: "close", title: "close", onclick: () => { select(null); drawGraph(); } }, "×"),
    make("h3", {}, node.name), list);
  if (op && op.reason) details.append(make("p", {}, op.reason));
}

/** Marks what matches the search field; Enter goes on to the next. */
function search(text, isNext) {
  const query = text.trim().toLowerCase();
  const match = (node) => node.name.toLowerCase().includes(query) || node.kind.toLowerCase().includes(query) || node.device === query;
  const found = query ? graph.layout.nodes.filter(match) : [];
  graph.found = new Set(found);
  graph.at = isNext && found.length ? (graph.at + 1) % found.length : found.length ? 0 : -1;
  $("matches").textContent = query ? plural(found.length, "match", "matches") : "";
  if (graph.at >= 0) {
    graph.scale = Math.max(graph.scale, 0.5);
    centreOn(found[graph.at]);
  }
  drawGraph();
}

function showGraph(entry) {
  graph.selected = graph.hovered = null;
  graph.found = new Set();
  $("search").value = $("matches").textContent = "";
  graph.layout = layOut(entry, graphSize());
  const devices = [...new Set(entry.ops.map((op) => op.device))].sort();
  $("legend").replaceChildren(...devices.map((device) => make("span", { color: "var(--" + shade(device) + ")" }, device)));
  if (graph.layout.edges.some((edge) => edge.copy)) $("legend").append(make("span", { class: "stroke", color: "var(--copy)" }, "copy"));
  select(null);
  fitGraph();
  drawGraph();
}

function installGraph() {
  const canvas = $("canvas");
  dragging(canvas, (dx, dy) => {
    graph.x += dx;
    graph.y += dy;
    drawGraph();
  }, (event) => {
    select(nodeAt(event));
    drawGraph();
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoomBy(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  canvas.addEventListener("pointermove", (event) => {
    const node = nodeAt(event);
    if (node !== graph.hovered) {
      graph.hovered = node;
      drawGraph();
    }
    showTip(event, node && graph.scale < 0.5 ? node.name + "\n" + node.kind + " on " + node.device : "");
  });
  canvas.addEventListener("pointerleave", hideTip);
  canvas.addEventListener("dblclick", fitWhole);
  canvas.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }, step = steps[event.key];
    const size = graphSize();
    if (step) {
      event.preventDefault();
      graph.x += step[0];
      graph.y += step[1];
      drawGraph();
    } else if (event.key === "+" || event.key === "-") zoomBy(event.key === "+" ? 1.3 : 0.77, size.width / 2, size.height / 2);
  });
  for (const button of document.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", () => {
      const size = graphSize();
      if (button.dataset.zoom === "fit") fitWhole();
      else zoomBy(Number(button.dataset.zoom), size.width / 2, size.height / 2);
    });
  $("search").addEventListener("input", (event) => search(event.target.value, false));
  $("search").addEventListener("keydown", (event) => { if (event.key === "Enter") search(event.target.value, true); });
  $("map").addEventListener("click", (event) => {
    const box = $("map").getBoundingClientRect();
    centreOn({ x: (event.clientX - box.left) / graph.mapScale, y: (event.clientY - box.top) / graph.mapScale });
    drawGraph();
  });
}
