"""The statement over relations of another session or a warehouse, by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.dialects import DIALECTS, DUCKDB, Dialect
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.tool_checks import assumptions_of
from sqlrank.export.checking_statement import findings
from sqlrank.export.dbt_jinja import TABLE, escaped
from sqlrank.export.relation_names import check_templates, relations_named, with_form
from sqlrank.export.statement_form import Form
from sqlrank.export.table_statement import MIXED, OTHERWISE, check_form, created, definition_of
from sqlrank.inputs.reading import Reading, named_by
from sqlrank.inputs.segments import unread
from sqlrank.inputs.settled_conventions import of_positives, of_relations, without_judgments
from sqlrank.metrics.measure import Measure, of_systems
from sqlrank.spelling import spelt
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.columns import OF_ITEMS, inputs_of, reads_judgments
from sqlrank.statement.conditions import check_condition, check_names
from sqlrank.statement.relations import ID_ROLES, Relations
from sqlrank.statement.renamed_steps import beside_relations
from sqlrank.statement.render import overall, statement
from sqlrank.statement.templates import render, sql_text

ASSUMPTIONS = [
    "assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and"
    " document in the run and in the judgments",
]
ASSUMED_OF_COPIES = [
    "assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and"
    " document in the judgments"
]
ASSUMED_OF_IDS = ["assumes: query_id and doc_id have one type each in all relations"]
ASSUMED_OF_LISTS = ["assumes: the lists of one row have as many values as each other"]
ASSUMED_OF_WEIGHTS = ["assumes: every judgment has an item_weight above 0, the same in all rows of a document"]
ASSUMPTIONS_ON_THE_RUN = ["assumes: no null ids, finite scores, one row for each query and document"]
UNREAD = ["note: no segment or weight comes from the table of queries, so it is not read"]


@dataclass(frozen=True, slots=True)
class Settled:
    """A request for relations by name, with all that a statement of any form is made of."""

    dialect: Dialect
    inputs: Relations
    request: Request
    form: Form
    run: str
    qrels: str | None
    """What holds the judgments, apart from the run."""


def settled(run: str, qrels: str | None, request: Request, form: Form) -> Settled:
    """What a request for relations by dotted names comes to; UsageError if it cannot be said in a statement."""
    reading, qrels = request.reading, request.judgments(qrels)
    if reading.cluster is not None:
        raise UsageError(
            f"{spelt('cluster')}: a statement takes queries as independent in standard errors; evaluate with sqlrank"
        )
    check_templates([run, qrels, *reading.others().values()], reading, form)
    spoken = DIALECTS[form.dialect]
    judged = qrels is not None or any(map(reads_judgments, request.measures)) or labels_meant(request)
    conventions = of_relations(request.conventions, request.language.preset, request.given, reading.columns)
    conventions = of_positives(conventions, reading, request.given)
    conventions = conventions if judged else without_judgments(conventions, request.given)
    request = replace(request, conventions=conventions)
    inputs = with_form(relations_named(spoken, run, qrels, request.reading, conventions, judged), reading, form, spoken)
    inputs = inputs.with_native(ID_ROLES if form.ids == "native" and not form.check else ())
    if form.until is not None:
        check_condition(form.until, spoken, "until")
    if inputs.partition is not None:
        defined = definition_of(request, form.summary)
        inputs = replace(
            inputs, partition=replace(inputs.partition, definition=defined, mixed=f"{MIXED}{defined}{OTHERWISE}")
        )
    check_form(form, bool(of_systems(request.measures)))
    check_partition(spoken, inputs, request)
    return Settled(spoken, inputs, request, form, run, qrels)


def relation_sql(run: str, qrels: str | None, request: Request, form: Form, named: bool = False) -> str:
    """The statement for relations by dotted names; UsageError if an option cannot be said in a statement.

    Where it is `named`, a column names the one system.
    """
    return settled_sql(settled(run, qrels, request, form), named)


def settled_sql(settled: Settled, named: bool = False) -> str:
    """The statement of a request that is settled."""
    dialect, inputs, form = settled.dialect, settled.inputs, settled.form
    if form.check:
        text = beside_relations(lambda given: findings(dialect, given, settled.request, form), inputs, dialect)
    else:
        of_both = ASSUMPTIONS if settled.request.conventions.copies == "error" else ASSUMED_OF_COPIES
        assumed = ASSUMPTIONS_ON_THE_RUN if inputs.without_judgments else of_both
        assumed = [*assumed, *(ASSUMED_OF_IDS if form.ids == "native" else [])]
        text = inputs_sql(dialect, inputs, settled.request, form, named, assumed)
    if form.model:
        text = looped(text, settled) if inputs.partition is not None else escaped(text, relations_of(inputs))
    elif form.create is not None and not form.check:
        text = created(text, dialect, form, inputs, settled.request)
        if form.replace is not None:
            return text
    return with_settings(text, dialect)


def relations_of(inputs: Relations) -> list[str]:
    """The relations of all inputs, as they are written."""
    return [str(relation.relation) for _, relation in inputs.named()]


def looped(text: str, settled: Settled) -> str:
    """A statement of one partition as that of each which a model of dbt makes, below its header."""
    inputs, relations = settled.inputs, relations_of(settled.inputs)
    lines = text.splitlines(keepends=True)
    header = "".join(takewhile(lambda line: line.startswith("--"), lines))
    context = inputs.context() | settled.request.conventions.to_dict()
    batch = inputs.partition.looped.batch if inputs.partition and inputs.partition.looped else None
    day = {"column": inputs.partition.column, "day": batch.first} if inputs.partition and batch else {}

    def asked(template: str) -> Markup:
        rendered = render(template, settled.dialect, **context, **day, table=sql_text(TABLE))
        return sql_text(escaped(rendered, relations))

    made = render(
        "looped.sql",
        settled.dialect,
        testing=settled.form.check,
        model=sql_text(settled.form.name or ""),
        batch=batch,
        missing=asked("batch_built.sql" if batch and settled.form.check else "missing.sql"),
        forgotten=asked("gone.sql" if batch else "forgotten.sql"),
        type=asked("batch_type.sql") if batch else "",
        deletion=asked("deletion.sql") if batch and settled.dialect.dbt_batches == "merge" else "",
        mixed=asked("mixed.sql"),
        definition=sql_text(escaped(settled.dialect.literal(inputs.partition.definition), ()))
        if inputs.partition
        else "",
        statement=sql_text(escaped(text[len(header) :], relations)),
    )
    return f"{escaped(header, relations)}{made}"


def with_settings(text: str, dialect: Dialect) -> str:
    """A statement with what makes the engine do what the standard says."""
    return f"{text}{dialect.settings}\n" if dialect.settings else text


def check_partition(dialect: Dialect, inputs: Relations, request: Request) -> None:
    """Raise UsageError if a partition cannot be made again, or the judgments of one cannot be told apart."""
    partition, conventions = inputs.partition, request.conventions
    if partition is None:
        return
    if partition.replaced is not None and not dialect.deletes:
        raise UsageError(
            f"{spelt('replace')}: {dialect.title} deletes no rows; make the table of all partitions with"
            f" {spelt('create')}"
        )
    columns = dict(inputs.run.composed).get("query_id", (inputs.run.query_id,))
    divided = partition.column.lower() in map(str.lower, columns)
    if divided and inputs.qrels and conventions.query_set == "judged" and "qrels" not in dict(partition.cut):
        raise UsageError(
            f"{spelt('incremental', partition.column)}: the column is a part of the ids of queries, and the judgments"
            " do not say which of their columns is that part, so every partition would have all other queries with 0;"
            f" name the parts with {spelt('columns', 'qrels.query_id')}, or average the queries with results:"
            f" {spelt('query_set', 'shared')}"
        )
    if inputs.qrels and "query_set" not in request.given and "qrels" not in dict(partition.cut):
        raise UsageError(
            f"{spelt('incremental', partition.column)}: the judgments are of all partitions, and a judged query may"
            f" have no results in one of them; say what that is: {spelt('query_set', 'shared')} leaves it out of that"
            f" partition, {spelt('query_set', 'judged')} counts it as 0"
        )


def labels_meant(request: Request) -> bool:
    """Whether the options imply that a run holds judgments, though no metric needs them."""
    named = any(name.rpartition(".")[2] == "relevance" for name in request.reading.columns)
    return named or ("query_set" in request.given and request.conventions.query_set != "run")


def inputs_sql(
    spoken: Dialect,
    inputs: Relations,
    request: Request,
    form: Form,
    named: bool = False,
    assumed: Iterable[str] = (),
) -> str:
    """The statement over relations; UsageError if an option cannot be said in one, or a metric lacks its input.

    `assumed` says what the rows are counted on to be.
    """
    measures, conventions, reading = request.measures, request.conventions, request.reading
    check_options(conventions, reading)
    check_separator(spoken, inputs, reading)
    for option, text in reading.own_sql:
        check_condition(text, spoken, option)
        if spoken is DUCKDB:
            check_names(text, option)
    if reading.conditions.qrels is not None and not inputs.qrels:
        raise UsageError(f"{spelt('where', reading.judged_role)}: there are no judgments of their own to filter")
    check_needs(measures, inputs, reading, spoken)
    said = [*assumed, *(ASSUMED_OF_LISTS if lists_beside(inputs) else []), *assumptions_of(request, inputs.labelled)]
    said += ASSUMED_OF_WEIGHTS if "item_weight" in inputs_of(measures) else []
    said += UNREAD if unread(reading, [*inputs.segments, inputs.weight]) else []
    if systems := of_systems(measures):
        if len(systems) < len(measures) or form.summary:
            texts = ", ".join(measure.text for measure in systems)
            raise UsageError(
                f"{texts}: one value for a whole system, not for a query; ask for it apart, without {spelt('summary')}"
            )
        return beside_relations(
            lambda given: overall(spoken, given, systems, conventions, said, form.command), inputs, spoken
        )
    plan = ColumnPlan(measures, conventions, diagnostics=False, listing=spoken.heaps)
    named = named or form.system is not None

    def made(given: Relations) -> str:
        return statement(
            spoken, given, plan, conventions, said, command=form.command, named=named, summary=form.summary
        )

    return beside_relations(made, inputs, spoken)


def check_needs(measures: Iterable[Measure], inputs: Relations, reading: Reading, dialect: Dialect) -> None:
    """Raise UsageError if a metric needs an input that was not named, or an ideal that the engine cannot compute."""
    needs = inputs_of(measures)
    given = reading.others()
    if "items" not in given and (read := next((role for role in OF_ITEMS if role in needs), None)):
        raise UsageError(f"{needs[read]}: {spelt('items')} is needed")
    for kind in ("items", "history", "baseline"):
        if kind in needs and not getattr(inputs, kind):
            hint = f" (or {spelt('history')})" if kind == "items" else ""
            raise UsageError(f"{needs[kind]}: {spelt(named_by(kind))}{hint} is needed")
    if "subtopic" in needs and inputs.exported:
        raise UsageError(f"{needs['subtopic']}: judgments by subtopic are needed; name them with {spelt('qrels')}")
    greedy = [measure.text for measure in measures if "ideal_novelty" in measure.metric.reads]
    if greedy and not dialect.recursive_windows:
        raise UsageError(
            f"{dialect.title} cannot find the greedy ideal of {', '.join(greedy)}; take alpha_dcg, err_ia or nrbp"
        )


def lists_beside(inputs: Relations) -> bool:
    """Whether several lists of one row stand next to each other."""
    every = [relation.lists for _, relation in inputs.named() if relation.lists is not None]
    return any(column.beside for lists in every for column in lists.columns)


def check_separator(dialect: Dialect, inputs: Relations, reading: Reading) -> None:
    """Raise UsageError if no column is told to be of texts with a separator, or the engine cannot split them."""
    if reading.separator is None:
        return
    if not any(relation.lists for _, relation in inputs.named()):
        raise UsageError(
            f"{spelt('separator')}: tell which columns hold lists, such as {spelt('columns', {'run.doc_id': 'docs[]'})}"
        )
    if not dialect.split:
        raise UsageError(f"{dialect.title} cannot split texts at a separator: make a list of each text in a view")


def check_options(conventions: Conventions, reading: Reading) -> None:
    """Raise if an option works only where sqlrank itself reads the rows."""
    for option, refused, instead in (
        (spelt("ties", "input"), conventions.ties == "input", f"name a rank column and choose {spelt('ties', 'rank')}"),
        (spelt("ties", "error"), conventions.ties == "error", "choose an order of ties"),
        (
            f"{spelt('depth')} with {spelt('ties', 'average')}",
            conventions.ties == "average" and bool(conventions.depth),
            "choose one of them",
        ),
        (spelt("duplicates", "first"), conventions.duplicates == "first", f"choose {spelt('duplicates', 'best')}"),
        (
            spelt("collapse", "first"),
            conventions.collapse == "first",
            (
                f"choose {spelt('collapse', 'best')}, or keep the first chunks with {spelt('where')}, as in"
                f" {spelt('where', 'chunk = 0')}"
            ),
        ),
        (spelt("empty", "error"), conventions.empty == "error", f"choose {spelt('empty', 'zero')}, one or skip"),
        (spelt("relevance_map"), bool(reading.relevance_map), "map the labels in a view"),
        (spelt("database"), reading.database is not None, "name the tables as your session does"),
        (spelt("timezone"), reading.timezone is not None, "set the time zone of your session"),
        (spelt("input_format"), reading.input_format is not None, "name a relation"),
        (spelt("encoding"), reading.encoding is not None, "name a relation"),
        (spelt("header", False), not reading.header, "name a relation"),
        (spelt("scores"), reading.scores is not None, "name a relation that has them"),
    ):
        if refused:
            raise UsageError(f"{option} needs a look at the rows, which a statement cannot take; {instead}")
