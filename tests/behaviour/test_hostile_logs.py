"""Logs as they really are: the label of the log without the damage, or an error that says what is wrong.

Each damage is tried in each format, and with methods that read the log in different ways by turns: formats are read
into a table before a method counts anything, so that no fault needs a damage, a format and a method at once.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sqlrank.errors import DataError
from sqlrank.log import judgments
from tests.support.tables import hold

Label = tuple[float, ...]
Row = dict[str, Any]
Rows = list[Row]
DOCUMENTS, IMPRESSIONS = 5, 240
METHODS = ("sdbn", "ctr", "coec")
FORMATS = ("csv", "parquet", "jsonl", "frame")


def log() -> Rows:
    """What 240 people of two queries saw and clicked: rows of one's own."""
    return [dict(row) for row in seen_and_clicked()]


@cache
def seen_and_clicked() -> Rows:
    """The same, made once."""
    chance = random.Random(3)
    rows: Rows = []
    for number in range(IMPRESSIONS):
        query = ("shoes", "hat")[number % 2]
        documents = [f"{query}-{place}" for place in range(DOCUMENTS)]
        chance.shuffle(documents)
        for position, document in enumerate(documents, 1):
            clicked = int(chance.random() < 0.5 / position)
            row = {"impression_id": f"i{number}", "query_id": query, "doc_id": document, "position": position}
            rows.append(row | {"clicked": clicked, "user_id": f"u{number % 60}"})
    return rows


def of(rows: Rows, number: int) -> Rows:
    """The rows of an impression."""
    return [row for row in rows if row["impression_id"] == f"i{number}"]


def each(change: Callable[[Row], Row]) -> Callable[[Rows], Rows]:
    """Every row changed."""
    return lambda rows: [row | change(row) for row in rows]


def first(**values: Any) -> Callable[[Rows], Rows]:
    """The seventh row changed."""
    return lambda rows: [row | values if number == 6 else row for number, row in enumerate(rows)]


def zero_based(rows: Rows, which: Callable[[int], bool]) -> Rows:
    """The positions of some impressions from 0, and an application that tells them."""
    numbers = [number_of(row) for row in rows]
    return [
        row | {"position": row["position"] - which(number), "application": "esci" if which(number) else "shop"}
        for row, number in zip(rows, numbers, strict=True)
    ]


def repeated(share: float) -> Callable[[Rows], Rows]:
    """Some rows twice."""
    return lambda rows: rows + rows[: round(len(rows) * share)]


def with_bot(rows: Rows) -> Rows:
    """One user with as many clicks as all others, who clicks on everything."""
    clicks, more = sum(row["clicked"] for row in rows), []
    for number in range(clicks // DOCUMENTS + 1):
        like = of(rows, number % IMPRESSIONS)
        more += [row | {"impression_id": f"b{number}", "user_id": "bot", "clicked": 1} for row in like]
    return rows + more


def with_sorted(rows: Rows) -> Rows:
    """Lists whose order the user chose."""
    more = [row | {"impression_id": f"s{row['impression_id']}", "clicked": 1, "sort": "price"} for row in rows[:100]]
    return [row | {"sort": "relevance"} for row in rows] + more


def with_ads(rows: Rows) -> Rows:
    """An ad above each list, which is clicked."""
    more = [row | {"doc_id": "ad", "position": 1, "clicked": 1, "is_ad": True} for row in rows if row["position"] == 1]
    return [row | {"position": row["position"] + 1, "is_ad": False} for row in rows] + more


def with_returned(rows: Rows) -> Rows:
    """What was returned below what was displayed."""
    last = [row for row in rows if row["position"] == DOCUMENTS]
    more = [
        row | {"doc_id": f"deep-{place}", "position": DOCUMENTS + place, "clicked": 0, "seen": 0}
        for row in last
        for place in range(1, 8)
    ]
    return [row | {"seen": 1} for row in rows] + more


def paged(rows: Rows) -> Rows:
    """Positions that begin anew on a second page, from the fourth document on."""
    return [row | {"page": (row["position"] - 1) // 3 + 1, "position": (row["position"] - 1) % 3 + 1} for row in rows]


def lasting(rows: Rows, seconds: str) -> Rows:
    """Rows with how long a click lasted, one of them otherwise."""
    return first(dwell=seconds)([row | {"dwell": "5"} for row in rows])


def with_sessions(rows: Rows) -> Rows:
    """Each impression a session, and one of them two."""
    return first(session_id="other")([row | {"session_id": row["impression_id"]} for row in rows])


def without(name: str) -> Callable[[Rows], Rows]:
    """The rows without a column."""
    return lambda rows: [{key: value for key, value in row.items() if key != name} for row in rows]


def written(names: dict[str, str]) -> Callable[[Rows], Rows]:
    """The columns called otherwise."""
    return lambda rows: [{names.get(key, key): value for key, value in row.items()} for row in rows]


def hostile(text: str) -> str:
    """An id that means something to SQL, to a shell, to CSV or to a terminal."""
    return f'{text}\'; drop table x; -- "${{a}}" {{{{ b }}}} <b>,\t\u202e\\'


def of_hostile_ids(row: Row) -> Row:
    """A row with such ids."""
    return {name: hostile(row[name]) for name in ("query_id", "doc_id")}


def like_number(text: str) -> str:
    """An id of a document that a program may take for a number."""
    return f"00{text[-1]}e5" if "-" in text else text


def number_of(row: Row) -> int:
    """The number of an impression."""
    return int(row["impression_id"][1:])


def in_other_cases(row: Row) -> Row:
    """The query as people write it."""
    return {"query_id": f" {row['query_id'].title()}" if number_of(row) % 3 else row["query_id"]}


def third(number: int) -> bool:
    """Every third impression."""
    return number % 3 == 0


NAMES = {"clicked": 'c"l;--', "position": "p o's"}
FROM_ONE = {"position_base": 1}
SHIFTED = {"shown_depth": DOCUMENTS}


@dataclass(frozen=True)
class Damage:
    """What is done to a log, and what becomes of it."""

    name: str
    change: Callable[[Rows], Rows]
    says: str = ""
    """What the error says, or nothing where labels are as they were."""
    line: str = ""
    """What is said of the log where it is read."""
    options: dict[str, Any] = field(default_factory=dict)
    ids: Callable[[str], str] = str
    """How ids of documents are written."""
    queries: Callable[[str], str] = str

    def labels_of(self, flat: Mapping[tuple[str, str], Label]) -> dict[tuple[str, str], Label]:
        """Labels by the ids as they are written."""
        return {(self.queries(query), self.ids(document)): label for (query, document), label in flat.items()}


DAMAGES = [
    Damage("none", lambda rows: rows),
    Damage("rows in another order", lambda rows: random.Random(1).sample(rows, len(rows))),
    Damage("positions from 0", lambda rows: zero_based(rows, lambda _: True)),
    Damage("bases of two applications", lambda rows: zero_based(rows, third)),
    Damage("mixed bases", lambda rows: without("application")(zero_based(rows, third)), "begin at position 0"),
    Damage("two documents at a place", first(position=1), "hold several documents"),
    Damage("repeated rows", repeated(0.03)),
    Damage("many repeated rows", repeated(0.08), "repeat a document of their impression"),
    Damage("numbers of clicks", each(lambda row: {"clicked": 3 * row["clicked"]})),
    Damage("words for clicks", each(lambda row: {"clicked": "true" if row["clicked"] else "false"})),
    Damage("PostgreSQL's words for clicks", each(lambda row: {"clicked": "t" if row["clicked"] else "f"})),
    Damage("empty for no click", each(lambda row: {"clicked": 1 if row["clicked"] else None})),
    Damage("unknown words for clicks", each(lambda row: {"clicked": "yes" if row["clicked"] else "no"}), "neither 0"),
    Damage("a click below 0", first(clicked=-1), "neither 0 nor 1"),
    Damage("a share of a click", first(clicked=0.03), "neither 0 nor 1"),
    Damage("a share of a purchase", each(lambda row: {"purchase": row["clicked"] / 2}), "a purchase, or a mark of"),
    Damage("a dwell that is no number", lambda rows: lasting(rows, "NaN"), "not a number of seconds from 0 on"),
    Damage("a dwell below 0", lambda rows: lasting(rows, "-1"), "not a number of seconds from 0 on"),
    Damage("half a page", lambda rows: first(page=1.5)(paged(rows)), "pages is not a whole number"),
    Damage("no position", first(position=None), "not a whole number"),
    Damage("half a position", first(position=1.5), "not a whole number"),
    Damage("a position below 0", first(position=-2), "not a whole number"),
    Damage("no impression", first(impression_id=None), "lacks the impression"),
    Damage("no query", first(query_id=None), "lacks the impression"),
    Damage("no document", first(doc_id=None), "lacks the impression"),
    Damage("an impression of two queries", first(query_id="shoes"), "rows of several queries"),
    Damage("an impression of two users", first(user_id="u2b"), "1 impression has rows of several users, such as 'i1'"),
    Damage("an impression of two sessions", lambda rows: with_sessions(rows), "has rows of several sessions"),
    Damage("nothing was clicked", each(lambda row: {"clicked": 0}), "nothing was clicked"),
    Damage("clicks alone", lambda rows: [row for row in rows if row["clicked"]], "every row is a click"),
    Damage("a bot", with_bot, options={"exclude_bots": True}),
    Damage("lists that were sorted", with_sorted),
    Damage("ads", with_ads),
    Damage("not seen", with_returned),
    Damage("returned and not displayed", lambda rows: without("seen")(with_returned(rows)), options=SHIFTED),
    Damage("pages without a size", paged, "page_size=N"),
    Damage("pages", paged, options={"page_size": 3}),
    Damage("pages longer than said", paged, "a page of impression .* has position 3", options={"page_size": 2}),
    Damage("positions below the base", lambda rows: zero_based(rows, third), "has position 0", options=FROM_ONE),
    Damage("pages without a column", lambda rows: without("page")(paged(rows)), "hold several documents"),
    Damage("hostile ids", each(of_hostile_ids), ids=hostile, queries=hostile),
    Damage("ids like numbers", each(lambda row: {"doc_id": like_number(row["doc_id"])}), ids=like_number),
    Damage("days without anything", each(lambda row: {"day": f"2026-10-{1 + number_of(row) % 9 * 3:02}"})),
    Damage("other names", written({"clicked": "is_clicked", "position": "slot", "impression_id": "serp_id"})),
    Damage("hostile names", written(NAMES), options={"columns": NAMES}),
    Damage("queries in other cases", each(in_other_cases), options={"fold_queries": True}),
    Damage("no column of impressions", without("impression_id"), "which rows were shown together"),
    Damage("no column of clicks", without("clicked"), "no column for the clicked.*left join what was shown to"),
    Damage("nothing at all", lambda rows: [], "no rows|empty|which rows"),
]  # fmt: skip


def opened(rows: Rows, kind: str, folder: Path) -> Any:
    """The rows in a format."""
    frame = pd.DataFrame(rows, columns=list(rows[0]) if rows else list(log()[0]))
    if kind == "frame":
        return frame
    path = folder / f"log.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_json(path, orient="records", lines=True)
    return str(path)


def labels(data: Any, method: str, **options: Any) -> dict[tuple[str, str], Label]:
    return labels_and_remarks(data, method, **options)[0]


def labels_and_remarks(data: Any, method: str, **options: Any) -> tuple[dict[tuple[str, str], Label], str]:
    with judgments(data, method=method, **options) as found:
        rows = {
            (row["query_id"], row["doc_id"]): tuple(round(row[name], 9) for name in ("relevance", "low", "high"))
            for row in found.to_dicts()
            if not str(row["doc_id"]).startswith("deep")
        }
        return rows, "\n".join(found.remarks())


@cache
def undamaged(method: str) -> dict[tuple[str, str], Label]:
    """The labels of the log as it is."""
    return labels(pd.DataFrame(log()), method)


Tried = dict[str, tuple[Damage, str, str]]


def tried(damages: Sequence[Damage], formats: Sequence[str], methods: Sequence[str]) -> tuple[Tried, Tried]:
    """Each damage in one format and by one method by turns; and in all other formats, by the next methods."""
    pairs = list(product(range(len(formats)), range(len(methods))))
    once: Tried = {}
    others: Tried = {}
    for number, damage in enumerate(damages):
        first_format, first_method = pairs[number % len(pairs)]
        for step in range(len(formats)):
            kind = formats[(first_format + step) % len(formats)]
            method = methods[(first_method + step) % len(methods)]
            (others if step else once)[f"{damage.name}, {kind}, {method}"] = damage, kind, method
    return once, others


def hold_damages(cases: Tried, opened: Callable[[Damage, str], Any]) -> None:
    """Each damaged log gives the labels of the whole one, or an error that says what is wrong."""

    def check(case: tuple[Damage, str, str]) -> None:
        damage, kind, method = case
        data = opened(damage, kind)
        if damage.says:
            with pytest.raises(DataError, match=damage.says):
                labels(data, method, **damage.options)
            return
        found, remarks = labels_and_remarks(data, method, **damage.options)
        assert found == damage.labels_of(undamaged(method))
        assert damage.line in remarks

    hold(cases, check)


ONCE, OTHERS = tried(DAMAGES, FORMATS, METHODS)


@pytest.mark.parametrize("cases", [ONCE, pytest.param(OTHERS, marks=pytest.mark.needs("random"))], ids=["once", "all"])
def test_a_log_gives_the_labels_that_it_should_or_says_what_is_wrong(cases: Tried, tmp_path: Path) -> None:
    hold_damages(cases, lambda damage, kind: opened(damage.change(log()), kind, tmp_path))


LISTS: Sequence[tuple[str, Callable[[Rows], Row]]] = [
    ("0|0|1|0|0", lambda rows: {"clicks": "|".join(str(row["clicked"]) for row in rows)}),
    ("3|5", lambda rows: {"clicks": "|".join(str(row["position"]) for row in rows if row["clicked"])}),
    ("ids", lambda rows: {"clicks": "|".join(row["doc_id"] for row in rows if row["clicked"])}),
]


def test_lists_are_the_rows_that_they_stand_for(tmp_path: Path) -> None:
    def check(case: tuple[Callable[[Rows], Row], str]) -> None:
        clicks, how = case
        rows = log()
        listed = []
        for number in range(IMPRESSIONS):
            same = of(rows, number)
            row = {"query": same[0]["query_id"], "shown": "|".join(one["doc_id"] for one in same)} | clicks(same)
            if how != "texts":
                row |= {name: [part for part in row[name].split("|") if part] for name in ("shown", "clicks")}
            listed.append(row)
        data = opened(listed, "jsonl" if how == "jsonl" else "frame", tmp_path)
        assert labels(data, "sdbn", **({"separator": "|"} if how == "texts" else {})) == undamaged("sdbn")

    hold(
        {f"{name}, {how}": (clicks, how) for name, clicks in LISTS for how in ("texts", "lists", "jsonl")},
        check,
    )


def test_an_impression_without_results_is_noted(tmp_path: Path) -> None:
    rows: Rows = [{"query_id": "q", "shown": ["a", "b"], "clicks": [1, 0]} for _ in range(30)]
    for kind in ("jsonl", "parquet", "frame"):
        data = opened([*rows, {"query_id": "q", "shown": [], "clicks": []}], kind, tmp_path)
        with judgments(data, method="ctr") as found:
            assert [row["clicks"] for row in found.to_dicts()] == [30, 0]
            assert any("1 row has no shown" in note for note in found.notes)


def in_structs(rows: Rows, without: Sequence[str] = ()) -> Rows:
    """A row for each impression, with what was shown as structs."""
    names = [name for name in ("doc_id", "position", "clicked") if name not in without]
    each_of = [of(rows, number) for number in range(IMPRESSIONS)]
    head = ("impression_id", "query_id")
    return [
        {name: same[0][name] for name in head} | {"results": [{name: row[name] for name in names} for row in same]}
        for same in each_of
    ]


def test_lists_of_structs_are_the_rows_that_they_stand_for(tmp_path: Path) -> None:
    def check(case: tuple[Sequence[str], str]) -> None:
        without, kind = case
        assert labels(opened(in_structs(log(), without), kind, tmp_path), "sdbn") == undamaged("sdbn")

    cases = {f"{kind}, without {without}": (without, kind) for kind in FORMATS[1:] for without in ((), ("position",))}
    hold(cases, check)


WRONG_LISTS: dict[str, tuple[Row, str]] = {
    "a place without a document": ({"shown": ["a", None], "clicks": [1, 0]}, "row 31: 1 of 62 rows lacks"),
    "a place with an empty text": ({"shown": ["a", ""], "clicks": [1, 0]}, "row 31: 1 of 62 places of lists holds an"),
    "an object for a document": ({"shown": ["a", {"id": 1}], "clicks": [1, 0]}, "a doc_id in JSON must be a string"),
    "a text for a list": ({"shown": "a", "clicks": [1]}, "row 31: shown is not a list"),
    "an object for a query": ({"query_id": {"q": 1}, "shown": ["a"], "clicks": [1]}, "a query_id in JSON must be"),
    "a list for an impression": (
        {"impression_id": [1], "shown": ["a"], "clicks": [1]},
        "an impression_id in JSON must",
    ),
}


def test_lists_in_json_that_are_none_are_refused(tmp_path: Path) -> None:
    rows: Rows = [{"impression_id": n, "query_id": "q", "shown": ["a", "b"], "clicks": [1, 0]} for n in range(30)]

    def check(case: tuple[Row, str]) -> None:
        row, says = case
        path = tmp_path / "log.jsonl"
        path.write_text("".join(f"{json.dumps(one)}\n" for one in [*rows, rows[0] | {"impression_id": 30} | row]))
        with pytest.raises(DataError, match=says):
            labels(str(path), "sdbn")

    hold(WRONG_LISTS, check)


def test_clicks_that_may_be_places_or_documents_or_are_in_no_list_are_refused() -> None:
    for shown, clicks, says in (
        ("3|1|2", "1", "may hold the places that were clicked, from 1 or the documents"),
        ("a|b", "c", "such as shown a, b with clicks c"),
        ("a||c", "1|0|0", "places of lists hold an empty text"),
    ):
        with pytest.raises(DataError, match=says):
            labels(pd.DataFrame([{"query": "q", "shown": shown, "clicks": clicks}] * 30), "sdbn", separator="|")
