// Bars, memory curves and the timeline.

function showAlternatives(entry) {
  // Every way to place keeps the pins: with some, not all is on one device.
  const which = entry.ops.some((op) => op.pin) ? "rest" : "all";
  const names = { all_cpu: which + " on cpu", all_gpu: which + " on gpu", greedy: "greedy", heft: "HEFT", m_etf: "m-ETF", m_sct: "m-SCT" };
  const order = Object.keys(names), rank = (key) => (order.indexOf(key) < 0 ? order.length : order.indexOf(key));
  const others = Object.entries(entry.alternatives).sort((a, b) => rank(a[0]) - rank(b[0]));
  const panel = $("alternatives"), cost = entry.serial_cost_ps;
  panel.hidden = !others.length || cost === undefined;
  if (panel.hidden) return;
  const most = Math.max(cost, entry.makespan_ps || 0, ...others.map((other) => other[1]), 1);
  const bars = make("div", { class: "bars" });
  const add = (name, value, isThis, style) => {
    const fill = make("span", { class: "fill " + (style || "") });
    fill.style.width = (100 * value) / most + "%";
    const factor = isThis || !cost ? "" : "  " + (value / cost).toFixed(2) + "×";
    bars.append(make("span", { class: isThis ? "mine" : "" }, name), make("span", { class: "track" }, fill),
      make("span", { class: isThis ? "mine" : "muted" }, time(value) + factor));
  };
  add("this plan", cost, true, "this");
  if (entry.makespan_ps !== undefined && entry.makespan_ps !== cost) add("with overlap", entry.makespan_ps, false, "overlap");
  for (const [key, value] of others) add(names[key] || key, value, false);
  panel.querySelector(".body").replaceChildren(bars);
}

function showReasons(entry) {
  const panel = $("reasons");
  const ops = entry.ops.filter((op) => op.switch_price_ps > 0).sort((a, b) => b.switch_price_ps - a.switch_price_ps).slice(0, 6);
  panel.hidden = !ops.length;
  const items = ops.map((op) => make("li", {}, link(op.name), " on ", chip(op.device), " ", op.pin ? "pinned" : op.reason || "",
    make("span", { class: "muted" }, " (switching costs " + time(op.switch_price_ps) + " more)")));
  panel.querySelector(".body").replaceChildren(make("ol", { class: "why" }, ...items));
}

function svg(tag, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Live bytes of one arena while the entry runs, in steps. */
function drawCurve(memory) {
  const width = 640, height = 210, left = 66, right = 14, top = 16, bottom = 26, curve = memory.curve;
  const room = memory.limit ? memory.limit - memory.weights_bytes - memory.state_bytes - memory.scratch_bytes : 0;
  const most = Math.max(memory.arena_bytes, room, ...curve, 1) * 1.1;
  const x = (step) => left + ((width - left - right) * step) / curve.length;
  const y = (value) => height - bottom - ((height - top - bottom) * value) / most;
  const tone = "var(--" + shade(memory.device) + ")";
  const steps = curve.map((value, i) => "V" + y(value) + "H" + x(i + 1)).join("");
  const line = "M" + x(0) + " " + y(0) + steps, area = line + "V" + y(0) + "Z";
  const picture = svg("svg", { viewBox: "0 0 " + width + " " + height, role: "img" });
  for (let i = 0; i <= 4; ++i) {
    const value = (most * i) / 4 / 1.1;
    picture.append(svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), stroke: "var(--line)" }),
      svg("text", { x: left - 7, y: y(value) + 4, "text-anchor": "end" }, bytes(Math.round(value))));
  }
  picture.append(svg("path", { d: area, fill: tone, opacity: 0.3 }), svg("path", { d: line, fill: "none", stroke: tone, "stroke-width": 2 }));
  const level = (value, text, stroke, dash) => picture.append(
    svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), stroke, "stroke-width": 1.5, "stroke-dasharray": dash }),
    svg("text", { x: width - right - 4, y: y(value) - 5, "text-anchor": "end", style: "fill:" + stroke }, text + " " + bytes(value)));
  level(memory.arena_bytes, "arena", "var(--muted)", "5 4");
  if (memory.limit) level(Math.max(room, 0), "the limit of " + bytes(memory.limit) + " leaves", "var(--bad)", "none");
  picture.append(svg("text", { x: left, y: height - 8 }, "first action"),
    svg("text", { x: width - right, y: height - 8, "text-anchor": "end" }, "last of " + curve.length));
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect(), at = ((event.clientX - box.left) / box.width) * width;
    const step = Math.max(0, Math.min(curve.length - 1, Math.floor(((at - left) / (width - left - right)) * curve.length)));
    showTip(event, (memory.curve_names[step] || "end") + "\n" + bytes(curve[step]) + " alive in the arena");
  });
  picture.addEventListener("pointerleave", hideTip);
  return picture;
}

function showMemory(plan) {
  const parts = plan.memory.map((memory) => {
    const peak = memory.arena_bytes + memory.weights_bytes + memory.state_bytes + memory.scratch_bytes;
    const text = "  " + bytes(peak) + " = arena " + bytes(memory.arena_bytes) + " + weights " + bytes(memory.weights_bytes) +
      (memory.state_bytes ? " + state " + bytes(memory.state_bytes) : "") + (memory.scratch_bytes ? " + scratch " + bytes(memory.scratch_bytes) : "");
    const box = make("div", {}, make("h3", {}, chip(memory.device), text));
    if (memory.curve && memory.curve.length) box.append(drawCurve(memory));
    return box;
  });
  $("memory").hidden = !parts.length;
  $("memory").querySelector(".body").replaceChildren(make("div", { class: "curves" }, ...parts));
}

const timeline = { items: [], rows: [], from: 0, to: 1 };
const kRow = 34, kNames = 118, kAxis = 26;

function drawTimeline() {
  const canvas = $("timeline").querySelector("canvas"), width = canvas.clientWidth, height = timeline.rows.length * kRow + kAxis + 8;
  canvas.style.height = height + "px";
  const context = prepare(canvas, width, height), span = timeline.to - timeline.from;
  const x = (at) => kNames + ((at - timeline.from) / span) * (width - kNames - 10);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  // Steps of 1, 2 or 5 times a power of ten, about eight of them.
  const raw = span / 8, base = 10 ** Math.floor(Math.log10(raw)), step = base * ([1, 2, 5, 10].find((n) => base * n >= raw) || 10);
  for (let at = Math.ceil(timeline.from / step) * step; at <= timeline.to; at += step) {
    context.fillStyle = color("line");
    context.fillRect(x(at), 4, 1, height - kAxis);
    context.fillStyle = color("muted");
    context.textAlign = "center";
    context.fillText(time(Math.round(at)), Math.min(x(at), width - 24), height - 11);
  }
  timeline.rows.forEach((name, row) => {
    context.fillStyle = color("line");
    context.fillRect(0, 4 + (row + 1) * kRow, width, 1);
    context.fillStyle = color("text");
    context.textAlign = "left";
    context.fillText(name, 10, 4 + row * kRow + kRow / 2);
  });
  context.save();
  context.beginPath();
  context.rect(kNames, 0, width - kNames - 8, height - kAxis);
  context.clip();
  for (const item of timeline.items) {
    const left = x(item.start), right = x(item.end), top = 9 + item.row * kRow;
    if (right < kNames || left > width) continue;
    context.fillStyle = color(/load|copy/.test(item.resource) ? "copy" : shade(item.resource));
    context.beginPath();
    context.roundRect(left, top, Math.max(1.5, right - left - 1), kRow - 10, 4);
    context.fill();
    if (right - left < 40) continue;
    context.fillStyle = color("panel");
    context.textAlign = "left";
    context.fillText(cutText(context, item.name, right - left - 10), Math.max(left, kNames) + 5, top + (kRow - 10) / 2);
  }
  context.restore();
}

function showTimeline(entry) {
  const items = entry.timeline || [];
  $("timeline").hidden = !items.length;
  if (!items.length) return;
  const rows = [...new Set(items.map((item) => item.resource))].sort();
  timeline.rows = rows;
  timeline.items = items.map((item) => ({ ...item, row: rows.indexOf(item.resource) }));
  timeline.from = 0;
  timeline.end = timeline.to = Math.max(...items.map((item) => item.end), 1) * 1.02;
  drawTimeline();
}

function installTimeline() {
  const canvas = $("timeline").querySelector("canvas");
  const clamp = (from, span) => {
    span = Math.min(span, timeline.end);
    from = Math.max(0, Math.min(from, timeline.end - span));
    timeline.from = from;
    timeline.to = from + span;
    drawTimeline();
  };
  const share = (event) => (event.clientX - canvas.getBoundingClientRect().left - kNames) / (canvas.clientWidth - kNames - 10);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const span = timeline.to - timeline.from, next = Math.max(timeline.end / 5000, span * Math.exp(event.deltaY * 0.0015));
    clamp(timeline.from + share(event) * (span - next), next);
  }, { passive: false });
  dragging(canvas, (dx) => {
    const span = timeline.to - timeline.from;
    clamp(timeline.from - (dx / (canvas.clientWidth - kNames)) * span, span);
  }, () => {});
  canvas.addEventListener("pointermove", (event) => {
    const at = timeline.from + share(event) * (timeline.to - timeline.from);
    const row = Math.floor((event.clientY - canvas.getBoundingClientRect().top - 4) / kRow);
    const item = timeline.items.find((other) => other.row === row && other.start <= at && at <= other.end);
    showTip(event, item ? item.name + "\n" + item.resource + ", " + time(item.end - item.start) + " from " + time(item.start) : "");
  });
  canvas.addEventListener("pointerleave", hideTip);
}
