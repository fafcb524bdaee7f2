"""No form of a statement forgets a convention: what it changes in an evaluation it changes there, or it is refused.

A convention that is added to `Conventions` is tried here by itself where it has choices, else by a value in
`NUMBERS`; until every form knows it, or refuses it by name, this fails.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.conventions import NUMBER, Conventions
from sqlrank.errors import SqlrankError
from sqlrank.metrics.language import Language, parse_measures
from tests.support.cases import arrow, same
from tests.support.spark import spark_session
from tests.support.tables import hold

NUMBERS: dict[str, list[Any]] = {"rel": [2.0, 0.5], "top_relevance": [4.0, 2.0], "depth": [1, 3], "unjudged": [0.5, 2]}
"""Values of conventions that are numbers."""
SEGMENT = "kind"
OTHERS: list[dict[str, Any]] = [
    {"where": "market = 'de'", "query_set": "shared"},
    {"where": "score > 1", "query_set": "judged"},
    {"where": {"qrels": "relevance > 0.7"}},
    {"where": ["qrels: doc_id <> '2'", "run: market = 'de'"], "query_set": "shared"},
    {"weight": "1 + cast(substr(query_id, 2) as integer)", "query_set": "shared"},
    {"by": f"{SEGMENT}=case when query_id < 'q4' then 'few' else 'many' end", "query_set": "shared"},
    {"relevance_map": {"0": 0, "0.5": 3, "1": 2, "2": 1, "3": 0, "-1": 0}},
    {"like": "ranx"},
    {"like": "sklearn"},
    {"depth": 2, "unjudged": "remove"},
    {"ties": "worst", "duplicates": "best"},
    {"ties": "best", "order": "asc"},
    {"unjudged": 0.5, "duplicates": "best", "judgments": "max", "depth": 4},
    {"unjudged": 0.5, "ties": "average"},
    {"collapse": "sum", "depth": 2, "ties": "rank"},
    {"collapse": "best", "order": "asc"},
    {"collapse": "sum", "unjudged": "remove", "score_type": "float"},
]
"""Other options that change numbers, and conventions together."""
DOUBLE = [5.0, 5.00000001, 3.0, 3.0, 2.0, 1.0, 1.0]
"""Scores with ties, some of 32-bit numbers alone."""
Row = tuple[Any, ...]


def run_rows(copies: bool = False) -> list[Row]:
    """Rows of two systems; documents that are numbers and order otherwise as texts, unjudged ones, and copies."""
    found = []
    for system in ("a", "b"):
        for number in range(1, 7):
            docs = [str(doc) for doc in (9, 10, 3, 21, 2, 100, 30)]
            turn = number if system == "a" else number + 2
            docs = docs[turn % 7 :] + docs[: turn % 7]
            for place, (doc, score) in enumerate(zip(docs, DOUBLE, strict=True), 1):
                rank = float((place * 3 + number) % 7 + 1)
                market = "de" if (number + place) % 3 else "us"
                found.append((system, f"q{number}", doc, score, rank, GRADES.get((number, doc)), market))
        found += [(system, "q9", "3", 1.0, 1.0, None, "de")]
    return found + ([(*row[:3], row[3] - 2.5, row[4] + 7, *row[5:]) for row in found[1::2]] if copies else [])


GRADES = {
    (number, str(doc)): [3.0, 1.0, 0.5, -1.0, 2.0, 0.0, 3.0, 1.0][(number * 3 + place) % 8]
    for number in range(1, 7)
    for place, doc in enumerate([9, 10, 3, 21, 2, 55])
    if (number + place) % 5
}
GRADES |= {(5, doc): 0.0 for number, doc in GRADES if number == 5}
JUDGED = [(f"q{number}", doc, grade) for (number, doc), grade in GRADES.items()] + [("q8", "3", 2.0), ("q7", "9", 0.0)]
RATED = [*JUDGED, *((query, doc, 3.0 - grade) for query, doc, grade in JUDGED[::2])]
"""The judgments, half of them by two raters."""
RUN_COLUMNS = ("system", "query_id", "doc_id", "score", "rank", "relevance", "market")


@dataclass(frozen=True)
class Data:
    """The inputs of a case by their names."""

    run: Any
    qrels: Any
    several: Any
    labelled: Any
    relabelled: Any
    """The same with another name for the relevance."""
    weighed: Any
    """The judgments with weights, as the labels have."""
    unsigned: Any
    """The judgments without those below 0, which a pool takes for judged and unj@k does not."""

    @cached_property
    def session(self) -> duckdb.DuckDBPyConnection:
        """A session in which they are relations."""
        connection = duckdb.connect(config={"threads": 1})
        for name in ("run", "qrels", "several", "labelled", "relabelled", "weighed"):
            connection.register(f"{name}_data", getattr(self, name))
        return connection


def weight_of(query: str, doc: str) -> float:
    """The weight of a document, which differs from query to query."""
    return float(int(doc) * int(query[1:]) % 7 + 0.5)


@cache
def data(copies: bool, rated: bool) -> Data:
    """Inputs, with copies in the run, or with judgments by two raters."""
    rows = run_rows(copies)
    one = [row[1:5] + row[6:] for row in rows if row[0] == "a"]
    labelled = arrow(
        [(*row[1:], weight_of(*row[1:3])) for row in rows if row[0] == "a"], *RUN_COLUMNS[1:], "item_weight"
    )
    return Data(
        run=arrow(one, "query_id", "doc_id", "score", "rank", "market"),
        qrels=arrow(RATED if rated else JUDGED, "query_id", "doc_id", "relevance"),
        several=arrow([row[:5] + row[6:] for row in rows], "system", "query_id", "doc_id", "score", "rank", "market"),
        unsigned=arrow([row for row in (RATED if rated else JUDGED) if row[2] >= 0], "query_id", "doc_id", "relevance"),
        weighed=arrow(
            [(*row, weight_of(*row[:2])) for row in (RATED if rated else JUDGED)],
            *("query_id", "doc_id", "relevance", "item_weight"),
        ),
        labelled=labelled,
        relabelled=labelled.rename_columns({"relevance": "grade of it"}),
    )


Values = dict[tuple[Any, ...], dict[str, Any]]
"""The values by query (and system) and metric, or by metric (and system and segment)."""


@dataclass(frozen=True)
class Form:
    """One way to have the values of a request: which inputs it reads, and what gives them."""

    run: str
    metrics: tuple[str, ...]
    values: Callable[[Data, Form, dict[str, Any]], Values]
    summed: bool = False
    """Whether it gives one value for each metric."""
    judged: str = "qrels"

    @property
    def qrels(self) -> str | None:
        """The judgments of their own."""
        return None if self.run in ("labelled", "relabelled") else self.judged


def evaluated(inputs: Any, form: Form, options: dict[str, Any], **more: Any) -> Values:
    """What the evaluation gives."""
    qrels = None if form.qrels is None else getattr(inputs, form.qrels)
    metrics = list(form.metrics)
    with sqlrank.evaluate(getattr(inputs, form.run), qrels, metrics, **options, **more) as result:
        if form.summed:
            return summed(result.rows.columns, result.rows.fetchall(), form)
        relation: Any = result.per_query
        rows = relation.collect() if "engine" in more else relation.fetchall()
        return keyed(relation.columns, rows, columns_in(relation.columns), form)


def columns_in(columns: list[str]) -> list[str]:
    """The columns of metrics."""
    return [name for name in columns if name not in ("system", "query_id", "sqlrank_retrieved", SEGMENT)]


def keyed(columns: list[str], rows: list[Row], named: list[str], form: Form) -> Values:
    """Rows by query and system."""
    found = {}
    for row in rows:
        each = dict(zip(columns, row, strict=True))
        key = (each["query_id"], each["system"] if form.run == "several" else "", each.get(SEGMENT))
        found[key] = {name: each[name] for name in named}
    return found


def summed(columns: list[str], rows: list[Row], form: Form) -> Values:
    """Rows of means by metric, system and segment."""
    found = {}
    for row in rows:
        each = dict(zip(columns, row, strict=True))
        system = each["system"] if form.run == "several" else ""
        found[each["metric"], system, each.get(SEGMENT), each.get("is_total")] = {"value": each["value"]}
    return found


def computed(inputs: Data, text: str, form: Form, before: str = "") -> Values:
    """What a statement gives in a session, which keeps nothing of what is made there."""
    connection = inputs.session
    connection.begin()
    try:
        if before:
            connection.execute(before).fetchall()
        relation = connection.sql(text)
        rows, columns = relation.fetchall(), relation.columns
    finally:
        connection.rollback()
    if form.summed:
        return summed(columns, rows, form)
    return keyed(columns, rows, columns_in(columns), form)


def printed(inputs: Data, form: Form, options: dict[str, Any], dialect: str = "duckdb") -> Values:
    """What `sqlrank sql` prints gives; DuckDB reads the words of Spark too."""
    names = f"{form.run}_data", None if form.qrels is None else f"{form.qrels}_data"
    text = sqlrank.sql(*names, list(form.metrics), dialect=dialect, summary=form.summed, **options)
    return computed(inputs, text.replace("`", '"'), form)


def of_systems(inputs: Data, form: Form, options: dict[str, Any]) -> Values:
    """What the statement of whole systems gives."""
    names = f"{form.run}_data", None if form.qrels is None else f"{form.qrels}_data"
    return computed(inputs, sqlrank.sql(*names, list(form.metrics), **options), form)


def of_spark(inputs: Data, form: Form, options: dict[str, Any]) -> Values:
    """What the statement for Spark gives."""
    return printed(inputs, form, options, dialect="spark")


def in_spark(inputs: Data, form: Form, options: dict[str, Any]) -> Values:
    """What an evaluation in Spark gives, of files."""
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        for name in ("run", "qrels"):
            pq.write_table(getattr(inputs, name), f"{folder}/{name}.parquet")
        named = SimpleNamespace(run=f"{folder}/run.parquet", qrels=f"{folder}/qrels.parquet")
        return evaluated(named, form, options, engine=spark_session())


def created(inputs: Data, form: Form, options: dict[str, Any]) -> Values:
    """What a table holds that was made of a statement."""
    names = f"{form.run}_data", None if form.qrels is None else f"{form.qrels}_data"
    text = sqlrank.sql(*names, list(form.metrics), create=("table", "made"), **options)
    return computed(inputs, "from made", form, before=text)


def added(inputs: Data, form: Form, options: dict[str, Any]) -> Values:
    """What a table of partitions holds, of which there is one."""
    day = "create view days as select 1 as ds, * from run_data; "
    text = sqlrank.sql(
        "days",
        "qrels_data",
        list(form.metrics),
        create=("table", "made"),
        incremental="ds",
        **{"query_set": "judged"} | options,
    )
    return computed(inputs, "select * exclude (ds) from made", form, before=day + text)


def in_macros(inputs: Data, form: Form, options: dict[str, Any]) -> Values:
    """What the macros of DuckDB give."""
    name = "rank_summary" if form.summed else "rank_metrics"
    text = sqlrank.macros(list(form.metrics), **options)
    return computed(inputs, f"from {name}('{form.run}_data', '{form.qrels}_data')", form, before=text)


def pooled(inputs: Data, form: Form, options: dict[str, Any]) -> Values:
    """How much of each ranking a pool finds unjudged, as unj@3 says."""
    depth = {"depth": min(options["depth"], 3)} if "depth" in options else {"depth": 3}
    with sqlrank.pool(inputs.run, inputs.unsigned, "ndcg@3", **(options | depth)) as pool:
        pairs = Counter(row[0] for row in pool.rows.select("query_id").fetchall())
    return {key: row | {"unj_at_3": pairs[key[0]] / 3} for key, row in evaluated(inputs, form, options).items()}


WEIGHED = ("ndcg(weight=item)@3", "ap(weight=item)", "pairwise_accuracy(weight=item)", "p(weight=item)@2")
FORMS = {
    "plain": Form("run", ("ndcg@3",), printed),
    "joined": Form("run", ("ap", "ndcg@5"), printed),
    "observations": Form("run", ("bpref", "p@3", "ndcg(gain=exp2)@3", "rprec", "unj@3", "num_ret"), printed),
    "an ideal of its own": Form("run", ("ndcg(ideal=retrieved)@3", "dcg@3"), printed),
    "an ideal of the scale": Form("run", ("ndcg(ideal=full)@3", "sdcg@3"), printed),
    "groups": Form("run", ("gauc", "err@3"), printed),
    "labelled": Form("labelled", ("ndcg@3", "ap"), printed),
    "labelled alone": Form("labelled", ("ndcg@3",), printed),
    "labelled observations": Form("labelled", ("bpref", "p@3", "rr"), printed),
    "labels of another name": Form("relabelled", ("ndcg@3", "ap"), printed),
    "observations of labels of another name": Form("relabelled", ("bpref", "err@3"), printed),
    "systems": Form("several", ("ndcg@3", "ap", "bpref"), printed),
    "united": Form("run", ("ndcg@3", "ap"), of_spark),
    "spark's observations": Form("run", ("bpref", "p@3", "err@3"), of_spark),
    "weights": Form("run", WEIGHED, printed, judged="weighed"),
    "weights beside others": Form("run", (*WEIGHED, "ndcg@3", "ap"), printed, judged="weighed"),
    "weights of labels": Form("labelled", WEIGHED, printed),
    "weights of systems": Form("several", WEIGHED, printed, judged="weighed"),
    "spark's weights": Form("run", WEIGHED, of_spark, judged="weighed"),
    "means by weights": Form("several", WEIGHED, printed, summed=True, judged="weighed"),
    "table by weights": Form("run", WEIGHED, created, judged="weighed"),
    "summary": Form("run", ("ndcg@3", "ap", "num_rel"), printed, summed=True),
    "summary of systems": Form("several", ("ndcg@3", "rr"), printed, summed=True),
    "whole systems": Form("run", ("auc", "gini(over=shown)@3"), of_systems, summed=True),
    "table": Form("run", ("ndcg@3", "ap"), created),
    "partition": Form("run", ("ndcg@3", "bpref"), added),
    "macros": Form("run", ("ndcg@3", "ap", "p@3"), in_macros),
    "macros of a scale": Form("run", ("err@3", "ndcg(ideal=full)@3"), in_macros),
    "macro of means": Form("run", ("ndcg@3", "ap"), in_macros, summed=True),
    "pool": Form("run", ("unj@3",), pooled, judged="unsigned"),
}


PLACES: dict[Callable[..., Values], str] = {
    printed: "sql/macros/steps.sql, sql/steps",
    of_systems: "sql/overall.sql",
    of_spark: "sql/spark, sql/steps",
    created: "sqlrank/export/created.py, sql/create.sql",
    added: "sql/steps/partition.sql",
    in_macros: "sqlrank/export/duckdb_macros.py",
    pooled: "sql/pooling",
}
"""Where a form that has forgotten a convention is taught it, or refuses it by its name."""


def alternatives() -> Iterator[dict[str, Any]]:
    """Every convention at every value besides its default."""
    for item in fields(Conventions):
        words = [word for word in item.metadata["choices"] or () if word != NUMBER]
        choices = [*words, *NUMBERS.get(item.name, ())]
        assert len(choices) > 1, f"{item.name} has no choices: give it values in NUMBERS"
        yield from ({item.name: value} for value in choices if value != item.default)


def inputs_of(options: Mapping[str, Any]) -> Data:
    """The inputs that a request can be made of."""
    copies = options.get("duplicates", "error") != "error" or options.get("collapse", "none") != "none"
    return data(copies, options.get("judgments", "error") != "error")


CASES = [*alternatives(), *OTHERS]
STEP = 24
"""Of how many options a form is asked one by default; the forms take turns."""


def named(options: Mapping[str, Any]) -> str:
    """The name of a case."""
    return ",".join(f"{name}={value}" for name, value in options.items())


def outcome(form: Form, inputs: Data, options: dict[str, Any], given: Callable[..., Values]) -> Values | str:
    """The values, or the message that refuses them."""
    columns = {"several": {"system": "system"}, "relabelled": {"run.relevance": "grade of it"}}
    more = {"columns": columns[form.run]} if form.run in columns else {}
    try:
        return given(inputs, form, options | more)
    except SqlrankError as error:
        return str(error)


def differences(found: Values, wanted: Values) -> list[str]:
    """Where two sets of values differ."""
    if found.keys() != wanted.keys():
        return [f"keys {sorted(found.keys() ^ wanted.keys())}"]
    return [
        f"{name} of {key}: {found[key].get(name)} for {value}"
        for key, row in wanted.items()
        for name, value in row.items()
        if not same(found[key].get(name), value)
    ]


def evaluated_together(inputs: Data, options: dict[str, Any]) -> dict[str, Values | str]:
    """The values of each form: forms that read the same rows are evaluated by one request, if it can be.

    Judgments with weights are the others' rows, and so are labels of another name.

    A request that is refused for one of its metrics says nothing of the others, so each form is then asked alone.
    """
    found: dict[str, Values | str] = {}
    alike: dict[str, dict[str, Form]] = {}
    for name, form in FORMS.items():
        if form.judged == "unsigned":
            found[name] = outcome(form, inputs, options, evaluated)
        else:
            alike.setdefault(form.run.removeprefix("re"), {})[name] = form
    for run, forms in alike.items():
        metrics = dict.fromkeys(metric for form in forms.values() for metric in form.metrics)
        values = outcome(Form(run, tuple(metrics), printed, judged="weighed"), inputs, options, evaluated_in_both_ways)
        for name, form in forms.items():
            if isinstance(values, str):
                found[name] = outcome(form, inputs, options, evaluated)
            else:
                found[name] = of_form(values, form, Language(rel=options.get("rel", 1.0)))
    return found


def evaluated_in_both_ways(inputs: Data, form: Form, options: dict[str, Any]) -> Values:
    """The values by query, and the means by metric."""
    qrels = None if form.qrels is None else getattr(inputs, form.qrels)
    with sqlrank.evaluate(getattr(inputs, form.run), qrels, list(form.metrics), **options) as result:
        per_query = result.per_query
        found = keyed(per_query.columns, per_query.fetchall(), columns_in(per_query.columns), form)
        return found | summed(result.rows.columns, result.rows.fetchall(), form)


def of_form(values: Values, form: Form, language: Language) -> Values:
    """What of the values of many metrics one form gives."""
    measures = parse_measures(list(form.metrics), language)
    texts, columns = {measure.text for measure in measures}, {measure.column for measure in measures}
    if form.summed:
        return {key: row for key, row in values.items() if len(key) == 4 and key[0] in texts}
    return {
        key: {name: value for name, value in row.items() if name in columns}
        for key, row in values.items()
        if len(key) == 3
    }


def holds(form: str, options: dict[str, Any], wanted: Values | str) -> None:
    """A form gives what the evaluation gives, or refuses the option by its name."""
    asked, inputs = FORMS[form], inputs_of(options)
    found = outcome(asked, inputs, options, asked.values)
    if isinstance(found, str):
        words = [word for name in options for word in (name, name.replace("_", "-"))]
        assert "like" in options or any(word in found for word in words), f"refused, but not by name: {found}"
    elif isinstance(wanted, str):
        # An evaluation stops at what it sees in the rows; --check is for those of a statement.
        assert re.search(r"--check|ties|nothing to find|min|copies|more than once|are above|give labels", wanted), (
            wanted
        )
    else:
        forgotten = differences(found, wanted)
        assert not forgotten, f"the form {form} ({PLACES[asked.values]}) does not know {named(options)}: {forgotten}"


@pytest.mark.needs("random")
@pytest.mark.parametrize("options", CASES, ids=named)
def test_every_form_gives_what_the_evaluation_gives_or_refuses_the_option(options: dict[str, Any]) -> None:
    wanted = evaluated_together(inputs_of(options), options)
    hold({form: form for form in FORMS}, lambda form: holds(form, options, wanted[form]))


@pytest.mark.parametrize("form", FORMS)
def test_a_form_gives_what_the_evaluation_gives(form: str) -> None:
    """Each form under some of the options, so that all options are asked, and every form; all pairs are asked above."""
    place = list(FORMS).index(form)
    asked, some = FORMS[form], CASES[place % STEP :: STEP]
    hold(
        {named(options): options for options in some},
        lambda options: holds(form, options, outcome(asked, inputs_of(options), options, evaluated)),
    )


@pytest.mark.needs("spark")
@pytest.mark.parametrize("options", CASES, ids=named)
def test_an_evaluation_in_spark_gives_what_one_in_duckdb_gives(options: dict[str, Any]) -> None:
    form = Form("run", ("ndcg@3", "ap", "p@3"), in_spark)
    inputs = inputs_of(options)
    wanted, found = outcome(form, inputs, options, evaluated), outcome(form, inputs, options, in_spark)
    if isinstance(found, str):
        words = [word for name in options for word in (name, name.replace("_", "-"))]
        assert isinstance(wanted, str) or "like" in options or any(word in found for word in words), found
    else:
        assert not isinstance(wanted, str), wanted
        assert differences(found, wanted) == []


@pytest.mark.parametrize("item", fields(Conventions), ids=lambda item: item.name)
def test_every_convention_changes_a_number_of_the_cases(item: Any) -> None:
    def value(form: str, options: dict[str, Any], under: dict[str, Any]) -> Any:
        return outcome(FORMS[form], inputs_of(options), under, evaluated)

    told = [options for options in alternatives() if item.name in options]
    changed = (
        value(form, each, {}) != value(form, each, each)
        for each in told
        for form in ("observations", "plain", "groups")
    )
    assert any(changed), f"no number shows what {item.name} does: the data of this test do not need it"
