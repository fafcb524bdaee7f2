"use strict";

const PAGE = 50;
const SIGNS = {gain: "▲", loss: "▼", "": "●"};
const language = document.documentElement.lang;
const byId = (id) => document.getElementById(id);
const form = byId("filters");
const fields = form.elements;

let data, words, two, texts;
let state = {};
let found = [];
let page = 0;

// Elements. Texts become text nodes: nothing of the data is ever read as HTML.

function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function draw(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const bdi = (text) => make("bdi", {}, text);
const small = (text) => make("small", {}, bdi(text));
const button = (text, click, off = false) => make("button", {type: "button", click, disabled: off}, text);
const count = (number) => number.toLocaleString(language);

// Values. A difference counts as the comparison counts it: as it is, and mirrored where less is better.

const key = (query) => data.queries.keys[query] ?? data.queries.ids[query];
const called = (query) => data.queries.texts?.[query] ?? data.queries.ids[query];
const valueOf = (query, side, metric = state.metric) => data.values[state[side]][metric][query];

function differenceOf(query, metric = state.metric) {
  const before = valueOf(query, "baseline", metric), after = valueOf(query, "candidate", metric);
  return before === null || after === null ? null : after - before;
}

function toneOf(difference, metric = state.metric) {
  const better = difference * data.metrics[metric].sign;
  return better > 0 ? "gain" : better < 0 ? "loss" : "";
}

function outcomeOf(query) {
  const difference = differenceOf(query);
  if (difference === null) return "";
  const better = difference * (data.metrics[state.metric].sign || 1);
  return better > 0 ? "won" : better < 0 ? "lost" : "tied";
}

const sides = () => two ? ["baseline", "candidate"] : ["baseline"];
const isEmpty = (query) => sides().some((side) => !data.retrieved[state[side]][query]);
const isUnjudged = (query) => sides().some((side) => data.unjudged[state[side]][query] > 0);

function written(value, metric = state.metric) {
  return value === null ? "-" : value.toFixed(data.metrics[metric].counts && Number.isInteger(value) ? 0 : data.digits);
}

function signed(value, metric = state.metric) {
  if (value === null) return "-";
  return value === 0 ? "0" : (value > 0 ? "+" : "") + written(value, metric);
}

// A part is stored to nine decimals: what is nearer to nothing than these is nothing.
const part = (value) => Math.abs(value) < 5e-9 ? 0 : value;

// The state, which the address holds after #.

const ORDERS = () => two ? ["difference", "change", "baseline", "candidate", "id"] : ["baseline", "id"];
const fresh = () => ({
  find: "", metric: 0, baseline: 0, candidate: two ? 1 : 0, outcome: "", sort: ORDERS()[0], down: false,
  empty: false, unjudged: false, by: data.segments.map(() => null), query: null,
});

function address(query = null) {
  const plain = fresh(), held = new URLSearchParams();
  if (query !== null) held.set("q", key(query));
  for (const name of ["find", "outcome", "sort"]) if (state[name] !== plain[name]) held.set(name, state[name]);
  for (const name of ["down", "empty", "unjudged"]) if (state[name]) held.set(name, "1");
  if (state.metric) held.set("metric", data.metrics[state.metric].text);
  for (const side of sides()) if (state[side] !== plain[side]) held.set(side, data.systems[state[side]]);
  state.by.forEach((value, place) => {
    if (value !== null) held.set(`by.${data.segments[place].name}`, data.segments[place].values[value]);
  });
  return `#${held}`;
}

function readAddress() {
  const held = new URLSearchParams(location.hash.slice(1));
  state = fresh();
  state.find = held.get("find") ?? "";
  if (["won", "lost", "tied"].includes(held.get("outcome")) && two) state.outcome = held.get("outcome");
  if (ORDERS().includes(held.get("sort"))) state.sort = held.get("sort");
  for (const name of ["down", "empty", "unjudged"]) state[name] = held.has(name);
  const metric = data.metrics.findIndex((each) => each.text === held.get("metric"));
  if (metric >= 0) state.metric = metric;
  for (const side of sides()) {
    const place = data.systems.indexOf(held.get(side));
    if (place >= 0) state[side] = place;
  }
  data.segments.forEach((segment, place) => {
    const value = segment.values.indexOf(held.get(`by.${segment.name}`));
    state.by[place] = value < 0 ? null : value;
  });
  const wanted = held.get("q");
  state.query = wanted === null ? null : data.queries.ids.findIndex((_, query) => key(query) === wanted);
  return wanted;
}
