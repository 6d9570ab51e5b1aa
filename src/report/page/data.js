// Reads the data of the page. `data.rs` writes them, in the same order.

/// Kinds of rows.
const BUNDLE = 0, JOB = 1, ACTION = 2, WORKFLOW = 3, NODE = 4;

/// Minutes after which an action that was due and has not run is late.
const LATE_MINUTES = 10;

function sums(pairs) {
  const states = [], times = [];
  let time = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    states.push(pairs[at]);
    time += pairs[at + 1];
    times.push(time);
  }
  return { states, times };
}

function sortedTexts([shared, rest]) {
  let last = "";
  return rest.map((text, index) => (last = last.slice(0, shared[index]) + text));
}

function readData(raw) {
  const data = JSON.parse(raw);
  const model = {
    app: data.app, zone: data.zone, suffix: data.suffix, offset: data.offset, begin: data.begin, unit: data.unit,
    end: data.end, stop: data.stop, states: data.states, texts: data.texts, uris: sortedTexts(data.uris),
    faults: data.faults,
  };
  const text = (place) => data.texts[place];
  const fault = (place) => (place ? data.faults[place - 1] : null);
  model.bundles = data.bundles.map(([id, name, problem, history, refused]) => {
    const list = [];
    for (let at = 0; at < refused.length; at += 2) list.push([text(refused[at]), fault(refused[at + 1])]);
    return { id, name: text(name), fault: fault(problem), refused: list, ...sums(history) };
  });
  let first = 0;
  model.jobs = data.coordinators.map(([id, name, problem, bundle, count, history]) => {
    const job = { id, name: text(name), fault: fault(problem), bundle, first, count, ...sums(history) };
    first += count;
    return job;
  });
  readActions(model, data.actions, fault);
  readWorkflows(model, data.workflows, text, fault);
  readWaits(model, data.actions.waits);
  readEvents(model, data, text);
  judge(model);
  return model;
}

function readActions(model, raw, fault) {
  const count = raw.form.length;
  const forms = raw.forms.map(([problem, removed, workflows, ...states]) =>
    ({ fault: fault(problem), removed: removed === 1, workflows, states, last: states[states.length - 1] }));
  const actions = {
    count, forms, form: Int32Array.from(raw.form), job: new Int32Array(count), nominal: new Float64Array(count),
    created: new Float64Array(count), at: new Int32Array(count + 1), times: new Float64Array(raw.times.length),
    workflow: new Int32Array(count + 1), marks: new Uint8Array(count),
  };
  let read = 0, written = 0, workflow = 0;
  model.jobs.forEach((job, place) => {
    let last = 0;
    for (let index = job.first; index < job.first + job.count; index += 1) {
      actions.job[index] = place;
      last += raw.times[read++];
      actions.nominal[index] = last;
      let time = last + raw.times[read++];
      actions.created[index] = time;
      actions.at[index] = written;
      actions.workflow[index] = workflow;
      const form = forms[raw.form[index]];
      workflow += form.workflows;
      for (let state = 0; state < form.states.length; state += 1) {
        time += raw.times[read++];
        actions.times[written++] = time;
      }
    }
  });
  actions.at[count] = written;
  actions.workflow[count] = workflow;
  model.actions = actions;
}

function readWorkflows(model, raw, text, fault) {
  const actions = model.actions, count = raw.form.length;
  const forms = raw.forms.map((form) => {
    const runs = [], nodes = new Map();
    for (let at = 4 + form[3]; at < form.length; at += 7) {
      const [node, name, kind, attempt, state, problem, child] = form.slice(at, at + 7);
      if (!nodes.has(node)) nodes.set(node, { node, name: text(name), kind: text(kind), runs: [] });
      nodes.get(node).runs.push(runs.length);
      runs.push({ node, attempt, state, fault: fault(problem), child: child === 1 });
    }
    const states = form.slice(4, 4 + form[3]);
    return {
      name: text(form[0]), fault: fault(form[1]), whole: form[2] === 1, states, last: states[states.length - 1],
      runs, nodes: [...nodes.values()],
    };
  });
  const workflows = {
    count, forms, form: Int32Array.from(raw.form), id: new Float64Array(count), action: new Int32Array(count).fill(-1),
    parent: new Int32Array(count).fill(-1), at: new Int32Array(count), run: new Int32Array(count + 1),
  };
  const times = [], from = [], to = [], child = [], owner = [];
  const firstRoot = actions.workflow[actions.count];
  let read = 0, id = 0, action = 0;
  const bases = new Float64Array(count);
  let next = firstRoot + raw.roots;
  for (let index = 0; index < count; index += 1) {
    if (index < firstRoot) {
      while (actions.workflow[action + 1] <= index) action += 1;
      workflows.action[index] = action;
      bases[index] = actions.nominal[action];
    }
    id += raw.ids[index];
    workflows.id[index] = id;
    const form = forms[raw.form[index]];
    let time = bases[index];
    workflows.at[index] = times.length;
    for (let state = 0; state < form.states.length; state += 1) times.push((time += raw.times[read++]));
    time = bases[index];
    workflows.run[index] = from.length;
    for (const run of form.runs) {
      time += raw.times[read++];
      const length = raw.times[read++];
      if (run.child && next < count) {
        workflows.parent[next] = from.length;
        workflows.action[next] = workflows.action[index];
        bases[next] = time;
        child.push(next++);
      } else {
        child.push(-1);
      }
      owner.push(index);
      from.push(time);
      to.push(length === 0 ? NaN : time + length - 1);
    }
  }
  workflows.run[count] = from.length;
  workflows.times = Float64Array.from(times);
  workflows.firstRoot = firstRoot;
  workflows.roots = raw.roots;
  model.workflows = workflows;
  model.runs = {
    from: Float64Array.from(from), to: Float64Array.from(to), child: Int32Array.from(child),
    owner: Int32Array.from(owner),
  };
}

function readWaits(model, raw) {
  const actions = model.actions;
  const at = new Int32Array(actions.count + 1), uri = [], from = [], to = [], choice = [];
  let read = 0, action = 0, done = 0, place = 0;
  while (read < raw.length) {
    action += raw[read++];
    for (; done <= action; done += 1) at[done] = uri.length;
    for (let count = raw[read++]; count > 0; count -= 1) {
      const number = raw[read++];
      choice.push((number & 1) === 1);
      place += number >> 1;
      uri.push(place);
      const start = actions.nominal[action] + raw[read++], length = raw[read++];
      from.push(start);
      to.push(length === 0 ? NaN : start + length - 1);
    }
  }
  for (; done <= actions.count; done += 1) at[done] = uri.length;
  model.waits = { at, uri, from, to, choice };
}

function readEvents(model, data, text) {
  model.sla = [];
  let time = 0;
  const places = new Map();
  model.workflows.id.forEach((id, place) => places.set(id, place));
  for (let at = 0; at < data.sla.length; at += 6) {
    const [step, action, number, name, place, expected] = data.sla.slice(at, at + 6), kind = data.slaKinds[place];
    time += step;
    model.sla.push({ at: time, action, workflow: places.get(number) ?? -1, name: name < 0 ? null : text(name), kind, expected,
      missed: kind.endsWith("MISS") });
  }
  model.operations = [];
  for (let at = 0; at < data.operations.length; at += 4) {
    const [when, command, target, refusal] = data.operations.slice(at, at + 4);
    model.operations.push({ at: when, command: text(command), target: text(target), refusal: refusal < 0 ? null : text(refusal) });
  }
  model.unfinished = new Map();
  for (let at = 0; at < data.unfinished.length; at += 4) {
    const [name, action, , reason] = data.unfinished.slice(at, at + 4);
    model.unfinished.set(action < 0 ? text(name) : action, text(reason));
  }
}

/// Marks of actions.
const LATE = 1, BAD = 2, WAITED = 4, MISSED = 8, REMOVED = 16;

/// What is asked of actions often: from when to when, and whether they were late, bad, waited or missed something.
function judge(model) {
  const { actions, workflows, waits } = model, names = model.states.action;
  const over = names.map((name) => ["TIMEDOUT", "SUCCEEDED", "KILLED", "FAILED", "IGNORED", "SKIPPED"].includes(name));
  const bad = names.map((name) => ["TIMEDOUT", "KILLED", "FAILED"].includes(name));
  const nodeBad = model.states.node.map((name) => ["ERROR", "KILLED", "FAILED", "START_MANUAL", "END_MANUAL"].includes(name));
  const runs = names.map((name) => ["RUNNING", "SUSPENDED"].includes(name));
  const skipped = names.indexOf("SKIPPED");
  model.over = over;
  model.bad = bad;
  const late = (LATE_MINUTES * 60000) / model.unit;
  const hasBadNode = workflows.forms.map((form) => form.runs.some((run) => nodeBad[run.state]));
  actions.from = new Float64Array(actions.count);
  actions.to = new Float64Array(actions.count);
  for (let index = 0; index < actions.count; index += 1) {
    const form = actions.forms[actions.form[index]], at = actions.at[index];
    const due = Math.max(actions.nominal[index], actions.created[index]);
    let started = NaN, marks = form.removed ? REMOVED : 0;
    form.states.forEach((state, place) => {
      if (runs[state] && Number.isNaN(started)) started = actions.times[at + place];
      if (bad[state]) marks |= BAD;
    });
    const last = form.states.length ? actions.times[at + form.states.length - 1] : due;
    actions.to[index] = over[form.last] ? last : model.end;
    actions.from[index] = Math.min(due, actions.to[index]);
    if (Number.isNaN(started)) started = form.last === skipped ? due : actions.to[index];
    if (started - due > late) marks |= LATE;
    for (let wait = waits.at[index]; wait < waits.at[index + 1]; wait += 1) {
      if (Number.isNaN(waits.to[wait]) ? actions.to[index] > due : waits.to[wait] > due) marks |= WAITED;
    }
    for (let place = actions.workflow[index]; place < actions.workflow[index + 1]; place += 1) {
      if (hasBadNode[workflows.form[place]]) marks |= BAD;
    }
    actions.marks[index] = marks;
  }
  for (const sla of model.sla) if (sla.missed && sla.action >= 0) actions.marks[sla.action] |= MISSED;
}

