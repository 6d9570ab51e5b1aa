// Puts it together: what people do with pointer and keys, and when something is drawn again.

const by = (id) => document.getElementById(id);
const model = readData(by("data").textContent);
const rows = new Rows(model);
const paint = new Paint(model, rows);
const chart = by("chart"), scroller = by("scroller"), list = by("rows"), bars = by("bars"), axis = by("axis"), tip = by("tip");

/// How much of the whole time stays in sight at least, in the model's unit: half a minute.
const SHORTEST = Math.max(30000 / model.unit, 1);
/// Places beside the whole time, as a part of it.
const MARGIN = 0.02;
/// The longest list that browsers can scroll.
const TALLEST = 8000000;

const whole = () => ({ from: -model.end * MARGIN, to: Math.max(model.end, 1) * (1 + MARGIN * 2) });
let view = whole();
let focus = { kind: -1, a: 0, b: 0 };
let width = 600, height = 300, top = 0, isPlanned = false, isStale = true;

const details = new Details(model, by("details"), jump, () => { closeDetails(); list.focus(); });

function closeDetails() {
  details.hide();
  measure();
}

/// Draws at the next frame, however often it is asked.
function plan(stale) {
  isStale = isStale || stale;
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    render();
  });
}

function measure() {
  width = Math.max(120, bars.parentElement.clientWidth - list.offsetWidth);
  height = Math.max(80, scroller.clientHeight);
  paint.ratio = window.devicePixelRatio || 1;
  plan(true);
}

/// How the list is scrolled: a list taller than browsers can scroll moves in larger steps.
function ratio() {
  const tall = rows.tops[rows.length], room = Math.min(tall, TALLEST) - height;
  return room > 0 ? (tall - height) / room : 1;
}

function render() {
  if (isStale) {
    const before = rows.length ? rows.at(top) : -1;
    const anchor = before >= 0 ? { kind: rows.kind[before], a: rows.a[before], b: rows.b[before], off: top - rows.tops[before] } : null;
    rows.build(view.from, view.to);
    by("spacer").style.height = `${Math.max(0, Math.min(rows.tops[rows.length], TALLEST) - height)}px`;
    if (anchor && top > 0) {
      const after = rows.find(anchor.kind, anchor.a, anchor.b);
      if (after >= 0) scroller.scrollTop = (rows.tops[after] + anchor.off) / ratio();
    }
    isStale = false;
  }
  top = Math.max(0, Math.min(scroller.scrollTop * ratio(), rows.tops[rows.length] - height));
  paint.draw(bars, view, width, height, top);
  const drawn = paint.drawn;
  paint.axis(axis, width, 52);
  names();
  by("none").hidden = rows.length > 0;
  by("range").textContent = duration(model, view.to - view.from);
  by("count").textContent = rows.isFiltered ? `${grouped(rows.count || rows.roots.length)} of ${grouped(model.actions.count || model.workflows.roots)}` : "";
  const part = by("window").style, end = Math.max(model.end, 1);
  part.left = `${Math.max(0, (view.from / end) * 100)}%`;
  part.right = `${Math.max(0, 100 - (view.to / end) * 100)}%`;
  Object.assign(chart.dataset, { from: view.from, to: view.to, rows: rows.length, drawn, paints: Number(chart.dataset.paints || 0) + 1 });
}

/// What stands beside a row: its name, what is soft about it, and the whole in words.
function words(row) {
  const kind = rows.kind[row], a = rows.a[row], b = rows.b[row];
  if (kind === BUNDLE) {
    const { states, name } = model.bundles[a];
    return ["bundle", name, "", model.states.job[states[states.length - 1]]];
  }
  if (kind === JOB) {
    const { states, name, count } = model.jobs[a];
    return ["coordinator", name, `${grouped(count)} action${count === 1 ? "" : "s"}`, model.states.job[states[states.length - 1]]];
  }
  if (kind === ACTION) {
    const state = model.states.action[actionForm(model, a).last];
    return ["action", `@${actionNumber(model, a)}`, moment(model, model.actions.nominal[a]), state];
  }
  if (kind === WORKFLOW) {
    const form = workflowForm(model, a);
    return ["workflow", form.name, jobId(model.workflows.id[a], "W"), model.states.workflow[form.last]];
  }
  const form = workflowForm(model, a), node = form.nodes[b], tries = node.runs.length;
  const state = model.states.node[form.runs[node.runs[tries - 1]].state];
  return [node.kind, node.name, tries > 1 ? `${tries} tries` : node.kind, state];
}

function isFocus(row) {
  return rows.kind[row] === focus.kind && rows.a[row] === focus.a && rows.b[row] === focus.b;
}

/// The element of a row. It stays the same as long as the row does, so that a click ends where it began.
const elements = new Map();
function element(row) {
  const [kind, name, soft, state] = words(row), can = rows.canOpen(row), open = rows.isOpen(rows.kind[row], rows.a[row], rows.b[row]);
  const id = `row-${rows.kind[row]}-${rows.a[row]}-${rows.b[row]}`;
  if (!elements.has(id)) {
    const made = make("div", { role: "row", id, "aria-label": `${kind} ${name} ${soft} ${state}`, title: `${name}\n${soft} ${state}` },
      make("span", { class: "turn", "aria-hidden": "true" }),
      make("span", { role: "gridcell", class: "cell" }, make("bdi", { class: "name" }, name), make("span", { class: "soft" }, soft)),
      make("i", { class: `sw ${state}`, "aria-hidden": "true" }));
    made.style.height = `${HEIGHTS[rows.kind[row]]}px`;
    made.style.paddingLeft = `${8 + Math.min(rows.level[row], 8) * 14}px`;
    elements.set(id, made);
  }
  const found = elements.get(id);
  found.className = `row k${rows.kind[row]}${isFocus(row) ? " focus" : ""}`;
  found.firstChild.textContent = can ? (open ? "▾" : "▸") : "";
  found.setAttribute("aria-level", rows.level[row] + 1);
  found.setAttribute("aria-rowindex", row + 1);
  found.setAttribute("aria-selected", String(isFocus(row)));
  if (can) found.setAttribute("aria-expanded", String(open));
  found.style.top = `${rows.tops[row] - top}px`;
  found.dataset.row = row;
  return found;
}

/// The names of the rows in sight, as elements that can be read out.
function names() {
  const children = [];
  let active = "";
  for (let row = Math.max(0, rows.at(top)); row < rows.length && rows.tops[row] - top < height; row += 1) {
    const child = element(row);
    if (isFocus(row)) active = child.id;
    children.push(child);
  }
  if (children.length !== list.children.length || children.some((child, index) => child !== list.children[index])) list.replaceChildren(...children);
  if (elements.size > 4 * children.length + 100) {
    const kept = new Set(children);
    elements.forEach((child, id) => kept.has(child) || elements.delete(id));
  }
  list.setAttribute("aria-rowcount", rows.length);
  if (active) list.setAttribute("aria-activedescendant", active);
  else list.removeAttribute("aria-activedescendant");
}

function zoom(factor, at) {
  const long = view.to - view.from, full = whole(), next = Math.min(Math.max(long * factor, SHORTEST), full.to - full.from);
  const part = at === undefined ? 0.5 : at / width;
  const from = view.from + long * part - next * part;
  show(from, from + next);
}

/// Shows a stretch of time, kept within what there is.
function show(from, to) {
  const full = whole(), long = Math.min(to - from, full.to - full.from);
  const begin = Math.min(Math.max(from, full.from), full.to - long);
  view = { from: begin, to: begin + long };
  plan(true);
}

function move(part) {
  const by = (view.to - view.from) * part;
  show(view.from + by, view.to + by);
}

/// Puts the focus on a row and brings it into sight.
function select(row, open) {
  if (row < 0 || row >= rows.length) return;
  focus = { kind: rows.kind[row], a: rows.a[row], b: rows.b[row] };
  const tall = HEIGHTS[focus.kind];
  if (rows.tops[row] < top) scroller.scrollTop = rows.tops[row] / ratio();
  else if (rows.tops[row] + tall > top + height) scroller.scrollTop = (rows.tops[row] + tall - height) / ratio();
  if (open || details.shown) tell(focus.kind, focus.a, focus.b);
  plan(false);
}

function tell(kind, a, b, time) {
  const wasHidden = by("details").hidden;
  details.show(kind, a, b, time);
  if (wasHidden) measure();
}

function focused() {
  return rows.find(focus.kind, focus.a, focus.b);
}

function turn(row, open) {
  if (row < 0 || !rows.canOpen(row)) return;
  rows.setOpen(row, open);
  plan(true);
}

/// Shows an action: unfolds what holds it, zooms to it and tells about it.
function jump(action) {
  if (action < 0) return;
  if (!rows.shown[action]) clear();
  const place = model.actions.job[action], { bundle } = model.jobs[place];
  if (bundle >= 0) rows.open[BUNDLE].add(bundle);
  rows.open[JOB].add(place);
  rows.open[ACTION].add(action);
  const { from, to } = model.actions, long = Math.max(to[action] - from[action], SHORTEST);
  show(from[action] - long * 0.2, to[action] + long * 0.5);
  focus = { kind: ACTION, a: action, b: 0 };
  tell(ACTION, action, 0);
  isStale = true;
  render();
  const row = focused();
  scroller.scrollTop = (rows.tops[row] - height / 3) / ratio();
  select(row, false);
  list.focus({ preventScroll: true });
}

/// Applies the filter as the controls say.
function refilter() {
  rows.refilter();
  paint.series.clear();
  for (const button of document.querySelectorAll("[data-state]")) button.setAttribute("aria-pressed", String(button.dataset.state === rows.filter.state));
  for (const button of document.querySelectorAll("[data-only]")) button.setAttribute("aria-pressed", String(rows.filter.only.has(button.dataset.only)));
  if (by("state").value !== rows.filter.state) by("state").value = rows.filter.state;
  plan(true);
}

function clear() {
  by("find").value = "";
  Object.assign(rows.filter, { text: "", state: "" });
  rows.filter.only.clear();
  refilter();
}

function setState(state) {
  rows.filter.state = rows.filter.state === state ? "" : state;
  refilter();
}

const KEYS = {
  ArrowDown: (row) => select(Math.min(row + 1, rows.length - 1)),
  ArrowUp: (row) => select(Math.max(row - 1, 0)),
  PageDown: (row) => select(Math.min(Math.max(row, 0) + Math.floor(height / 26), rows.length - 1)),
  PageUp: (row) => select(Math.max(row - Math.floor(height / 26), 0)),
  Home: () => select(0),
  End: () => select(rows.length - 1),
  ArrowRight: (row) => {
    const open = row >= 0 && rows.isOpen(rows.kind[row], rows.a[row], rows.b[row]);
    if (row >= 0 && rows.canOpen(row) && !open) turn(row, true);
    else if (open && rows.level[row + 1] > rows.level[row]) select(row + 1);
  },
  ArrowLeft: (row) => {
    if (row < 0) return;
    if (rows.canOpen(row) && rows.isOpen(rows.kind[row], rows.a[row], rows.b[row])) turn(row, false);
    else select(rows.parent(row));
  },
  Enter: (row) => row >= 0 && tell(focus.kind, focus.a, focus.b),
  " ": (row) => row >= 0 && turn(row, !rows.isOpen(rows.kind[row], rows.a[row], rows.b[row])),
};

list.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) move(event.key === "ArrowLeft" ? -0.2 : 0.2);
  else if (KEYS[event.key]) KEYS[event.key](focused());
  else return;
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && details.shown) {
    closeDetails();
    list.focus();
    return;
  }
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox") return;
  const keys = { "+": () => zoom(1 / 1.6), "=": () => zoom(1 / 1.6), "-": () => zoom(1.6), 0: () => show(whole().from, whole().to), "/": () => by("find").focus() };
  if (!keys[event.key]) return;
  keys[event.key]();
  event.preventDefault();
});

list.addEventListener("focus", () => { if (focused() < 0) select(Math.max(0, rows.at(top))); });

list.addEventListener("click", (event) => {
  const element = event.target.closest(".row");
  if (!element) return;
  const row = Number(element.dataset.row);
  if (event.target.classList.contains("turn")) {
    turn(row, !rows.isOpen(rows.kind[row], rows.a[row], rows.b[row]));
    return;
  }
  select(row, true);
});

list.addEventListener("dblclick", (event) => {
  const element = event.target.closest(".row");
  if (element) turn(Number(element.dataset.row), !rows.isOpen(...[rows.kind, rows.a, rows.b].map((column) => column[Number(element.dataset.row)])));
});

scroller.addEventListener("scroll", () => plan(false));

/// Turns the wheel: with Ctrl or on the axis it zooms, sideways or with Shift it moves, else the rows scroll.
function wheel(event, zooms) {
  const size = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? height : 1;
  const x = event.clientX - bars.getBoundingClientRect().left, canScroll = rows.tops[rows.length] > height + 1;
  if (zooms || event.ctrlKey || event.metaKey || (!canScroll && !event.shiftKey && event.deltaX === 0)) {
    zoom(Math.exp((event.deltaY * size) / 400), Math.min(Math.max(x, 0), width));
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    move(((event.deltaX || event.deltaY) * size) / width);
  } else {
    return;
  }
  event.preventDefault();
}
bars.addEventListener("wheel", (event) => wheel(event, false), { passive: false });
axis.addEventListener("wheel", (event) => wheel(event, true), { passive: false });

/// The row and the time below the pointer.
function under(event) {
  const box = bars.getBoundingClientRect(), x = event.clientX - box.left, time = view.from + (x / width) * (view.to - view.from);
  const near = (4 / width) * (view.to - view.from);
  return { row: rows.at(event.clientY - box.top + top), time, span: [time - near, time + near] };
}

let drag = null;
for (const canvas of [bars, axis]) {
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { x: event.clientX, y: event.clientY, from: view.from, scroll: scroller.scrollTop, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) {
      if (canvas === bars) hover(event);
      return;
    }
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) < 4) return;
    drag.moved = true;
    tip.hidden = true;
    const long = view.to - view.from, from = drag.from - (x / width) * long;
    if (canvas === bars) scroller.scrollTop = drag.scroll - y;
    show(from, from + long);
  });
  canvas.addEventListener("pointerup", (event) => {
    const wasMoved = drag && drag.moved;
    drag = null;
    if (wasMoved || canvas !== bars) return;
    const { row, span } = under(event);
    if (row < 0) return;
    select(row, false);
    tell(focus.kind, focus.a, focus.b, span);
    list.focus({ preventScroll: true });
  });
  canvas.addEventListener("pointercancel", () => { drag = null; });
}
bars.addEventListener("pointerleave", () => { tip.hidden = true; });
bars.addEventListener("dblclick", (event) => {
  const { row } = under(event);
  if (row >= 0 && rows.kind[row] === ACTION) jump(rows.a[row]);
  else zoom(0.4, event.clientX - bars.getBoundingClientRect().left);
});

function hover(event) {
  const { row, time, span } = under(event);
  if (row < 0) {
    tip.hidden = true;
    return;
  }
  const lines = details.tip(rows.kind[row], rows.a[row], rows.b[row], ...span);
  tip.replaceChildren(...lines.map((line) => make("p", {}, make("bdi", {}, line))), make("p", { class: "soft" }, moment(model, Math.round(time))));
  tip.hidden = false;
  const { offsetWidth, offsetHeight } = tip;
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, window.innerWidth - offsetWidth - 8))}px`;
  tip.style.top = `${event.clientY + 18 + offsetHeight > window.innerHeight ? event.clientY - offsetHeight - 10 : event.clientY + 18}px`;
}

by("in").addEventListener("click", () => zoom(1 / 1.6));
by("out").addEventListener("click", () => zoom(1.6));
by("fit").addEventListener("click", () => show(whole().from, whole().to));
by("fold").addEventListener("click", () => { rows.fold(); plan(true); });
by("unfold").addEventListener("click", () => { rows.unfold(); plan(true); });
by("clear").addEventListener("click", clear);
by("find").addEventListener("input", (event) => { rows.filter.text = event.target.value; refilter(); });
by("sight").addEventListener("change", (event) => { rows.filter.sight = event.target.checked; plan(true); });
by("state").addEventListener("change", (event) => { rows.filter.state = event.target.value; refilter(); });
for (const button of document.querySelectorAll("[data-state]")) {
  by("state").append(make("option", { value: button.dataset.state }, button.dataset.state));
  button.addEventListener("click", () => setState(button.dataset.state));
}
for (const button of document.querySelectorAll("[data-only]")) {
  button.addEventListener("click", () => {
    const { only } = rows.filter, name = button.dataset.only;
    if (!only.delete(name)) only.add(name);
    refilter();
  });
}
for (const button of document.querySelectorAll("[data-action]")) button.addEventListener("click", () => jump(Number(button.dataset.action)));

// The curve of the backlog moves the chart.
const curve = by("curve");
let isBrushing = false;
function brush(event) {
  const box = curve.getBoundingClientRect(), at = ((event.clientX - box.left) / box.width) * model.end, half = (view.to - view.from) / 2;
  show(at - half, at + half);
}
curve.addEventListener("pointerdown", (event) => { isBrushing = true; curve.setPointerCapture(event.pointerId); brush(event); });
curve.addEventListener("pointermove", (event) => isBrushing && brush(event));
curve.addEventListener("pointerup", () => { isBrushing = false; });
curve.addEventListener("pointercancel", () => { isBrushing = false; });

/// The legend, drawn as the chart is.
function legend() {
  const items = [];
  const item = (word, draw) => {
    const canvas = make("canvas", { "aria-hidden": "true" }), context = paint.prepare(canvas, 22, 14);
    paint.width = 22;
    draw(context);
    items.push(make("li", {}, canvas, word));
  };
  const before = { from: paint.from, scale: paint.scale };
  Object.assign(paint, { from: 0, scale: 1 });
  for (const [look, word] of LOOKS) item(word, (context) => paint.bar(context, look, 1, 21, 2, 10));
  for (const [sign, word] of SIGNS) {
    if (sign === "operator" && model.operations.length === 0) continue;
    item(word, (context) => paint.sign(context, sign, 11, 7));
  }
  Object.assign(paint, before);
  by("legend").replaceChildren(...items);
}

function recolour() {
  paint.reread();
  legend();
  plan(false);
}
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
new ResizeObserver(measure).observe(scroller);
recolour();
measure();
chart.dataset.ready = "true";
