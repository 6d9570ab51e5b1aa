// Which rows there are: what the filter lets through, unfolded as people want it.

/// Heights of rows by kind, in pixels.
const HEIGHTS = [36, 48, 24, 24, 22];

class Rows {
  constructor(model) {
    this.model = model;
    this.filter = { text: "", state: "", only: new Set(), sight: true };
    this.open = [new Set(), new Set(), new Set(), new Set(), new Set()];
    model.bundles.forEach((_, index) => this.open[BUNDLE].add(index));
    const alone = model.bundles.length === 0 && model.workflows.roots === 1;
    if (alone) this.open[WORKFLOW].add(model.workflows.firstRoot);
    this.shown = new Uint8Array(model.actions.count);
    this.shownJob = new Uint8Array(model.jobs.length);
    this.refilter();
  }

  key(kind, a, b) {
    return kind === NODE ? a * 65536 + b : a;
  }

  isOpen(kind, a, b) {
    return this.open[kind].has(this.key(kind, a, b));
  }

  /// Works out what the filter lets through.
  refilter() {
    const { model, filter } = this, { actions, workflows, waits } = model;
    const text = filter.text.trim().toLowerCase();
    const state = filter.state === "" ? -1 : model.states.action.indexOf(filter.state);
    let wanted = 0;
    for (const [name, mark] of [["late", LATE], ["bad", BAD], ["waited", WAITED], ["missed", MISSED]]) {
      if (filter.only.has(name)) wanted |= mark;
    }
    const has = (name) => name.toLowerCase().includes(text);
    const isPlain = text === "" && filter.state === "" && wanted === 0;
    this.isFiltered = !isPlain;
    const uris = text === "" ? [] : model.uris.map(has);
    // A node matches by its own name; then its workflow shows the nodes that match.
    this.nodeMatches = text === "" ? null : workflows.forms.map((form) => form.nodes.map((node) => has(node.name)));
    const formMatches = text === "" ? null
      : workflows.forms.map((form, index) => has(form.name) || this.nodeMatches[index].includes(true));
    const states = text === "" ? null : workflows.forms.map((form) => has(form.name));
    // What a sub-workflow matches, the workflows above it match; they have smaller numbers.
    this.workflowMatches = new Uint8Array(text === "" ? 0 : workflows.count);
    for (let index = this.workflowMatches.length - 1; index >= 0; index -= 1) {
      if (formMatches[workflows.form[index]]) this.workflowMatches[index] = 1;
      const parent = workflows.parent[index];
      if (parent >= 0 && this.workflowMatches[index]) this.workflowMatches[model.runs.owner[parent]] = 1;
    }
    this.count = 0;
    const bundles = new Set();
    model.jobs.forEach((job, place) => {
      const bundle = model.bundles[job.bundle];
      const whole = text === "" || has(job.name) || (bundle !== undefined && has(bundle.name));
      let any = false;
      for (let index = job.first; index < job.first + job.count; index += 1) {
        const marks = actions.marks[index];
        let pass = (marks & REMOVED) === 0 && (wanted === 0 || (marks & wanted) !== 0);
        if (pass && state >= 0) pass = actions.forms[actions.form[index]].last === state;
        if (pass && filter.state !== "" && state < 0) pass = false;
        if (pass && !whole) {
          pass = `${job.name}@${index - job.first + 1}`.toLowerCase().includes(text);
          for (let at = actions.workflow[index]; !pass && at < actions.workflow[index + 1]; at += 1) {
            pass = this.workflowMatches[at] === 1;
          }
          for (let at = waits.at[index]; !pass && at < waits.at[index + 1]; at += 1) pass = uris[waits.uri[at]];
        }
        this.shown[index] = pass ? 1 : 0;
        if (pass) {
          any = true;
          this.count += 1;
        }
      }
      this.shownJob[place] = any || (whole && wanted === 0 && filter.state === "") ? 1 : 0;
      if (this.shownJob[place]) bundles.add(job.bundle);
    });
    this.shownBundle = model.bundles.map((bundle, place) => isPlain || bundles.has(place) || (text !== "" && has(bundle.name)));
    this.wholeForms = states;
    this.roots = [];
    for (let index = workflows.firstRoot; index < workflows.firstRoot + workflows.roots; index += 1) {
      const form = workflowForm(model, index), last = model.states.workflow[form.last];
      const failed = ["KILLED", "FAILED"].includes(last);
      const pass = (text === "" || this.workflowMatches[index] === 1) && (filter.state === "" || filter.state === last)
        && (wanted === 0 || ((wanted & BAD) !== 0 && failed));
      if (pass) this.roots.push(index);
    }
  }

  /// Lists the rows for a stretch of time.
  build(from, to) {
    const { model, filter } = this;
    const kind = [], a = [], b = [], level = [];
    const push = (...row) => { kind.push(row[0]); a.push(row[1]); b.push(row[2]); level.push(row[3]); };
    const inSight = (start, end) => !filter.sight || (start <= to && end >= from);
    const job = (place, depth) => {
      if (!this.shownJob[place]) return;
      push(JOB, place, 0, depth);
      if (!this.open[JOB].has(place)) return;
      const { first, count } = model.jobs[place];
      for (let index = first; index < first + count; index += 1) {
        if (!this.shown[index] || !inSight(model.actions.from[index], model.actions.to[index])) continue;
        push(ACTION, index, 0, depth + 1);
        if (this.open[ACTION].has(index)) this.action(index, depth + 2, push);
      }
    };
    model.bundles.forEach((_, place) => {
      if (!this.shownBundle[place]) return;
      push(BUNDLE, place, 0, 0);
      if (this.open[BUNDLE].has(place)) model.jobs.forEach((other, index) => other.bundle === place && job(index, 1));
    });
    model.jobs.forEach((other, index) => other.bundle < 0 && job(index, 0));
    for (const root of this.roots) {
      const [start, end] = workflowExtent(model, root);
      if (!inSight(start, end) && this.roots.length > 1) continue;
      push(WORKFLOW, root, 0, 0);
      if (this.open[WORKFLOW].has(root)) this.nodes(root, 1, push);
    }
    const tops = new Float64Array(kind.length + 1);
    for (let index = 0; index < kind.length; index += 1) tops[index + 1] = tops[index] + HEIGHTS[kind[index]];
    Object.assign(this, { kind, a, b, level, tops, length: kind.length });
  }

  action(index, depth, push) {
    const { actions } = this.model, first = actions.workflow[index], end = actions.workflow[index + 1];
    if (end - first === 1) {
      this.nodes(first, depth, push);
      return;
    }
    for (let at = first; at < end; at += 1) {
      push(WORKFLOW, at, 0, depth);
      if (this.open[WORKFLOW].has(at)) this.nodes(at, depth + 1, push);
    }
  }

  nodes(workflow, depth, push) {
    const place = this.model.workflows.form[workflow], form = this.model.workflows.forms[place];
    const matches = this.nodeMatches && form.nodes.map((_, index) => {
      const child = this.child(workflow, index);
      return this.nodeMatches[place][index] || (child >= 0 && this.workflowMatches[child] === 1);
    });
    const some = matches && matches.includes(true) && !this.wholeForms[place];
    form.nodes.forEach((node, index) => {
      if (some && !matches[index]) return;
      push(NODE, workflow, index, depth);
      const child = this.child(workflow, index);
      if (child >= 0 && this.isOpen(NODE, workflow, index)) this.nodes(child, depth + 1, push);
    });
  }

  /// The last sub-workflow of a node, or -1.
  child(workflow, index) {
    const { model } = this, first = model.workflows.run[workflow];
    return workflowForm(model, workflow).nodes[index].runs
      .reduce((found, run) => Math.max(found, model.runs.child[first + run]), -1);
  }

  canOpen(row) {
    const { model } = this, kind = this.kind[row], a = this.a[row];
    if (kind === BUNDLE) return model.jobs.some((job) => job.bundle === a);
    if (kind === JOB) return model.jobs[a].count > 0;
    if (kind === WORKFLOW) return workflowForm(model, a).nodes.length > 0;
    if (kind === NODE) return this.child(a, this.b[row]) >= 0;
    const { workflow } = model.actions, count = workflow[a + 1] - workflow[a];
    return count > 1 || (count === 1 && workflowForm(model, workflow[a]).nodes.length > 0);
  }

  setOpen(row, open) {
    const kind = this.kind[row], key = this.key(kind, this.a[row], this.b[row]);
    if (open) this.open[kind].add(key);
    else this.open[kind].delete(key);
  }

  /// The row that holds another, or -1.
  parent(row) {
    for (let at = row - 1; at >= 0; at -= 1) if (this.level[at] < this.level[row]) return at;
    return -1;
  }

  find(kind, a, b) {
    for (let at = 0; at < this.length; at += 1) {
      if (this.kind[at] === kind && this.a[at] === a && this.b[at] === b) return at;
    }
    return -1;
  }

  /// The row at a height.
  at(y) {
    let low = 0, high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] <= y) low = middle + 1;
      else high = middle;
    }
    return low < this.length && y >= 0 ? low : -1;
  }

  fold() {
    this.open.forEach((set, kind) => kind !== BUNDLE && set.clear());
  }

  /// Unfolds the rows of the first level that has folded ones, of those that are listed.
  unfold() {
    let lowest = Infinity;
    for (let row = 0; row < this.length; row += 1) {
      if (this.level[row] < lowest && this.canOpen(row) && !this.isOpen(this.kind[row], this.a[row], this.b[row])) {
        lowest = this.level[row];
      }
    }
    for (let row = 0; row < this.length; row += 1) if (this.level[row] === lowest && this.canOpen(row)) this.setOpen(row, true);
  }
}

