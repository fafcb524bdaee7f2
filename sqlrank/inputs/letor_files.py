"""LETOR (svmlight) text: judged documents in lines, and the scores that a model gave them, in the same order."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, counted, shortened
from sqlrank.inputs.files import Files, find_files
from sqlrank.inputs.plain_text import check_encoding, opened, plain_files
from sqlrank.inputs.table import Table
from sqlrank.inputs.trec_files import lines_of
from sqlrank.process.remote import URL
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

SIZES = (".group", ".query")
"""What is added to the name of a file for that of the sizes of its groups, as XGBoost and LightGBM look for it."""
COLUMNS = ("query_id", "doc_id", "relevance")
IDS = {
    "docid": "doc_id is the docid of the comment",
    "word": "doc_id is the first word of the comment",
    "line": "doc_id is the number of the line in its file",
}
"""Where the ids of documents come from."""


def read_letor(engine: DuckDBEngine, given: Files) -> Table:
    """Files of LETOR as a table of judgments."""
    facts = [looked_at(engine, read, engine.called(read)) for read, _ in given.pairs]
    sizes = [
        None if fact["with_query"] else sizes_of(engine, named, fact["row_count"])
        for fact, (_, named) in zip(facts, given.pairs, strict=True)
    ]
    ids = next((kind for kind in ("docid", "word") if all(names_documents(fact, kind) for fact in facts)), "line")

    def reader(place: int) -> Markup:
        files = [
            {
                "lines": lines_of(engine, [engine.pattern(pair[place])]),
                "sizes": None if size is None else lines_of(engine, [engine.pattern(size)]),
            }
            for pair, size in zip(given.pairs, sizes, strict=True)
        ]
        return sql_text(render("sources/letor/rows.sql", engine.dialect, files=files, ids=ids))

    numbered = [size for size in sizes if size is not None]
    queries = "queries are numbered by " + ", ".join(numbered) if numbered else "qid is query_id"
    plain = len(facts) == 1 and facts[0]["line_count"] == facts[0]["row_count"]
    return Table(
        given.label,
        reader(0),
        dict.fromkeys(COLUMNS, "VARCHAR"),
        tuple(given.paths),
        costly=True,
        text=True,
        first_line=1 if plain else None,
        portable=reader(1) if any(read != named for read, named in given.pairs) else None,
        beside=tuple(numbered),
        notes=(f"{given.label}: read as LETOR (svmlight): {queries}, the label is relevance, {IDS[ids]}",),
    )


def looked_at(engine: DuckDBEngine, file: str, label: str) -> Mapping[str, Any]:
    """What the lines of a file are; DataError for one that is no line of LETOR."""
    lines = lines_of(engine, [engine.pattern(file)])
    try:
        fact = engine.row(render("sources/letor/look.sql", engine.dialect, lines=lines))
    except DataError:
        check_encoding(engine, [file])
        raise
    if fact["wrong_number"] is not None:
        raise DataError(
            f"{label}, line {fact['wrong_number']}: is not a line of LETOR, which is a number, qid:QUERY, features as"
            f" NUMBER:VALUE, and a comment after #: {shortened(repr(fact['wrong_line']))}"
        )
    if not fact["row_count"]:
        raise DataError(f"{label}: there are no rows")
    if fact["with_query"] and fact["without_query"] is not None:
        raise DataError(f"{label}, line {fact['without_query']}: has no qid:, which other lines have")
    if fact["with_docid"] and fact["without_docid"] is not None:
        raise DataError(f"{label}, line {fact['without_docid']}: has no docid in its comment, which other lines have")
    return fact


def names_documents(fact: Mapping[str, Any], kind: str) -> bool:
    """Whether every line of a file names its document: as docid, or by a word that is the whole comment.

    The first word of a longer comment is one too, where no other line of its query has it.
    """
    rows = fact["row_count"]
    lone = fact["with_lone_word"] == rows or (fact["with_query"] and fact["words"] == rows)
    return bool(fact[f"with_{kind}"] == rows and (kind == "docid" or lone))


def sizes_of(engine: DuckDBEngine, file: str, rows: int) -> str:
    """The file next to one without queries that says how many lines each has; DataError if it does not fit."""
    stem, suffix = os.path.splitext(file)
    stems = [file, *([stem] if suffix in (".gz", ".zst") else [])]
    every = [] if URL.match(file) else [each + end for each in stems for end in SIZES if os.path.isfile(each + end)]
    if len(every) != 1:
        there = f"{' and '.join(every)} give" if every else f"no {file}.group or {file}.query next to it gives"
        keep = "; keep one" * bool(every)
        raise DataError(f"{file}: its lines have no qid:, and {there} the sizes of groups{keep}")
    lines = lines_of(engine, [engine.pattern(every[0])])
    fact = engine.row(render("sources/letor/sizes.sql", engine.dialect, lines=lines))
    if fact["wrong_number"] is not None:
        raise DataError(
            f"{every[0]}, line {fact['wrong_number']}: is not a size of a group: {fact['wrong_line'][:100]!r}"
        )
    if (fact["total"] or 0) != rows:
        raise DataError(
            f"{every[0]}: its {counted(fact['groups'], 'group', 'has', 'have')} {counted(fact['total'] or 0, 'line')},"
            f" and {file} has {rows}"
        )
    return every[0]


def with_scores(engine: DuckDBEngine, table: Table, scores: Any, encoding: str | None) -> Table:
    """Documents of LETOR with the scores of a model in the order of the lines: those of a file, or numbers."""
    if table.format != "letor":
        raise UsageError(
            f"{table.label}: {spelt('scores')} are of the lines of a LETOR file ({spelt('input_format', 'letor')}),"
            " which it is not"
        )
    documents = engine.execute(render("sources/rows_of.sql", engine.dialect, relation=table.reader))[0][0]
    if not isinstance(scores, str):
        return with_numbers(engine, table, scores, documents)
    found, _ = find_files(engine, scores)
    if len(found) > 1:
        raise DataError(f"{scores}: {len(found)} files, where one has the scores of {table.label}; name each run")
    (read,) = plain_files(engine, found, encoding)
    label, named = engine.called(found[0]), engine.called(read)
    placed = is_placed(read)
    fact = engine.row(score_facts(engine, read, placed))
    if fact["wrong_number"] is not None:
        what = "a query, a place from 0 and a score, as RankLib writes them" if placed else "one score"
        raise DataError(f"{label}, line {fact['wrong_number']}: is not {what}: {shortened(repr(fact['wrong_line']))}")
    check_count(label, fact["scores"], table, documents)

    def reader(rows: Markup, file: str) -> Markup:
        given = sql_text(scores_in(engine, file, placed))
        return sql_text(render("sources/letor/scored.sql", engine.dialect, documents=rows, scores=given))

    if placed:
        check_places(engine, table, label, scores_in(engine, read, placed))
    portable = table.portable or (table.reader if read != named else None)
    return replace(
        table,
        reader=reader(table.reader, read),
        columns=table.columns | {"score": "VARCHAR"},
        portable=None if portable is None else reader(portable, named),
        beside=(*table.beside, read),
        notes=(*table.notes, f"{table.label}: the scores are those of {label}, line by line"),
    )


def with_numbers(engine: DuckDBEngine, table: Table, scores: Any, documents: int) -> Table:
    """The same with numbers of Python: a list or an array of one dimension."""
    try:
        numbers = [float(number) for number in scores]
    except (TypeError, ValueError) as error:
        raise UsageError(f"{spelt('scores')}: give a file, or a list or an array of numbers ({error})") from None
    check_count("the scores", len(numbers), table, documents)
    name = engine.name(f"scores_{len(engine.made) + len(engine.registered)}")
    engine.load(name, {"score": "double"}, [numbers])
    given = sql_text(render("sources/every_row.sql", engine.dialect, relation=sql_text(engine.dialect.ident(name))))
    reader = sql_text(render("sources/letor/scored.sql", engine.dialect, documents=table.reader, scores=given))
    columns, foreign = table.columns | {"score": "DOUBLE"}, "it has scores of Python; write them to a file"
    return replace(table, reader=reader, columns=columns, portable=None, foreign=foreign)


def check_count(label: str, scores: int, table: Table, documents: int) -> None:
    """Raise DataError if there are not as many scores as documents."""
    if scores != documents:
        raise DataError(
            f"{label}: {counted(scores, 'score')}, and {table.label} has {counted(documents, 'line')};"
            " each line needs its own"
        )


def is_placed(file: str) -> bool:
    """Whether the first line of a file of scores is of RankLib, which writes the query and the place before each."""
    with opened(file) as lines:
        return len(next((line for line in lines if line.strip()), b"").split(b"\t")) == 3


def score_facts(engine: DuckDBEngine, file: str, placed: bool) -> str:
    """The statement that counts the scores of a file."""
    lines = lines_of(engine, [engine.pattern(file)])
    return render("sources/letor/score_facts.sql", engine.dialect, lines=lines, placed=placed)


def scores_in(engine: DuckDBEngine, file: str, placed: bool) -> str:
    """The statement that gives the scores of a file."""
    lines = lines_of(engine, [engine.pattern(file)])
    return render("sources/letor/scores.sql", engine.dialect, lines=lines, placed=placed)


def check_places(engine: DuckDBEngine, table: Table, label: str, scores: str) -> None:
    """Raise DataError if scores of RankLib are of other queries, or in another order, than the lines."""
    context = {"documents": table.reader, "scores": sql_text(scores)}
    for number, query, place, scored, at in engine.execute(
        render("sources/letor/misplaced.sql", engine.dialect, **context)
    ):
        raise DataError(
            f"{label}: score {number} belongs to query {scored!r}, place {at}, and row {number} of {table.label} to"
            f" query {query!r}, place {place}; they are not of one file, or not in one order"
        )
