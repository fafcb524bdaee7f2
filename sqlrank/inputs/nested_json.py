"""JSON of dictionaries, `{"query": {"document": number}}`, as pytrec_eval, BEIR and ranx store runs and judgments.

Such a file is one object, which DuckDB would have to hold whole. So it is read here, a query at a time, and its pairs
are written to the folder of temporary files as CSV.
"""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, shortened
from sqlrank.inputs.column_names import is_known
from sqlrank.inputs.csv_files import table_of_rows
from sqlrank.inputs.files import Files
from sqlrank.inputs.plain_text import opened
from sqlrank.inputs.table import Table

BLOCK = 1 << 20
"""How many characters are read at first for one query, and at least."""
PAIRED = ("run", "qrels", "positives")
"""The inputs that may be such an object."""
SPACE = " \t\r\n"


class Pairs(list[tuple[str, Any]]):
    """The pairs of an object in JSON, of which two may have one key."""


DECODER = json.JSONDecoder(object_pairs_hook=Pairs)
NUMBERS = {int, float}
SCALARS = (str, int, float, bool, type(None))


def begins_as_dictionaries(text: str, named: Collection[str] = ()) -> bool:
    """Whether a text begins with one object of objects that is no record.

    A record has a key that was `named` as a column, or a value that is no object and goes by the name of a column.
    """
    kinds, rest = keys_of(text)
    if not kinds or kinds[0][1] != "{" or any(key in named for key, _ in kinds):
        return False
    return not rest and not any(kind != "{" and is_known(str(key)) for key, kind in kinds)


def keys_of(text: str) -> tuple[list[tuple[Any, str]], str]:
    """The keys of the object that a text begins with, each with the first character of its value, and what follows it.

    Those that stand whole in the text, and the one after them; nothing follows what is longer than the text.
    """
    text = text.strip(SPACE)
    place = 1
    kinds: list[tuple[Any, str]] = []
    try:
        while text[:1] == "{":
            key, place = DECODER.raw_decode(text, past(text, place, SPACE))
            if not isinstance(key, str):
                break
            place = past(text, place, SPACE + ":")
            kinds.append((key, text[place : place + 1]))
            _, place = DECODER.raw_decode(text, place)
            place = past(text, place, SPACE)
            if text[place : place + 1] != ",":
                break
            place += 1
    except (ValueError, RecursionError):  # the object is longer than what was looked at, or damaged
        place = len(text)
    return kinds, text[place + 1 :].strip(SPACE)


def past(text: str, place: int, marks: str) -> int:
    """The first place from one on that holds none of some marks."""
    while place < len(text) and text[place] in marks:
        place += 1
    return place


def read_dictionaries(engine: DuckDBEngine, given: Files) -> Table:
    """Objects of objects as a table."""
    value = "score" if given.role == "run" else "relevance"

    def queries_of(file: str) -> Iterator[Iterable[tuple[str, str, Any]]]:
        label = engine.called(file)
        with opened(file) as source, io.TextIOWrapper(source, "utf-8-sig", newline="") as text:
            for query, pairs in Queries(text, label):
                yield checked(pairs, query, label)

    columns = "query_id", "doc_id", value
    table = table_of_rows(engine, given, columns, lambda file: chain.from_iterable(queries_of(file)))
    foreign = "JSON of dictionaries; write CSV or Parquet of query_id, doc_id and " + value
    return replace(table, canonical=True, nested=True, foreign=foreign)


def checked(pairs: Any, query: str, label: str) -> Iterable[tuple[str, str, Any]]:
    """The rows of a query as CSV has them; DataError for what is neither a number nor a text that may be a label."""
    if not isinstance(pairs, Pairs):
        raise DataError(
            f"{label}: query {shown(query)}: expected its documents and their numbers,"
            f' as in {{"query": {{"document": 1}}}}, found {shown(pairs)}'
        )
    documents, numbers = [document for document, _ in pairs], [number for _, number in pairs]
    if len(set(documents)) < len(documents):
        twice = next(document for document in documents if documents.count(document) > 1)
        raise DataError(f"{label}: the document {shown(twice)} appears twice in query {shown(query)}; keep one of them")
    if nul := next((text for text in (query, *documents) if "\x00" in text), None):
        raise DataError(f"{label}: an id holds a NUL character: {shown(nul)}, of query {shown(query)}")
    if not set(map(type, numbers)) <= NUMBERS:
        for document, number in pairs:
            if not isinstance(number, SCALARS):
                raise DataError(
                    f"{label}: document {shown(document)} of query {shown(query)} has {shown(number)}, which is not a"
                    " number"
                )
        numbers = [str(number).lower() if isinstance(number, bool) else number for number in numbers]
    return zip(repeat(query), documents, numbers, strict=False)


SHOWN_OBJECT = 60
"""How much of an object or a list messages show, which say its kind by how it begins."""


def shown(value: Any) -> str:
    """A value of JSON for a message."""
    return shortened(repr(plain_value(value)), *([SHOWN_OBJECT] if isinstance(value, list) else []))


def plain_value(value: Any) -> Any:
    """A value of JSON with dictionaries for its objects."""
    if isinstance(value, Pairs):
        return {key: plain_value(each) for key, each in value}
    return [plain_value(each) for each in value] if isinstance(value, list) else value


class Queries:
    """The queries of an object with what they hold, one after another; DataError where it is no JSON."""

    def __init__(self, source: io.TextIOBase, label: str) -> None:
        self.source, self.label = source, label
        self.text, self.place, self.ended = "", 0, False

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        for query in self.members("query", "bring its documents together"):
            yield query, self.value()
        self.end()

    def members(self, what: str, advice: str) -> Iterator[str]:
        """The keys of the object that begins here; whoever takes one reads its value before the next."""
        seen: set[str] = set()
        self.expect("{")
        if self.peek() == "}":
            raise DataError(f"{self.label}: the object is empty")
        while True:
            key = self.value()
            if not isinstance(key, str):
                raise self.damaged(f"a {what} must be a text")
            if key in seen:
                raise DataError(f"{self.label}: the {what} {shown(key)} appears twice; {advice}")
            seen.add(key)
            self.expect(":")
            yield key
            if self.peek() != ",":
                break
            self.expect(",")
        self.expect("}")

    def end(self) -> None:
        """Raise DataError if anything follows."""
        if self.peek():
            raise self.damaged("the object has ended, and something follows it")

    def peek(self) -> str:
        """The next character that is no space; nothing at the end."""
        self.place = past(self.text, self.place, SPACE)
        while self.place >= len(self.text) and self.more():
            self.place = past(self.text, self.place, SPACE)
        return self.text[self.place : self.place + 1]

    def expect(self, mark: str) -> None:
        """Pass a character."""
        if self.peek() != mark:
            found = (
                repr(self.text[self.place : self.place + 20]) if self.peek() else "the end of the file, which is cut"
            )
            raise self.damaged(f"expected {mark}, found {found}")
        self.place += 1

    def value(self) -> Any:
        """The next value, read until it is whole."""
        self.peek()
        while True:
            try:
                found, self.place = DECODER.raw_decode(self.text, self.place)
                return found
            except RecursionError:
                raise DataError(f"{self.label}: a value is nested too deeply") from None
            except ValueError as error:
                if not self.more():
                    raise self.damaged(str(error).partition(":")[0]) from None

    def more(self) -> bool:
        """Read on, as much again as is waiting; whether there was anything."""
        waiting = self.text[self.place :]
        block = self.source.read(max(BLOCK, len(waiting)))
        self.text, self.place = waiting + block, 0
        return bool(block)

    def damaged(self, what: str) -> DataError:
        """The error of a file that is no JSON."""
        return DataError(f"{self.label}: cannot be read as JSON: {what}; write it again")
