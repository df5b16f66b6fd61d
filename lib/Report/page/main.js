// Which entry of which plan is shown, and the numbers on top.

const shown = { variant: 0, plan: 0, entry: null };

function showCards(plan, entry) {
  const cards = [];
  const card = (what, value, note, style) => cards.push(make("div", { class: "card" }, make("span", { class: "what" }, what),
    make("b", {}, value), make("span", { class: "note " + (style || "") }, note || " ")));
  if (entry.serial_cost_ps !== undefined) {
    const gap = entry.gap_ps;
    card("time without overlap", time(entry.serial_cost_ps), gap === undefined ? "modelled" : gap === 0 ? "proven cheapest" : "at most " + time(gap) + " above the best",
      gap === 0 ? "good" : "");
  }
  if (entry.makespan_ps !== undefined) card("time with overlap", time(entry.makespan_ps), "simulated");
  const calls = entry.transfers.filter((copy) => copy.when === "call"), loads = entry.transfers.filter((copy) => copy.when === "load");
  const sum = (list) => list.reduce((total, copy) => total + copy.bytes * copy.times, 0);
  card("copies a call", String(calls.reduce((total, copy) => total + copy.times, 0)), bytes(sum(calls)) + (loads.length ? "; at load " + bytes(sum(loads)) : ""));
  const counts = new Map();
  for (const op of entry.ops) counts.set(op.device, (counts.get(op.device) || 0) + 1);
  card("ops", String(entry.ops.length), [...counts].sort().map(([device, count]) => count + " on " + device).join(", "));
  card("kernels", String(entry.kernels.length), plural(entry.kernels.reduce((total, kernel) => total + kernel.launches, 0), "launch", "launches"));
  for (const memory of plan.memory)
    card("memory on " + memory.device, bytes(memory.arena_bytes + memory.weights_bytes + memory.state_bytes + memory.scratch_bytes),
      memory.limit ? "limit " + bytes(memory.limit) : "arena " + bytes(memory.arena_bytes));
  $("cards").replaceChildren(...cards);
}

function fillChoice(select, names, chosen) {
  select.replaceChildren(...names.map((name, i) => make("option", { value: i }, name)));
  select.value = String(chosen);
  select.parentElement.hidden = names.length < 2;
}

function show() {
  const variant = data.variants[shown.variant];
  shown.plan = Math.min(shown.plan, variant.plans.length - 1);
  const plan = variant.plans[shown.plan];
  shown.number = Math.min(shown.number || 0, plan.entries.length - 1);
  const entry = (shown.entry = plan.entries[shown.number]);
  fillChoice($("variant"), data.variants.map((other) => Object.entries(other.dims).map(([name, n]) => name + "=" + n).join(", ") || "fixed"), shown.variant);
  fillChoice($("plan"), variant.plans.map((other) => other.name), shown.plan);
  fillChoice($("entry"), plan.entries.map((other) => other.name), shown.number);
  if (!entry) return;
  showCards(plan, entry);
  showAlternatives(entry);
  showReasons(entry);
  const isOne = $("alternatives").hidden || $("reasons").hidden;
  $("overview").style.gridTemplateColumns = isOne ? "1fr" : "";
  $("overview").hidden = $("alternatives").hidden && $("reasons").hidden;
  $("graph").hidden = !entry.ops.length;
  if (entry.ops.length) showGraph(entry);
  showTimeline(entry);
  showMemory(plan);
  showTables(entry);
}

function redraw() {
  if (graph.layout) drawGraph();
  if (timeline.items.length) drawTimeline();
}

function install() {
  const target = data.target;
  $("target").textContent = [target.cpu, ...target.gpus].join(" + ") + ", model " + data.model_hash.slice(0, 8);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const setTheme = (isDark) => {
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    redraw();
  };
  setTheme(dark.matches);
  dark.addEventListener("change", (event) => setTheme(event.matches));
  $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme !== "dark"));
  for (const [id, key] of [["variant", "variant"], ["plan", "plan"], ["entry", "number"]])
    $(id).addEventListener("change", (event) => {
      shown[key] = Number(event.target.value);
      show();
    });
  installGraph();
  installTimeline();
  window.addEventListener("resize", redraw);
  if (!data.variants.length) return;
  // The largest variant, in the plan that uses all devices, says most.
  shown.variant = data.variants.length - 1;
  shown.plan = data.variants[shown.variant].plans.length - 1;
  show();
}

window.addEventListener("error", (event) => { document.documentElement.dataset.error = event.message; });
install();
document.documentElement.dataset.ready = "yes";
