"""Charts: each from aggregates that a second computation gives too, each a file, whatever the data is called."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas
import pytest

import sqlrank
from sqlrank.choices import CHARTS
from sqlrank.errors import ResourceError, UsageError
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.choose import charts_of
from sqlrank.reports.charts.curves import cutoffs_up_to
from sqlrank.reports.charts.making import FOLDER, are_dates
from tests.support.cli_helper import FIXTURES
from tests.support.reports import HOSTILE, KEYWORD, QRELS, QUERIES, SEMANTIC, VERDICTS, write_dated, write_hostile

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def comparison() -> Iterator[sqlrank.Comparison]:
    runs = [str(KEYWORD), str(SEMANTIC)]
    with sqlrank.compare(runs, str(QRELS), ["ndcg@10", "p@5"], by="country", queries=str(QUERIES)) as made:
        yield made


@pytest.fixture(scope="module")
def result(comparison: sqlrank.Comparison) -> sqlrank.Result:
    assert comparison.evaluation is not None
    return comparison.evaluation


@pytest.fixture(scope="module")
def verdicts() -> Iterator[sqlrank.SideBySide]:
    with sqlrank.gsb(str(VERDICTS), by="country") as made:
        yield made


def data(chart: Chart) -> Rows:
    rows: Rows = chart.specification["data"]["values"]
    return rows


def values_of(result: sqlrank.Result, system: str, column: str) -> list[float]:
    rows = result.to_dicts(per_query=True)
    return [row[column] for row in rows if row["system"] == system]


def test_values_by_cutoff_are_those_of_an_evaluation_at_each(result: sqlrank.Result) -> None:
    texts = [f"{name}@{k}" for name in ("ndcg", "recall", "p") for k in range(1, 11)]
    with sqlrank.evaluate([str(KEYWORD), str(SEMANTIC)], str(QRELS), texts) as again:
        known = {(row["system"], row["metric"]): row for row in again.to_dicts()}
    rows = data(result.plot.by_cutoff())
    assert len(rows) == len(known) == 60
    for row in rows:
        other = known[row["system"], row["metric"].replace("@k", f"@{row['cutoff']}")]
        expected = [other["value"], other["ci_low"], other["ci_high"]]
        assert [row["value"], row["low"], row["high"]] == pytest.approx(expected, abs=1e-12)


def test_a_curve_has_the_parameters_that_its_metric_was_asked_for_with() -> None:
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg(gain=exp2)@3"], rel=2) as made:
        row = data(made.plot.by_cutoff("ndcg"))[2]
        assert (row["metric"], row["cutoff"]) == ("ndcg(gain=exp2)@k", 3)
        assert row["value"] == pytest.approx(made["ndcg(gain=exp2)@3"], abs=1e-12)
        with sqlrank.evaluate(str(KEYWORD), str(QRELS), ["p(rel=2)@3"]) as again:
            assert data(made.plot.by_cutoff("p"))[2]["value"] == pytest.approx(again["p(rel=2)@3"], abs=1e-12)


@pytest.mark.parametrize(
    ("last", "cutoffs"),
    [(3, [1, 2, 3]), (10, list(range(1, 11))), (12, [1, 2, 3, 5, 7, 10, 12]), (100, [1, 2, 3, 5, 7, 10, 15, 20])],
)
def test_cutoffs_of_a_long_curve_are_a_dozen(last: int, cutoffs: list[int]) -> None:
    assert cutoffs_up_to(last)[:8] == cutoffs[:8]
    assert cutoffs_up_to(last)[-1] == last


def test_interpolated_precision_is_that_of_an_evaluation_at_each_recall(result: sqlrank.Result) -> None:
    texts = [f"iprec(recall={level / 10:g})" for level in range(11)]
    with sqlrank.evaluate(str(SEMANTIC), str(QRELS), texts) as again:
        expected = [row["value"] for row in again.to_dicts()]
    found = [row["value"] for row in data(result.plot.recall_precision()) if row["system"] == "semantic"]
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_histogram_counts_every_query_once(result: sqlrank.Result) -> None:
    rows = data(result.plot.distribution("p@5"))
    for system in result.systems:
        values = values_of(result, system, "p_at_5")
        bins = [row for row in rows if row["system"] == system]
        assert sum(row["queries"] for row in bins) == len(values)
        for row in bins:
            last = row["high"] == pytest.approx(1)
            inside = [value for value in values if row["low"] - 1e-9 <= value and (last or value < row["high"] - 1e-9)]
            assert (row["queries"], row["share"]) == (len(inside), pytest.approx(len(inside) / len(values)))


def test_a_distribution_function_is_the_share_of_queries_up_to_each_step(result: sqlrank.Result) -> None:
    rows = data(result.plot.ecdf())
    for system in result.systems:
        values = values_of(result, system, "ndcg_at_10")
        for row in [row for row in rows if row["system"] == system]:
            assert row["share"] == pytest.approx(sum(value <= row["value"] for value in values) / len(values))


def test_segments_are_those_of_the_summary(result: sqlrank.Result) -> None:
    known = {(row["system"], row["country"] or "(all)"): row for row in result.to_dicts() if row["metric"] == "ndcg@10"}
    rows = data(result.plot.segments())
    assert len(rows) == len(known) == 10
    for row in rows:
        other = known[row["system"], row["segment"]]
        assert (row["value"], row["low"], row["high"]) == pytest.approx(
            (other["value"], other["ci_low"], other["ci_high"]), abs=1e-11
        )


def test_the_share_of_unjudged_documents_is_that_of_unj(result: sqlrank.Result) -> None:
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), [f"unj@{k}" for k in range(1, 11)]) as again:
        expected = [row["value"] for row in again.to_dicts()]
    found = [row["value"] for row in data(result.plot.unjudged()) if row["system"] == "keyword"]
    assert found == pytest.approx(expected, abs=1e-12)


def test_differences_are_those_of_the_comparison(comparison: sqlrank.Comparison) -> None:
    rows = data(comparison.plot.differences())
    assert [row["label"] for row in rows] == ["ndcg@10", "p@5"]
    for row in rows:
        other = comparison[row["label"]]
        assert (row["value"], row["low"], row["high"]) == pytest.approx(
            (other["difference"], other["ci_low"], other["ci_high"]), abs=1e-11
        )
        assert row["side"] == "gain"
        assert other["significant"]
    parts = {row["label"]: row for row in data(comparison.plot.segments("ndcg@10"))}
    assert parts["de"]["value"] == pytest.approx(comparison.row_of("ndcg@10", country="de")["difference"], abs=1e-11)
    assert [parts[name]["side"] for name in ("de", "fr", "(all)")] == ["loss", "gain", "gain"]


def test_sorted_differences_are_the_queries_from_the_largest_gain_on(comparison: sqlrank.Comparison) -> None:
    rows = data(comparison.plot.sorted_differences("p@5"))
    every = [row for row in comparison.to_dicts(per_query=True) if row["metric"] == "p@5"]
    values = sorted((row["difference"] for row in every), reverse=True)
    assert (rows[0]["from"], rows[-1]["to"]) == (0, 1)
    start = 0
    for row in rows:
        end = round(row["to"] * len(values))
        assert row["from"] == pytest.approx(start / len(values))
        assert row["difference"] == pytest.approx(sum(values[start:end]) / (end - start), abs=1e-12)
        start = end


def test_shares_of_verdicts_are_those_of_the_result(verdicts: sqlrank.SideBySide) -> None:
    rows = [row for row in data(verdicts.plot.verdicts()) if row["label"] == "(all)"]
    assert [row["count"] for row in rows] == [40, 10, 10]
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    delta = next(row for row in data(verdicts.plot.differences()) if row["label"] == "(all)")
    assert delta["value"] == pytest.approx(verdicts.total["delta_gsb"], abs=1e-11)


def test_dates_make_a_line_over_time(tmp_path: Path) -> None:
    dated = write_dated(tmp_path)
    runs = [str(KEYWORD), str(SEMANTIC)]
    with sqlrank.compare(runs, str(QRELS), ["ndcg@10"], by="day", queries=str(dated)) as made:
        assert made.plot.segments().name == "differences-over-time"
        assert made.evaluation is not None
        chart = made.evaluation.plot.segments()
        assert chart.name == "over-time"
        assert [row["date"] for row in data(chart)[:2]] == ["2026-11-01", "2026-11-02"]
        assert chart.svg().startswith("<svg")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["2026-11-01", "2026-11-02", None], True),
        (["2026-11-01"], False),
        (["2026-13-01", "2026-11-02"], False),
        (["de", "2026-11-02"], False),
    ],
)
def test_only_several_dates_are_dates(values: list[str | None], expected: bool) -> None:
    assert are_dates(values) is expected


def fields_in(node: Any) -> Iterator[str]:
    """Every field that a specification names."""
    if isinstance(node, dict):
        if isinstance(node.get("field"), str):
            yield node["field"]
        for value in node.values():
            yield from fields_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from fields_in(value)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_chart_has_its_fields_a_title_axes_and_numbers(
    comparison: sqlrank.Comparison, verdicts: sqlrank.SideBySide, language: str
) -> None:
    made = {name: chart for result in (comparison, verdicts) for name, chart in charts_of(result, language).items()}
    weeks = "day=2026-11-02..2026-11-08,2026-11-09..2026-11-15"
    log = str(FIXTURES / "shop" / "log.parquet")
    with sqlrank.compare(log, metrics="ndcg@5", periods=weeks, by="country") as compared:
        waterfall = charts_of(compared, language)["waterfall"]()
    assert {*made, "waterfall"} == set(CHARTS)
    for chart in (*(make() for make in made.values()), waterfall):
        rows, names = data(chart), set(fields_in({**chart.specification, "data": None}))
        assert rows, chart
        assert all(names <= row.keys() for row in rows), chart
        text = json.dumps(chart.specification["config"] | {"data": None})
        assert "$" not in text.replace("$schema", "")
        assert chart.specification["title"] == chart.title
        assert chart.alternative.strip()
        assert len(chart.numbers.rows) == len(rows)
        assert {len(row) for row in chart.numbers.rows} == {len(chart.numbers.columns)}
        assert ElementTree.fromstring(chart.svg()).tag.endswith("svg")


def test_every_specification_is_drawn_by_some_chart() -> None:
    drawn = {path.stem for path in FOLDER.glob("*.json")} - {"theme"}
    assert drawn == {
        *("by-cutoff", "recall-precision", "unjudged", "distribution", "ecdf", "intervals", "over-time"),
        *("differences", "differences-over-time", "sorted-differences", "waterfall", "power", "verdicts"),
        *("control", "propensities", "labels", "excluded"),
        *("support", "weights", "preferences"),
        *("differences-panels", "intervals-panels"),
    }


def test_a_chart_of_many_queries_holds_aggregates_alone() -> None:
    number = 20_000
    run = {
        f"q{query}": {f"d{place}": float(query * 7919 % 101 + place) for place in range(3)} for query in range(number)
    }
    other = {query: {document: -score for document, score in ranking.items()} for query, ranking in run.items()}
    qrels = {query: {f"d{place % 3}": 1} for place, query in enumerate(run)}
    with sqlrank.compare(systems={"a": run, "b": other}, qrels=qrels, metrics=["ndcg@3", "rr"]) as made:
        for name, chart in charts_of(made, "en").items():
            if name not in ("segments", "segment-differences"):
                assert len(json.dumps(chart().specification)) < 100_000, name


def test_a_chart_is_written_as_its_suffix_says(result: sqlrank.Result, tmp_path: Path) -> None:
    chart = result.plot.ecdf()
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "json": b"{"}
    for suffix, start in starts.items():
        path = tmp_path / f"chart.{suffix}"
        chart.save(path)
        assert path.read_bytes().startswith(start)
    assert json.loads((tmp_path / "chart.json").read_text()) == chart.specification
    with pytest.raises(UsageError, match=r"a chart is written as \.svg, \.png, \.pdf or \.json"):
        chart.save(tmp_path / "chart.gif")
    with pytest.raises(ResourceError, match="cannot be written"):
        chart.save(tmp_path / "nowhere" / "chart.svg")
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".pdf", ".png", ".svg"]


def test_a_notebook_is_shown_the_picture_and_the_specification(result: sqlrank.Result) -> None:
    bundle = result.plot.ecdf()._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["application/vnd.vegalite.v6+json"]["title"] == "Queries with at most a given ndcg@10"


def test_without_the_extra_the_error_names_it_and_the_numbers_are_there(
    result: sqlrank.Result, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    chart = result.plot.ecdf()
    with pytest.raises(UsageError, match=r"pip install 'sqlrank\[report\]'"):
        chart.svg()
    with pytest.raises(UsageError, match=r"pip install 'sqlrank\[report\]'"):
        chart.save(tmp_path / "chart.svg")
    assert not list(tmp_path.iterdir())
    bundle = chart._repr_mimebundle_()
    assert "sqlrank[report]" in bundle["text/plain"]
    assert "image/svg+xml" not in bundle
    assert chart.numbers.rows
    assert result._repr_html_()


def test_altair_takes_every_specification(
    comparison: sqlrank.Comparison, verdicts: sqlrank.SideBySide, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    altair = pytest.importorskip("altair")
    dated = sqlrank.compare(
        [str(KEYWORD), str(SEMANTIC)], str(QRELS), ["p@1"], by="day", queries=str(write_dated(tmp_path))
    )
    with dated:
        for result in (comparison, verdicts, dated):
            for make in charts_of(result, "en").values():
                chart = make().to_altair()
                assert isinstance(chart, altair.TopLevelMixin)
                chart.to_dict()
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(UsageError, match="pip install altair"):
        verdicts.plot.verdicts().to_altair()


def test_hostile_names_stay_text_in_pictures(tmp_path: Path) -> None:
    run_a, run_b, qrels, queries, _ = map(str, write_hostile(tmp_path))
    with sqlrank.compare([run_a, run_b], qrels, ["ndcg@5"], by="<b>segment\"'</b>", queries=queries) as made:
        for name, chart in charts_of(made, "en").items():
            picture = chart()
            root = ElementTree.fromstring(picture.svg())
            tags = {element.tag.rpartition("}")[2] for element in root.iter()}
            assert not tags & {"script", "img", "foreignObject", "style", "b"}, name
            assert not [key for element in root.iter() for key in element.keys() if key.startswith("on")], name  # noqa: SIM118
        assert len(json.dumps(made.plot.segments().specification)) < 10_000
        shown = "".join(ElementTree.fromstring(made.plot.segments().svg()).itertext())
        assert HOSTILE[0] in shown


def test_names_that_begin_alike_stay_apart(tmp_path: Path) -> None:
    long = "s" * 80
    (tmp_path / "queries.csv").write_text(f"query_id,kind\nq1,{long}1\nq2,{long}2\nq3,(all)\n")
    rankings = {query: {"d": 1.0, "e": 2.0} for query in ("q1", "q2", "q3")}
    systems = {f"{long}a": rankings, f"{long}b": rankings}
    qrels = {"q1": {"d": 1}, "q2": {"e": 1}, "q3": {"d": 1, "e": 1}}
    path = str(tmp_path / "queries.csv")
    with sqlrank.compare(systems=systems, qrels=qrels, metrics=["ap"], by="kind", queries=path) as made:
        assert made.evaluation is not None
        plots = made.evaluation.plot
        assert len(set(plots.systems)) == 2
        assert {row["system"] for row in data(plots.by_cutoff("ndcg"))} == set(plots.systems)
        segments = [row for row in data(plots.segments()) if row["system"] == plots.systems[0]]
        assert [row["value"] for row in segments] == pytest.approx([0.5, 1.0, 1.0, 2.5 / 3])
        assert len({row["label"] for row in segments}) == 4
        assert all(len(row["label"]) <= 60 for row in segments)
        assert len({row["label"] for row in data(made.plot.segments())}) == 4
        total = next(row for row in segments if row["is_total"])
        assert total["label"] == "(all)"


def test_a_result_without_segments_or_judgments_says_why_it_has_no_chart(tmp_path: Path) -> None:
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg@10"]) as made:
        with pytest.raises(UsageError, match="no segments; evaluate with by=COLUMN"):
            made.plot.segments()
        with pytest.raises(UsageError, match=r"rr has no mean over queries here \(there are ndcg@10\)"):
            made.plot.distribution("rr")
        with pytest.raises(UsageError, match=r"ap has no curve by cutoff \(one of ndcg, recall, p\)"):
            made.plot.by_cutoff("ap")
    with sqlrank.evaluate(str(KEYWORD), metrics=["num_ret"]) as bare, pytest.raises(UsageError, match="need judgments"):
        bare.plot.by_cutoff()


def export_of(segments: int, worse: int) -> tuple[pandas.DataFrame, pandas.DataFrame, pandas.DataFrame]:
    """A baseline, a candidate that has lost the first few of so many segments of two queries, and the judgments.

    The segments that lost are the smallest.
    """
    rows: dict[str, list[tuple[str, str, float, str]]] = {"old": [], "new": []}
    for number in range(segments):
        for query in range(2 if number < worse else 3):
            name, segment = f"q{number}_{query}", f"s{number:02}"
            rows["old"] += [(name, "a", 2.0, segment), (name, "b", 1.0, segment)]
            rows["new"] += [(name, "a", 0.0 if number < worse else 3.0, segment), (name, "b", 1.0, segment)]
    frames = [pandas.DataFrame(each, columns=["query_id", "doc_id", "score", "device"]) for each in rows.values()]
    judged = pandas.DataFrame({"query_id": frames[0].query_id.unique(), "doc_id": "a", "relevance": 1})
    return frames[0], frames[1], judged


def test_of_many_segments_the_worst_and_the_best_are_drawn_and_the_picture_says_so() -> None:
    old, new, judged = export_of(84, worse=5)
    with sqlrank.compare(systems={"old": old, "new": new}, qrels=judged, metrics="rr", by="device") as comparison:
        chart = comparison.plot.segments()
    shown = {row["label"] for row in data(chart)}
    assert {f"s{number:02}" for number in range(5)} <= shown
    assert len(shown) == 31
    assert "30 of 84: the worst and the best" in chart.title
    with sqlrank.evaluate(new, judged, "rr", by="device") as result:
        assert "30 of 84: the worst and the best" in result.plot.segments().title


def test_a_date_beside_a_second_segment_is_a_line_for_each_of_its_values() -> None:
    rows = [
        (f"q{day}{device}", document, score, f"2026-11-0{day}", device)
        for day in (1, 2, 3)
        for device in ("phone", "desk")
        for document, score in (("a", 2.0), ("b", 1.0))
    ]
    run = pandas.DataFrame(rows, columns=["query_id", "doc_id", "score", "day", "device"])
    judged = pandas.DataFrame({"query_id": run.query_id.unique(), "doc_id": "a", "relevance": 1})
    with sqlrank.evaluate(run, judged, "rr", by=["day", "device"]) as result:
        chart = result.plot.segments()
    assert chart.name == "over-time"
    assert {row["system"] for row in data(chart)} == {"phone", "desk"}
    assert {row["date"] for row in data(chart)} == {"2026-11-01", "2026-11-02", "2026-11-03"}
    with sqlrank.compare(
        systems={"old": run, "new": run}, qrels=judged, metrics="rr", by=["device", "day"]
    ) as comparison:
        chart = comparison.plot.segments()
    assert chart.name == "differences-over-time"
    assert {row["system"] for row in data(chart)} == {"phone", "desk"}
