// Draws rows over time. What is drawn has a colour and a pattern, so that it can be told apart without colours.

/// What spans look like, in the order of the legend: name, word, pattern.
const LOOKS = [
  ["early", "created, not due yet", "none"],
  ["wait", "waits for data", "slant"],
  ["ready", "waits for its turn", "dots"],
  ["run", "runs", "none"],
  ["bad", "ran and failed", "cross"],
  ["retry", "until the next try", "back"],
  ["held", "suspended or paused", "bars"],
  ["mixed", "runs, with errors below", "sparse"],
];

/// What actions of a job are in, from the bottom of its row to the top.
const STACK = ["run", "bad", "held", "ready", "wait"];

/// Signs at ends of spans and on top of rows, with their words.
const SIGNS = [["ok", "succeeded"], ["failed", "failed"], ["killed", "killed"], ["timeout", "timed out"],
  ["skipped", "skipped"], ["sla", "SLA missed"], ["operator", "operator's command"]];

const SIGN_OF = { SUCCEEDED: "ok", OK: "ok", DONEWITHERROR: "failed", FAILED: "failed", ERROR: "failed", KILLED: "killed",
  TIMEDOUT: "timeout", SKIPPED: "skipped", IGNORED: "skipped" };

/// The look of a span of an action, with the state that follows.
function lookOfAction(state, next) {
  if (state === "WAITING") return "wait";
  if (state === "READY") return "ready";
  if (state === "SUSPENDED") return "held";
  if (state !== "SUBMITTED" && state !== "RUNNING") return null;
  return next === "FAILED" || next === "KILLED" || next === "TIMEDOUT" ? "bad" : "run";
}

function lookOfJob(state) {
  if (/^PREP|PAUSED|SUSPENDED/.test(state)) return state === "PREP" ? "early" : "held";
  return state === "RUNNINGWITHERROR" ? "mixed" : state === "RUNNING" ? "run" : null;
}

function lookOfNode(state) {
  if (["ERROR", "FAILED", "KILLED", "USER_RETRY", "START_MANUAL", "END_MANUAL", "START_RETRY", "END_RETRY"].includes(state)) return "bad";
  return "run";
}

class Paint {
  constructor(model, rows) {
    this.model = model;
    this.rows = rows;
    this.patterns = new Map();
    this.series = new Map();
    this.reread();
    this.missed = model.jobs.map(() => []);
    this.missedOf = [new Map(), new Map()];
    const add = (map, place, sla) => (map.has(place) ? map.get(place).push(sla) : map.set(place, [sla]));
    for (const sla of model.sla) {
      if (!sla.missed) continue;
      if (sla.workflow >= 0) add(this.missedOf[1], sla.workflow, sla);
      if (sla.action < 0) continue;
      this.missed[model.actions.job[sla.action]].push(sla);
      add(this.missedOf[0], sla.action, sla);
    }
  }

  /// Reads the colours of the scheme.
  reread() {
    const style = getComputedStyle(document.documentElement);
    const known = new Map();
    this.colour = (name) => {
      if (!known.has(name)) known.set(name, style.getPropertyValue(`--${name}`).trim());
      return known.get(name);
    };
    this.ratio = window.devicePixelRatio || 1;
    this.patterns.clear();
    this.font = `11px ${style.getPropertyValue("--font")}`;
  }

  /// A canvas as large as its place, and its context in CSS pixels.
  prepare(canvas, width, height) {
    const [w, h] = [Math.max(1, Math.round(width * this.ratio)), Math.max(1, Math.round(height * this.ratio))];
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = this.font;
    context.textBaseline = "middle";
    return context;
  }

  /// The filling of a look: its colour with its pattern on it.
  fill(look) {
    if (!this.patterns.has(look)) this.patterns.set(look, this.pattern(look));
    return this.patterns.get(look);
  }

  pattern(look) {
    const kind = LOOKS.find(([name]) => name === look)[2], colour = this.colour(look);
    if (kind === "none") return colour;
    const size = kind === "sparse" ? 12 : 6, tile = document.createElement("canvas");
    tile.width = tile.height = Math.round(size * this.ratio);
    const context = tile.getContext("2d"), scale = tile.width / size;
    context.scale(scale, scale);
    context.fillStyle = colour;
    context.fillRect(0, 0, size, size);
    context.strokeStyle = context.fillStyle = this.colour(`${look}-ink`);
    context.lineWidth = kind === "sparse" ? 2 : 1.4;
    context.beginPath();
    if (kind === "slant" || kind === "cross" || kind === "sparse") for (const x of [-size, 0, size]) { context.moveTo(x, size); context.lineTo(x + size, 0); }
    if (kind === "back" || kind === "cross") for (const x of [-size, 0, size]) { context.moveTo(x, 0); context.lineTo(x + size, size); }
    if (kind === "bars") { context.moveTo(1.5, 0); context.lineTo(1.5, size); context.moveTo(4.5, 0); context.lineTo(4.5, size); }
    context.stroke();
    if (kind === "dots") for (const [x, y] of [[1.5, 1.5], [4.5, 4.5]]) { context.beginPath(); context.arc(x, y, 1, 0, 7); context.fill(); }
    const pattern = context.createPattern(tile, "repeat");
    pattern.setTransform(new DOMMatrix().scale(1 / scale));
    return pattern;
  }

  /// Counts what is drawn, so that tests can ask.
  rect(context, look, x, y, width, height) {
    context.fillStyle = this.fill(look);
    context.fillRect(x, y, width, height);
    this.drawn += 1;
  }

  /// A span as a bar with a rim, so that it stands out on any ground.
  bar(context, look, from, to, y, height) {
    const left = Math.max(-4, this.x(from)), right = Math.min(this.width + 4, this.x(to));
    if (right < 0 || left > this.width) return;
    const width = Math.max(right - left, 1.5);
    if (look === "early") {
      context.strokeStyle = this.colour("early-ink");
      context.setLineDash([2, 3]);
      context.beginPath();
      context.moveTo(left, y + height / 2);
      context.lineTo(left + width, y + height / 2);
      context.stroke();
      context.setLineDash([]);
      this.drawn += 1;
      return;
    }
    this.rect(context, look, left, y, width, height);
    if (width > 3) {
      context.strokeStyle = this.colour(`${look}-rim`);
      context.lineWidth = 1;
      context.strokeRect(left + 0.5, y + 0.5, width - 1, height - 1);
    }
  }

  sign(context, sign, x, y, size = 5) {
    if (x < -size || x > this.width + size) return;
    this.drawn += 1;
    const ink = this.colour(`sign-${sign}`);
    context.save();
    context.translate(x, y);
    context.lineWidth = 1.6;
    context.strokeStyle = context.fillStyle = ink;
    const line = (...points) => {
      context.beginPath();
      points.forEach(([px, py], index) => (index ? context.lineTo(px * size, py * size) : context.moveTo(px * size, py * size)));
    };
    if (sign === "ok") { line([-0.8, 0], [-0.2, 0.7], [0.9, -0.7]); context.stroke(); }
    if (sign === "failed") { context.lineWidth = 2.2; line([-0.8, -0.8], [0.8, 0.8]); context.stroke(); line([0.8, -0.8], [-0.8, 0.8]); context.stroke(); }
    if (sign === "killed") { context.beginPath(); context.arc(0, 0, size * 0.85, 0, 7); context.stroke(); line([-0.6, 0.6], [0.6, -0.6]); context.stroke(); }
    if (sign === "timeout") { line([-0.8, -1], [0.8, -1], [-0.8, 1], [0.8, 1], [-0.8, -1]); context.stroke(); line([-0.8, 1], [0.8, 1], [0, 0]); context.fill(); }
    if (sign === "skipped") { line([-0.8, -0.8], [0, 0], [-0.8, 0.8]); context.stroke(); line([0.1, -0.8], [0.9, 0], [0.1, 0.8]); context.stroke(); }
    if (sign === "sla") { line([0, -1.1], [1.1, 0], [0, 1.1], [-1.1, 0], [0, -1.1]); context.fill(); context.fillStyle = this.colour("ground"); context.fillRect(-0.8, -size * 0.6, 1.6, size * 0.7); context.fillRect(-0.8, size * 0.35, 1.6, 1.6); }
    if (sign === "operator") { line([-0.7, -1], [0.9, -0.45], [-0.7, 0.1]); context.fill(); line([-0.7, -1], [-0.7, 1.1]); context.stroke(); }
    context.restore();
  }

  x(time) {
    return (time - this.from) * this.scale;
  }

  /// Draws the rows that are in sight.
  draw(canvas, view, width, height, top) {
    const { rows } = this, context = this.prepare(canvas, width, height);
    Object.assign(this, { from: view.from, to: view.to, width, scale: width / (view.to - view.from), drawn: 0 });
    this.grid(context, height);
    const first = Math.max(0, rows.at(top));
    for (let row = first; row < rows.length && rows.tops[row] - top < height; row += 1) {
      const y = rows.tops[row] - top, tall = HEIGHTS[rows.kind[row]];
      context.fillStyle = this.colour("line");
      context.fillRect(0, Math.round(y + tall) - 1, width, 1);
      if (rows.kind[row] === BUNDLE) this.bundle(context, rows.a[row], y, tall);
      if (rows.kind[row] === JOB) this.job(context, rows.a[row], y, tall);
      if (rows.kind[row] === ACTION) this.action(context, rows.a[row], y, tall);
      if (rows.kind[row] === WORKFLOW) this.workflow(context, rows.a[row], y, tall);
      if (rows.kind[row] === NODE) this.node(context, rows.a[row], rows.b[row], y, tall);
    }
    context.strokeStyle = this.colour("sign-operator");
    context.setLineDash([3, 4]);
    context.lineWidth = 1;
    let last = -9;
    for (const operation of this.model.operations) {
      const x = Math.round(this.x(operation.at)) + 0.5;
      if (x < 0 || x > width || x - last < 2) continue;
      last = x;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.stroke();
      this.drawn += 1;
    }
    context.setLineDash([]);
  }

  grid(context, height) {
    context.fillStyle = this.colour("line");
    const { ticks } = this.ticks();
    for (const tick of ticks) {
      context.fillStyle = this.colour(tick.strong ? "line-strong" : "line");
      context.fillRect(Math.round(this.x(tick.time)), 0, 1, height);
    }
    // Before the beginning and after the end nothing was played.
    context.fillStyle = this.colour("outside");
    const begin = this.x(0), end = this.x(this.model.end);
    if (begin > 0) context.fillRect(0, 0, begin, height);
    if (end < this.width) context.fillRect(end, 0, this.width - end, height);
  }

  bundle(context, place, y, tall) {
    const bundle = this.model.bundles[place];
    this.states(context, spansOf(bundle.states, bundle.times, 0, this.model.end, this.model.states.job), y + tall / 2 - 6, 12, true);
  }

  /// The states of a job as a thin bar, with its end.
  states(context, spans, y, height, words) {
    for (const span of spans) {
      const look = lookOfJob(span.state);
      if (look) {
        this.bar(context, look, span.from, span.to, y, height);
        const left = Math.max(0, this.x(span.from)), right = Math.min(this.width, this.x(span.to));
        const room = context.measureText(span.state).width + 12;
        if (words && right - left > room) this.boxed(context, span.state, left + 6, y + height / 2);
      } else {
        const sign = SIGN_OF[span.state];
        if (sign) this.sign(context, sign, Math.min(this.x(span.from) + 8, this.x(span.to) - 7), y + height / 2);
      }
    }
  }

  boxed(context, text, x, y) {
    const width = context.measureText(text).width;
    context.fillStyle = this.colour("ground");
    context.fillRect(x - 3, y - 7, width + 6, 14);
    context.fillStyle = this.colour("soft");
    context.fillText(text, x, y + 0.5);
  }

  action(context, action, y, tall) {
    const { model } = this, { actions } = model, spans = actionSpans(model, action);
    const due = Math.max(actions.nominal[action], actions.created[action]);
    const top = y + 5, height = tall - 10;
    let right = -Infinity, ended = null;
    spans.forEach((span, index) => {
      const look = lookOfAction(span.state, spans[index + 1] && spans[index + 1].state);
      if (look === "wait" && span.from < due) this.bar(context, "early", span.from, Math.min(due, span.to), top, height);
      if (look) {
        const from = look === "wait" ? Math.max(span.from, due) : span.from;
        if (from < span.to || look !== "wait") if (span.to > from) this.bar(context, look, from, span.to, top, height);
        right = this.x(span.to);
        ended = null;
      } else {
        right = this.x(span.from);
        ended = span.state;
      }
    });
    for (let at = actions.workflow[action]; at < actions.workflow[action + 1]; at += 1) this.retries(context, at, top, height);
    this.ending(context, ended, spans, right, y + tall / 2, due);
    for (const sla of this.missedOf[0].get(action) || []) this.sign(context, "sla", this.x(sla.at), top + 1);
  }

  /// How something ended and how long it took, right of it or, without room, left.
  ending(context, ended, spans, right, y, from) {
    if (right < -20 || spans.length === 0) return;
    const last = spans[spans.length - 1], sign = ended && SIGN_OF[ended];
    const end = ended ? last.from : last.to, long = duration(this.model, end - Math.min(from, end));
    const text = ended === "SUCCEEDED" || ended === "OK" ? long : `${long} · ${ended || last.state}`;
    if (sign) this.sign(context, sign, right + 9, y);
    const width = context.measureText(text).width, x = right + (sign ? 19 : 8);
    context.fillStyle = this.colour("soft");
    if (x + width < this.width) {
      context.fillText(text, x, y + 0.5);
      return;
    }
    const left = this.x(spans[0].from) - width - 8;
    if (left > 0) context.fillText(text, left, y + 0.5);
    else if (right > width + 16) this.boxed(context, text, Math.min(right, this.width) - width - 12, y);
  }

  /// The times between two tries of a node, as signs on the bar of what runs it.
  retries(context, workflow, y, height) {
    const { model } = this, first = model.workflows.run[workflow];
    for (const node of workflowForm(model, workflow).nodes) {
      for (let index = 1; index < node.runs.length; index += 1) {
        const from = model.runs.to[first + node.runs[index - 1]], to = model.runs.from[first + node.runs[index]];
        if (to > from) this.bar(context, "retry", from, to, y, height);
      }
    }
  }

  workflow(context, workflow, y, tall) {
    const spans = workflowSpans(this.model, workflow), top = y + 5, height = tall - 10;
    let right = -Infinity, ended = null;
    spans.forEach((span, index) => {
      const next = spans[index + 1] && spans[index + 1].state;
      if (SIGN_OF[span.state]) {
        ended = span.state;
        right = this.x(span.from);
        return;
      }
      const look = span.state === "SUSPENDED" ? "held" : span.state === "PREP" ? "ready" : next === "KILLED" || next === "FAILED" ? "bad" : "run";
      if (span.to > span.from) this.bar(context, look, span.from, span.to, top, height);
      right = this.x(span.to);
      ended = null;
    });
    this.retries(context, workflow, top, height);
    this.ending(context, ended, spans, right, y + tall / 2, spans.length ? spans[0].from : 0);
    for (const sla of this.missedOf[1].get(workflow) || []) this.sign(context, "sla", this.x(sla.at), top + 1);
  }

  node(context, workflow, place, y, tall) {
    const { model } = this, first = model.workflows.run[workflow], form = workflowForm(model, workflow);
    const { runs } = form.nodes[place], top = y + 6, height = tall - 12;
    const end = (run) => (Number.isNaN(model.runs.to[first + run]) ? model.end : model.runs.to[first + run]);
    runs.forEach((run, index) => {
      const look = lookOfNode(model.states.node[form.runs[run].state]);
      if (index > 0 && model.runs.from[first + run] > end(runs[index - 1])) {
        this.bar(context, "retry", end(runs[index - 1]), model.runs.from[first + run], top + 2, height - 4);
      }
      this.bar(context, look, model.runs.from[first + run], end(run), top, height);
    });
    const last = runs[runs.length - 1], state = model.states.node[form.runs[last].state];
    const span = { state, from: end(last), to: end(last) }, begin = { from: model.runs.from[first + runs[0]] };
    this.ending(context, SIGN_OF[state] ? state : null, [begin, span], this.x(end(last)), y + tall / 2, begin.from);
  }

  /// How many actions of a job are in which state over time, what the filter lets through.
  seriesOf(place) {
    if (this.series.has(place)) return this.series.get(place);
    const { model, rows } = this, { actions } = model, job = model.jobs[place], events = [], ends = [];
    for (let index = job.first; index < job.first + job.count; index += 1) {
      if (!rows.shown[index]) continue;
      const due = Math.max(actions.nominal[index], actions.created[index]), form = actionForm(model, index);
      const at = actions.at[index], count = form.states.length;
      for (let state = 0; state < count; state += 1) {
        const name = model.states.action[form.states[state]];
        const look = lookOfAction(name, state + 1 < count ? model.states.action[form.states[state + 1]] : undefined);
        let from = actions.times[at + state];
        const to = state + 1 < count ? actions.times[at + state + 1] : model.end;
        if (look === null) {
          if (SIGN_OF[name] !== "ok") ends.push([from, SIGN_OF[name]]);
          continue;
        }
        if (look === "wait") from = Math.max(from, due);
        if (to > from) events.push([from, STACK.indexOf(look), 1], [to, STACK.indexOf(look), -1]);
      }
    }
    // What ends goes before what begins, so that neighbours do not pile up.
    events.sort((left, right) => left[0] - right[0] || left[2] - right[2]);
    ends.sort((left, right) => left[0] - right[0]);
    const size = STACK.length, times = new Float64Array(events.length), counts = new Int32Array((events.length + 1) * size);
    const now = new Int32Array(size);
    let most = 0;
    events.forEach(([time, look, change], index) => {
      times[index] = time;
      now[look] += change;
      counts.set(now, (index + 1) * size);
      most = Math.max(most, now.reduce((sum, number) => sum + number, 0));
    });
    const series = { times, counts, most, ends };
    this.series.set(place, series);
    return series;
  }

  job(context, place, y, tall) {
    const { model } = this, job = model.jobs[place], series = this.seriesOf(place), { times, counts } = series;
    const size = STACK.length, bottom = y + tall - 9, room = tall - 18;
    // One beside hundreds is still to be seen: heights grow with the root of the number.
    const tallest = series.most <= 2 ? series.most * 12 : room, heightOf = (number) => tallest * Math.sqrt(number / series.most);
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] < this.from) low = middle + 1;
      else high = middle;
    }
    // Column for column the most of everything; columns that are alike become one rectangle.
    let event = low, begin = 0, last = new Int32Array(size), most = new Int32Array(size);
    const flush = (end) => {
      let height = 0, total = 0;
      for (let look = 0; look < size; look += 1) total += last[look];
      const unit = total ? Math.min(heightOf(total), room) / total : 0;
      for (let look = 0; look < size; look += 1) {
        if (last[look] === 0) continue;
        const up = Math.max(last[look] * unit, 1);
        this.rect(context, STACK[look], begin, bottom - height - up, end - begin, up);
        if (end - begin > 6 && up > 6) {
          context.strokeStyle = this.colour(`${STACK[look]}-rim`);
          context.lineWidth = 1;
          context.strokeRect(begin + 0.5, bottom - height - up + 0.5, end - begin - 1, up - 1);
        }
        height += up;
      }
    };
    for (let x = 0; x < this.width; x += 1) {
      const until = this.from + (x + 1) / this.scale;
      for (let look = 0; look < size; look += 1) most[look] = counts[event * size + look];
      while (event < times.length && times[event] < until) {
        event += 1;
        // Only what lasts counts, not what is over at the same moment.
        if (event < times.length && times[event] === times[event - 1]) continue;
        for (let look = 0; look < size; look += 1) most[look] = Math.max(most[look], counts[event * size + look]);
      }
      if (x > 0 && most.every((number, look) => number === last[look])) continue;
      if (x > 0) flush(x);
      begin = x;
      [last, most] = [most, last];
    }
    flush(this.width);
    this.states(context, spansOf(job.states, job.times, 0, model.end, model.states.job), y + tall - 7, 4, false);
    this.spread(context, series.ends, y + 8);
    this.spread(context, this.missed[place].filter((sla) => this.rows.shown[sla.action]).map((sla) => [sla.at, "sla"]), y + 8);
    if (series.most > 1) {
      context.fillStyle = this.colour("soft");
      const text = `most ${series.most}`, width = context.measureText(text).width;
      this.boxed(context, text, this.width - width - 6, y + 10);
    }
  }

  /// Signs along a line; those that would hide each other become one.
  spread(context, signs, y) {
    const last = {};
    for (const [time, sign] of signs) {
      const x = this.x(time);
      if (x < 0 || x > this.width || x - (last[sign] ?? -99) < 11) continue;
      last[sign] = x;
      this.sign(context, sign, x, y, 4.5);
    }
  }

  /// Where the axis has lines, and what stands there.
  ticks() {
    const { model } = this, second = 1000 / model.unit, room = 64 / this.scale;
    const steps = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
    const step = steps.find((seconds) => seconds * second >= room), ticks = [], heads = [];
    const local = (time) => model.begin + time * model.unit + model.offset * 60000;
    const back = (millis) => (millis - model.offset * 60000 - model.begin) / model.unit;
    const [first, last] = [local(this.from), local(this.to)];
    const clock = (at) => `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}${step < 60 ? `:${two(at.getUTCSeconds())}` : ""}`;
    if (step) {
      const millis = step * 1000, monday = 4 * 86400000, shift = step === 604800 ? monday : 0;
      for (let at = Math.floor((first - shift) / millis) * millis + shift; at <= last && ticks.length < 400; at += millis) {
        const date = new Date(at), isDay = at % 86400000 === 0;
        const text = step < 86400 ? (isDay ? `${DAYS[date.getUTCDay()]} ${date.getUTCDate()}` : clock(date)) : `${date.getUTCDate()}`;
        ticks.push({ time: back(at), text: step >= 86400 && step < 604800 && 86400 * second * this.scale > 60 ? `${DAYS[date.getUTCDay()]} ${date.getUTCDate()}` : text,
          strong: step < 86400 ? isDay : date.getUTCDate() === 1 });
      }
    }
    const months = (1000 * 86400 * 28) / model.unit, wide = [1, 3, 12, 60, 120].find((number) => months * number >= room) || 1200;
    const start = new Date(first);
    let month = start.getUTCFullYear() * 12 + start.getUTCMonth();
    if (!step) {
      for (let at = Math.floor(month / wide) * wide; ticks.length < 400; at += wide) {
        const millis = Date.UTC(Math.floor(at / 12), at % 12, 1);
        if (millis > last) break;
        ticks.push({ time: back(millis), text: wide >= 12 ? `${Math.floor(at / 12)}` : MONTHS[at % 12], strong: at % 12 === 0 });
      }
    }
    // Above, what the lines belong to: a day, a month or a year.
    const head = step && step < 86400 ? "day" : step ? "month" : "year";
    if (head === "day") {
      for (let at = Math.floor(first / 86400000) * 86400000; at <= last && heads.length < 400; at += 86400000) {
        const date = new Date(at);
        heads.push({ time: back(at), text: `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}` });
      }
    } else {
      const by = head === "month" ? 1 : 12;
      for (month = Math.floor(month / by) * by; heads.length < 400; month += by) {
        const millis = Date.UTC(Math.floor(month / 12), month % 12, 1);
        if (millis > last) break;
        heads.push({ time: back(millis), text: head === "month" ? `${MONTHS[month % 12]} ${Math.floor(month / 12)}` : `${Math.floor(month / 12)}` });
      }
    }
    return { ticks, heads };
  }

  axis(canvas, width, height) {
    const context = this.prepare(canvas, width, height), { ticks, heads } = this.ticks();
    this.width = width;
    context.fillStyle = this.colour("soft");
    let last = -99;
    for (const tick of ticks) {
      const x = Math.round(this.x(tick.time));
      context.fillStyle = this.colour(tick.strong ? "ink" : "soft");
      context.fillRect(x, height - 5, 1, 5);
      if (x - last < 40 || x < -8 || x + 4 + context.measureText(tick.text).width > width) continue;
      last = x;
      context.fillText(tick.text, x + 4, 28);
    }
    context.font = `600 ${this.font}`;
    context.fillStyle = this.colour("ink");
    heads.forEach((head, index) => {
      const next = index + 1 < heads.length ? this.x(heads[index + 1].time) : width;
      const size = context.measureText(head.text).width, x = Math.max(4, this.x(head.time) + 4);
      if (x + size < next) context.fillText(head.text, x, 11);
    });
    this.spread(context, this.model.operations.map((operation) => [operation.at, "operator"]), height - 10);
  }
}

