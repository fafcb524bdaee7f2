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

// The list.

function search() {
  const wanted = state.find.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = state.by.map((value, place) => [value, data.segments[place].of]).filter(([value]) => value !== null);
  const rest = [], numbers = {won: 0, lost: 0, tied: 0, empty: 0, unjudged: 0};
  for (let query = 0; query < texts.length; query++) {
    const outcome = two ? outcomeOf(query) : "", empty = isEmpty(query), unjudged = isUnjudged(query);
    if (outcome) numbers[outcome]++;
    numbers.empty += empty;
    numbers.unjudged += unjudged;
    if (state.outcome && outcome !== state.outcome) continue;
    if ((state.empty && !empty) || (state.unjudged && !unjudged)) continue;
    if (chosen.some(([value, of]) => of[query] !== value)) continue;
    if (wanted.every((word) => texts[query].includes(word))) rest.push(query);
  }
  found = sorted(rest);
  return numbers;
}

function sorted(queries) {
  const turn = state.down ? -1 : 1;
  if (state.sort === "id") return state.down ? queries.reverse() : queries;
  const looked = {
    difference: differenceOf,
    change: (query) => differenceOf(query) === null ? null : Math.abs(differenceOf(query)),
    baseline: (query) => valueOf(query, "baseline"),
    candidate: (query) => valueOf(query, "candidate"),
  }[state.sort];
  const values = new Map(queries.map((query) => [query, looked(query)]));
  return queries.sort((one, other) => {
    const [first, second] = [values.get(one), values.get(other)];
    if (first === null || second === null) return (first === null) - (second === null) || one - other;
    return turn * (first - second) || one - other;
  });
}

function choose(select, options, value) {
  select.replaceChildren(...options.map(([held, text]) => make("option", {value: held}, text)));
  select.value = String(value);
}

function drawFilters(numbers) {
  const metric = data.metrics[state.metric].text, systems = data.systems.map((name, place) => [place, name]);
  const heads = {difference: say("by-difference"), change: say("by-change"), id: say("by-id")};
  for (const side of sides()) heads[side] = say("by-value", {metric, system: data.systems[state[side]]});
  choose(fields.metric, data.metrics.map((each, place) => [place, each.text]), state.metric);
  choose(fields.sort, ORDERS().map((name) => [name, heads[name]]), state.sort);
  if (two) {
    for (const side of sides()) choose(fields[side], systems, state[side]);
    const outcomes = ["won", "lost", "tied"].map((name) => [name, say(name, {number: count(numbers[name])})]);
    choose(fields.outcome, [["", say("every", {number: count(texts.length)})], ...outcomes], state.outcome);
  }
  for (const name of ["down", "empty", "unjudged"]) fields[name].checked = state[name];
  for (const name of ["empty", "unjudged"]) {
    fields[name].nextElementSibling.textContent = say(name, {number: count(numbers[name]), rows: data.rows});
  }
  state.by.forEach((value, place) => { fields[`by.${place}`].value = value === null ? "" : String(value); });
  if (fields.find.value !== state.find) fields.find.value = state.find;
}

function drawList() {
  drawFilters(search());
  page = Math.max(0, Math.min(page, Math.ceil(found.length / PAGE) - 1));
  byId("count").textContent = say("count", {found: count(found.length), all: count(texts.length)});
  drawPage();
}

function drawPage(focused = null) {
  const first = page * PAGE, shown = found.slice(first, first + PAGE), last = first + shown.length;
  const table = make("table", {}, make("caption", {class: "unseen"}, say("list")));
  table.append(make("thead", {}, make("tr", {}, ...headsOfList())), make("tbody", {}, ...shown.map(rowOf)));
  const scroll = make("div", {class: "scroll queries", role: "group", tabindex: 0, "aria-label": say("list")}, table);
  const turn = (by) => () => { page += by; drawPage(by > 0 ? 0 : -1); };
  const pager = make(
    "div", {class: "bar-of", role: "group", "aria-label": say("pages")},
    button(say("before"), turn(-1), page === 0),
    make("span", {}, say("page", {first: count(first + 1), last: count(last), found: count(found.length)})),
    button(say("after"), turn(1), last >= found.length),
  );
  byId("rows").replaceChildren(...(found.length ? [scroll, ...(found.length > PAGE ? [pager] : [])] : []));
  if (focused !== null) links().at(focused)?.focus();
}

const links = () => [...byId("rows").querySelectorAll("tbody a")];

function headsOfList() {
  const head = (name, text, kind) => {
    const sorting = state.sort === name ? (state.down ? "descending" : "ascending") : undefined;
    const arrow = sorting ? make("span", {"aria-hidden": "true"}, state.down ? " ↓" : " ↑") : null;
    const sort = () => change(() => { state.down = sorting === "ascending"; state.sort = name; }, `[data-sort=${name}]`);
    const inner = make("button", {type: "button", click: sort, "data-sort": name}, bdi(text), arrow);
    return make("th", {scope: "col", class: kind, "aria-sort": sorting}, inner);
  };
  const segments = data.segments.map((each) => make("th", {scope: "col", class: "spare"}, bdi(each.name)));
  const values = sides().map((side) => head(side, data.systems[state[side]], two ? "number spare" : "number"));
  const differences = two
    ? [head("difference", say("difference"), "number"), make("th", {scope: "col", class: "bar spare"}, say("drawn"))]
    : [];
  return [head("id", say("query")), ...segments, ...values, ...differences];
}

function rowOf(query) {
  const text = data.queries.texts?.[query] ?? null;
  const link = make("a", {href: address(query)}, bdi(called(query)));
  const cells = [make("th", {scope: "row"}, link, text === null ? null : small(data.queries.ids[query]))];
  for (const segment of data.segments) cells.push(make("td", {class: "text spare"}, bdi(segmentOf(segment, query))));
  for (const side of sides()) cells.push(make("td", two ? {class: "spare"} : {}, written(valueOf(query, side))));
  if (two) cells.push(differenceCell(differenceOf(query), state.metric), barOf(differenceOf(query)));
  return make("tr", {}, ...cells);
}

const segmentOf = (segment, query) => segment.values[segment.of[query]];

function differenceCell(difference, metric, kind = "") {
  const tone = difference === null ? "" : toneOf(difference, metric);
  const sign = tone ? make("span", {class: "sign", "aria-hidden": "true"}, `${SIGNS[tone]} `) : null;
  return make("td", {class: `${tone} ${kind}`.trim() || undefined}, sign, signed(difference, metric));
}

function barOf(difference) {
  const cell = make("td", {class: `bar spare ${difference === null ? "" : toneOf(difference)}`});
  const all = largest(), width = all && difference !== null ? 50 * Math.abs(difference) / all : 0;
  const picture = draw("svg", {"aria-hidden": "true"});
  const left = difference < 0 ? 50 - width : 50;
  picture.append(draw("rect", {x: `${left}%`, width: `${width}%`, y: "25%", height: "50%"}));
  picture.append(draw("line", {class: "zero", x1: "50%", x2: "50%", y1: "0", y2: "100%"}));
  cell.append(picture);
  return cell;
}

let scale = {};
function largest() {
  const of = `${state.metric} ${state.baseline} ${state.candidate}`;
  if (scale.of !== of) {
    let most = 0;
    for (let query = 0; query < texts.length; query++) most = Math.max(most, Math.abs(differenceOf(query) ?? 0));
    scale = {of, most};
  }
  return scale.most;
}

// A query that is opened.

function places(query, side) {
  const system = state[side], {starts, rank} = data.places, seen = [];
  for (let place = starts[query]; place < starts[query + 1]; place++) {
    if (rank[system][place] !== null && rank[system][place] <= data.rows) seen.push(place);
  }
  return seen.sort((one, other) => rank[system][one] - rank[system][other]);
}

function documentCell(document) {
  const id = data.documents.ids[document], title = data.documents.titles[document];
  return make("th", {scope: "row", class: "document"}, bdi(title ?? id), title === null ? null : small(id));
}

function judgmentCell(relevance) {
  const [kind, sign, said] = relevance === null ? ["unjudged", "?", "not-judged"]
    : relevance >= data.rel ? ["relevant", "+", "relevant"] : ["not-relevant", "-", "not-relevant"];
  return make(
    "td", {class: `text ${kind}`, title: say(said)},
    make("span", {class: "sign", "aria-hidden": "true"}, sign), relevance === null ? "" : ` ${relevance}`,
    make("span", {class: "unseen"}, ` ${say(said)}`),
  );
}

function movedCell(own, other, side) {
  const [gone, up, down] = side === "baseline" ? ["gone", "up-to", "down-to"] : ["new", "up-from", "down-from"];
  const cell = (text, sign) => make(
    "td", {class: "text moved"}, sign ? make("span", {class: "sign", "aria-hidden": "true"}, `${sign} `) : null, text,
  );
  if (other === null) return cell(say(gone), side === "baseline" ? "○" : "★");
  if (own === other) return cell(say("stays"), "");
  const rises = side === "baseline" ? other < own : own < other;
  return cell(say(rises ? up : down, {rank: other}), rises ? SIGNS.gain : SIGNS.loss);
}

function tableOf(caption, heads, rows, kind = "") {
  if (!rows.length) return make("p", {class: "empty"}, bdi(caption));
  const names = heads.filter(Boolean).map(([text, kind]) => make("th", {scope: "col", class: kind}, text));
  const table = make("table", {}, make("caption", {}, bdi(caption)), make("thead", {}, make("tr", {}, ...names)));
  table.append(make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.filter(Boolean)))));
  return make("div", {class: `scroll ${kind}`, role: "group", tabindex: 0, "aria-label": caption}, table);
}

const hasParts = (query) => data.parts !== null && sides().every((side) => valueOf(query, side, data.parts) !== null);
const worthOf = (place) => part(data.places.part[state.candidate][place] - data.places.part[state.baseline][place]);

function rankingOf(query, side) {
  const {rank, score, relevance, document} = data.places;
  const own = state[side], other = state[side === "baseline" ? "candidate" : "baseline"], parts = hasParts(query);
  const rows = places(query, side).map((place) => [
    make("td", {}, String(rank[own][place])),
    documentCell(document[place]),
    data.judged && judgmentCell(relevance[place]),
    make("td", {class: "spare"}, String(score[own][place])),
    two && movedCell(rank[own][place], rank[other][place], side),
    parts && (two ? differenceCell(worthOf(place), data.parts) : make("td", {}, signed(part(data.places.part[own][place]), data.parts))),
  ]);
  const heads = [
    [say("rank"), "number"], [say("document"), "document"], data.judged && [say("relevance")], [say("score"), "number spare"],
    two && [say("moved")], parts && [say(two ? "worth" : "adds"), "number"],
  ];
  return tableOf(rows.length ? data.systems[own] : say("nothing", {system: data.systems[own]}), heads, rows);
}

function bestOf(query) {
  const {starts, document, relevance} = data.best, rows = [];
  for (let place = starts[query]; place < starts[query + 1]; place++) {
    const rank = make("td", {}, String(place - starts[query] + 1));
    rows.push([rank, documentCell(document[place]), judgmentCell(relevance[place])]);
  }
  return tableOf(rows.length ? say("best") : say("no-best"), [[say("rank"), "number"], [say("document"), "document"], [say("relevance")]], rows);
}

function valuesOf(query) {
  const rows = data.metrics.map((metric, place) => [
    make("th", {scope: "row"}, metric.text),
    ...sides().map((side) => make("td", {}, written(valueOf(query, side, place), place))),
    two && differenceCell(differenceOf(query, place), place),
  ]);
  const named = two ? sides().map((side) => [bdi(data.systems[state[side]]), "number"]) : [[say("value"), "number"]];
  return tableOf(say("values"), [[say("metric")], ...named, two && [say("difference"), "number"]], rows, "values");
}

function notesOf(query) {
  const said = data.judged ? [say("legend")] : [], metric = data.metrics[data.parts]?.text;
  if (data.parts === null) return said;
  if (!hasParts(query)) return [...said, say("no-value", {metric})];
  said.push(say(two ? "legend-worth" : "legend-adds", {metric, candidate: data.systems[state.candidate], baseline: data.systems[state.baseline]}));
  const whole = two ? differenceOf(query, data.parts) : valueOf(query, "baseline", data.parts);
  const shown = new Set(sides().flatMap((side) => places(query, side)));
  const worth = two ? worthOf : (place) => data.places.part[state.baseline][place];
  const others = part(whole - [...shown].reduce((sum, place) => sum + worth(place), 0));
  return [...said, say("others", {others: signed(others, data.parts), whole: signed(whole, data.parts)})];
}

function drawQuery(wanted) {
  const query = state.query, opened = byId("opened"), place = found.indexOf(query);
  const heading = (text) => make("h2", {id: "query", tabindex: -1}, bdi(text));
  const back = button(say("back"), close);
  if (query < 0) {
    opened.replaceChildren(make("div", {class: "bar-of"}, back), heading(say("unknown", {query: wanted})));
    return;
  }
  const at = place < 0 ? null : make("span", {}, say("place", {place: count(place + 1), found: count(found.length)}));
  const facts = [data.queries.texts?.[query] ? data.queries.ids[query] : null];
  for (const segment of data.segments) facts.push(`${segment.name}: ${segmentOf(segment, query)}`);
  opened.replaceChildren(
    make(
      "div", {class: "bar-of"}, back, button(say("previous-query"), step(-1), place <= 0),
      button(say("next-query"), step(1), place < 0 || place + 1 >= found.length), at,
    ),
    heading(called(query)),
    make("p", {class: "subtitle"}, ...facts.filter((fact) => fact !== null).flatMap((fact, at) => [at ? " · " : "", bdi(fact)])),
    valuesOf(query),
    make("div", {class: "beside"}, ...sides().map((side) => rankingOf(query, side)), data.best ? bestOf(query) : null),
    make("ul", {class: "remarks"}, ...notesOf(query).map((text) => make("li", {}, text))),
  );
}

// What a person does.

const title = document.title;
function route() {
  const before = state.query ?? null, wanted = readAddress(), query = state.query;
  drawList();
  byId("list").hidden = byId("about").hidden = query !== null;
  byId("opened").hidden = query === null;
  document.title = query === null || query < 0 ? title : `${called(query)} – ${title}`;
  if (query !== null) {
    drawQuery(wanted);
    scrollTo(0, 0);
    byId("query").focus({preventScroll: true});
  } else if (before !== null) {
    const place = Math.max(0, found.indexOf(before));
    page = Math.floor(place / PAGE);
    drawPage(place % PAGE);
  }
}

const close = () => { location.hash = address(); };
const step = (by) => () => {
  const next = found[found.indexOf(state.query) + by];
  if (next !== undefined) location.hash = address(next);
};

function change(changed, focused) {
  changed();
  page = 0;
  history.replaceState(null, "", address());
  drawList();
  if (focused) document.querySelector(focused)?.focus();
}

function read(event) {
  const {name, value, checked, type} = event.target;
  if (!name) return;
  change(() => {
    if (type === "checkbox") state[name] = checked;
    else if (name.startsWith("by.")) state.by[Number(name.slice(3))] = value === "" ? null : Number(value);
    else state[name] = ["metric", "baseline", "candidate"].includes(name) ? Number(value) : value;
  });
}

function move(by) {
  const all = links(), at = all.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by;
  if (next >= 0 && next < all.length) return all[next].focus();
  const turned = page + by;
  if (turned < 0 || turned * PAGE >= found.length) return;
  page = turned;
  drawPage(by > 0 ? 0 : -1);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const typing = event.target.matches("input[type=search]"), opened = state.query !== null;
  const way = {ArrowDown: 1, ArrowUp: -1, j: 1, k: -1}[event.key];
  if (event.key === "Escape") {
    if (opened) close();
    else if (typing) fields.find.blur();
    else return;
  } else if (typing) {
    if (event.key === "Enter" && found.length) location.hash = address(found[0]);
    else if (event.key === "ArrowDown") links()[0]?.focus();
    else if (event.key !== "Enter") return;
  } else if (event.target.matches("select")) {
    return;
  } else if (event.key === "/") {
    const focus = () => { fields.find.focus(); fields.find.select(); };
    // The list is there, and a row has the focus, once the address has changed.
    if (opened) addEventListener("hashchange", focus, {once: true});
    if (opened) close();
    else focus();
  } else if (opened && way && event.key.length === 1) {
    step(way)();
  } else if (!opened && way) {
    move(way);
  } else {
    return;
  }
  event.preventDefault();
}

function prepare() {
  two = data.systems.length > 1;
  words = data.words;
  texts = data.queries.ids.map((id, query) => `${id}\n${data.queries.texts?.[query] ?? ""}`.toLowerCase());
  for (const name of ["baseline", "candidate", "outcome"]) {
    fields[name].parentElement.hidden = !two || (name !== "outcome" && data.systems.length === 2);
  }
  fields.unjudged.parentElement.hidden = !data.judged;
  data.segments.forEach((segment, place) => {
    const options = [["", say("any")], ...segment.values.map((value, number) => [number, value])];
    const select = make("select", {name: `by.${place}`});
    choose(select, options, "");
    fields.sort.parentElement.before(make("label", {}, bdi(segment.name), select));
  });
  form.hidden = false;
  form.addEventListener("input", read);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => { event.preventDefault(); change(() => { state = fresh(); }); });
  document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); byId("content").focus(); });
  addEventListener("hashchange", route);
  addEventListener("keydown", press);
}

async function unpack(text) {
  const packed = atob(text), bytes = new Uint8Array(packed.length);
  for (let place = 0; place < packed.length; place++) bytes[place] = packed.charCodeAt(place);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

unpack(byId("data").textContent).then((unpacked) => {
  data = unpacked;
  prepare();
  route();
  performance.mark("opened");
}).catch((error) => {
  byId("count").textContent = byId("count").dataset.failed;
  throw error;
});
