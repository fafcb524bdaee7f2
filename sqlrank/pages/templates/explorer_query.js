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

function gradeText(grade) {
  const text = Object.hasOwn(data.grades, grade) ? data.grades[grade] : null;
  return text === null ? grade : `${text} (${grade})`;
}

function judgmentCell(relevance) {
  const [kind, sign, said] = relevance === null ? ["unjudged", "?", "not-judged"]
    : relevance >= data.rel ? ["relevant", "+", "relevant"] : ["not-relevant", "-", "not-relevant"];
  return make(
    "td", {class: `text ${kind}`, title: say(said)},
    make("span", {class: "sign", "aria-hidden": "true"}, sign), relevance === null ? "" : ` ${gradeText(relevance)}`,
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
