// Data, units, colours and small helpers of all parts.

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

function scaled(value, step, units) {
  let unit = 0;
  while (Math.abs(value) >= step - 0.05 && unit + 1 < units.length) {
    value /= step;
    ++unit;
  }
  return (Number.isInteger(value) ? value : value.toFixed(1)) + " " + units[unit];
}
const time = (ps) => (ps === undefined ? "" : scaled(ps, 1000, ["ps", "ns", "us", "ms", "s"]));
const bytes = (n) => scaled(n, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);
const plural = (n, one, many) => n + " " + (n === 1 ? one : many);

/** An element with properties and children; text is never parsed as HTML. */
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "color") element.style.setProperty("--c", value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}
/** Name of the colour of a device. */
function shade(device) {
  return device.startsWith("gpu") ? "gpu" + (Number(device.split(":")[1] || 0) % 4) : "cpu";
}
const chip = (device) => make("span", { class: "chip", color: "var(--" + shade(device) + ")" }, device);

/** The cost of an op where it is. */
function ownCost(op) {
  return op.cost_ps[op.device.startsWith("gpu") ? "gpu" : "cpu"] || 0;
}

const tip = $("tip");
function showTip(event, text) {
  tip.textContent = text;
  tip.style.display = text ? "block" : "none";
  if (!text) return;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 8)) + "px";
  tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - box.height - 8)) + "px";
}
const hideTip = () => { tip.style.display = "none"; };

/** Sizes a canvas for the screen's density; returns its context in CSS pixels. */
function prepare(canvas, width, height) {
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  const context = canvas.getContext("2d");
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Calls `move(dx, dy)` while dragging, `click(event)` for a press without a move. */
function dragging(canvas, move, click) {
  let last = null, moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    last = event;
    moved = 0;
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("dragging");
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    moved += Math.abs(event.clientX - last.clientX) + Math.abs(event.clientY - last.clientY);
    move(event.clientX - last.clientX, event.clientY - last.clientY);
    last = event;
  });
  const end = (event) => {
    canvas.classList.remove("dragging");
    if (last && moved < 4) click(event);
    last = null;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", () => { last = null; });
}
