"""The Python interface of what is taken away: statements over relations of another session, and macros."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Unpack

from sqlrank.arguments import public
from sqlrank.evaluation.options import Options
from sqlrank.evaluation.request import request_of
from sqlrank.export.duckdb_macros import macros_sql
from sqlrank.export.statement import relation_sql
from sqlrank.export.statement_form import Form, command_of
from sqlrank.options.kinds import TEXT, WORD


@public(record=Options, run=WORD, qrels=TEXT, queries=TEXT, positives=TEXT, items=TEXT, history=TEXT, baseline_run=TEXT)
def sql(
    run: str,
    qrels: str | None = None,
    metrics: str | Iterable[str] | None = None,
    *,
    dialect: str = "duckdb",
    summary: bool = False,
    check: bool = False,
    system: str | None = None,
    keep: str | Iterable[str] = (),
    create: tuple[str, str] | None = None,
    incremental: str | None = None,
    replace: str | None = None,
    until: str | None = None,
    ids: str = "text",
    **options: Unpack[Options],
) -> str:
    """The statement that scores relations of another session, to be pasted there.

    Args:
        run: name of a relation with query_id, doc_id and score; dotted, quoted or not.
        qrels: name of a relation with query_id, doc_id and relevance; None where the run has a relevance column, or no
            metric needs judgments.
        metrics: texts such as `ndcg@10`.
        dialect: the engine that will run it: one of `sqlrank.dialects.DIALECTS`.
        summary: whether the statement gives one row per metric rather than one per query.
        check: the statement that looks for what the other counts on not to be there, and gives a row for each finding.
        system: the name of the one system, which a column `system` then holds.
        keep: columns carried along to the row of each query, such as `ds`: of the run, or `queries.name` and
            `qrels.name`. A query has one value of each.
        create: `("table", name)` or `("view", name)`, which the statement then makes of its rows.
        incremental: a column of the run that divides it, such as `ds`. The statement then adds the rows of the first
            partition that the table of `create` does not hold yet, of this system. Where the column is a part of the
            ids of queries, the judgments are divided by it too.
        replace: a partition, as the engine writes it as a text. The statement then deletes its rows and adds them anew,
            in one transaction where the engine has any.
        until: SQL of the value from which on partitions are left out, such as `current_date`: a day that is not over.
        ids: `native` where query_id and doc_id have one type each in all relations, whose values are then compared as
            they are: whole numbers take less than their texts. Ties are in the order of texts nevertheless.
        **options: conventions, column roles (`columns`), `by`, `weight`, `queries` and `where`. The columns of
            relations are not known here: a segment or weight is of the queries if they are given, else of the run;
            `run.name`, `qrels.name` and `queries.name` say which.

    Raises:
        UsageError: a name is no relation, or an option cannot be said in a statement.
    """
    request = request_of(metrics, options)
    kept = (keep,) if isinstance(keep, str) else tuple(keep)
    form = Form(
        dialect=dialect,
        summary=summary,
        check=check,
        system=system,
        keep=kept,
        create=create,
        incremental=incremental,
        replaced=replace,
        until=until,
        ids=ids,
    )
    command = command_of(run, qrels, request.texts if metrics is not None else (), form, options)
    return relation_sql(run, qrels, request, dataclasses.replace(form, command=command))


@public(record=Options)
def macros(
    metrics: str | Iterable[str] | None = None,
    *,
    prefix: str = "rank_",
    every: bool = False,
    **options: Unpack[Options],
) -> str:
    """Statements that create macros in a DuckDB session, such as `from rank_ndcg('runs', 'judgments', k := 10)`.

    Args:
        metrics: the metrics that become macros, and stand together in `rank_metrics`; None for the dozen that most
            people ask for, of which the default ones stand together.
        prefix: what the name of each macro begins with.
        every: a macro of every metric that needs nothing but a run and judgments.
        **options: conventions and column roles (`columns`).

    Raises:
        UsageError: a metric needs another input, or an option cannot be said in a macro.
    """
    request = request_of(metrics, options)
    return macros_sql(None if metrics is None else request.measures, request, prefix, every)
