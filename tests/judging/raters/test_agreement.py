"""`sqlrank agreement`: raters of the same judgments, beside the packages that have the measures, and by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import krippendorff
import numpy as np
import pandas
import polars
import pytest
from scipy import stats
from statsmodels.stats import inter_rater

import sqlrank
from sqlrank.judging.raters.measures import METHOD, NO_INTERVAL, agreement_of
from tests.pages.stated import assert_stated
from tests.support.cli_helper import FIXTURES, completed, error_of
from tests.support.verdict_data import arrow

SEARCH = FIXTURES / "search"
HEADER = "query_id,doc_id,rater,relevance\n"
WORKED = "q,a,x,3|q,a,y,3|q,a,z,0|q,b,x,1|q,b,y,2|p,a,x,0|p,a,y,0|p,c,z,2"
"""x meets y and z on (q, a), y on (q, b) and on (p, a); z is alone with (p, c)."""


def written(rows: str = WORKED, name: str = "judgments.csv", header: str = HEADER) -> Path:
    """These judgments, rows between strokes, as a file."""
    path = Path(name)
    path.write_text(header + rows.replace("|", "\n") + "\n")
    return path


def drawn(seed: int, pairs: int, raters: int, levels: Sequence[float], missing: float = 0.0) -> Any:
    """Relevances by pair and rater, NaN where one gave none: many see the truth, others a level beside it."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(levels), (pairs, 1))
    places = np.clip(truth + rng.choice([-1, 0, 0, 0, 1, 3], (pairs, raters)), 0, len(levels) - 1)
    return np.where(rng.random((pairs, raters)) < missing, np.nan, np.array(levels)[places])


def rows_of(table: Any) -> list[tuple[str, str, str, float]]:
    """The judgments of such a table, two documents of each query."""
    return [
        (f"q{pair // 2}", f"d{pair % 2}", f"rater {rater}", float(value))
        for (pair, rater), value in np.ndenumerate(table)
        if not np.isnan(value)
    ]


@pytest.mark.parametrize(
    "levels", [(0, 1, 2, 3), (-2, 0.1, 0.25, 7), tuple(range(60))], ids=["grades", "uneven", "many"]
)
@pytest.mark.parametrize(("raters", "missing"), [(2, 0.0), (2, 0.3), (5, 0.0), (5, 0.5)])
def test_measures_are_those_of_the_packages(raters: int, missing: float, levels: Sequence[float]) -> None:
    table = drawn(raters, 60, raters, levels, missing)
    rows = arrow(rows_of(table), "query_id", "doc_id", "rater", "relevance")
    with sqlrank.agreement(rows) as result:
        found = {row["measure"]: row["value"] for row in result.to_dicts()}

    names: list[Any] = ["nominal", "ordinal", "interval"]
    wanted = {f"krippendorff-{name}": krippendorff.alpha(table.T, level_of_measurement=name) for name in names}
    full = table[(~np.isnan(table)).sum(axis=1) > 1]
    if not np.isnan(full).any():
        places = np.searchsorted(levels, full)
        counts, _ = inter_rater.aggregate_raters(places, n_cat=len(levels))
        wanted["fleiss"] = inter_rater.fleiss_kappa(counts)
        if raters == 2:
            square = np.zeros((len(levels), len(levels)))
            np.add.at(square, (places[:, 0], places[:, 1]), 1)
            wanted["cohen"] = inter_rater.cohens_kappa(square).kappa
    assert found == {name: pytest.approx(value, rel=1e-9, abs=1e-9) for name, value in wanted.items()}


def test_verdicts_and_relevances_that_say_the_same_agree_as_much() -> None:
    verdicts = {"bad": -1.0, "same": 0.0, "good": 1.0}
    table = pandas.read_csv(SEARCH / "verdicts.csv")
    table["doc_id"], table["relevance"] = "d", table["verdict"].map(verdicts)
    with sqlrank.gsb(SEARCH / "verdicts.csv") as gsb, sqlrank.agreement(table) as result:
        assert result.agreement == gsb.agreement
        assert [row[0] for row in result.by_rater().fetchall()] == [row[0] for row in gsb.by_rater().fetchall()]


def test_raters_and_disputed_pairs_by_hand() -> None:
    with sqlrank.agreement(written()) as result:
        # z meets x and y on (q, a), who both differ; x differs from z there and from y on (q, b), of four meetings.
        assert result.by_rater().fetchall() == [("z", 2, 1, 1.0), ("x", 3, 3, 0.5), ("y", 3, 3, 0.5)]
        assert result.by_rater().columns == ["rater", "judgments", "shared", "disagreement"]
        assert result.disputed().fetchall() == [
            ("q", "a", 3, "0 (z), 3 (x, y)", pytest.approx(2 / 3)),
            ("q", "b", 2, "1 (x), 2 (y)", 1.0),
        ]
        assert len(result.disputed(1).fetchall()) == 1
        assert (result.pairs, result.conflicting, result.levels) == (3, 2, [0, 1, 2, 3])
        with pytest.raises(sqlrank.UsageError, match="ask for 1 item or more"):
            result.disputed(0)


def test_the_table_says_what_is_measured_and_on_what() -> None:
    lines = completed("agreement", written(), "--show", "disputed=1").out.splitlines()

    assert lines[0].split() == ["measure", "value", "95", "%", "interval", "pairs", "raters"]
    assert [line.split()[0] for line in lines[1:4]] == [
        f"krippendorff-{name}" for name in ("ordinal", "nominal", "interval")
    ]
    assert lines[5] == "rater  judgments  shared  disagreement"
    assert lines[10].split() == ["query_id", "doc_id", "raters", "levels", "disagreement"]
    assert lines[11].split(maxsplit=3) == ["q", "a", "3", "0 (z), 3 (x, y)        0.6667"]
    assert "8 judgments of 3 raters; relevances of pairs with several: 0, 1, 2, 3" in lines
    assert "raters disagree on 2 of 3 pairs with several raters (66.7 %)" in lines
    assert "no Fleiss' kappa: pairs differ in how many raters they have" in lines
    assert "no Cohen's kappa: it is for two raters, and here are 3" in lines
    assert "judgments of others that differ, most by rater: z 100 %, x 50 %, y 50 %" in lines


def test_every_format_has_the_measures() -> None:
    path = written()
    rows = completed("agreement", path, "--format", "csv").table
    assert list(rows[0]) == ["measure", "value", "ci_low", "ci_high", "pairs", "raters"]
    assert [(row["pairs"], row["raters"]) for row in rows] == [("3", "3")] * 3
    document = json.loads(completed("agreement", path, "--format", "json", "--show", "disputed=5").out)
    assert [row["measure"] for row in document["rows"]] == [row["measure"] for row in rows]
    assert (document["pairs"], document["levels"], len(document["raters"]), len(document["disputed"])) == (
        3,
        [0, 1, 2, 3],
        3,
        2,
    )
    assert "| z | 2 | 1 | 1.0000 |" in completed("agreement", path, "--format", "markdown", "--show", "disputed=5").out
    assert r"\begin{tabular}{lrrrr}" in completed("agreement", path, "--format", "latex").out
    assert completed("agreement", path, "-o", "agreement.parquet").out == ""
    assert len(pandas.read_parquet("agreement.parquet")) == 3
    assert "--show disputed is for table, markdown and json" in error_of(
        2, "agreement", path, "--show", "disputed=1", "--format", "csv"
    )
    assert "trec_eval has no agreement of raters" in error_of(2, "agreement", path, "--format", "trec")


def test_intervals_are_drawn() -> None:
    rows = [f"q{pair},d,{rater},{pair % 3 if rater != 'z' else pair % 2}" for pair in range(30) for rater in "xyz"]
    lines = completed("agreement", written("|".join(rows)), "--plot").out.splitlines()

    assert lines[0].endswith("drawn")
    assert lines[1].count("●") == 1


@pytest.mark.parametrize(
    ("rows", "code", "said"),
    [
        (
            f"{WORKED}|q,a,x,1",
            3,
            "a rater judged one item more than once (cases: 1): 'x' judged document a of query q 2 times",
        ),
        (f"{WORKED}|q,a,,1", 3, "line 10: 1 of 9 rows has no rater, such as that of query 'q'"),
        (
            f"{WORKED}|q,a,w,",
            3,
            "line 10: 1 of 9 relevances is not a finite number: document 'a' of query 'q' has null",
        ),
        (f"{WORKED}|q,a,w,nan", 3, "1 of 9 relevances is not a finite number"),
        (f"{WORKED}|q,a,w,good", 3, "for text labels give --relevance-map"),
        (f"{WORKED}|,a,w,1", 3, "rows has no query_id or no doc_id"),
        ("q,a,x,1|q,b,y,1", 3, "none of 2 judgments is of a pair judged by another rater too (raters: 2)"),
        ("", 3, "there are no rows"),
    ],
)
def test_rows_that_are_wrong_are_refused(rows: str, code: int, said: str) -> None:
    assert said in error_of(code, "agreement", written(rows))


def test_judgments_without_raters_are_refused() -> None:
    path = written("q,a,1", header="query_id,doc_id,relevance\n")
    assert "has no column for the rater; name it with --column rater=NAME" in error_of(3, "agreement", path)
    both = written("q,a,x,y,1", header="query_id,doc_id,judge,assessor,relevance\n")
    assert "judge and assessor may both be the rater" in error_of(3, "agreement", both)
    with pytest.raises(sqlrank.UsageError, match="judgments are rows of query_id and relevance"):
        sqlrank.agreement({"q": {"d": 1}})


def continuous(number: int) -> Any:
    """Judgments of two raters with so many different relevances, close to each other on each pair."""
    rows = [
        (f"q{pair}", "d", rater, (2 * pair + place) / 1000)
        for pair in range(number // 2)
        for place, rater in enumerate("xy")
    ]
    return arrow(rows, "query_id", "doc_id", "rater", "relevance")


def test_a_thousand_levels_are_the_most() -> None:
    with sqlrank.agreement(continuous(1000)) as result:
        assert result.agreement["krippendorff-ordinal"].value == pytest.approx(1, abs=1e-4)
        assert result.agreement["krippendorff-nominal"].value == pytest.approx(0, abs=1e-2)
        assert "0.011 and 988 more" in "".join(result.remarks())
    with pytest.raises(
        sqlrank.DataError, match=r"the relevances have 1002 different values, such as 0.001; .*round them first"
    ):
        sqlrank.agreement(continuous(1002))


def test_all_judgments_alike_have_no_agreement_beyond_chance() -> None:
    with sqlrank.agreement(written("q,a,x,1|q,a,y,1|q,b,x,1|q,b,y,1")) as result:
        assert {row["value"] for row in result.to_dicts()} == {None}
    assert completed("agreement", "judgments.csv").out.splitlines()[1].split() == [
        "krippendorff-ordinal",
        "-",
        "-",
        "2",
        "2",
    ]


def test_text_labels_and_other_names_are_read() -> None:
    path = written("q,a,x,E|q,a,y,I", header="topic,docno,assessor,label\n")
    row = completed("agreement", path, "--relevance-map", "E=3,I=0", "--format", "csv").table[0]
    assert row["pairs"] == "1"
    with sqlrank.agreement(path, relevance_map={"E": 3, "I": 0}) as result:
        assert result.levels == [0, 3]
        assert f"{path}: rater is read from the column assessor" in result.notes


def test_files_of_trec_have_the_rater_in_the_second_field() -> None:
    Path("judged.qrels").write_text("q x d 1\nq y d 2\nq x e 0\nq y e 0\n")
    with sqlrank.agreement("judged.qrels", columns={"rater": "iteration"}) as result:
        assert (result.pairs, result.levels) == (2, [0, 1, 2])


@pytest.mark.parametrize("last", ["people", "model"])
def test_a_file_of_one_rater_stands_beside_one_with_a_column_of_raters(last: str) -> None:
    people = written("q,a,x,1|q,b,x,1|r,a,x,2|q,a,y,0", "people.csv")
    model = written("q,a,1|q,b,0|r,a,2", "model.csv", header="query_id,doc_id,relevance\n")
    files = sorted([people, model], key=lambda path: path.stem == last)
    with sqlrank.agreement(files) as result:
        assert result.by_rater().fetchall() == [("y", 1, 1, 1.0), ("model", 3, 3, 0.5), ("x", 3, 3, 0.5)]
        assert result.disputed().fetchall() == [
            ("q", "b", 2, "0 (model), 1 (x)", 1.0),
            ("q", "a", 3, "0 (y), 1 (model, x)", pytest.approx(2 / 3)),
        ]


def test_files_without_names_and_conditions_are_read() -> None:
    path = written(header="")
    found = completed("agreement", path, "--no-header", "--where", "rater <> 'z'", "--format", "json")
    document = json.loads(found.out)
    assert (document["pairs"], document["conflicting"]) == (3, 1)
    assert document["inputs"]["judgments"] == {"rows": 8, "left_out": {"where": 2}, "used": 6}
    assert "only rows where rater <> 'z'" in document["notes"]


FORMS: dict[str, Callable[[Any], Any]] = {
    "pandas": lambda frame: frame,
    "polars": polars.from_pandas,
    "relation": duckdb.from_df,
}


@pytest.mark.parametrize("form", FORMS)
def test_frames_and_relations_are_read(form: str) -> None:
    frame = pandas.DataFrame([row.split(",") for row in WORKED.split("|")], columns=HEADER.strip().split(","))
    with sqlrank.agreement(FORMS[form](frame.astype({"relevance": float}))) as result:
        assert result.pairs == 3


def test_ids_and_raters_may_be_numbers() -> None:
    rows = [(1, 7, 10, 1), (1, 7, 11, 2), (1, 8, 10, 0), (1, 8, 11, 0)]
    with sqlrank.agreement(arrow(rows, "query_id", "doc_id", "rater", "relevance")) as result:
        assert result.disputed().fetchall() == [("1", "7", 2, "1 (10), 2 (11)", 1.0)]


def test_hostile_names_steer_nothing() -> None:
    rater = 'ra"ter\x1b[31m'
    rows = [
        ("q'", "d", "\x1b[31mx", 1.0),
        ("q'", "d", "y); drop", 0.0),
        ("q'", "e", "\x1b[31mx", 1.0),
        ("q'", "e", "z", 1.0),
    ]
    pandas.DataFrame(rows, columns=["query_id", "doc_id", rater, "relevance"]).to_csv("hostile.csv", index=False)
    shown = completed("agreement", "hostile.csv", "--column", f"rater={rater}", "--show", "disputed=3")
    assert "\x1b" not in shown.out
    assert "0 (y); drop), 1 (\\x1b[31mx)" in shown.out


def test_a_notebook_shows_the_measures() -> None:
    with sqlrank.agreement(written()) as result:
        shown = result._repr_html_()
    assert "<bdi>krippendorff-ordinal</bdi>" in shown
    assert '<th scope="col"><bdi>measure</bdi></th>' in shown, "only numbers stand to the right"
    assert "raters disagree on 2 of 3 pairs" in shown


@pytest.mark.parametrize("column", ["rater", "assessor", "user_id"])
def test_an_evaluation_of_several_raters_names_what_to_do(column: str) -> None:
    Path("run.csv").write_text("query_id,doc_id,score\nq,a,1\n")
    path = written(header=f"query_id,doc_id,{column},relevance\n")
    said = error_of(3, "eval", "run.csv", "--qrels", path)
    wanted = (
        f"the copies differ in {column}: sqlrank agreement measures how well those raters agree; keep one, or choose"
    )
    assert f"{wanted} --judgments max or mean" in said
    assert completed("eval", "run.csv", "--qrels", path, "--judgments", "mean").code == 0


def test_an_evaluation_of_copies_that_no_rater_made_does_not_speak_of_raters() -> None:
    Path("run.csv").write_text("query_id,doc_id,score\nq,a,1\n")
    path = written("q,a,de,1|q,a,fr,2", header="query_id,doc_id,country,relevance\n")
    assert "agreement" not in error_of(3, "eval", "run.csv", "--qrels", path)


def test_the_interval_leaves_out_whole_queries() -> None:
    table = drawn(9, 40, 3, (0, 1, 2, 3))
    rows = rows_of(table)
    queries = sorted({row[0] for row in rows})
    left = []
    for query in queries:
        kept = [row for row in rows if row[0] != query]
        with sqlrank.agreement(arrow(kept, "query_id", "doc_id", "rater", "relevance")) as result:
            left.append({name: one.value or 0.0 for name, one in result.agreement.items()})
    number = len(queries)
    with sqlrank.agreement(arrow(rows, "query_id", "doc_id", "rater", "relevance")) as result:
        for name, one in result.agreement.items():
            values = np.array([each[name] for each in left])
            error = np.sqrt((number - 1) / number * ((values - values.mean()) ** 2).sum())
            assert one.value is not None
            assert one.low == pytest.approx(one.value - stats.t.ppf(0.975, number - 1) * error, rel=1e-9)
            assert one.high == pytest.approx(one.value + stats.t.ppf(0.975, number - 1) * error, rel=1e-9)


def test_verdicts_on_documents_of_one_query_are_left_out_together_too() -> None:
    words = dict(zip((0.0, 1.0, 2.0), ("bad", "same", "good"), strict=True))
    rows = rows_of(drawn(4, 40, 3, (0, 1, 2)))
    verdicts = arrow([(*row[:3], words[row[3]]) for row in rows], "query_id", "doc_id", "rater", "verdict")
    with sqlrank.gsb(verdicts) as gsb, sqlrank.agreement(arrow(rows, *HEADER.strip().split(","))) as result:
        assert gsb.agreement == result.agreement


def test_few_queries_have_no_interval_and_a_line_says_so() -> None:
    with sqlrank.agreement(written()) as result:
        assert {row["ci_low"] for row in result.to_dicts()} == {None}
        assert NO_INTERVAL in result.remarks()


def test_raters_who_always_agree_have_the_interval_that_so_many_queries_bear() -> None:
    rows = "|".join(f"q{number},d,{rater},{number % 2}" for number in range(20) for rater in "xy")
    outcome = completed("agreement", written(rows))
    assert [line.split()[1:5] for line in outcome.out.splitlines()[1:6]] == [["1.0000", "0.7188", "to", "1.0000"]] * 5
    assert f"1 is perfect agreement, 0 is that of chance; the intervals are {METHOD}" in outcome.out.splitlines()
    assert NO_INTERVAL not in outcome.out


def judged_queries(seed: int, queries: int, raters: int) -> Any:
    """Grades of ten documents of each query by its raters, who see the truth of clear queries and guess at others."""
    rng = np.random.default_rng(seed)
    clear = rng.choice([0.4, 0.95], (queries, 1, 1))
    truth, guessed = rng.integers(0, 5, (queries, 10, 1)), rng.integers(0, 5, (queries, 10, raters))
    return np.where(rng.random((queries, 10, raters)) < clear, truth, guessed)


MEASURES = {3: ["krippendorff-ordinal", "krippendorff-interval", "krippendorff-nominal", "fleiss"], 2: ["cohen"]}
"""Measures by how many raters judge in the trials."""
COVERED = {
    "queries": "the intervals cover the true value in # to # % of",
    "pairs": "would do so in only # to # %",
}
"""What the documentation says of intervals that leave out whole queries, and of those that would leave out pairs."""


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(("queries", "left_out"), [(20, "queries"), (50, "queries"), (20, "pairs")])
@pytest.mark.parametrize("raters", MEASURES)
def test_intervals_cover_the_agreement_that_there_is(raters: int, queries: int, left_out: str) -> None:
    """1,000 experiments: the standard error of 95 % is 0.7 points; the page gives the shares to a tenth."""
    truths, covered = measured(judged_queries(0, 20_000, raters)), Counter[str]()
    for seed in range(1, 1001):
        table = judged_queries(seed, queries, raters)
        found = measured(table if left_out == "queries" else table.reshape(-1, 1, raters))
        covered.update(name for name, one in found.items() if covers(one, truths[name].value))
    for measure in MEASURES[raters]:
        assert_stated(covered[measure] / 10, "explanation/verdicts.md", COVERED[left_out])


def covers(found: Any, truth: float) -> bool:
    """Whether there is an interval, and it holds the truth."""
    return found.low is not None and bool(found.low <= truth <= found.high)


def measured(table: Any) -> dict[str, Any]:
    """The measures of such a table, with their intervals."""
    queries, cells = [], []
    for query in table.tolist():
        patterns, pairs = Counter(tuple(sorted(row)) for row in query), Counter(map(tuple, query))
        queries.append({"levels": list(patterns), "items": list(patterns.values()), "queries": 1})
        cells.append({"levels": list(pairs), "items": list(pairs.values()), "queries": 1})
    return agreement_of(queries, cells if table.shape[-1] == 2 else [], 0.05)


def test_tables_of_raters_may_be_named() -> None:
    people, model = ({"query_id": ["q", "q"], "doc_id": ["d", "e"], "relevance": grades} for grades in ([1, 0], [1, 1]))
    tables = {name: pandas.DataFrame(rows) for name, rows in (("people", people), ("model", model))}
    with sqlrank.agreement(tables) as named, sqlrank.agreement(list(tables.values())) as listed:
        assert named.to_dicts() == listed.to_dicts()
        assert {row[0] for row in named.by_rater().fetchall()} == {"people", "model"}
        assert named.reference is not None
    people_path, model_path = Path("p.csv"), Path("m.csv")
    tables["people"].to_csv(people_path, index=False)
    tables["model"].to_csv(model_path, index=False)
    with sqlrank.agreement({"people": str(people_path), "model": tables["model"]}) as mixed:
        assert mixed.to_dicts() == named_rows(tables)


def named_rows(tables: dict[str, Any]) -> list[dict[str, Any]]:
    with sqlrank.agreement(tables) as result:
        return result.to_dicts()
