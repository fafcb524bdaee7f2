"""Ids that would match in another form: padded, in another case, with leading zeros, a trailing .0, a prefix.

`raise_other_form` is asked where no id matches, and looks at a sample; `near_ids` where some ids of either side have no
partner, and looks at those.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, several, shortened
from sqlrank.inputs.check_files import Check
from sqlrank.inputs.native_ids import kind_of
from sqlrank.inputs.opened_inputs import Opened
from sqlrank.statement.templates import render

PADDING = re.compile(r"(?<![0-9.])0+(?=[0-9])")
Id = tuple[str, str]
"""What an id belongs to, such as its query, and the id."""
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
SAME = "if the statistics of a file were not wrong, which are damaged"
"""The message for ids that are equal and that the engine still did not match."""


@dataclass(frozen=True, slots=True)
class Form:
    """A way in which ids differ."""

    name: str
    """Completes: ids would match ..."""
    scope: str
    """What the ids of the pair belong to."""
    left: str
    right: str


def without_zeros(text: str) -> str:
    """A text whose numbers have no leading zeros."""
    return PADDING.sub("", text)


def without_fraction(text: str) -> str:
    """A whole number that was written as 7.0 as 7."""
    whole = text.removesuffix(".0")
    return whole if whole.removeprefix("-").isdecimal() else text


def decoded(text: str) -> str:
    """A text that was written in UTF-8 and read in one of the encodings of one byte."""
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return text


def undressed(text: str) -> str:
    """A text without the blanks, quotes and invisible characters around it."""
    return text.strip(" \t\r\n\xa0\u200b\ufeff\"'")


def plainest(text: str) -> str:
    """A text with all of these differences removed."""
    spaced = " ".join(undressed(unicodedata.normalize("NFKC", decoded(text))).split())
    return without_zeros(without_fraction(spaced.lower()))


FORMS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("without the blanks around them", str.strip),
    ("if case did not matter", str.lower),
    ("without leading zeros", without_zeros),
    ("without a trailing .0", without_fraction),
    ("in one normal form of Unicode", lambda text: unicodedata.normalize("NFC", text)),
    ("without the quotes and invisible characters around them", undressed),
    ("in one encoding: one side holds UTF-8 that was read in another", decoded),
    ("without blanks, case, leading zeros, a trailing .0 and forms of characters", plainest),
)


def matching_form(left: Iterable[Id], right: Iterable[Id]) -> Form | None:
    """The first form in which an id of one side is one of the other, or None where the sides are disjoint."""
    left, right = sorted(set(left)), sorted(set(right))
    if found := first_match(left, right, str, str):
        return Form(SAME, *found)
    for name, change in FORMS:
        if found := first_match(left, right, change, change):
            return Form(name, *found)
    return matching_affix(left, right)


def matching_affix(left: list[Id], right: list[Id]) -> Form | None:
    """The prefix or suffix that all ids of one side have more than those of the other, where they match without it."""
    for kind, affix_of, cut in (("prefix", start_of, str.removeprefix), ("suffix", end_of, str.removesuffix)):
        ours, theirs = (affix_of([text for _, text in ids]) for ids in (left, right))
        longer, shorter = sorted((ours, theirs), key=len, reverse=True)
        if longer == shorter or not (longer.endswith(shorter) if kind == "prefix" else longer.startswith(shorter)):
            continue
        found = first_match(left, right, partial(without_affix, cut, ours), partial(without_affix, cut, theirs))
        if found:
            return Form(f"without the {kind} {longer!r}", *found)
    return None


def without_affix(cut: Callable[[str, str], str], affix: str, text: str) -> str:
    """A text without an affix."""
    return cut(text, affix)


def first_match(
    left: Iterable[Id], right: Iterable[Id], change_left: Callable[[str], str], change_right: Callable[[str], str]
) -> tuple[str, str, str] | None:
    """The first pair of ids that are equal once each is changed."""
    changed = {(scope, change_right(text)): text for scope, text in right}
    for scope, text in left:
        if (scope, change_left(text)) in changed:
            return scope, text, changed[scope, change_left(text)]
    return None


def start_of(texts: list[str]) -> str:
    """The longest common prefix that ends between a letter, a digit and a mark, and is no whole text."""
    first, last = (min(texts), max(texts)) if texts else ("", "")
    longest = next((place for place, pair in enumerate(zip(first, last, strict=False)) if len({*pair}) > 1), len(first))
    shortest = min(map(len, texts), default=0)
    for end in range(min(longest, shortest - 1), 0, -1):
        if all(sort_of(text[end - 1]) != sort_of(text[end]) for text in texts):
            return first[:end]
    return ""


def end_of(texts: list[str]) -> str:
    """The longest common suffix, likewise."""
    return start_of([text[::-1] for text in texts])[::-1]


def sort_of(character: str) -> str:
    """The class of a character: letter, digit or mark."""
    return "digit" if character.isdecimal() else "letter" if character.isalpha() else "mark"


def compared_labels(opened: Opened, check: Check) -> str:
    """The inputs whose ids a check compares, for a message."""
    kinds = ("run", "qrels") if check.input in (None, "run", "qrels") else (check.input,)
    labels = [opened.labels[kind] for kind in kinds if kind in opened.labels]
    return " and ".join(dict.fromkeys(labels))


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

    `scoped` ids are those of documents, each of its query. Of a first relation of many rows, the queries of so many as
    `most` are looked at: their whole rankings only where these rows have ids that would match.
    """
    if not isinstance(engine, DuckDBEngine) or alike(engine, column, first, second):
        return None
    context = {"first": first, "second": second, "column": column, "scoped": scoped, "most": most}
    found = near_pairs(engine, **context, whole=False)
    return near_pairs(engine, **context, whole=True) if found is not None and most else found


def near_pairs(engine: DuckDBEngine, **context: Any) -> Near | None:
    """The same of what one statement looks at (sources/near_ids.sql)."""
    row = engine.row(render("sources/near_ids.sql", engine.dialect, **PATTERNS, **context))
    pairs = [(pair["scope"], pair["first"], pair["second"]) for pair in row["examples"] or ()]
    known = {(scope, text) for scope, _, text in pairs}
    more = [pair for pair in foreign_pairs(row["foreign_ids"] or ()) if (pair[0], pair[2]) not in known]
    if not (pairs := pairs + more):
        return None
    return Near(int(row["near"]) + len(more), int(row["exact"]), form_of(*pairs[0]), context["most"] is not None)


def alike(engine: DuckDBEngine, column: str, first: Any, second: Any) -> bool:
    """Whether the ids of both relations are whole numbers, which have one form."""
    types = []
    for relation in (first, second):
        described = engine.execute(render("sources/describe.sql", engine.dialect, reader=relation))
        types.append(next(kind_of(kind) for name, kind, *_ in described if name == column))
    return types == ["whole number"] * 2


def foreign_pairs(ids: Iterable[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The pairs among ids that are not of ASCII alone: scope, id of the first relation and id of the second."""
    sides: dict[int, dict[Id, str]] = {1: {}, 2: {}}
    for row in ids:
        sides[row["side"]].setdefault((row["scope"], plainest(row["id"])), row["id"])
    return [(scope, sides[1][scope, key], text) for (scope, key), text in sides[2].items() if (scope, key) in sides[1]]


def form_of(scope: str, first: str, second: str) -> Form:
    """In which form two ids are equal that are so without case, blanks, zeros, or a prefix."""
    for name, change in FORMS:
        if change(first) == change(second):
            return Form(name, scope, first, second)
    longer, shorter = sorted(map(plainest, (first, second)), key=len, reverse=True)
    return Form(f"without the prefix {longer.removesuffix(shorter)!r}", scope, first, second)


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
