// Times, durations and names in words, and how elements are made. Names become text, never markup.

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

const two = (number) => String(number).padStart(2, "0");
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The civil time of the zone, read with the functions for UTC.
function civil(model, time) {
  return new Date(model.begin + time * model.unit + model.offset * 60000);
}

function moment(model, time) {
  const at = civil(model, time), seconds = at.getUTCSeconds();
  const day = `${String(at.getUTCFullYear()).padStart(4, "0")}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  const rest = seconds ? `:${two(seconds)}` : "";
  return `${day}T${two(at.getUTCHours())}:${two(at.getUTCMinutes())}${rest}${model.suffix}`;
}

function duration(model, units) {
  const seconds = Math.max(0, Math.floor((units * model.unit) / 1000));
  const parts = [[Math.floor(seconds / 86400), "d"], [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"], [seconds % 60, "s"]];
  const first = parts.findIndex(([number]) => number > 0);
  if (first < 0) return "0 s";
  return parts.slice(first, first + 2).filter(([number]) => number > 0).map(([number, unit]) => `${number} ${unit}`).join(" ");
}

const jobId = (number, letter) => `${String(number).padStart(7, "0")}-${letter}`;

function actionNumber(model, action) {
  return action - model.jobs[model.actions.job[action]].first + 1;
}

function actionName(model, action) {
  return `${model.jobs[model.actions.job[action]].name}@${actionNumber(model, action)}`;
}

function workflowForm(model, workflow) {
  return model.workflows.forms[model.workflows.form[workflow]];
}

function actionForm(model, action) {
  return model.actions.forms[model.actions.form[action]];
}

/// The states of something with beginning and end.
function spansOf(states, times, first, end, names) {
  return states.map((state, index) => ({
    state: names[state], from: times[first + index],
    to: index + 1 < states.length ? times[first + index + 1] : Math.max(end, times[first + index]),
  }));
}

function actionSpans(model, action) {
  const form = actionForm(model, action);
  return spansOf(form.states, model.actions.times, model.actions.at[action], model.end, model.states.action);
}

function workflowSpans(model, workflow) {
  const form = workflowForm(model, workflow);
  return spansOf(form.states, model.workflows.times, model.workflows.at[workflow], model.end, model.states.workflow);
}

/// From when to when a workflow is of interest.
function workflowExtent(model, workflow) {
  const form = workflowForm(model, workflow), at = model.workflows.at[workflow];
  const last = model.workflows.times[at + form.states.length - 1];
  const isOver = ["SUCCEEDED", "KILLED", "FAILED"].includes(model.states.workflow[form.last]);
  return [model.workflows.times[at], isOver ? last : model.end];
}

