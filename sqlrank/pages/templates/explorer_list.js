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
