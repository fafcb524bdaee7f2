"""The Python interface of what is taken away: statements over relations of another session, and macros."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Unpack

from sqlrank.arguments import public
from sqlrank.evaluation.options import Options
from sqlrank.evaluation.request import request_of
from sqlrank.export.duckdb_macros import macros_sql
from sqlrank.export.options import MacroOptions, SqlOptions
from sqlrank.export.statement import relation_sql
from sqlrank.export.statement_form import command_of, form_of
from sqlrank.options.kinds import TEXT, WORD
from sqlrank.options.shared import part_of


@public(record=SqlOptions, run=WORD, qrels=TEXT)
def sql(
    run: str, qrels: str | None = None, metrics: str | Iterable[str] | None = None, **options: Unpack[SqlOptions]
) -> str:
    """The statement that scores relations of another session, to be pasted there.

    The columns of relations are not known here: a segment or weight is of the queries if they are given, else of the
    run; `run.name`, `qrels.name` and `queries.name` say which. A query has one value of each column of `keep`. Where
    the column of `incremental` is a part of the ids of queries, the judgments are divided by it too; `replace` is a
    partition as the engine writes it as a text, and one transaction where the engine has any. Ties of `native` ids are
    in the order of their texts nevertheless.

    Args:
        run: name of a relation with query_id, doc_id and score; dotted, quoted or not.
        qrels: name of a relation with query_id, doc_id and relevance; None where the run has a relevance column, or no
            metric needs judgments.
        metrics: texts such as `ndcg@10`.
        **options: the form of the statement, conventions and ways of reading.

    Raises:
        UsageError: a name is no relation, or an option cannot be said in a statement.
    """
    told, form = part_of(options, Options), form_of(options)
    request = request_of(metrics, told)
    command = command_of(run, qrels, request.texts if metrics is not None else (), form, told)
    return relation_sql(run, qrels, request, dataclasses.replace(form, command=command))


@public(record=MacroOptions)
def macros(metrics: str | Iterable[str] | None = None, **options: Unpack[MacroOptions]) -> str:
    """Statements that create macros in a DuckDB session, such as `from rank_ndcg('runs', 'judgments', k := 10)`.

    Args:
        metrics: the metrics that become macros, and stand together in `rank_metrics`; None for the dozen that most
            people ask for, of which the default ones stand together.
        **options: conventions and column roles (`columns`).

    Raises:
        UsageError: a metric needs another input, or an option cannot be said in a macro.
    """
    request = request_of(metrics, part_of(options, Options))
    return macros_sql(None if metrics is None else request.measures, request, options["prefix"], options["every"])
