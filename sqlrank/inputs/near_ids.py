"""Ids that would match in another form: padded, in another case, with leading zeros, a trailing .0, a prefix.

`raise_other_form` is asked where no id matches, and looks at a sample; `near_ids` where some ids of either side have no
partner, and looks at those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, several, shortened
from sqlrank.inputs.check_files import Check
from sqlrank.inputs.id_forms import Form, Id, form_of, matching_form, plainest
from sqlrank.inputs.native_ids import kind_of
from sqlrank.inputs.opened_inputs import Opened
from sqlrank.statement.templates import render

Sides = tuple[tuple[Any, str], tuple[Any, str]]
"""Two relations, and what to call them."""
BLANKS = r"[\s\x{a0}\x{200b}\x{feff}\"']"
"""What may stand around an id, as a pattern of DuckDB."""
PREFIX = r"^[a-z]{1,12}(?:[=:/#|]+ ?|[-_ ]*([0-9]))"
"""A word before an id, or letters before a number, as a pattern of DuckDB that keeps the first digit."""
WIDE = {chr(place + 0xFEE0): chr(place) for place in range(0x21, 0x7F)} | {"\u3000": " "}
"""Characters of East Asian width, and those of ASCII that they are."""
PATTERNS = {"blanks": BLANKS, "prefix": PREFIX, "wide": "".join(WIDE), "narrow": "".join(WIDE.values())}
MOST_QUERIES, MOST_IDS = 50, 50_000
"""How many queries and ids are sampled when ids are compared in other forms."""
MOST_FETCHED = 100_000
"""How many ids come from an engine that does not compare their forms itself."""


@dataclass(frozen=True, slots=True)
class Near:
    """Ids of two inputs that have no partner as they are, and would have one in another form."""

    found: int
    """How many ids of the second input."""
    exact: int
    """How many of its ids are in the first one as they are, among those that were looked at."""
    form: Form
    partial: bool
    """Whether only some of the queries were looked at."""

    def told(self, what: str, ours: str) -> str:
        """Its sentence; `what` is one id of the second input, in words, `ours` the first input."""
        form = self.form
        number = f"{self.found:,} {what if self.found == 1 else several(what)} {'is' if self.found == 1 else 'are'}"
        where = f" of query {shortened(repr(form.scope))}" if form.scope else ""
        return (
            f"{'at least ' * self.partial}{number} not in {ours}, and would match {form.name}:"
            f" {shortened(repr(form.right))}{where} is {shortened(repr(form.left))} in {ours}; write"
            f" {'it' if self.found == 1 else 'them'} alike in both"
        )


def near_ids(
    engine: Engine, column: str, first: Any, second: Any, scoped: bool = False, most: int | None = None
) -> Near | None:
    """Ids of the second relation that are in the first one in another form alone; None where there are none.

    `scoped` ids are those of documents, each of its query. If the first relation has many rows, the queries of `most`
    rows are looked at: their whole rankings only where these rows have ids that would match.
    """
    if alike(engine, column, first, second):
        return None
    context = {"first": first, "second": second, "column": column, "scoped": scoped, "most": most, "whole": False}
    if not isinstance(engine, DuckDBEngine):
        return near_fetched(engine, context)
    found = near_pairs(engine, **context)
    return near_pairs(engine, **context | {"whole": True}) if found is not None and most else found


def near_fetched(engine: Engine, context: dict[str, Any]) -> Near | None:
    """The same of ids that another engine has told apart: up to MOST_FETCHED, those without partner first."""
    sql = render("sources/told_ids.sql", engine.dialect, **context, fetched=MOST_FETCHED)
    rows = engine.execute(sql)
    sides = [list(side) for side in zip(*rows, strict=True)]
    found = near_pairs(engine.local, sides, fetched=True, most=context["most"]) if rows else None
    if found is None or len(rows) < MOST_FETCHED:
        return found
    return replace(found, exact=found.found + found.exact, partial=True)


def near_pairs(
    engine: DuckDBEngine, parameters: Sequence[Any] = (), fetched: bool = False, **context: Any
) -> Near | None:
    """The same of what one statement looks at (sources/near_ids.sql)."""
    sql = render("sources/near_ids.sql", engine.dialect, **PATTERNS, **context, fetched=fetched)
    near, exact, examples, foreign = engine.execute(sql, parameters)[0]
    pairs = [(pair["scope"], pair["first"], pair["second"]) for pair in examples or ()]
    known = {(scope, text) for scope, _, text in pairs}
    more = [pair for pair in foreign_pairs(foreign or ()) if (pair[0], pair[2]) not in known]
    if not (pairs := pairs + more):
        return None
    return Near(near + len(more), exact, form_of(*pairs[0]), context["most"] is not None)


def alike(engine: Engine, column: str, first: Any, second: Any) -> bool:
    """Whether the ids of both relations are whole numbers, which have one form."""
    types = []
    for relation in (first, second):
        described = engine.execute(render("sources/describe.sql", engine.dialect, reader=relation))
        types.append(next(kind_of(kind.upper()) for name, kind, *_ in described if name == column))
    return types == ["whole number"] * 2


def foreign_pairs(ids: Iterable[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The pairs among ids that are not of ASCII alone: scope, id of the first relation and id of the second."""
    sides: dict[int, dict[Id, str]] = {1: {}, 2: {}}
    for row in ids:
        sides[row["side"]].setdefault((row["scope"], plainest(row["id"])), row["id"])
    return [(scope, sides[1][scope, key], text) for (scope, key), text in sides[2].items() if (scope, key) in sides[1]]


def compared_labels(opened: Opened, check: Check) -> str:
    """The inputs whose ids a check compares, for a message."""
    kinds = ("run", "qrels") if check.input in (None, "run", "qrels") else (check.input,)
    labels = [opened.labels[kind] for kind in kinds if kind in opened.labels]
    return " and ".join(dict.fromkeys(labels))


def raise_other_form(engine: Engine, opened: Opened, check: Check, sides: Sides) -> None:
    """Raise DataError if ids of two relations that match nowhere would match in another form."""
    (left, ours), (right, theirs) = sides
    ids = []
    for relation, other in ((left, right), (right, left)):
        context = {"column": check.ids, "relation": relation, "shared_with": other if check.ids == "doc_id" else None}
        sql = render("sources/some_ids.sql", engine.dialect, **context, queries=MOST_QUERIES, most=MOST_IDS)
        ids.append([(str(scope), str(text)) for scope, text in engine.execute(sql)])
    form = matching_form(*ids)
    if form is not None:
        where = f" of query {shortened(repr(form.scope))}" if form.scope else ""
        raise DataError(
            f"{compared_labels(opened, check)}: {check.title}, but ids would match {form.name}:"
            f" {shortened(repr(form.left))}{where} in {ours} is {shortened(repr(form.right))} in {theirs}; write them"
            " alike in both"
        )
