"""The exports of warehouses in fixtures/exports, and what each of them says; run as a module to write the files anew.

Every export holds the same rankings and judgments in another form, a few queries of fixtures/search.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pyarrow.parquet

from tests.support.cli_helper import FIXTURES

FOLDER = FIXTURES / "exports"
SEARCH = FIXTURES / "search"
Row = tuple[Any, ...]
QUERIES, DEPTH = 24, 6
DAYS = ("2026-11-01", "2026-11-02")


def rows_of(sql: str) -> list[Row]:
    """The rows of a statement over the example."""
    with duckdb.connect() as connection:
        return connection.execute(sql).fetchall()


def run() -> list[Row]:
    """The run as query, document and score."""
    return rows_of(
        f"select query_id, doc_id, score from '{SEARCH}/keyword.parquet' where query_id <= 'q{QUERIES:04}'"
        f" qualify row_number() over (partition by query_id order by score desc, doc_id desc) <= {DEPTH} order by all"
    )


def qrels() -> list[Row]:
    """The judgments as query, document and relevance."""
    return rows_of(f"from '{SEARCH}/qrels.parquet' where query_id <= 'q{QUERIES:04}' order by all")


def labelled() -> list[Row]:
    """The run with the relevance of each document, as query, document, score and relevance."""
    judged = {row[:2]: row[2] for row in qrels()}
    known = {query for query, _ in judged}
    return [(*row, judged.get(row[:2], 0)) for row in run() if row[0] in known]


def positives() -> list[Row]:
    """The pairs that are relevant."""
    return [(query, doc) for query, doc, relevance in qrels() if relevance > 0]


def ranked() -> list[Row]:
    """The run with the place of each document, as query, document and rank; ties as `doc-desc` has them."""
    places = "row_number() over (partition by query_id order by score desc, doc_id desc)"
    connection = duckdb.connect()
    connection.execute("create table run (query_id varchar, doc_id varchar, score double)")
    connection.executemany("insert into run values (?, ?, ?)", run())
    return connection.sql(f"select query_id, doc_id, {places} as rank from run order by query_id, rank").fetchall()


def parts(query: str) -> tuple[str, str]:
    """A query as a user and a day, of which neither alone tells which one it is."""
    number = int(query[1:])
    return f"user,{number // 2}", DAYS[number % 2]


def number_of(text: str) -> int:
    """An id as a number."""
    return int(text.lstrip("q").removeprefix("sku-"))


def text_of(names: Sequence[str] | None, rows: Iterable[Row], mark: str = ",") -> str:
    """Lines with a delimiter."""
    text = io.StringIO()
    csv.writer(text, delimiter=mark, lineterminator="\n").writerows([*([names] if names else []), *rows])
    return text.getvalue()


def lists(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """The rows of each query."""
    found: dict[str, list[Row]] = {}
    for query, *rest in rows:
        found.setdefault(query, []).append(tuple(rest))
    return list(found.items())


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path, compression="zstd")


def write_days(folder: Path) -> None:
    names = ("user_id", "date", "item_id", "model_score", "clicked")
    rows = [(*parts(query), *rest) for query, *rest in labelled()]
    (folder / "days.csv").write_text(text_of(names, rows))


def write_purchases(folder: Path) -> None:
    rows = [{"user_id": query, "item_id": doc, "amount": 1 + len(doc) % 3} for query, doc in positives()]
    write_parquet(folder / "purchases.parquet", [*rows, rows[0]])
    shown = [{"user_id": query, "recommended": [doc for doc, _ in found]} for query, found in lists(ranked())]
    write_parquet(folder / "recommended.parquet", shown)


def write_lists(folder: Path) -> None:
    every = lists(labelled())
    names = ("doc_ids", "scores", "labels")
    rows = [
        {"query_id": query} | dict(zip(names, map(list, zip(*found, strict=True)), strict=True))
        for query, found in every
    ]
    write_parquet(folder / "lists.parquet", rows)
    fields = ("doc_id", "score", "relevance")
    structs = [
        {"query_id": query, "results": [dict(zip(fields, row, strict=True)) for row in found]} for query, found in every
    ]
    (folder / "lists.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in structs))
    texts = [(row["query_id"], *("|".join(map(str, row[name])) for name in names)) for row in rows]
    (folder / "lists.csv").write_text(text_of(("query_id", *names), texts))


def write_events(folder: Path) -> None:
    judged = {row[:2]: row[2] for row in qrels()}
    known = {query for query, _ in judged}
    rows = [
        (f"words {number_of(query) // 2}", f"s{number_of(query) % 2}", doc, rank, int(judged.get((query, doc), 0) > 0))
        for query, doc, rank in ranked()
        if query in known
    ]
    (folder / "events.csv").write_text(text_of(("query", "session_key", "product_id", "position", "clicked"), rows))


def write_marco(folder: Path) -> None:
    (folder / "run.tsv").write_text(
        text_of(None, ((number_of(q), number_of(d), rank) for q, d, rank in ranked()), "\t")
    )
    judged = ((number_of(query), 0, number_of(doc), relevance) for query, doc, relevance in qrels())
    (folder / "qrels.dev.tsv").write_text(text_of(None, judged, "\t"))


def write_texts(folder: Path) -> None:
    (folder / "run_utf16.csv").write_text(text_of(("query_id", "doc_id", "score"), run()), encoding="utf-16")
    semicolons = text_of(("query_id", "doc_id", "relevance"), qrels(), ";").replace("\n", "\r\n")
    (folder / "qrels_excel.csv").write_bytes(b"\xef\xbb\xbf" + semicolons.encode())
    (folder / "nameless.csv").write_text(text_of(None, ((score, doc, query) for query, doc, score in run())))


def write_delta(folder: Path) -> None:
    from deltalake import DeltaTable, write_deltalake

    target = folder / "delta"
    rows = [{"query_id": query, "doc_id": doc, "score": score} for query, doc, score in run()]
    wrong = [row | {"doc_id": f"{row['doc_id']}-withdrawn", "score": 1e6} for row in rows[::5]]
    write_deltalake(target, pyarrow.Table.from_pylist([*rows, *wrong]))
    DeltaTable(target).delete("score >= 1000000")


def write_verdicts(folder: Path) -> None:
    from openpyxl import Workbook

    with (SEARCH / "verdicts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(folder / "verdicts.xlsx")


WRITERS: tuple[Callable[[Path], None], ...] = (
    write_days,
    write_purchases,
    write_lists,
    write_events,
    write_marco,
    write_texts,
    write_delta,
    write_verdicts,
)
BY_HAND = ("sqlrank.toml", "README.md", "tools")
"""The files of the folder that are not written here."""


def write(folder: Path) -> None:
    """Write all exports."""
    for old in folder.iterdir():
        if old.name not in BY_HAND:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for each in WRITERS:
        each(folder)


if __name__ == "__main__":
    write(FOLDER)
