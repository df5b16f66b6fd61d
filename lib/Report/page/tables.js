// Tables that sort by any column.

const kFirstRows = 200;

/** `columns` are {title, value(item), cell(item), isNumber}. */
function showTable(panel, columns, items) {
  panel.hidden = !items.length;
  let sorted = items, isAll = items.length <= kFirstRows * 1.25;
  const body = make("tbody"), more = make("button", { class: "more" });
  const fill = () => {
    const rows = isAll ? sorted : sorted.slice(0, kFirstRows);
    body.replaceChildren(...rows.map((item) => make("tr", {}, ...columns.map((column) =>
      make("td", { class: column.isNumber ? "num" : column.style || "" }, column.cell ? column.cell(item) : String(column.value(item) ?? ""))))));
    more.textContent = "show all " + sorted.length;
    more.hidden = isAll;
  };
  more.addEventListener("click", () => {
    isAll = true;
    fill();
  });
  const heads = columns.map((column) => make("th", { class: column.isNumber ? "num" : "", scope: "col" }, column.title));
  heads.forEach((head, i) => head.addEventListener("click", () => {
    const isDown = head.getAttribute("aria-sort") === (columns[i].isNumber ? null : "ascending");
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    const value = columns[i].value, sign = isDown ? -1 : 1;
    const compare = (a, b) => (typeof a === "number" || typeof b === "number" ? (a ?? -1) - (b ?? -1) : String(a ?? "").localeCompare(String(b ?? "")));
    sorted = [...items].sort((a, b) => sign * compare(value(a), value(b)));
    fill();
  }));
  fill();
  panel.querySelector(".body").replaceChildren(
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body)), more);
}

function showTables(entry) {
  const devices = [...new Set(entry.ops.flatMap((op) => Object.keys(op.cost_ps)))].sort();
  const hasChoice = entry.ops.some((op) => op.switch_price_ps !== undefined);
  const isTuned = entry.kernels.some((kernel) => kernel.tuned);
  const copied = new Map();
  for (const copy of entry.transfers) copied.set(copy.value, (copied.get(copy.value) || 0) + copy.bytes);
  showTable($("ops"), [
    { title: "op", value: (op) => op.name, cell: (op) => link(op.name) },
    { title: "kind", value: (op) => (op.form ? op.op + " " + op.form : op.op) },
    { title: "device", value: (op) => op.device, cell: (op) => chip(op.device) },
    ...devices.map((device) => ({ title: "on " + device, value: (op) => op.cost_ps[device], cell: (op) => time(op.cost_ps[device]), isNumber: true })),
    ...(hasChoice ? [{ title: "if switched", value: (op) => op.switch_price_ps, isNumber: true,
      cell: (op) => (op.switch_price_ps === undefined ? "" : (op.switch_price_ps >= 0 ? "+" : "") + time(op.switch_price_ps)) }] : []),
    { title: "result", value: (op) => op.bytes, cell: (op) => bytes(op.bytes), isNumber: true },
    { title: "kernel", value: (op) => op.kernel || "" },
    { title: "why", value: (op) => (op.pin ? "pinned to " + op.pin : op.reason || ""), style: "why" },
  ], entry.ops);
  showTable($("transfers"), [
    { title: "value", value: (copy) => copy.value, cell: (copy) => (copy.value.startsWith("@") ? copy.value : link(copy.value)) },
    { title: "from", value: (copy) => copy.from, cell: (copy) => chip(copy.from) },
    { title: "to", value: (copy) => copy.to, cell: (copy) => chip(copy.to) },
    { title: "bytes", value: (copy) => copy.bytes, cell: (copy) => bytes(copy.bytes) + (copy.times > 1 ? " × " + copy.times : ""), isNumber: true },
    { title: "when", value: (copy) => (copy.when === "load" ? "once, at load" : "every call") },
    { title: "why", value: (copy) => copy.reason || "", style: "why" },
  ], entry.transfers);
  showTable($("kernels"), [
    { title: "kernel", value: (kernel) => kernel.name },
    { title: "device", value: (kernel) => kernel.device, cell: (kernel) => chip(kernel.device) },
    { title: "ops", value: (kernel) => kernel.ops.length, cell: (kernel) => make("span", {}, ...linkAll(kernel.ops)) },
    { title: "launches", value: (kernel) => kernel.launches, isNumber: true },
    { title: "scratch", value: (kernel) => kernel.scratch_bytes, cell: (kernel) => bytes(kernel.scratch_bytes), isNumber: true },
    ...(isTuned ? [{ title: "measured", value: (kernel) => kernel.tuned && kernel.tuned.measured_ps, isNumber: true,
      cell: (kernel) => (kernel.tuned ? time(kernel.tuned.measured_ps) : "") }] : []),
    { title: "schedule", value: (kernel) => kernel.schedule, style: "why" },
  ], entry.kernels);
}
