"""Data that a tool reads otherwise than sqlrank does by itself: what `like` makes of it, or why it refuses."""

from __future__ import annotations

from math import log2
from typing import Any

import pandas
import pytest

import sqlrank
from tests.support.cases import arrow
from tests.support.cli_helper import error_of, run_cli
from tests.support.small_data import write_csv

HISTORY = arrow([("h1", "1"), ("h2", "1"), ("h3", "2")], "query_id", "doc_id")
RECOMMENDED = {"u1": {"1": 2.0, "2": 1.0}, "u2": {"2": 2.0, "9": 1.0}, "u3": {"1": 1.0}}
JUDGED = {"u1": {"1": 1}, "u2": {"2": 1}, "u4": {"1": 1}}


def frame(rows: list[tuple[Any, ...]], *columns: str) -> pandas.DataFrame:
    """A data frame, whose columns have the types of their values."""
    return pandas.DataFrame(rows, columns=list(columns))


def value(run: Any, judged: Any, metric: str, tool: str, **options: Any) -> float | None:
    """The value of a metric as a tool has it."""
    with sqlrank.evaluate(run, judged, metric, like=tool, **options) as result:
        found: float | None = result[result.measures[0].text]
        return found


def refusal(run: Any, judged: Any, metric: str, tool: str, **options: Any) -> str:
    """What is said where the data is refused."""
    with pytest.raises(sqlrank.DataError) as raised:
        value(run, judged, metric, tool, **options)
    return str(raised.value)


def one(rows: list[tuple[Any, ...]], *columns: str) -> pandas.DataFrame:
    """The rows of user u."""
    return frame([("u", *row) for row in rows], "user_id", *columns)


@pytest.mark.parametrize("judged", [JUDGED, None])
@pytest.mark.parametrize(
    ("tool", "metric", "expected"),
    [
        ("rectools", "popularity@2", (1.5 + 0.5 + 2) / 3),
        ("rectools", "novelty@2", ((log2(1.5) + log2(3)) / 2 + log2(3) + log2(1.5)) / 3),
        ("replay", "surprisal@2", ((log2(1.5) / log2(3) + 1) / 2 + 1 + log2(1.5) / log2(3) / 2) / 3),
        ("replay", "coverage@1", 1.0),
    ],
)
def test_what_is_shown_is_averaged_over_users_with_recommendations(
    tool: str, metric: str, expected: float, judged: Any
) -> None:
    assert value(RECOMMENDED, judged, metric, tool, history=HISTORY) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("tool", ["rectools", "replay"])
def test_it_is_asked_for_apart_from_accuracy(tool: str) -> None:
    other = {"rectools": "popularity@2", "replay": "surprisal@2"}[tool]
    with pytest.raises(sqlrank.UsageError, match="ask for them apart"):
        sqlrank.evaluate(RECOMMENDED, JUDGED, [other, "p@2"], like=tool, history=HISTORY)


@pytest.mark.parametrize(
    ("ids", "expected"),
    [([9, 10], 1.0), (["9", "10"], 0.5), ([2**63 - 1, 7], 0.5), (["é", "z"], 0.5)],
)
def test_replay_breaks_ties_by_the_type_of_the_ids(ids: list[Any], expected: float) -> None:
    run = one([(ids[0], 0.5), (ids[1], 0.5)], "item_id", "score")

    assert value(run, one([(ids[1], 1)], "item_id", "relevance"), "rr@2", "replay") == expected


def test_replay_ranks_the_baseline_by_number_too() -> None:
    run = one([(9, 0.5), (10, 0.5), (3, 0.1)], "item_id", "score")
    baseline = one([(9, 0.5), (10, 0.5)], "item_id", "score")

    assert value(run, None, "unexpectedness@1", "replay", baseline_run=baseline) == 0


def test_replay_refuses_tied_numbers_of_a_text_file() -> None:
    run = write_csv("run.csv", ("user_id", "item_id", "score"), [("u", 9, 0.5), ("u", 10, 0.5), ("v", 1, 2)])
    judged = write_csv("judged.csv", ("user_id", "item_id", "relevance"), [("u", 10, 1), ("v", 1, 1)])
    arguments = ("eval", run, "--qrels", judged, "-m", "rr@2", "--like", "replay", "--format", "csv")

    said = error_of(3, *arguments)

    assert "breaks ties by the type of the ids" in said
    assert "'10' and '9' of query 'u'" in said
    assert run_cli(*arguments, "--ties", "number-desc").values["run", "rr@2"] == "1"
    assert run_cli(*arguments, "--ties", "doc-desc").values["run", "rr@2"] == "0.75"


def test_ids_that_are_no_whole_numbers_are_not_ordered_by_number() -> None:
    for other in ("b", "-3", "07", "1.5"):
        with pytest.raises(sqlrank.DataError, match="not a whole number"):
            sqlrank.evaluate({"u": {"9": 1.0, other: 1.0}}, {"u": {"9": 1}}, "rr", ties="number-desc")


def test_replay_refuses_tied_numbers_of_a_dictionary_whose_ids_are_always_text() -> None:
    run, judged = {"u": {"9": 0.5, "10": 0.5}}, {"u": {"10": 1}}

    assert "'10' and '9' of query 'u' have one score" in refusal(run, judged, "rr@2", "replay")
    assert value({"u": {"9": 0.5, "i10": 0.5}}, {"u": {"9": 1}}, "rr@2", "replay") == 0.5
    assert value({"u": {"19": 0.5, "10": 0.5}}, {"u": {"10": 1}}, "rr@2", "replay") == 0.5


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("rectools", "every judgment is relevant"),
        ("rectools", "ranks are whole numbers from 1 on, each once in a ranking"),
        ("replay", "ids are text; where they are whole numbers, --ties number-desc orders them so"),
        ("xgboost", "every judged document was returned"),
        ("ranklib", "judgments are whole numbers"),
        ("ranklib", "judgments above 0 count as relevant"),
        ("evidently", "rankings are as long as the cutoff"),
    ],
)
def test_statement_says_what_it_takes_for_granted_as_a_tool_does(tool: str, said: str) -> None:
    options: Any = {"ties": "doc-desc"} if tool in ("xgboost", "ranklib", "evidently") else {}
    metric = "ap" if tool == "ranklib" else "ap@3"
    statement = sqlrank.sql("runs", "judged", metric, like=tool, **options)

    assert said in " ".join(line.removeprefix("-- ") for line in statement.splitlines())


def test_rectools_takes_places_from_the_rank_column() -> None:
    run = one([(1, 0.5, 1), (2, 0.5, 2), (3, 0.5, 3)], "item_id", "score", "rank")
    judged = one([(1, 1)], "item_id", "relevance")

    assert value(run, judged, "rr@5", "rectools") == 1
    assert value(run.drop(columns="rank"), judged, "rr@5", "rectools") == pytest.approx(1 / 3)
    assert value(run, judged, "rr@5", "rectools", order="desc") == pytest.approx(1 / 3)
    with sqlrank.evaluate(run, judged, "rr@5", like="rectools") as result:
        assert result.conventions.order == "rank"
        assert "the run: the column rank gives the places" in result.notes


GAPS = one([(1, 1), (4, 4), (6, 6)], "item_id", "rank")
FOUR_AND_SIX = one([(4, 1), (6, 1)], "item_id", "relevance")


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("p@3", 0.0),
        ("rr@5", 0.25),
        ("recall@4", 0.5),
        ("ap@10", (1 / 4 + 2 / 6) / 2),
        ("ndcg@2", 0.0),
        ("ndcg(ideal=judged)@6", (1 / log2(5) + 1 / log2(7)) / (1 + 1 / log2(3))),
        ("success@5", 1.0),
    ],
)
def test_rectools_leaves_gaps_as_they_are(metric: str, expected: float) -> None:
    assert value(GAPS, FOUR_AND_SIX, metric, "rectools") == pytest.approx(expected, abs=1e-12)


def test_places_may_be_given_without_a_tool() -> None:
    with sqlrank.evaluate(GAPS, FOUR_AND_SIX, ["p@3", "rr", "ap"], order="rank") as result:
        assert list(result.to_dict()["u"].values()) == pytest.approx([0, 0.25, (1 / 4 + 2 / 6) / 2])


def test_statement_for_rectools_reads_the_rank_column() -> None:
    assert "cast(rank as double) as rank" in sqlrank.sql("runs", "judged", "p@3", like="rectools")
    scored = sqlrank.sql("runs", "judged", "p@3", like="rectools", columns={"score": "rating"})
    assert "score := cast(rating as double)" in scored


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ([0, 1], "ranks is not a whole number"),
        ([1.5, 2], "ranks is not a whole number"),
        ([2, 2], "rank 2 of query 'u' by 2"),
    ],
)
def test_ranks_that_are_no_places_are_refused(places: list[float], said: str) -> None:
    run = one([(1, places[0]), (2, places[1])], "item_id", "rank")

    assert said in refusal(run, one([(1, 1)], "item_id", "relevance"), "p@2", "rectools")


def test_users_whose_places_begin_below_the_cutoff_are_refused_where_rectools_leaves_them_out() -> None:
    run = frame([("u", "1", 1), ("v", "2", 3)], "user_id", "item_id", "rank")

    assert "begins at 3; RecTools leaves it out" in refusal(run, None, "popularity@2", "rectools", history=HISTORY)
    assert value(run, None, "popularity@3", "rectools", history=HISTORY) == 1.5


@pytest.mark.parametrize("option", [{"depth": 2}, {"unjudged": "remove"}])
def test_given_places_are_not_counted_anew(option: dict[str, Any]) -> None:
    with pytest.raises(sqlrank.UsageError, match="order='rank' takes as given"):
        sqlrank.evaluate(GAPS, FOUR_AND_SIX, "p@3", order="rank", **option)


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([("1", "a"), ("2", "a"), ("3", None)], 0.0),
        ([("1", "a"), ("2", "a")], 0.0),
        ([("1", "a"), ("2", "b")], 1.0),
        ([("1", "a")], None),
    ],
)
def test_rectools_leaves_out_pairs_without_category(items: list[tuple[str, Any]], expected: float | None) -> None:
    catalogue = arrow(items, "doc_id", "category")

    assert value({"u": {"1": 3.0, "2": 2.0, "3": 1.0}}, None, "diversity@3", "rectools", items=catalogue) == expected


def test_replay_refuses_documents_without_category() -> None:
    catalogue = arrow([("1", "a")], "doc_id", "category")

    assert "'2' of query 'u'" in refusal({"u": {"1": 2.0, "2": 1.0}}, None, "diversity@2", "replay", items=catalogue)


CATEGORIES = arrow([("a", "x"), ("b", "x"), ("c", "y")], "doc_id", "category")


@pytest.mark.parametrize("metric", ["diversity@2", "coverage@2"])
def test_replay_refuses_ties_at_the_cutoff_where_it_leaves_their_order_open(metric: str) -> None:
    tied = {"u": {"a": 0.5, "b": 0.5, "c": 0.5}}

    said = refusal(tied, None, metric, "replay", items=CATEGORIES)

    assert "which RePlay leaves open" in said
    assert "query 'u' at 2" in said


@pytest.mark.parametrize(("k", "expected"), [(1, 1.0), (3, 2 / 3), (9, 2 / 9)])
def test_ties_away_from_the_cutoff_change_nothing(k: int, expected: float) -> None:
    run = {"u": {"c": 0.7, "a": 0.5, "b": 0.5}}

    assert value(run, None, f"diversity@{k}", "replay", items=CATEGORIES) == pytest.approx(expected)


def test_ties_of_what_is_shown_are_refused_without_a_tool_too() -> None:
    with pytest.raises(sqlrank.DataError, match=r"entropy@1 depends on the order of ties, such as"):
        sqlrank.evaluate({"u": {"a": 0.5, "b": 0.5}}, {"v": {"a": 1}, "u": {"c": 1}}, "entropy@1", ties="error")
    judged_elsewhere = {"u": {"a": 0.5, "b": 0.5}, "v": {"a": 1.0}}
    assert sqlrank.evaluate(judged_elsewhere, {"v": {"a": 1}}, "entropy@1", ties="error")["entropy@1"] == 0


def test_xgboost_reads_scores_in_32_bits() -> None:
    run = {"q": {"a": 1.0, "b": 1.0 + 1e-9, "c": 0.5}}

    assert value(run, {"q": {"a": 0, "b": 2, "c": 1}}, "ndcg@3", "xgboost") == pytest.approx(0.6590, abs=1e-4)
    assert value(run, {"q": {"a": 0, "b": 2, "c": 1}}, "ndcg@3", "xgboost", score_type="double") == pytest.approx(
        (3 + 1 / 2) / (3 + 1 / log2(3))
    )


@pytest.mark.parametrize(
    ("tool", "metric"),
    [
        ("xgboost", "ap@3"),
        ("torchmetrics", "recall@3"),
        ("torchmetrics", "rprec"),
        ("torchmetrics", "set_recall"),
        ("lightgbm", "map@3"),
    ],
)
def test_tool_of_one_table_refuses_judged_documents_that_were_not_returned(tool: str, metric: str) -> None:
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}

    said = refusal(run, {"q": {"b": 1, "c": 1, "z": 1}}, metric, tool)

    assert "1 judged document was not returned, such as 'z' of query 'q'" in said
    assert value(run, {"q": {"b": 1, "c": 1}, "p": {"z": 1}}, metric, tool) is not None
    labelled = arrow([("q", "a", 3.0, 0), ("q", "b", 2.0, 1)], "query_id", "doc_id", "score", "relevance")
    assert value(labelled, None, metric, tool) is not None


@pytest.mark.parametrize("tool", ["xgboost", "lightgbm"])
def test_query_whose_relevant_documents_were_not_returned_is_refused_where_it_would_count_1(tool: str) -> None:
    run = {"q": {"a": 2.0, "b": 1.0}}

    assert value(run, {"q": {"b": 1, "z": 1}}, "ndcg@3", tool) == pytest.approx(1 / log2(3))
    assert "such as 'z' of query 'q'" in refusal(run, {"q": {"b": 0, "z": 1}}, "ndcg@3", tool)


@pytest.mark.parametrize(
    ("tool", "metric"),
    [("sklearn", "ndcg@3"), ("sklearn", "gauc"), ("torchmetrics", "rr"), ("xgboost", "p@2"), ("torchmetrics", "ap")],
)
def test_documents_that_were_not_returned_are_nothing_to_a_metric_that_counts_none(tool: str, metric: str) -> None:
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}

    with_others = value(run, {"q": {"b": 1, "c": 1, "z": 1}}, metric, tool)

    assert with_others == value(run, {"q": {"b": 1, "c": 1}}, metric, tool)


@pytest.mark.parametrize("tool", ["rectools", "replay", "recommenders"])
@pytest.mark.parametrize("label", [0, -1, 0.5])
def test_tool_of_relevant_rows_refuses_others(tool: str, label: float) -> None:
    said = refusal({"u": {"1": 2.0, "2": 1.0}}, {"u": {"1": label, "2": 1}}, "p@2", tool)

    assert "1 of 2 judgments is not relevant" in said
    assert "document '1' for query 'u'" in said


def test_level_says_what_is_relevant() -> None:
    run, judged = {"u": {"1": 2.0, "2": 1.0}}, {"u": {"1": 0.5, "2": 1}}

    assert value(run, judged, "p@2", "rectools", rel=0.5) == 1
    assert "that are, those of 2 or more" in refusal(run, {"u": {"1": 1, "2": 2}}, "p@2", "rectools", rel=2)


@pytest.mark.parametrize(
    ("tool", "metric", "expected"),
    [
        ("xgboost", "set_p", 2 / 3),
        ("torchmetrics", "set_p", 2 / 3),
        ("torchmetrics", "set_recall", 1.0),
        ("replay", "accuracy@3", 0.5),
        ("replay", "accuracy@1", 1.0),
        ("recommenders", "entropy@2", 1.0),
        ("recommenders", "auc", 0.5),
    ],
)
def test_metrics_that_were_refused_are_followed(tool: str, metric: str, expected: float) -> None:
    judged = {"q": {"a": 1, "c": 1}} if tool == "replay" else {"q": {"a": 1, "b": 0, "c": 1}}

    assert value({"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, judged, metric, tool) == pytest.approx(expected)


def test_recommenders_area_is_of_rated_pairs_alone() -> None:
    run = {"u": {"a": 3.0, "unrated": 2.5, "b": 2.0}, "v": {"a": 2.0, "b": 1.0}, "w": {"unrated": 9.0}}
    rated = {"u": {"a": 1, "b": 0, "missed": 1}, "v": {"a": 0, "b": 1}}

    # Relevant: 3 and 1; others: 2, tied with 2. Won: 2 of 4.
    assert value(run, rated, "auc", "recommenders") == 0.5
