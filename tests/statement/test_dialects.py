"""What engines misread, looked for in the text of every dialect: those that cannot be run here are parsed at least."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

import sqlrank
from sqlrank.dialects import DIALECTS, PLAIN_NAME, REDSHIFT, SPARK, Dialect
from sqlrank.errors import UsageError
from sqlrank.metrics.language import parse_measures
from tests.metrics import test_diversity as diversity
from tests.metrics import test_readers as readers
from tests.metrics import test_recommender as recommender
from tests.metrics import test_score_pairs as score_pairs
from tests.support.cases import BROAD, FAMILIES, texts
from tests.support.cli_helper import ROOT
from tests.support.components import package
from tests.support.sessions import HERE

PARSERS = {name: "postgres" if name == "datafusion" else name for name in DIALECTS}
"""What sqlglot calls each dialect."""
KINDS = {"score": "double", "relevance": "double", "traffic": "double", "rank": "bigint"}
INPUTS = {"items": "items", "history": "history", "baseline_run": "baseline"}
SHALLOW = [case.text for case in BROAD if ":" not in case.parameters.get("gain", "")]

REQUESTS: dict[str, tuple[str | None, list[str], dict[str, Any]]] = {
    **{
        family: ("j", [text for text in texts(cases[::3]) if ":" not in text], {}) for family, cases in FAMILIES.items()
    },
    "scores": ("j", texts(score_pairs.CASES), {}),
    "areas": ("j", texts(score_pairs.AUC), {}),
    "shown": ("j", texts(recommender.CASES), INPUTS),
    "whole": ("j", texts(recommender.WHOLE), INPUTS),
    "shown without judgments": (None, texts(recommender.CASES), INPUTS | {"ties": "number-desc"}),
    "whole without judgments": (None, texts(recommender.WHOLE), INPUTS | {"query_set": "run"}),
    "readers": ("j", texts(readers.CASES), {"items": "i"}),
    "places": ("j", ["p@5", "ap", "ndcg@10"], {"order": "rank"}),
    "by place": ("j", ["ap", "g", "ndcg_rel", "ndcg", "rndcg(gain=exp2)", "bpref"], {}),
    "by place of systems": ("j", ["g", "rr"], {"columns": {"system": "system"}, "query_set": "run"}),
    "subtopics": ("j", ["alpha_dcg@3", "err_ia@3", "ap_ia", "p_ia@3", "subtopic_recall@3"], {}),
    "systems": ("j", SHALLOW[::3], {"columns": {"system": "system"}, "query_set": "run", "unjudged": "remove"}),
    "labelled": (None, SHALLOW[::3], {"columns": {"system": "system"}, "judgments": "mean", "duplicates": "best"}),
    "averaged": ("j", ["ndcg(gain=binary)@10", "p@5", "ndcg(gain=exp2)"], {"ties": "average"}),
    "segments": ("j", SHALLOW[::4], {"queries": "q", "by": ["queries.country"], "weight": "queries.traffic"}),
    "summary": ("j", SHALLOW[::4], {"queries": "q", "by": ["queries.country"], "summary": True}),
    "worst": ("j", SHALLOW[::4], {"ties": "worst", "depth": 7, "order": "asc", "empty": "skip"}),
}


def statement(dialect: str, request: str) -> str:
    """The text of a request."""
    qrels, asked, options = REQUESTS[request]
    return sqlrank.sql("r", qrels, asked, dialect=dialect, **options)


def parsed(dialect: str, request: str) -> Any:
    """The same as sqlglot reads it."""
    sqlglot = package("sqlglot", "engines")
    (tree,) = sqlglot.parse(
        re.sub(r"\nsettings .*\n\Z", "\n", statement(dialect, request)),
        read=PARSERS[dialect],
        error_level=sqlglot.ErrorLevel.RAISE,
    )
    return tree


TYPED = ("snowflake", "spark")
"""Dialects in which the type of every expression is derived: the one with the fewest places after the point, and one
whose decimals have few in a mean. What is divided is the same in all."""
EACH = [(dialect, request) for dialect in DIALECTS for request in REQUESTS]


def of_list(node: Any) -> bool:
    """Whether it says which values make a list, which is written for DuckDB alone."""
    exp = package("sqlglot.expressions", "engines")
    return isinstance(node, exp.Filter) and isinstance(node.this, exp.ArrayAgg)


@pytest.mark.parametrize(("dialect", "request_"), EACH, ids=lambda part: str(part).replace(" ", "_"))
def test_a_statement_parses_and_has_no_construct_that_some_engine_misreads(dialect: str, request_: str) -> None:
    tree = parsed(dialect, request_)
    exp = package("sqlglot.expressions", "engines")
    kinds = (exp.Log, exp.Filter, exp.Qualify, exp.Greatest, exp.Least, exp.AnyValue, exp.ArgMax, exp.Unnest)
    found = [node for node in tree.find_all(*kinds) if not of_list(node)]
    assert [str(node) for node in found] == []
    assert [str(node) for node in tree.find_all(exp.Star) if not isinstance(node.parent, exp.Count)] == []
    assert [str(node) for node in tree.find_all(exp.Subquery) if not node.alias] == []
    assert not tree.find(exp.With).args.get("recursive")
    bare = {node.this for node in tree.find_all(exp.Identifier) if not node.args.get("quoted")}
    assert bare & reserved_words(dialect) == set()
    keys = {strip_names(node.this) for node in tree.find_all(exp.Ordered)}
    assert {key for key in keys if not re.fullmatch(NEVER_NULL, key)} == set(), "an order key that may be null"


NEVER_NULL = "|".join(
    [
        "score|doc_id|query_id|rank|returned_rank|place|depth|times|exposure",
        r"count\(\*\)",
        r"coalesce\(relevance, 0\)",
        r"cast\(doc_id as text\) collate \w+",
        r"length\(.*doc_id.*\)",
        "relevance",  # of the judgments, whose rows without one are left out
        r"case when .* else .* end",
        r"(try_)?cast\(.* as .*\)( \+ 0(\.0)?)?",
    ]
)


def strip_names(node: Any) -> str:
    """An order key without the relation of its columns."""
    return re.sub(r"\b\w+\.(?=\w)", "", node.sql(normalize_functions="lower").lower().replace('"', ""))


@pytest.mark.parametrize(("dialect", "request_"), [*product(TYPED, REQUESTS)])
def test_nothing_is_divided_or_averaged_but_doubles(dialect: str, request_: str) -> None:
    exp = package("sqlglot.expressions", "engines")
    tree = typed(dialect, request_)
    doubles = {exp.DataType.Type.DOUBLE, exp.DataType.Type.FLOAT}
    whole = [
        str(node)
        for node in tree.find_all(exp.Div)
        if DIALECTS[dialect].one != "1"  # where two whole numbers divide as doubles, and average so, they may
        and not {node.left.type.this, node.right.type.this} & doubles
        and not constant(node)
        and not re.match(EXACT_SUMS, node.sql(), re.IGNORECASE)
    ]
    assert whole == []
    exact = doubles | ({exp.DataType.Type.INT} if DIALECTS[dialect].one == "1" else set())
    averaged = [str(node) for node in tree.find_all(exp.Avg) if node.this.type.this not in exact or decimal(node)]
    assert averaged == []
    summed = [node.this for node in tree.find_all(exp.Sum)]
    booleans = [str(node) for node in summed if node.type.this == exp.DataType.Type.BOOLEAN]
    assert booleans == []


def decimal(node: Any) -> bool:
    """Whether a number with a point decides a type: Spark keeps few places of the mean of such numbers."""
    exp = package("sqlglot.expressions", "engines")
    kinds = (exp.Cast, exp.Pow, exp.Ln, exp.Exp)
    points = [literal for literal in node.find_all(exp.Literal) if "." in literal.this]
    return any(literal.find_ancestor(*kinds) is None for literal in points)


def constant(node: Any) -> bool:
    """Whether a division is of numbers that are written out, the first with a point."""
    return bool(re.fullmatch(r"\d+\.\d+ / \d+(\.\d+)?", node.sql()))


EXACT_SUMS = "sumkahan|fsum"
"""Aggregates of doubles whose type sqlglot does not know."""


def typed(dialect: str, request: str) -> Any:
    """A statement with the type of every expression."""
    tree = parsed(dialect, request)
    optimizer = package("sqlglot.optimizer", "engines")
    names = ["system", "query_id", "doc_id", "subtopic", "category", "country", "market", *KINDS]
    columns = {name: KINDS.get(name, "text") for name in names}
    schema = dict.fromkeys(("r", "j", "q", "items", "history", "baseline"), columns)
    reader = PARSERS[dialect]
    qualified = optimizer.qualify.qualify(
        tree, schema=schema, dialect=reader, validate_qualify_columns=False, identify=False
    )
    return optimizer.annotate_types.annotate_types(qualified, schema=schema, dialect=reader)


def reserved_words(dialect: str) -> set[str]:
    """The words that the engine refuses as bare names, as far as sqlglot knows them."""
    found = package("sqlglot.dialects.dialect", "engines").Dialect.get_or_raise(PARSERS[dialect])
    return {word for word in map(str.lower, found.generator_class.RESERVED_KEYWORDS) if PLAIN_NAME.match(word)}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_reserved_words_are_quoted(dialect: str) -> None:
    assert reserved_words(dialect) <= DIALECTS[dialect].reserved


HOSTILE = ["it's", 'a"b', "a`b", "back\\slash", "\\", "\\'", "select", "two words", "ünï 文", "-- no", "/*", "a\nb"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_names_and_values_are_one_token(dialect: str) -> None:
    sqlglot = package("sqlglot", "engines")
    exp = package("sqlglot.expressions", "engines")
    spoken = DIALECTS[dialect]
    for text in HOSTILE:
        value = sqlglot.parse_one(f"select {spoken.literal(text)}", read=PARSERS[dialect]).expressions[0]
        kind = exp.ByteString if spoken.literal(text).startswith("E'") else exp.Literal
        assert (type(value), value.this) == (kind, text), text
        if dialect == "bigquery" and ("`" in text or "\n" in text or "\\" in text):
            continue  # names that BigQuery cannot have
        named = sqlglot.parse_one(f"select {spoken.ident(text)}", read=PARSERS[dialect]).expressions[0]
        assert isinstance(named, exp.Column), text
        expected = text.replace("\\", "\\\\") if spoken.escapes_names else text
        assert named.name in (text, expected), text


@pytest.mark.parametrize("dialect", [name for name, spoken in DIALECTS.items() if not spoken.recursive_windows])
def test_a_greedy_ideal_is_refused_where_recursion_has_no_windows(dialect: str) -> None:
    for measure in parse_measures(texts(diversity.CASES)):
        if "ideal_novelty" in measure.metric.reads:
            with pytest.raises(UsageError, match="take alpha_dcg, err_ia or nrbp"):
                sqlrank.sql("r", "j", measure.text, dialect=dialect)


BACKTICKS = replace(SPARK, name="backticks", reserved=REDSHIFT.reserved, quoted=REDSHIFT.quoted)


@pytest.mark.parametrize("kind", [REDSHIFT, BACKTICKS], ids=lambda kind: kind.name)
def test_a_name_of_the_templates_that_is_reserved_is_quoted_as_the_dialect_does(
    kind: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DIALECTS, "spark", kind)
    text = sqlrank.sql("r", "j", "ap", dialect="spark", columns={"system": "variant"})
    outside = re.sub(r"--.*|'[^']*'", "", text)
    assert f"{kind.quote}system{kind.quote}" in outside
    assert not re.search(rf"(?<!{kind.quote})\bsystem\b", outside)
    assert ('"' in outside) == (kind.quote == '"')


def test_redshift_reads_system_as_a_name() -> None:
    text = statement("redshift", "systems")
    outside = re.sub(r"--.*|'[^']*'|\"system\"", "", text)
    assert not re.search(r"\bsystem\b", outside)


def test_clickhouse_is_told_to_join_as_the_standard_says() -> None:
    assert statement("clickhouse", "segments").rstrip().splitlines()[-1].startswith("settings join_use_nulls = 1")


def test_postgresql_orders_ids_by_their_bytes() -> None:
    text = statement("postgres", "systems")
    assert re.findall(r"cast\(doc_id as text\)(?! collate \"C\")", text) == []
    assert text.count('cast(doc_id as text) collate "C"') == 2


CONDITIONS = [
    ("bigquery", r"market = 'it\'s'", None),
    ("bigquery", "market = 'it''s' and `a b` > 1", None),
    ("bigquery", "market = 'a\\'", "a quote is not closed"),
    ("postgres", "market = 'a\\'", None),
    ("postgres", "market = $$x$$", "'$$'"),
    ("spark", "a > (1", "'(' is not closed"),
    ("spark", "a > 1) or (1 = 1", "')' closes nothing"),
    ("spark", "array(1, 2][0] = 1", "']' closes nothing"),
    ("snowflake", "1 = 1; drop table x", "';'"),
    ("snowflake", "1 = 1 -- x", "'--'"),
    ("snowflake", "1 = 1 /* x", "'/*'"),
    ("snowflake", " ", "it is empty"),
    ("spark", 'market = "it\'s; -- no" and `a"b` > 1', None),
    ("spark", 'market = "a', "a quote is not closed"),
    ("snowflake", "';' = '--' and \"--\" = 1", None),
]


@pytest.mark.parametrize(("dialect", "where", "problem"), CONDITIONS)
def test_a_condition_of_another_engine_is_one_expression(dialect: str, where: str, problem: str | None) -> None:
    if problem is None:
        assert where in sqlrank.sql("r", "j", "ap", dialect=dialect, where=where)
        return
    with pytest.raises(UsageError, match=re.escape(problem)):
        sqlrank.sql("r", "j", "ap", dialect=dialect, where=where)


def test_the_page_of_dialects_says_what_is_run_and_what_is_parsed() -> None:
    page = (ROOT / "docs" / "reference" / "dialects.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|", page, re.MULTILINE)
    proof = dict.fromkeys(HERE, "run it") | {"snowflake": "run it on fakesnow"}
    assert rows == [(name, spoken.title, proof.get(name, "parse it")) for name, spoken in DIALECTS.items()]
    greedy = [spoken.title for spoken in DIALECTS.values() if spoken.recursive_windows]
    assert f"which only {', '.join(greedy[:-1])} and {greedy[-1]} have" in " ".join(page.split())
