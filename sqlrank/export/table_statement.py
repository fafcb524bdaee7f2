"""A statement as a table or view of its own, or as the rows of one partition more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import takewhile
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import DIALECTS, SQLITE, Dialect, visible
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request
from sqlrank.export.relation_names import dotted, last_name
from sqlrank.export.statement_form import Form
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import spelt
from sqlrank.statement.lines import lines_of
from sqlrank.statement.relations import TITLES, Relations
from sqlrank.statement.templates import render, sql_text

SUMMARY = {"metric": "text", "value": "double", "queries": "bigint", "stderr": "double"}
SUMMARY |= {"ci_low": "double", "ci_high": "double"}
"""The columns of a summary after those of its scope, with their types."""
LONGEST = 150
"""How many characters of a definition stand in a table."""
DEFINITION = "sqlrank_definition"
"""The column that says what the values of a table of partitions are."""
MIXED = "the table holds rows that are not "
OTHERWISE = "; name another table, or make all partitions anew"
"""What a statement says where it would mix the two."""
NOTHING = ": no rows take the place of that partition, so nothing is deleted; give a value of the column as the engine"
NOTHING += " writes it as a text, of which the run has rows"
"""What a statement says where there is nothing in place of what is to be deleted."""


def created(text: str, dialect: Dialect, form: Form, inputs: Relations, request: Request) -> str:
    """The statement `text` with what makes a table or view of its rows before it."""
    lines = lines_of(text.rstrip("\n"), dialect)
    header = list(takewhile(lambda line: line.startswith("--"), lines))
    made = summary_columns(inputs, form) if form.summary else query_columns(inputs, form, request.measures)
    columns = [*made, *([(DEFINITION, None, "text")] if inputs.partition else [])]
    types = {word: sql_text(getattr(dialect, word, word)) for word in ("text", "double", "bigint", "boolean")}
    return render(
        "create.sql",
        dialect,
        header=header,
        statement=lines[len(header) :],
        name=dotted(dialect, form.create[1] if form.create else ""),
        kind=form.kind,
        run=inputs.run,
        partition=inputs.partition,
        definition=inputs.partition.definition if inputs.partition else None,
        nothing_renewed=f"--replace {form.replace}{NOTHING}",
        scoped=inputs.several or form.system is not None,
        renewed=renewed(dialect, form),
        temporary=sql_text("temporary " if dialect.temporary else ""),
        promises=[sql_text(line) for line in promises(dialect, inputs, form)] if inputs.partition else [],
        key=key_of(dialect, inputs, form),
        begin=sql_text(dialect.begin),
        commit=sql_text(dialect.commit),
        columns=[{"name": column, "of": of, "type": types.get(kind)} for column, of, kind in columns],
        others=[{"kind": kept.kind, "relation": getattr(inputs, kept.kind).relation} for kept in other_kept(inputs)],
        settings=sql_text(dialect.settings),
        table_options=sql_text(dialect.table_options),
        replaces_views=dialect.replaces_views,
    )


def definition_of(request: Request, summary: bool) -> str:
    """What the values of a table are, in words: another definition makes other rows."""
    reading = request.reading
    said = [", ".join(measure.text for measure in request.measures), request.conventions.in_short()]
    said += [*reading.sql_in_words(), *(f"by {name}" for name in reading.by)]
    said += [f"weighted by {reading.weight}"] * (reading.weight is not None) + ["a row for each metric"] * summary
    text = visible("; ".join(said))
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}... ({sha256(text.encode()).hexdigest()[:12]})"


def promises(dialect: Dialect, inputs: Relations, form: Form) -> Iterator[str]:
    """What a statement says of the rows that belong to a partition, and of runs that overlap or end early."""
    if form.replace is None:
        yield "a run adds one partition, the first that the table does not hold: run this again until none is added"
    yield from counted(inputs)
    if dialect.keys and form.keyed:
        yield "a row appears in the table once: where two runs add a partition at the same time, one of them fails"
    else:
        yield f"{dialect.title} keeps no key: two runs at the same time may add a partition twice"
    if form.replace is not None and not dialect.begin:
        yield f"{dialect.title} has no transaction of both: where the second fails, the partition is missing"


def counted(inputs: Relations) -> Iterator[str]:
    """What a statement says of the rows that belong to a partition."""
    divided = [TITLES[kind] for kind, _ in inputs.partition.cut] if inputs.partition else []
    if divided:
        yield f"only rows of {' and '.join(divided)} that belong to the partition count"
    elif inputs.qrels:
        yield "the judgments count in every partition, also those of queries that it has no results for"


def key_of(dialect: Dialect, inputs: Relations, form: Form) -> dict[str, Any] | None:
    """The unique index of a table of partitions: what tells its rows apart, of which segments may be null."""
    if inputs.partition is None or form.create is None or not (dialect.keys and form.keyed):
        return None
    names = [name for name, _, _ in scope_columns(inputs, form)]
    segments = [segment.alias for segment in inputs.segments] if form.summary else []
    ends = [*(["is_total"] if segments else []), "metric"] if form.summary else ["query_id"]
    columns = [{"name": name, "empty": name in segments} for name in (*names, *segments, *ends)]
    schema, dot, table = str(dotted(dialect, form.create[1])).rpartition(".")
    # SQLite has the schema before the name of the index, and none before that of the table.
    made = dialect.ident(shortened(f"{last_name(form.create[1])}_key", dialect))
    moved = dialect is SQLITE
    return {
        "name": sql_text(f"{schema}{dot}{made}" if moved else made),
        "table": sql_text(table if moved else f"{schema}{dot}{table}"),
        "columns": columns,
    }


def renewed(dialect: Dialect, form: Form) -> Markup:
    """The table of the rows that take the place of others: one of the session, where the engine has those."""
    text = form.create[1] if form.create and form.keyed else "rows"
    schema, dot, _ = str(dotted(dialect, text)).rpartition(".")
    name = dialect.ident(shortened(f"sqlrank_renewed_{last_name(text)}", dialect))
    return sql_text(name if dialect.temporary else f"{schema}{dot}{name}")


def shortened(name: str, dialect: Dialect) -> str:
    """A name, with a digest in place of its beginning where the engine does not read all of it."""
    if dialect.longest_name is None or len(name.encode()) <= dialect.longest_name:
        return name
    return f"sqlrank_{sha256(name.encode()).hexdigest()[:32]}_key"


def scope_columns(inputs: Relations, form: Form) -> Iterator[tuple[str, str | None, str]]:
    """The columns before those of queries or metrics: each with the input whose type it has, or else its type."""
    if inputs.partition is not None:
        yield inputs.partition.column, "run", ""
    if inputs.several or form.system is not None:
        yield "system", None, "text"


def query_columns(inputs: Relations, form: Form, measures: Iterable[Measure]) -> Iterator[tuple[str, str | None, str]]:
    """The columns of the per-query rows."""
    yield from scope_columns(inputs, form)
    yield "query_id", None, "text"
    yield from ((column.name, None, "text") for column in inputs.id_columns)
    for kept in inputs.kept:
        yield from ((column, kept.kind, "") for column in kept.columns)
    for segment in inputs.segments:
        yield segment.alias, None, "text"
    if inputs.weighted:
        yield "weight", None, "double"
    for measure in measures:
        yield measure.column, None, "text" if measure.summary == "none" else "double"
        if measure.weight_column:
            yield measure.weight_column, None, "double"


def summary_columns(inputs: Relations, form: Form) -> Iterator[tuple[str, str | None, str]]:
    """The columns of a summary."""
    yield from scope_columns(inputs, form)
    for segment in inputs.segments:
        yield segment.alias, None, "text"
    if inputs.segments:
        yield "is_total", None, "boolean"
    yield from ((name, None, kind) for name, kind in SUMMARY.items())


def other_kept(inputs: Relations) -> list[Any]:
    """The inputs besides the run whose columns are kept."""
    return [kept for kept in inputs.kept if kept.kind != "run"]


def check_batches(form: Form) -> None:
    """Raise UsageError where dbt cannot make the days of a model as batches of its strategy microbatch."""
    if form.incremental is None:
        raise UsageError(
            f"--begin is the first day of the column that divides the run; name that with {spelt('incremental')}"
        )
    if form.until is not None:
        raise UsageError(
            f"{spelt('until')} is for models that look for missing partitions; with --begin dbt says which days"
        )
    if not DIALECTS[form.dialect].dbt_batches:
        known = " and ".join(each.title for each in DIALECTS.values() if each.dbt_batches)
        title = DIALECTS[form.dialect].title
        raise UsageError(
            f"--begin: for {title} dbt's strategy microbatch is missing, or is not known to replace exactly one day;"
            f" it is on {known}. Without --begin the model itself adds all missing days"
        )


def check_form(form: Form, systems: bool) -> None:
    """Raise UsageError where the parts of a form do not go together; `systems` for values of whole systems."""
    if form.incremental is not None and form.kind != "table":
        raise UsageError(f"{spelt('incremental')} adds to a table; name that with {spelt('create')}")
    if form.replace is not None and form.incremental is None:
        raise UsageError(
            f"{spelt('replace')} makes a partition anew; name the column that divides the run with"
            f" {spelt('incremental')}"
        )
    if form.until is not None and (form.incremental is None or form.replace is not None):
        raise UsageError(
            f"{spelt('until')} leaves partitions out that {spelt('incremental', 'COLUMN')} would add;"
            f" {spelt('replace')} names one itself"
        )
    if form.begin is not None:
        check_batches(form)
    if form.check and (form.summary or (form.create is not None and form.incremental is None)):
        raise UsageError(
            f"{spelt('check')} gives a row for each finding; leave out {spelt('summary')} and {spelt('create')}"
        )
    if systems and form.incremental is not None:
        raise UsageError(f"{spelt('incremental')} takes metrics with a value for each query")
    if form.keep and (form.summary or systems):
        raise UsageError(
            f"{spelt('keep')} carries columns to the rows of the queries, which this statement has not; take"
            f" {spelt('by')}"
        )
