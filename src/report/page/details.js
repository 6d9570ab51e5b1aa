// What is told about one row: states, what was waited for, attempts, errors.

/// How many actions of one moment are listed.
const LISTED = 12;

class Details {
  constructor(model, panel, jump, close) {
    Object.assign(this, { model, panel, jump, close, shown: null });
  }

  hide() {
    this.shown = null;
    this.panel.hidden = true;
    this.panel.replaceChildren();
  }

  show(kind, a, b, time) {
    const body = [() => this.bundle(a), () => this.job(a, time), () => this.action(a), () => this.workflow(a), () => this.node(a, b)][kind]();
    const button = make("button", { type: "button", class: "close", "aria-label": "Close details", title: "Close ( Esc )", onclick: this.close }, "×");
    this.panel.replaceChildren(button, ...body.filter((part) => part !== null));
    this.panel.hidden = false;
    this.panel.scrollTop = 0;
    this.shown = { kind, a, b };
  }

  head(kind, name, state) {
    const parts = [make("p", { class: "kind" }, kind), make("h2", {}, make("bdi", {}, name))];
    if (state) parts.push(make("p", { class: "state" }, make("i", { class: `sw ${state}` }), state));
    return parts;
  }

  facts(pairs) {
    const list = make("dl", {});
    for (const [name, value] of pairs) if (value !== null) list.append(make("dt", {}, name), make("dd", {}, value));
    return list;
  }

  time(at) {
    return make("time", {}, moment(this.model, at));
  }

  fault(fault) {
    return fault ? make("p", { class: "fault" }, make("code", {}, fault[0]), " ", make("bdi", {}, fault[1])) : null;
  }

  table(caption, heads, rows) {
    if (rows.length === 0) return null;
    const cells = (tag, list) => make("tr", {}, ...list.map((value) => make(tag, tag === "th" ? { scope: "col" } : {}, value)));
    return make("section", {}, make("h3", {}, caption),
      make("table", {}, make("thead", {}, cells("th", heads)), make("tbody", {}, ...rows.map((row) => cells("td", row)))));
  }

  states(spans, isOver) {
    return this.table("States", ["state", "from", "for"], spans.map((span, index) =>
      [span.state, this.time(span.from), index === spans.length - 1 && isOver ? "" : duration(this.model, span.to - span.from)]));
  }

  unfinished(key) {
    const reason = this.model.unfinished.get(key);
    return reason === undefined ? null : make("p", { class: "why" }, make("bdi", {}, reason));
  }

  operations(...names) {
    const own = this.model.operations.filter((operation) => names.some((name) => operation.target === name || operation.target.startsWith(`${name}@`)));
    return this.table("Operators' commands", ["when", "command", "of"], own.slice(0, 100).map((operation) =>
      [this.time(operation.at), operation.refusal === null ? operation.command : `${operation.command}: refused, ${operation.refusal}`, operation.target]));
  }

  bundle(place) {
    const { model } = this, bundle = model.bundles[place], id = jobId(bundle.id, "B");
    const spans = spansOf(bundle.states, bundle.times, 0, model.end, model.states.job), last = spans[spans.length - 1];
    return [...this.head("bundle", bundle.name, last && last.state), this.facts([["id", id]]), this.fault(bundle.fault), this.unfinished(id),
      this.states(spans, last && lookOfJob(last.state) === null),
      this.table("Refused", ["coordinator", "why"], bundle.refused.map(([name, fault]) => [make("bdi", {}, name), fault ? `${fault[0]} ${fault[1]}` : ""])),
      this.operations(id, bundle.name)];
  }

  job(place, time) {
    const { model } = this, job = model.jobs[place], id = jobId(job.id, "C"), counts = new Map();
    const spans = spansOf(job.states, job.times, 0, model.end, model.states.job), last = spans[spans.length - 1];
    const around = [];
    for (let index = job.first; index < job.first + job.count; index += 1) {
      if (model.actions.marks[index] & REMOVED) continue;
      const state = model.states.action[actionForm(model, index).last];
      counts.set(state, (counts.get(state) || 0) + 1);
      if (time !== undefined && model.actions.from[index] <= time[1] && model.actions.to[index] >= time[0]) around.push(index);
    }
    const near = around.slice(0, LISTED).map((index) => make("li", {}, this.link(index)));
    const rest = around.length - near.length;
    return [...this.head("coordinator", job.name, last && last.state), this.facts([["id", id]]), this.fault(job.fault), this.unfinished(id),
      near.length ? make("section", {}, make("h3", {}, `Actions at ${moment(model, (time[0] + time[1]) / 2)}`), make("ul", { class: "links" }, ...near),
        rest > 0 ? make("p", { class: "soft" }, `and ${grouped(rest)} more; zoom in to see fewer`) : null) : null,
      this.table("Actions", ["state", "number"], [...counts].map(([state, count]) => [state, grouped(count)])),
      this.states(spans, last && lookOfJob(last.state) === null), this.operations(id, job.name)];
  }

  levels(list) {
    const { model } = this;
    return this.table("Service levels", ["what", "told", "expected"], list.map((sla) => [
      make("bdi", {}, sla.name === null ? sla.kind : `${sla.kind} ${sla.name}`), this.time(sla.at),
      sla.kind.startsWith("DURATION") ? `at most ${duration(model, sla.expected)}` : this.time(sla.expected)]));
  }

  link(action) {
    const { model } = this, state = model.states.action[actionForm(model, action).last];
    return make("button", { type: "button", onclick: () => this.jump(action) }, make("i", { class: `sw ${state}` }),
      make("bdi", {}, `@${actionNumber(model, action)}`), " ", moment(model, model.actions.nominal[action]), " ", make("span", { class: "soft" }, state));
  }

  action(action) {
    const { model } = this, { actions, waits } = model, form = actionForm(model, action), spans = actionSpans(model, action);
    const due = Math.max(actions.nominal[action], actions.created[action]);
    const start = spans.find((span) => span.state === "RUNNING" || span.state === "SUSPENDED");
    const workflows = [];
    for (let at = actions.workflow[action]; at < actions.workflow[action + 1]; at += 1) workflows.push(at);
    const waited = [];
    for (let at = waits.at[action]; at < waits.at[action + 1]; at += 1) {
      const open = Number.isNaN(waits.to[at]);
      waited.push(make("li", {}, make("bdi", { class: "uri" }, model.uris[waits.uri[at]]),
        make("span", { class: "soft" }, "from ", this.time(waits.from[at]), open ? ", not in time" : [" to ", moment(model, waits.to[at]), ", ",
          duration(model, waits.to[at] - waits.from[at])].join(""), waits.choice[at] ? " (another would have done)" : "")));
    }
    const job = jobId(model.jobs[actions.job[action]].id, "C"), id = `${job}@${actionNumber(model, action)}`;
    const missed = model.sla.filter((sla) => sla.action === action);
    return [...this.head("action of a coordinator", actionName(model, action), model.states.action[form.last]),
      this.facts([["id", id], ["nominal time", this.time(actions.nominal[action])], ["created", this.time(actions.created[action])],
        ["began to run", start ? this.time(start.from) : "never"],
        ["after it was due", start && start.from > due ? duration(model, start.from - due) : null]]),
      this.fault(form.fault), this.unfinished(action),
      waited.length ? make("section", {}, make("h3", {}, `Waited for (${waited.length})`), make("ul", { class: "waits" }, ...waited)) : null,
      this.levels(missed),
      this.states(spans, model.over[form.last]),
      ...workflows.flatMap((workflow) => this.attempts(workflow, true)), this.operations(id)];
  }

  /// The attempts of all nodes of a workflow.
  attempts(workflow, named) {
    const { model } = this, form = workflowForm(model, workflow), first = model.workflows.run[workflow];
    const rows = form.runs.map((run, index) => {
      const node = form.nodes.find((other) => other.node === run.node), from = model.runs.from[first + index], to = model.runs.to[first + index];
      return [make("bdi", {}, run.attempt > 1 ? `${node.name} (${run.attempt})` : node.name), this.time(from),
        Number.isNaN(to) ? "not over" : duration(model, to - from), model.states.node[run.state]];
    });
    const parts = [this.table(named ? `Workflow ${jobId(model.workflows.id[workflow], "W")}` : "Nodes", ["node", "from", "for", "end"], rows)];
    if (!form.whole) parts.push(make("p", { class: "soft" }, "The nodes of this workflow are left out of the page."));
    const seen = new Set();
    for (const fault of [form.fault, ...form.runs.map((run) => run.fault)]) {
      if (!fault || seen.has(fault.join("\n"))) continue;
      seen.add(fault.join("\n"));
      parts.push(this.fault(fault));
    }
    return parts;
  }

  workflow(workflow) {
    const { model } = this, form = workflowForm(model, workflow), spans = workflowSpans(model, workflow);
    const id = jobId(model.workflows.id[workflow], "W"), state = model.states.workflow[form.last];
    return [...this.head("workflow", form.name, state), this.facts([["id", id]]), this.unfinished(id),
      this.states(spans, ["SUCCEEDED", "KILLED", "FAILED"].includes(state)),
      this.levels(model.sla.filter((sla) => sla.workflow === workflow)), ...this.attempts(workflow, false), this.operations(id, form.name)];
  }

  node(workflow, place) {
    const { model } = this, form = workflowForm(model, workflow), node = form.nodes[place], first = model.workflows.run[workflow];
    const last = form.runs[node.runs[node.runs.length - 1]];
    const tries = node.runs.map((run) => {
      const from = model.runs.from[first + run], to = model.runs.to[first + run], { attempt, state, fault } = form.runs[run];
      const open = Number.isNaN(to);
      return make("section", {}, make("h3", {}, `Attempt ${attempt}: ${model.states.node[state]}`),
        this.facts([["from", this.time(from)], ["to", open ? "not over" : this.time(to)], ["for", open ? null : duration(model, to - from)]]), this.fault(fault));
    });
    return [...this.head(`${node.kind} node`, node.name, model.states.node[last.state]),
      this.facts([["workflow", make("bdi", {}, `${form.name} ${jobId(model.workflows.id[workflow], "W")}`)]]), ...tries];
  }

  /// A few lines for the pointer.
  tip(kind, a, b, from, to) {
    const { model } = this, lines = [];
    const near = model.operations.filter((operation) => operation.at >= from && operation.at <= to).slice(0, 4);
    if (kind === BUNDLE) lines.push(model.bundles[a].name);
    if (kind === JOB) {
      const job = model.jobs[a];
      let count = 0;
      for (let index = job.first; index < job.first + job.count; index += 1) {
        if (model.actions.from[index] <= to && model.actions.to[index] >= from && !(model.actions.marks[index] & REMOVED)) count += 1;
      }
      lines.push(job.name, count === 1 ? "1 action here" : `${grouped(count)} actions here`);
    }
    if (kind === ACTION) {
      lines.push(`${actionName(model, a)}: ${model.states.action[actionForm(model, a).last]}`);
      this.spanAt(lines, actionSpans(model, a), from, to);
      const { at, uri } = model.waits, count = at[a + 1] - at[a];
      if (count > 0) lines.push(`waited for ${model.uris[uri[at[a + 1] - 1]]}${count > 1 ? ` and ${count - 1} more` : ""}`);
    }
    if (kind === WORKFLOW) {
      lines.push(`${workflowForm(model, a).name}: ${model.states.workflow[workflowForm(model, a).last]}`);
      this.spanAt(lines, workflowSpans(model, a), from, to);
    }
    if (kind === NODE) {
      const form = workflowForm(model, a), node = form.nodes[b], first = model.workflows.run[a];
      lines.push(`${node.name} (${node.kind})`);
      for (const run of node.runs.slice(-4)) {
        const { attempt, state, fault } = form.runs[run], end = model.runs.to[first + run];
        lines.push(`attempt ${attempt}: ${model.states.node[state]}${Number.isNaN(end) ? "" : `, ${duration(model, end - model.runs.from[first + run])}`}${fault ? `, ${fault[0]}` : ""}`);
      }
    }
    for (const operation of near) lines.push(`${operation.command} ${operation.target}${operation.refusal === null ? "" : " (refused)"}`);
    return lines;
  }

  spanAt(lines, spans, from, to) {
    const span = spans.find((other) => other.from <= to && other.to >= from);
    if (span) lines.push(`${span.state} from ${moment(this.model, span.from)}, ${duration(this.model, span.to - span.from)}`);
  }
}

