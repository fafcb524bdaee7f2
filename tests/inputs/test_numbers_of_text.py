"""Checks that compare relevances, scores and weights: in CSV and JSON lines these are text until they are numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pandas
import pytest

import sqlrank
from sqlrank.sql_files import sql_folder
from tests.support.cli_helper import completed, error_of
from tests.support.small_data import json_lines, separated
from tests.support.tables import hold

Row = tuple[Any, ...]
RUN, LABELS = ("query_id", "doc_id", "score"), ("query_id", "doc_id", "relevance")


def dictionary(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Rows as a dictionary of dictionaries."""
    made: dict[str, dict[str, float]] = {}
    for query, document, value in rows:
        made.setdefault(str(query), {})[document] = value
    return made


def written(suffix: str, write: Callable[[Sequence[str], Sequence[Row]], str]) -> Callable[..., str]:
    """What writes rows to a file of text."""

    def to_file(folder: Path, name: str, names: Sequence[str], rows: Sequence[Row]) -> str:
        path = folder / f"{name}.{suffix}"
        path.write_text(write(names, rows), encoding="utf-8")
        return str(path)

    return to_file


def parquet(folder: Path, name: str, names: Sequence[str], rows: Sequence[Row]) -> str:
    """Rows in a Parquet file, whose columns have types."""
    path = folder / f"{name}.parquet"
    pandas.DataFrame(rows, columns=list(names)).to_parquet(path)
    return str(path)


TEXTS: dict[str, Callable[..., Any]] = {"csv": written("csv", separated(",")), "jsonl": written("jsonl", json_lines)}
FORMS = TEXTS | {"parquet": parquet, "dictionary": lambda folder, name, names, rows: dictionary(rows)}


def test_judged_documents_that_were_not_returned_are_refused_by_name(tmp_path: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        tool, form = case
        run = FORMS[form](tmp_path, "run", RUN, [(1, "a", 2), (2, "b", 3)])
        qrels = FORMS[form](tmp_path, "qrels", LABELS, [(1, "a", 2), (2, "z", 3)])

        with pytest.raises(sqlrank.DataError, match=r"not returned, such as '?z'? of query '?2'?; .* sees one table"):
            sqlrank.evaluate(run, qrels, "ndcg@3", like=tool)

    hold(product(["lightgbm", "xgboost", "catboost", "evidently"], FORMS), check)


def test_a_judgment_of_0_that_was_not_returned_is_none_of_them(tmp_path: Path) -> None:
    def check(form: str) -> None:
        run = FORMS[form](tmp_path, "run", RUN, [(1, "a", 2), (2, "b", 3)])
        qrels = FORMS[form](tmp_path, "qrels", LABELS, [(1, "a", 2), (2, "b", 0), (2, "z", 0)])

        with sqlrank.evaluate(run, qrels, "ndcg@3", like="lightgbm") as result:
            assert result["ndcg(gain=exp2, ideal=retrieved)@3"] == 1

    hold(list(FORMS), check)


def refusal(run: Any, qrels: Any, metric: str, **options: Any) -> str:
    """What is said where the data is refused."""
    with pytest.raises((sqlrank.DataError, sqlrank.UsageError)) as raised:
        sqlrank.evaluate(run, qrels, metric, **options)
    return str(raised.value)


def csv(folder: Path, name: str, names: str, *lines: str) -> str:
    """A file of lines as they are."""
    path = folder / f"{name}.csv"
    path.write_text("\n".join([names, *lines, ""]), encoding="utf-8")
    return str(path)


JUDGED = ("query_id,doc_id,relevance", "1,a,2", "1,b,1", "1,c,0")


def test_equal_scores_that_are_spelt_otherwise_are_one_tie(tmp_path: Path) -> None:
    run = csv(tmp_path, "run", "query_id,doc_id,score", "1,a,10", "1,b,9", "1,c,9.0")
    qrels = csv(tmp_path, "qrels", *JUDGED)

    assert "depth=2 cuts through equal scores" in refusal(run, qrels, "p@2", ties="average", depth=2)
    with sqlrank.evaluate(run, qrels, "p@1", ties="average", depth=1) as result:
        assert result["p@1"] == 1


def test_single_precision_decides_what_is_cut(tmp_path: Path) -> None:
    run = csv(tmp_path, "run", "query_id,doc_id,score", "1,a,1", "1,b,1.00000000001")
    qrels = csv(tmp_path, "qrels", *JUDGED)

    assert "cuts through" in refusal(run, qrels, "p@1", ties="average", depth=1, score_type="float")
    with sqlrank.evaluate(run, qrels, "p@1", ties="average", depth=1) as result:
        assert result["p@1"] == 1


@pytest.mark.parametrize(
    ("metric", "options"), [("p@1", {"ties": "average", "depth": 1}), ("entropy@1", {"ties": "error"})]
)
def test_ids_of_numbers_and_of_text_are_compared_as_text_where_ties_are(metric: str, options: Any) -> None:
    run = pandas.DataFrame([(1, "a", 3.0), (1, "b", 3.0)], columns=list(RUN))

    assert "1" in refusal(run, {"x1": {"a": 1}, "1": {"a": 1}}, metric, **options).partition("query")[2]


def test_ids_of_one_score_that_is_spelt_otherwise_are_ordered_by_their_type(tmp_path: Path) -> None:
    run = csv(tmp_path, "run", "query_id,doc_id,score", "1,9,9", "1,10,9.0", "1,8,1")
    qrels = csv(tmp_path, "qrels", "query_id,doc_id,relevance", "1,9,1")

    assert "'10' and '9' of query '1' have one score" in refusal(run, qrels, "rr@2", like="replay")


def test_ranks_that_are_spelt_otherwise_are_one_place(tmp_path: Path) -> None:
    run = csv(tmp_path, "run", "query_id,doc_id,rank", "1,a,1", "1,b,1.0", "1,c,2")
    qrels = csv(tmp_path, "qrels", *JUDGED)

    assert "rank 1 of query '1' by 2" in refusal(run, qrels, "rr", order="rank")


def test_labels_are_compared_as_numbers(tmp_path: Path) -> None:
    names = "system,query_id,doc_id,score,relevance"
    alike = csv(tmp_path, "alike", names, "A,1,a,1,1", "B,1,a,2,1.0", "A,1,b,0.5,0")
    apart = csv(tmp_path, "apart", names, "A,1,a,1,10", "B,1,a,2,9", "A,1,b,0.5,0")

    with sqlrank.evaluate(alike, None, "rr", columns={"system": "system"}) as result:
        assert result.value("rr", system="B") == 1
    assert "has 9 and 10" in refusal(apart, None, "rr", columns={"system": "system"})


def test_copies_of_judgments_are_from_the_least_to_the_largest_number(tmp_path: Path) -> None:
    run = csv(tmp_path, "run", "query_id,doc_id,score", "1,a,10")
    qrels = csv(tmp_path, "qrels", "query_id,doc_id,relevance", "1,a,10", "1,a,9")

    assert "2 judgments, from 9 to 10" in refusal(run, qrels, "rr")


def test_a_weight_is_the_same_however_it_is_spelt(tmp_path: Path) -> None:
    run = csv(tmp_path, "run", "query_id,doc_id,score,w", "1,a,1,2", "1,b,2,2.0")
    qrels = csv(tmp_path, "qrels", *JUDGED)

    with sqlrank.evaluate(run, qrels, "p@1", weight="w") as result:
        assert result["p@1"] == 1
    varied = csv(tmp_path, "varied", "query_id,doc_id,score,w", "1,a,1,2", "1,b,2,10")
    assert "more than one value of w" in refusal(varied, qrels, "p@1", weight="w")


def test_no_check_compares_a_number_before_it_is_one() -> None:
    numbers = r"(?:\w+\.)?(?:relevance|score|rank|item_weight|length)"
    compared = re.compile(
        rf"(?<![\w.{{])(?:{numbers} *(?:<|>|=)|(?:min|max|avg|sum)\({numbers}\)|(?:group|order) by [^()]*\bscore\b)"
    )
    counted = {"gain_missing", "scores_and_labels_swapped", "rank_disagrees", "tied_at_cutoff"}
    """Those whose inner statement makes them numbers first."""
    for path in sorted((sql_folder() / "checks").rglob("*.sql")):
        statement = path.read_text(encoding="utf-8").partition("#}")[2]
        if path.stem not in counted:
            assert not compared.findall(statement), path


def test_an_expression_over_texts_is_told_how_to_make_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.csv").write_text("query_id,doc_id,score\nq,a,2\nr,b,1\n", encoding="utf-8")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq,a,1\nr,c,1\n", encoding="utf-8")
    Path("queries.csv").write_text("query_id,traffic\nq,3\nr,1\n", encoding="utf-8")
    asked = ("eval", "run.csv", "--qrels", "qrels.csv", "-m", "rr", "--queries", "queries.csv", "--format", "csv")

    said = error_of(2, *asked, "--weight", "log2(1 + traffic)")
    assert said.endswith("; values of text files are text: write cast(column as double)\n")
    assert completed(*asked, "--weight", "log2(1 + cast(traffic as double))").values["run", "rr"] == "0.666666666667"
