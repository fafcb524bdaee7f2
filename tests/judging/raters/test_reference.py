"""`sqlrank agreement` against a reference: confusion and bias by hand, beside statsmodels and numpy, and errors."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy import stats
from statsmodels.regression import linear_model

import sqlrank
from sqlrank.judging.raters.bias import WITHHELD
from sqlrank.output.agreement import agreement_table, reference_tables
from sqlrank.pages.terminal_tables import Screen, write_table
from tests.support.cli_helper import completed, error_of
from tests.support.verdict_data import arrow

WORKED = "1 a 0 1,1 b 2 2,2 a 0 0,2 b 1 2,3 a 1 1,3 b 2 2,4 a 0 1,4 b 2 1,5 a 1 2,5 b 0 1"
"""Query, document, and the grades of people and of a model: the means of their differences are 1/2, 1/2, 0, 0 and 1."""
BIAS = ("part", "value", "pairs", "queries", "bias", "ci_low", "ci_high")


def written(name: str, rows: Sequence[Sequence[Any]], header: str = "query_id,doc_id,relevance") -> str:
    """Rows as a file of CSV."""
    Path(f"{name}.csv").write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return f"{name}.csv"


def judged(rows: str = WORKED) -> list[str]:
    """The files of people and of a model."""
    found = [row.split() for row in rows.split(",")]
    people = written("people", [(f"q{query}", doc, grade) for query, doc, grade, _ in found])
    return [people, written("model", [(f"q{query}", doc, grade) for query, doc, _, grade in found])]


def ranked(name: str, rows: str) -> str:
    """A run: the documents of each query in order, as `1 a b,2 b`."""
    lists = [row.split() for row in rows.split(",")]
    lines = [(f"q{query}", doc, -place) for query, *docs in lists for place, doc in enumerate(docs)]
    return written(name, lines, "query_id,doc_id,score")


def rows_of(relation: Any, *names: str) -> list[tuple[Any, ...]]:
    """Some columns of a relation."""
    return [tuple(row) for row in relation.project(", ".join(names)).fetchall()]


def test_ten_pairs_by_hand() -> None:
    with sqlrank.agreement(judged()) as result:
        assert result.reference == "people"
        assert rows_of(result.confusion(), "reference_grade", "grade", "pairs", "share") == [
            (0, 0, 1, 1 / 4),
            (0, 1, 3, 3 / 4),
            (0, 2, 0, 0),
            (1, 0, 0, 0),
            (1, 1, 1, 1 / 3),
            (1, 2, 2, 2 / 3),
            (2, 0, 0, 0),
            (2, 1, 1, 1 / 3),
            (2, 2, 2, 2 / 3),
        ]
        # The means of the queries are 0.1, 0.1, -0.4, -0.4 and 0.6 from 0.4: their variance is 0.7 / 4.
        margin = 2.7764451 * (0.7 / 4 / 5) ** 0.5
        assert rows_of(result.bias(), *BIAS) == [
            ("total", None, 10, 5, pytest.approx(0.4), pytest.approx(0.4 - margin), pytest.approx(0.4 + margin)),
            ("grade", "0", 4, 4, 0.75, None, None),
            ("grade", "1", 3, 3, pytest.approx(2 / 3), None, None),
            ("grade", "2", 3, 3, pytest.approx(-1 / 3), None, None),
        ]
        assert set(rows_of(result.bias(), "rater")) == {("model",)}


def test_the_other_way_round_the_bias_has_the_other_sign() -> None:
    with sqlrank.agreement(judged()) as one, sqlrank.agreement(judged(), reference="model") as other:
        (_, _, bias, low, high), (_, _, turned, turned_low, turned_high) = [
            rows_of(each.bias(), "pairs", "queries", "bias", "ci_low", "ci_high")[0] for each in (one, other)
        ]
        assert (bias, low, high) == pytest.approx((-turned, -turned_high, -turned_low))


def test_a_terminal_of_80_columns_shows_counts_shares_and_where_the_bias_is() -> None:
    first, second = ranked("old", "1 a,2 a,3 a,4 a,5 a"), ranked("new", "1 b,2 b,3 b,4 b,5 b")
    lines = completed("agreement", *judged(), "--run", first, "--run", second).out.splitlines()
    at = lines.index("people \\ model         0         1         2  pairs")
    assert lines[at + 1].split() == ["0", "1", "(25", "%)", "3", "(75", "%)", "0", "(0", "%)", "4"]
    assert lines[at + 5].split() == ["bias", "to", "people", "value", "pairs", "queries", "bias", "95", "%", "interval"]
    assert lines[at + 6].split() == ["total", "-", "10", "5", "+0.4000", "-0.1194", "to", "+0.9194"]
    assert lines[at + 10].split()[:5] == ["system", "old", "5", "5", "+0.6000"]
    assert lines[at + 12].split()[:8] == ["system", "difference", "new", "-", "old", "10", "5", "-0.4000"]
    assert WITHHELD in lines
    assert "documents among the first 10 that people and another judged: old 5 of 5, new 5 of 5" in lines
    with sqlrank.agreement(judged(), runs=[first, second]) as result:
        for table in [agreement_table(result, 4), *reference_tables(result, 4)]:
            text = io.StringIO()
            write_table(table, text, Screen(width=80))
            assert "no room" not in text.getvalue()
            assert max(map(len, text.getvalue().splitlines())) <= 80
        text = io.StringIO()
        write_table(reference_tables(result, 4)[-1], text, Screen(width=60))
        assert "no room for: queries, pairs; --format json has every column" in text.getvalue()


def test_every_format_that_has_room_shows_them() -> None:
    files = judged()
    document = json.loads(completed("agreement", *files, "--format", "json").out)
    assert document["reference"] == "people"
    assert document["confusion"][1] == {
        "rater": "model",
        "reference_grade": 0.0,
        "grade": 1.0,
        "pairs": 3,
        "share": 0.75,
    }
    assert document["bias"][1]["bias"] == 0.75
    assert "| 0 | 1 (25 %) | 3 (75 %) | 0 (0 %) | 4 |" in completed("agreement", *files, "--format", "markdown").out
    assert "0 & 1 (25 \\%) & 3 (75 \\%) & 0 (0 \\%) & 4" in completed("agreement", *files, "--format", "latex").out
    rows = completed("agreement", *files, "--format", "csv")
    assert len(rows.table) == 5
    assert "confusion and bias are in table, markdown, latex and json" in rows.err
    assert "bias: " not in rows.err
    refused = error_of(2, "agreement", *files, "--run", "run.csv", "--format", "csv")
    assert "--run is for table, markdown, latex and json, not csv" in refused
    with sqlrank.agreement(files) as result:
        assert "3 (75 %)" in result._repr_html_()


def test_of_a_file_with_a_column_of_raters_nobody_is_the_reference_unless_told() -> None:
    people = written("people", [(f"q{query}", "d", "ann", 1) for query in range(3)], "query_id,doc_id,rater,relevance")
    model = written("model", [(f"q{query}", "d", 1) for query in range(3)])
    with sqlrank.agreement([people, model]) as result:
        assert result.reference is None
    with sqlrank.agreement([model, people], reference="ann") as result:
        assert rows_of(result.bias(), "rater", "pairs")[0] == ("model", 3)


def test_without_a_reference_nothing_is_said_of_one() -> None:
    rows = [(f"q{query}", "d", rater, query % 3) for query in range(6) for rater in ("x", "y")]
    path = written("both", rows, "query_id,doc_id,rater,relevance")
    document = json.loads(completed("agreement", path, "--format", "json").out)
    assert (document["reference"], document["confusion"], document["bias"]) == (None, [], [])
    assert "bias" not in completed("agreement", path).out
    with sqlrank.agreement(path) as result:
        with pytest.raises(sqlrank.UsageError, match="name one with reference=NAME"):
            result.bias()
        with pytest.raises(sqlrank.UsageError, match="there is no reference"):
            result.confusion()


def test_of_several_raters_each_is_held_against_the_reference() -> None:
    rows = [(f"q{query}", "d", rater, (query + shift) % 4) for query in range(8) for rater, shift in RATERS.items()]
    rows.append(("q9", "d", "late", 1))
    path = written("all", rows, "query_id,doc_id,rater,relevance")
    with sqlrank.agreement(path, reference="expert") as result:
        assert set(rows_of(result.confusion(), "rater")) == {("model",), ("other",)}
        assert rows_of(result.bias().filter("part = 'total'"), "rater", "pairs", "bias") == [
            ("model", 8, 0.0),
            ("other", 8, 0.0),
        ]
        assert "late: no pair that expert judged too" in result.notes
    lines = completed("agreement", path, "--reference", "expert").out.splitlines()
    assert [line.split()[:3] for line in lines if "\\" in line] == [
        ["expert", "\\", "model"],
        ["expert", "\\", "other"],
    ]
    assert any(line.startswith("model  total") for line in lines)


RATERS = {"expert": 0, "model": 1, "other": 2}


def drawn(seed: int, queries: int, uneven: bool = True) -> list[tuple[str, str, int, int]]:
    """Query, document and the grades of people and a model, which errs alike on the documents of a query."""
    rng = np.random.default_rng(seed)
    rows = []
    for query in range(queries):
        taste = rng.choice([-1, 0, 0, 1, 1])
        for doc in range(rng.integers(2, 12) if uneven else 6):
            grade = rng.integers(0, 4)
            rows.append((f"q{query}", f"d{doc}", int(grade), int(grade + (rng.random() < 0.6) * taste)))
    return rows


def agreed(rows: Sequence[tuple[str, str, int, int]], **options: Any) -> Any:
    """The agreement of people and a model."""
    columns = ("query_id", "doc_id", "rater", "relevance")
    tables = [
        arrow([(query, doc, rater, float(row[place])) for query, doc, *row in rows], *columns)
        for place, rater in enumerate(("people", "model"))
    ]
    return sqlrank.agreement(tables, reference="people", **options)


def total(result: Any) -> tuple[Any, Any, Any]:
    """The bias of all pairs with its interval."""
    found: tuple[Any, Any, Any] = rows_of(result.bias(), "bias", "ci_low", "ci_high")[0]
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_with_queries_of_one_size_the_interval_is_the_clustered_one_of_statsmodels(seed: int) -> None:
    rows = drawn(seed, 25, uneven=False)
    queries = np.unique([row[0] for row in rows], return_inverse=True)[1]
    model = linear_model.OLS([row[3] - row[2] for row in rows], np.ones(len(rows)))
    peer = model.fit(cov_type="cluster", cov_kwds={"groups": queries}, use_t=True)
    with agreed(rows) as result:
        bias, low, high = total(result)
        assert bias == pytest.approx(peer.params[0], abs=1e-12)
        assert (low, high) == pytest.approx(tuple(peer.conf_int()[0]), abs=1e-9)


def jackknifed(rows: Sequence[tuple[str, str, int, int]], measure: Any, effective: float) -> tuple[float, float, float]:
    """A measure of rows with its interval, of the measures without one query each."""
    queries = sorted({row[0] for row in rows})
    left = np.array([measure([row for row in rows if row[0] != query]) for query in queries])
    error = ((len(queries) - 1) * left.var()) ** 0.5
    value, margin = measure(rows), stats.t.ppf(0.975, effective - 1) * error
    return value, value - margin, value + margin


def effective_of(rows: Sequence[tuple[str, str, int, int]]) -> float:
    """The effective number of queries, by their pairs."""
    sizes = np.unique([row[0] for row in rows], return_counts=True)[1]
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def bias_of(rows: Sequence[tuple[str, str, int, int]]) -> float:
    """The mean difference."""
    return float(np.mean([row[3] - row[2] for row in rows]))


@pytest.mark.parametrize("seed", [3, 4])
def test_the_interval_leaves_out_whole_queries(seed: int) -> None:
    rows = drawn(seed, 25)
    with agreed(rows) as result:
        assert total(result) == pytest.approx(jackknifed(rows, bias_of, effective_of(rows)), abs=1e-9)


def test_systems_are_compared_as_numpy_and_statsmodels_do() -> None:
    rows, random_ = drawn(5, 40), random.Random(5)
    shown = {name: {row[:2]: random_.random() < share for row in rows} for name, share in SHARES.items()}
    runs = {
        name: arrow([(*pair, 1.0) for pair, is_shown in found.items() if is_shown], "query_id", "doc_id", "score")
        for name, found in shown.items()
    }
    of = {name: [row for row in rows if shown[name][row[:2]]] for name in SHARES}
    effective = min(map(effective_of, of.values()))

    def apart(kept: Sequence[tuple[str, str, int, int]]) -> float:
        new, old = ([row for row in kept if shown[name][row[:2]]] for name in ("new", "old"))
        return bias_of(new) - bias_of(old)

    def at_equal_grades(kept: Sequence[tuple[str, str, int, int]]) -> float:
        both = [(row, name == "new") for name in SHARES for row in kept if shown[name][row[:2]]]
        design = np.array([[is_new, *(row[2] == grade for grade in range(4))] for row, is_new in both], float)
        differences = [row[3] - row[2] for row, _ in both]
        return float(linear_model.OLS(differences, design).fit().params[0])

    seen = [row for row in rows if shown["old"][row[:2]] or shown["new"][row[:2]]]
    with agreed(rows, systems=runs, top=20) as result:
        found = {row[:2]: row[2:] for row in rows_of(result.bias(), *BIAS)}
        own = jackknifed(of["new"], bias_of, effective_of(of["new"]))
        assert found["system", "new"][2:] == pytest.approx(own, abs=1e-9)
        assert found["system difference", "new"][:2] == (len(seen), len({row[0] for row in seen}))
        assert found["system difference", "new"][2:] == pytest.approx(jackknifed(seen, apart, effective), abs=1e-9)
        equal = jackknifed(seen, at_equal_grades, effective)
        assert found["at equal grades", "new"][2:] == pytest.approx(equal, abs=1e-9)


SHARES = {"old": 0.5, "new": 0.6}


def test_the_order_of_rows_changes_nothing_and_the_confusion_has_every_pair() -> None:
    rows = drawn(6, 30)
    mixed = random.Random(6).sample(rows, len(rows))
    with agreed(rows) as one, agreed(mixed) as other:
        assert one.confusion().fetchall() == other.confusion().fetchall()
        assert one.bias().fetchall() == [pytest.approx(row) for row in other.bias().fetchall()]
        assert sum(pairs for (pairs,) in rows_of(one.confusion(), "pairs")) == len(rows) == one.pairs
        shares = rows_of(one.confusion().aggregate("reference_grade, sum(share) as share"), "share")
        assert shares == [pytest.approx((1,))] * 4


def test_a_rater_beside_the_same_judgments_has_no_bias_and_no_interval() -> None:
    with agreed([(query, doc, grade, grade) for query, doc, grade, _ in drawn(7, 30)]) as result:
        assert {row[1:] for row in rows_of(result.bias(), "part", "bias", "ci_low", "ci_high")} == {(0, None, None)}
        assert all(
            share == (grade == other)
            for grade, other, share in rows_of(result.confusion(), "reference_grade", "grade", "share")
        )


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([(f"q{query}", "d", 0, query % 2) for query in range(4)], "four queries"),
        (
            [(f"q{query}", f"d{doc}", 0, query % 2) for query in range(9) for doc in range(1 + 99 * (query < 2))],
            "two",
        ),
        ([(f"q{query}", "d", 0, int(query < 2)) for query in range(30)], "two of thirty differ"),
        ([(f"q{query}", "d", 0, int(query > 1)) for query in range(30)], "two of thirty agree"),
        ([(f"q{query}", "d", 0, 1) for query in range(30)], "all are alike"),
        ([(f"q{query}", f"d{doc}", 0, 0.1) for query in range(30) for doc in range(3)], "all are alike"),
    ],
)
def test_data_that_bear_no_interval_have_none(rows: list[tuple[str, str, int, int]], why: str) -> None:
    with agreed(rows) as result:
        assert total(result)[1:] == (None, None), why
        assert WITHHELD in result.remarks()


def test_segments_are_of_the_queries_else_of_the_judgments() -> None:
    people, model = judged()
    labelled = [(*line.split(","), "xy"[place % 2]) for place, line in enumerate(Path(people).read_text().split()[1:])]
    people = written("people", labelled, "query_id,doc_id,relevance,kind")
    queries = written("queries", [(f"q{query}", "late" if query > 3 else "") for query in range(1, 9)], "query_id,part")
    with sqlrank.agreement([people, model], by="kind") as result:
        assert rows_of(result.bias().filter("part = 'segment'"), "value", "pairs", "bias") == [
            ("x", 5, pytest.approx(0.6)),
            ("y", 5, pytest.approx(0.2)),
        ]
    with sqlrank.agreement([people, model], by="part", queries=queries, where="query_id <> 'q5'") as result:
        assert rows_of(result.bias().filter("part = 'segment'"), "value", "pairs", "bias") == [
            ("late", 2, 0.0),
            (None, 6, pytest.approx(1 / 3)),
        ]
        assert result.inputs["queries"].rows == 8
    with sqlrank.agreement([people, model], by="qrels.kind", queries=queries) as result:
        assert "queries.csv: nothing reads it; kind is looked up in the judgments" in result.notes
    assert "(null)" in completed("agreement", people, model, "--by", "queries.part", "--queries", queries).out


def test_columns_of_what_stands_beside_are_told_apart() -> None:
    files = [written(name, [("q1", "d", 1), ("q2", "d", 2)], "q,d,r") for name in ("people", "model")]
    run = written("run", [("q1", "d", 1.5), ("q2", "d", 2)], "such,hit,worth")
    queries = written("queries", [("q1", "de"), ("q2", "fr")], "such,country")
    told = {"query_id": "q", "doc_id": "d", "relevance": "r", "run.query_id": "such", "run.doc_id": "hit"}
    told |= {"score": "worth", "queries.query_id": "such"}
    with sqlrank.agreement(files, columns=told, runs=run, queries=queries, by="country") as result:
        assert [row[:2] for row in rows_of(result.bias(), "part", "value")][-3:] == [
            ("segment", "de"),
            ("segment", "fr"),
            ("system", "run"),
        ]


def test_a_condition_keeps_from_no_file_that_stands_beside() -> None:
    run, queries = ranked("run", "1 a b,2 b"), written("queries", [("q1", "de")], "query_id,country")
    options = ("--run", run, "--queries", queries, "--by", "country", "--where", "query_id in ('q1', 'q2')")
    found = json.loads(completed("agreement", *judged(), *options, "--format", "json").out)
    assert [row["pairs"] for row in found["bias"] if row["part"] == "system"] == [3]
    assert (found["conventions"]["by"], found["conventions"]["top"]) == ("country", 10)


def test_tables_of_a_database_stand_beside_each_other() -> None:
    judged()
    with duckdb.connect("all.duckdb") as connection:
        for name in NAMES:
            connection.execute(f"create table {name} as from '{name}.csv'")
        connection.execute(
            "create table ranked as select query_id, doc_id, 1.0 as score from people where doc_id = 'a'"
        )
        connection.execute("create table asked as select distinct query_id, query_id > 'q2' as late from people")
    options = ("--run", "ranked", "--queries", "asked", "--by", "late", "--where", "query_id <> 'q1'")
    found = json.loads(completed("agreement", *NAMES, "--database", "all.duckdb", *options, "--format", "json").out)
    assert [(row["value"], row["pairs"]) for row in found["bias"] if row["part"] in ("segment", "system")] == [
        ("false", 2),
        ("true", 6),
        ("ranked", 4),
    ]


NAMES = ("people", "model")


def test_grades_may_explain_the_difference_between_systems() -> None:
    # Half of the time the model gives 1 to all: above people on what they find bad, and below on what they find good.
    rows = [(f"q{query}", doc, grade, 1 if query % 2 else grade) for query in range(13) for doc, grade in SEEN.items()]
    bad, good = ranked("bad", ",".join(f"{query} a" for query in range(13))), ranked("good", WITH_B)
    with agreed(rows, runs=[bad, good]) as result:
        (said,) = [line for line in result.remarks() if line.startswith("model on documents of good")]
        assert "bias -0.923 (" in said
        assert said.endswith("among documents of equal grades unknown; the grades they have may be all of it")
    loud = [(query, doc, grade, grade + (doc == "b") * (int(query[1:]) % 3)) for query, doc, grade, _ in drawn_flat()]
    with agreed(loud, runs=[bad, good]) as result:
        (said,) = [line for line in result.remarks() if line.startswith("model on documents of good")]
        assert "relative to those of bad: bias +0." in said
        assert "among documents of equal grades +0." in said
        assert "may be all of it" not in said


SEEN = {"a": 0, "b": 2}
WITH_B = ",".join(f"{query} b" for query in range(13))


def drawn_flat() -> list[tuple[str, str, int, int]]:
    """Two documents of each of thirteen queries, of the same grades by turns."""
    return [(f"q{query}", doc, query % 2, 0) for query in range(13) for doc in "ab"]


def test_more_than_twelve_grades_have_no_confusion_and_a_note_says_so() -> None:
    rows = [(f"q{number}", "d", number % 13, number % 4) for number in range(40)]
    with agreed(rows) as result:
        assert result.confusion().fetchall() == []
        assert "no confusion of model and people: 13 grades, and a table has 12 or fewer" in result.notes
        assert len(result.bias().filter("part = 'grade'").fetchall()) == 13
    with agreed([(query, doc, min(grade, 11), other) for query, doc, grade, other in rows]) as result:
        assert len(result.confusion().fetchall()) == 48


def test_many_grades_are_counted_without_shares() -> None:
    rows = [(f"q{number}", "d", number % 6, number % 6) for number in range(60)]
    with agreed(rows) as result:
        confusion = reference_tables(result, 4)[0]
        assert [cell.text for cell in confusion.rows[0]] == ["0", "10", "0", "0", "0", "0", "0", "10"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ["--reference", "peopel"],
            2,
            "--reference peopel: there is no such rater; did you mean people?",
        ),
        (["--by", "country"], 3, "people.csv has no column 'country'"),
        (["--by", "score", "--queries", "apart.csv"], 3, "judged has a segment; ids of queries are compared as text"),
        (["--by", "queries.country"], 2, "there is no table of queries; give it with --queries"),
        (["--by", "run.country"], 2, "a bias is told apart by a column of the judgments or of --queries"),
        (["--queries", "people.csv"], 2, "--queries is read for --by: name a column of it"),
        (["--queries", "people.csv", "--by", "relevance"], 3, "a query appears more than once"),
        (["--top", "3"], 2, "--top is of rankings: give them with --run"),
        (["--run", "apart.csv"], 3, "apart.csv: apart shares no query with the pairs that people and another rater"),
        (["--run", "below.csv", "--top", "1"], 3, "none of the first 1 documents of below was judged by people and"),
        (["--run", "twice.csv"], 3, "twice"),
        (["--run", "below.csv", "--run", "below.csv"], 2, "two systems are called 'below'"),
        (["--run", "below.csv", "--column", "run.score=no"], 3, "has no column 'no'"),
        (["--column", "score=relevance"], 2, "no input has this role"),
        (
            ["--by", "relevance"],
            3,
            "the judgments of a pair have more than one relevance (cases: 6): those of",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(arguments: list[str], code: int, said: str) -> None:
    files = judged()
    ranked("below", "1 z a")
    written("apart", [("x1", "a", 1)], "query_id,doc_id,score")
    written("twice", [("q1", "a", 1), ("q1", "a", 2)], "query_id,doc_id,score")
    assert said in error_of(code, "agreement", *files, *arguments)


def test_a_reference_is_needed_for_what_tells_a_bias_apart() -> None:
    path = written("both", [("q", "d", rater, 1) for rater in "xyz"], "query_id,doc_id,rater,relevance")
    said = "--by tells a bias apart: say against whom, --reference NAME (one of x, y, z)"
    assert said in error_of(2, "agreement", path, "--by", "rater")
    apart = written(
        "apart", [("q", "d", "x", 1), ("q", "d", "y", 1), ("p", "d", "z", 1)], "query_id,doc_id,rater,label"
    )
    assert "no other rater judged a pair that z judged" in error_of(3, "agreement", apart, "--reference", "z")


def test_hostile_names_steer_nothing() -> None:
    rater, column = "'); drop -- \x1b[31m", 'by"\x1b[31m'
    rows = [(f"q{query}", "d", name, query % 2, "a'b") for query in range(6) for name in (rater, "y")]
    table = arrow([(*row[:3], float(row[3]), row[4]) for row in rows], *HOSTILE, column)
    run = arrow([(f"q{query}", "d", 1.0) for query in range(6)], "query_id", "doc_id", "score")
    systems = {"s'; drop": run, 't"': run}
    with sqlrank.agreement(table, reference=rater, by=column, systems=systems) as result:
        assert [row[1:] for row in rows_of(result.bias().filter("part <> 'grade'"), "rater", "part", "value")] == [
            ("total", None),
            ("segment", "a'b"),
            ("system", "s'; drop"),
            ("system", 't"'),
            ("system difference", 't"'),
            ("at equal grades", 't"'),
        ]
        assert "\x1b" not in "".join(result.remarks())


HOSTILE = ("query_id", "doc_id", "rater", "relevance")


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("queries", [10, 20, 50])
@pytest.mark.parametrize("uneven", [False, True])
def test_the_interval_holds_the_bias_that_there_is(queries: int, uneven: bool) -> None:
    """1,500 experiments: the standard error of 95 % is 0.6 points, and the bounds three of them away."""
    rng, trials = np.random.default_rng(queries), 1500
    rows = []
    for trial in range(trials):
        for query in range(queries):
            taste = rng.random() * 0.8
            for doc in range(rng.integers(2, 12) if uneven else 6):
                error = int(rng.random() < taste) - int(rng.random() < 0.2)
                rows.append((f"{trial} {query}", f"d{doc}", 0, error))
    # Errors are alike within a query, whose taste is drawn; on average 0.4 of them raise a grade, and 0.2 lower it.
    trial_of = [(f"{trial} {query}", str(trial)) for trial in range(trials) for query in range(queries)]
    with agreed(rows, by="trial", queries=arrow(trial_of, "query_id", "trial")) as result:
        found = rows_of(result.bias().filter("part = 'segment'"), "ci_low", "ci_high")
    known = [(low, high) for low, high in found if low is not None]
    assert len(found) == trials
    assert len(known) > 0.95 * trials
    assert 0.93 <= np.mean([low <= 0.2 <= high for low, high in known]) <= 0.97


@pytest.mark.needs("simulation")
def test_a_rater_whose_errors_are_blind_to_systems_has_no_bias_between_them_at_equal_grades() -> None:
    """600 raters: the standard error of 95 % is 0.9 points, and the bound of 93 % two of them below."""
    rng, queries, grades = np.random.default_rng(8), 30, np.random.default_rng(8).integers(0, 4, (30, 12))
    people = [(f"q{query}", f"d{doc}", "people", float(grade)) for (query, doc), grade in np.ndenumerate(grades)]
    found: dict[str, list[tuple[float, float, float]]] = {"system difference": [], "at equal grades": []}
    for _ in range(10):
        # The second system shows better documents, on which errors lower a grade more often than they raise it.
        shown = {"old": rng.random(grades.shape) < 0.5, "new": rng.random(grades.shape) < 0.1 + 0.25 * grades}
        tables = {
            name: arrow([(f"q{query}", f"d{doc}", 1.0) for query, doc in np.argwhere(those)], *HOSTILE[:2], "score")
            for name, those in shown.items()
        }
        rows = list(people)
        for rater in range(60):
            wrong = rng.random(grades.shape) < rng.random((queries, 1)) * 0.6
            errors = wrong * np.where(grades == 0, 1, np.where(grades == 3, -1, rng.choice([-1, 1], grades.shape)))
            given = np.ndenumerate(grades + errors)
            rows += [(f"q{query}", f"d{doc}", f"{rater}", float(grade)) for (query, doc), grade in given]
        with sqlrank.agreement(arrow(rows, *HOSTILE), reference="people", systems=tables, top=12) as result:
            for part, *interval in rows_of(result.bias(), "part", "bias", "ci_low", "ci_high"):
                if part in found:
                    found[part].append(tuple(interval))
    raw, equal = ([row for row in rows if row[1] is not None] for rows in found.values())
    assert len(equal) > 590
    assert 0.93 <= np.mean([low <= 0 <= high for _, low, high in equal]) <= 0.98
    assert np.mean([low <= 0 <= high for _, low, high in raw]) < 0.8
