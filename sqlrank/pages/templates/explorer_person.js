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
