"""The Python interface: whatever is passed, what is wrong is said in its words, and by an error of ours."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrank
from sqlrank.arguments import KINDS
from sqlrank.comparison.options import CompareOptions, LikenessOptions
from sqlrank.evaluation.options import EvaluateOptions, Options
from sqlrank.export.options import ChartOptions, MacroOptions, SqlOptions
from sqlrank.judging.options import GsbOptions, PoolOptions
from sqlrank.monitoring.options import MonitorOptions
from sqlrank.options.declared import options_of
from sqlrank.options.kinds import Kind
from tests.support.examples import examples
from tests.support.tables import each, hold

RUN = {"q": {"d": 1.0, "e": 0.5}, "r": {"d": 1.0}}
QRELS = {"q": {"d": 1}, "r": {"e": 1}}
INPUTS = {"run", "runs", "qrels", "positives", "queries", "items", "history", "baseline", "engine", "judgments", "self"}
INPUTS |= {"scores", "baseline_run"}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "evaluate": sqlrank.evaluate,
    "compare": sqlrank.compare,
    "likeness": sqlrank.likeness,
    "gsb": sqlrank.gsb,
    "pool": sqlrank.pool,
    "monitor": sqlrank.monitor,
    "monitor_sql": sqlrank.monitor_sql,
    "sql": sqlrank.sql,
    "macros": sqlrank.macros,
    "Evaluator": sqlrank.Evaluator.__init__,
}
RECORDS: dict[str, type] = {
    "evaluate": EvaluateOptions,
    "compare": CompareOptions,
    "likeness": LikenessOptions,
    "gsb": GsbOptions,
    "pool": PoolOptions,
    "monitor": MonitorOptions,
    "monitor_sql": ChartOptions,
    "sql": SqlOptions,
    "macros": MacroOptions,
    "Evaluator": EvaluateOptions,
}
ERRORS = (sqlrank.UsageError, sqlrank.DataError, sqlrank.ResourceError)
NOTHING = object()
WRONG: dict[str, list[Any]] = {
    "text": [3, b"x", ["a"], {"a": 1}, 1.5, True, NOTHING],
    "whole": ["a", 1.5, [1], {"a": 1}, True, NOTHING],
    "number": ["x", float("nan"), float("inf"), 10**400, True, [1], NOTHING],
    "word_or_number": [b"x", ["a"], {"a": 1}, True, float("nan"), NOTHING],
    "texts": [5, [5], {"a": 1}, b"x", NOTHING],
    "conditions": [5, [5], {"a": 1}, b"x", NOTHING],
    "names": [3, "x", {"a": 1}, {1: "a"}, NOTHING],
    "labels": [3, "x", {"E": "x"}, {"E": 10**400}, {1: 0.1}, NOTHING],
    "bounds": [3, "x", {"ap": 10**400}, {"ap": None}, {1: 0.1}, NOTHING],
    "path": [3, "", b"x", NOTHING],
    "systems": [[], {}, 3, {1: RUN}, {"": RUN}],
    "pair": ["table", 3, ("table",), ("table", 3), {"table": "t"}, NOTHING],
    "connection": ["x", 3],
    "seconds": ["x", True, float("nan"), NOTHING],
}
ROWS: list[Any] = [
    3, 1.5, True, b"x", {1, 2}, range(3), numpy.zeros((2, 3)), numpy.float64(3), object(), lambda: 1, [[]],
    [("q", "d", 1.0)], [None], {"q": 3}, {"q": {"d": "x"}}, {"q": {"d": [1]}}, {"q": {"d": 10**400}},
    {"q": {"d": 1j}}, {float("nan"): {"d": 1}}, {None: {"d": 1}}, {"q": {None: 1}}, {"q": [("d", 1.0)]},
    (one for one in [1]), "nowhere.csv", "", "a\0b",
]  # fmt: skip


def call(name: str, **options: Any) -> None:
    """Call a function of the interface on rows that are right, but for these options."""
    if name in ("sql", "macros", "monitor_sql"):
        inputs = {"sql": {"run": "r", "qrels": "j"}, "monitor_sql": {"run": "r"}}
        given: dict[str, Any] = dict(inputs.get(name, {}))
        FUNCTIONS[name](**given | options)
        return
    if name == "gsb":
        Path("v.csv").write_text("query_id,verdict\nq,good\nr,bad\n")
        sqlrank.gsb(**{"judgments": "v.csv"} | options).close()
    elif name == "evaluate":
        sqlrank.evaluate(**{"run": None if "systems" in options else RUN, "qrels": QRELS} | options).close()
    elif name == "Evaluator":
        sqlrank.Evaluator(**{"qrels": QRELS} | options)(RUN).close()
    elif name == "monitor":
        FUNCTIONS[name](**{"run": RUN, "qrels": QRELS} | options).close()
    else:
        given = {"runs": None if "systems" in options else [RUN, QRELS]}
        FUNCTIONS[name](**given | ({"qrels": QRELS} if name == "compare" else {}) | options).close()


def parameters(name: str) -> list[str]:
    """The names of the arguments of a function, its options among them."""
    found = inspect.signature(FUNCTIONS[name]).parameters.values()
    plain = [one.name for one in found if one.kind is not inspect.Parameter.VAR_KEYWORD]
    return list(dict.fromkeys([*plain, *(Options.__annotations__ if len(plain) < len(found) else ())]))


def kind_of(function: str, name: str) -> Kind:
    """What an argument takes, declared in the record of its function or by its name."""
    options = options_of(RECORDS.get(function, Options))
    return options[name].kind if name in options else KINDS[name]


CASES = [
    (function, name, value)
    for function in FUNCTIONS
    for name in parameters(function)
    if name not in INPUTS
    for value in WRONG.get(kind_of(function, name).take.__name__, [3, "x", None, NOTHING])
    if not (function == "macros" and name == "by")
]


def test_every_argument_is_an_input_or_has_a_kind() -> None:
    for function in FUNCTIONS:
        declared = options_of(RECORDS.get(function, Options))
        assert set(parameters(function)) <= INPUTS | set(KINDS) | set(declared)


@each(CASES)
def test_a_wrong_argument_is_an_error_that_names_it(case: tuple[str, str, Any]) -> None:
    function, name, value = case
    if function == "likeness" and name == "metrics" and isinstance(value, Mapping):
        return  # likeness takes the keys
    with pytest.raises(sqlrank.UsageError, match=rf"^{name}= takes ") as raised:
        call(function, **{name: value})
    assert "--" not in str(raised.value)


def test_what_is_no_input_is_an_error_of_ours() -> None:
    """Each row as a run and as judgments, and as three of the other inputs by turns: all are read by one reader."""
    first: list[Callable[[Any], Any]] = [
        lambda rows: sqlrank.evaluate(rows, QRELS),
        lambda rows: sqlrank.evaluate(RUN, rows),
    ]
    others: list[Callable[[Any], Any]] = [
        lambda rows: sqlrank.evaluate(RUN, positives=rows),
        lambda rows: sqlrank.evaluate(systems={"a": rows}, qrels=QRELS),
        lambda rows: sqlrank.evaluate(RUN, QRELS, "coverage@5", items=rows),
        lambda rows: sqlrank.compare([RUN, rows], QRELS),
        lambda rows: sqlrank.compare(rows, QRELS),
        lambda rows: sqlrank.likeness([RUN, rows]),
        lambda rows: sqlrank.gsb(rows),
        lambda rows: sqlrank.Evaluator(QRELS)(rows),
    ]

    def check(number: int) -> None:
        for asked in (*first, *((others * 2)[3 * number % len(others) :][:3])):
            with pytest.raises(ERRORS):
                asked(ROWS[number])

    hold({f"{number} {type(rows).__name__}": number for number, rows in enumerate(ROWS)}, check)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=3),
    st.lists(st.integers() | st.text(max_size=3), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)  # fmt: skip


@examples(50)
@given(name=st.sampled_from(sorted(set(Options.__annotations__) - INPUTS)), value=VALUES)
def test_any_value_of_any_option_is_followed_or_refused(name: str, value: Any) -> None:
    with suppress(*ERRORS):
        sqlrank.sql("r", "j", ["ndcg@10"], **{name: value})


@each(["evaluate", "compare", "likeness", "gsb"])
def test_a_closed_result_says_so(kind: str) -> None:
    Path("v.csv").write_text("query_id,verdict\nq,good\nr,bad\n")
    makers: dict[str, Callable[[], Any]] = {
        "evaluate": lambda: sqlrank.evaluate(RUN, QRELS),
        "compare": lambda: sqlrank.compare([RUN, QRELS], QRELS),
        "likeness": lambda: sqlrank.likeness([RUN, QRELS]),
        "gsb": lambda: sqlrank.gsb("v.csv"),
    }
    made = makers[kind]()
    made.close()
    made.close()

    with pytest.raises(sqlrank.UsageError, match="the result is closed"):
        _ = made.rows
    with pytest.raises(sqlrank.UsageError, match="the result is closed"):
        repr(made)


def test_a_closed_result_on_a_connection_that_was_passed_says_so_too() -> None:
    with duckdb.connect() as connection:
        made = sqlrank.evaluate(RUN, QRELS, ["ap"], connection=connection)
        made.close()
        with pytest.raises(sqlrank.UsageError, match="the result is closed"):
            _ = made["ap"]
    with pytest.raises(sqlrank.UsageError, match="the connection cannot be used"):
        sqlrank.evaluate(RUN, QRELS, connection=connection)


def test_methods_of_results_look_at_their_arguments() -> None:
    with sqlrank.evaluate(RUN, QRELS, ["ap"]) as made, sqlrank.compare([RUN, QRELS], QRELS, "ap") as compared:
        for asked in (
            lambda: made[3],  # type: ignore[index]
            lambda: made.value("ap", system=3),  # type: ignore[arg-type]
            lambda: made.explain(3),  # type: ignore[call-overload]
            lambda: made.explain("q", rows="x"),  # type: ignore[call-overload]
            lambda: made.report(3),  # type: ignore[arg-type]
            lambda: made.report("x.html", title=3),  # type: ignore[arg-type]
            lambda: compared.power(sizes="x"),  # type: ignore[arg-type]
            lambda: compared.movers("x"),  # type: ignore[arg-type]
            lambda: compared.row_of(3),  # type: ignore[arg-type]
        ):
            with pytest.raises(sqlrank.UsageError, match="takes"):
                asked()
        with pytest.raises(sqlrank.UsageError, match=r"^most=0: ask for 1 or more"):
            compared.movers(0)


@each(["--rel 5", "--where country", "-m ndcg@10", "--column query_id=NAME"])
def test_what_an_error_or_a_note_quotes_of_the_data_stays_as_it_is(text: str) -> None:
    twice = pandas.DataFrame({"query_id": [text, text], "doc_id": ["d", "d"], "score": [2.0, 1.0]})
    with pytest.raises(sqlrank.DataError, match=re.escape(f"query {text!r}")) as raised:
        sqlrank.evaluate(twice, {text: {"d": 1}}, ["ap"])
    assert "choose duplicates='best'" in str(raised.value)
    late = pandas.DataFrame({"query_id": [text, text], "doc_id": ["d", "e"], "rank": [2, 3]})
    with sqlrank.evaluate(late, {text: {"d": 1}}, ["ap"]) as made:
        assert any(f"query {text!r}" in note and "with order='rank'" in note for note in made.notes), made.notes


def test_notes_speak_of_arguments_too() -> None:
    with sqlrank.evaluate(RUN, QRELS, ["ap"], checks=False) as made:
        assert "the inputs were not checked (checks=False)" in made.notes


def test_numbers_of_other_libraries_are_numbers() -> None:
    options: Any = {"rel": numpy.float32(1), "depth": numpy.int64(1)}
    with sqlrank.evaluate(RUN, QRELS, ["ap"], **options) as made:
        assert made["ap"] == 0.5
