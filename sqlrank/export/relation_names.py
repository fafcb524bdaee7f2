"""The inputs of a statement by the names of their relations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.dialects import Dialect, argument
from sqlrank.errors import UsageError
from sqlrank.export import dbt_jinja as dbt
from sqlrank.export.list_columns import list_columns, made_of_lists
from sqlrank.export.statement_form import Form
from sqlrank.inputs.column_names import POSITIVE, ROW, TIERS
from sqlrank.inputs.reading import OUTPUT_NAMES, Reading, kind_and_name, told_of
from sqlrank.inputs.roles import COMPOSED, SESSIONED, check_role_names, columns_in
from sqlrank.inputs.segments import carried, check_segments, place_of, unread
from sqlrank.options.values import text_of_columns
from sqlrank.spelling import spelt
from sqlrank.statement.partitions import Partition
from sqlrank.statement.relations import COLUMN_ROLES, Kept, Place, Relation, Relations, direction
from sqlrank.statement.templates import sql_text

PART = re.compile(r'"(?:[^"\x00]|"")+"|`(?:[^`\x00]|``)+`|[A-Za-z_][A-Za-z0-9_$]*')

SUFFIXES = frozenset(".csv .tsv .json .jsonl .ndjson .parquet .gz .zst .xlsx".split())
"""What a name ends with that is one of a file, and hardly one of a table."""

PROJECT = re.compile(r"\A[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+(?=\.)")
"""A project of BigQuery at the head of a dotted name."""

JINJA = re.compile(r"\{\{(?:(?!\{\{|\}\}|\{%|\{#)[^\x00-\x1f])+\}\}")
"""A relation that dbt or another template language will put in."""

DIVIDED = ("qrels", "queries", "history", "baseline")
"""The inputs of which a part belongs to each query."""


def check_templates(relations: Iterable[Any], reading: Reading, form: Form) -> None:
    """Raise UsageError if another name or value holds Jinja, where a relation is Jinja: it would run there.

    In a model what they hold is escaped, but for what it says itself.
    """
    made = None if form.create is None else form.create[1]
    given = [str(relation) for relation in (*relations, made) if relation is not None]
    expressions = [relation for relation in given if JINJA.fullmatch(relation)]
    if not expressions:
        return
    refused = dbt.said(expressions) if form.model else dbt.OPENING
    names = [relation for relation in given if relation not in expressions]
    asked = [
        reading.weight,
        *(text for _, text in reading.own_sql),
        *reading.computed,
        reading.session,
        reading.separator,
        form.system,
        form.incremental,
        form.replace,
        form.until,
    ]
    for text in [*names, *reading.columns.values(), *reading.by, *form.keep, *filter(None, asked)]:
        if found := refused.search(text):
            what = found[0] if form.model else "{{, {% or {#"
            raise UsageError(f"{text!r}: next to a relation in double braces nothing else may hold {what}")


def dotted(dialect: Dialect, text: str) -> Any:
    """A relation by its dotted name, each part quoted where it must be; UsageError for any other text."""
    if isinstance(text, Markup) or JINJA.fullmatch(text):
        return sql_text(text)
    if dialect.dashed_projects:
        text = PROJECT.sub(r"`\g<0>`", text)
    parts = PART.findall(text)
    if ".".join(parts) != text or not parts:
        raise UsageError(
            f"{text!r} is not the name of a relation; write it as schema.table, with quotes if need be,"
            " or as one {{ ... }} for dbt; sqlrank eval FILE --show-sql prints the statements over a file"
        )
    if len(parts) > 1 and f".{parts[-1].lower()}" in SUFFIXES:
        name = parts[-1]
        raise UsageError(
            f"{text}: no such file; if a table is called {name}, put its name between quotes: "
            + ".".join([*parts[:-1], f'"{name}"'])
        )
    quoted = [
        dialect.ident(bare(part)) if bare(part) != part or dialect.ident(part.lower()) != part.lower() else part
        for part in parts
    ]
    return sql_text(".".join(quoted))


def bare(part: str) -> str:
    """A part of a dotted name without its quotes."""
    return part[1:-1].replace(part[0] * 2, part[0]) if part[0] in '"`' else part


def last_name(text: str) -> str:
    """What a relation is called: the last part of a dotted name, or the last text inside double braces."""
    if JINJA.fullmatch(text):
        texts = re.findall(r"['\"]([^'\"]+)['\"]", text)
        return texts[-1] if texts else "run"
    return bare(PART.findall(text)[-1])


def relations_named(
    dialect: Dialect, run: str, qrels: str | None, reading: Reading, conventions: Conventions, judged: bool = True
) -> Relations:
    """The inputs by dotted names, of which the run may carry the judgments; columns are canonical unless given."""
    check_role_names(reading.columns)
    for name, column in reading.columns.items():
        if column == ROW:
            advice = "add a column that numbers them in a view"
            raise UsageError(f"{spelt('columns', {name: ROW})}: the rows of a relation have no order; {advice}")
    given = {name.rpartition(".")[2] for name in reading.columns}
    labelled, has_queries = judged and qrels is None, reading.queries is not None
    parted = labelled and reading.conditions.parts_labels
    segments = tuple(place_of(name, labelled, has_queries) for name in reading.by)
    weight = place_of(reading.weight, labelled, has_queries) if reading.weight else None
    check_segments(segments)

    def named(kind: str, relation: Any) -> Relation:
        if relation is None:
            return Relation()
        columns = "run" if kind == "qrels" and parted else kind
        found = Relation(relation=dotted(dialect, relation), **told(reading, columns, labelled))
        if kind == "qrels" and reading.conditions.qrels is not None:
            found = replace(found, given_where=sql_text(reading.conditions.qrels))
        return replace(found, computed=expressions) if kind == computing else found

    computing = "queries" if has_queries else "run"
    expressions = tuple((name, sql_text(text)) for name, text in reading.computed.items())
    runs = named("run", run)
    by_rank = conventions.order == "rank" or runs.direction is not None
    ascending = direction(ascending=conventions.order == "asc")
    history, baseline = named("history", reading.history), named("baseline", reading.baseline_run)
    return Relations(
        run=replace(
            runs,
            score=runs.rank if by_rank else runs.score,
            direction=None,
            where=None if reading.where is None else sql_text(reading.where),
        ),
        qrels=replace(named("qrels", run if parted else qrels), direction=None),
        queries=named("queries", None if unread(reading, [*segments, weight]) else reading.queries),
        items=history if reading.items is None else named("items", reading.items),
        history=history,
        baseline=replace(baseline, direction=baseline.direction or ascending),
        labelled=labelled and not parted,
        parted=parted,
        without_judgments=not judged,
        system=None if "system" in given else argument("run", "run") if isinstance(run, Markup) else last_name(run),
        by_rank=by_rank,
        direction=direction(ascending=True) if by_rank else ascending,
        segments=segments,
        weight=weight,
        id_columns=carried(dict(runs.composed).get("query_id", ()), segments),
    )


def with_form(inputs: Relations, reading: Reading, form: Form, dialect: Dialect) -> Relations:
    """The inputs with the name of the system, the columns kept and the partition that a form asks for."""
    if form.system is not None:
        if inputs.several:
            raise UsageError(f"{spelt('system')} names the one system of a run, and this run has a column of systems")
        inputs = replace(inputs, system=form.system)
    columns: dict[str, list[str]] = {}
    for text in form.keep:
        kind, name = kind_and_name(text)
        kind = "run" if kind is None or (kind == "qrels" and inputs.exported) else kind
        if kind == "queries" and reading.queries is None:
            raise UsageError(f"{spelt('keep', text)}: there is no table of queries; name it with {spelt('queries')}")
        if kind == "qrels" and not inputs.qrels:
            raise UsageError(f"{spelt('keep', text)}: there are no judgments; name them with {spelt('qrels')}")
        if (kind, name) != ("run", form.incremental):
            columns.setdefault(kind, []).append(name)
    if "queries" in columns and not inputs.queries:
        asked = Relation(relation=dotted(dialect, str(reading.queries)), **told(reading, "queries", inputs.exported))
        inputs = replace(inputs, queries=asked)
    divided = partition_of(inputs, form, dialect)
    kept = tuple(Kept(kind, tuple(names)) for kind, names in columns.items())
    check_kept([*chain(*columns.values()), *([divided.column] if divided else [])], inputs.segments)
    shown = {*chain(*columns.values()), form.incremental}
    parts = tuple(column for column in inputs.id_columns if column.name not in shown)
    return replace(inputs, kept=kept, partition=divided, id_columns=parts)


def partition_of(inputs: Relations, form: Form, dialect: Dialect) -> Partition | None:
    """The partition that a form asks for, and the inputs that it divides; UsageError for systems of several columns."""
    if form.incremental is None or form.create is None:
        return None
    parts = {kind: dict(each.composed).get("query_id", (each.query_id,)) for kind, each in inputs.named()}
    if "system" in dict(inputs.run.composed):
        raise UsageError(
            f"{spelt('incremental')} looks for the systems in the table: make one column of theirs in a view"
        )
    place = next((at for at, part in enumerate(parts["run"]) if part.lower() == form.incremental.lower()), None)
    alike = [kind for kind in DIVIDED if len(parts.get(kind, ())) == len(parts["run"])]
    cut = () if place is None else tuple((kind, parts[kind][place]) for kind in alike)
    ids = tuple(zip(parts["run"], parts["qrels"], strict=True)) if "qrels" in alike else ()
    if inputs.parted and place is None:
        cut, ids = (("qrels", form.incremental), *cut), ((form.incremental, form.incremental), *ids)
    return Partition(
        form.incremental,
        dotted(dialect, dbt.TABLE if form.model else form.create[1]),
        system=form.system,
        replaced=form.replace,
        until=None if form.until is None else sql_text(form.until),
        looped=None if not form.model else dbt.BATCHED if form.begin else dbt.LOOPED,
        cut=cut,
        ids=ids,
    )


def check_kept(names: Sequence[str], segments: Iterable[Place]) -> None:
    """Raise UsageError if a column that is kept has the name of another one of the output."""
    seen = {segment.alias.lower() for segment in segments} | OUTPUT_NAMES
    for name in names:
        if name.lower() in seen:
            raise UsageError(f"{spelt('keep', name)}: the statement has a column of that name; rename yours first")
        seen.add(name.lower())


def told(reading: Reading, kind: str, labelled: bool) -> dict[str, Any]:
    """The columns of one input that were given, by role; a rank without a score orders."""
    named = {role: column for _, role, column in told_of(reading.columns, kind, COLUMN_ROLES)}
    if reading.session is not None and kind in SESSIONED:
        named["query_id"] = f"{named.get('query_id', 'query_id')},{text_of_columns([reading.session])}"
    positive = kind == "qrels" and reading.positives is not None and "relevance" not in named
    judged = kind == "qrels" and not positive
    lists = list_columns(named, kind, reading.separator, judged or (kind == "run" and labelled))
    several = {role: tuple(columns) for role, text in named.items() if len(columns := columns_in(role, text)) > 1}
    made: dict[str, Any] = named if lists is None else made_of_lists(named, lists)
    made = made | {role: COMPOSED[role] for role in several} | {"composed": tuple(several.items()), "lists": lists}
    if positive:
        made |= {"relevance": POSITIVE, "positive": True}
    if "rank" in TIERS[kind] and "rank" in made and "score" not in made:
        made |= {"score": made["rank"], "direction": direction(ascending=True)}
    return made
