"""Every finding about bad input: the exit code, and that the message says what, where, and what to do.

The inputs are the files of fixtures/bad, each the smallest that fails in one way; run.csv and qrels.csv are good.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from sqlrank.inputs.check_files import every_check
from tests.support.cli_helper import FIXTURES, run_cli

pytestmark = pytest.mark.usefixtures("plans_whatever_the_size")

BAD = FIXTURES / "bad"


class Case(NamedTuple):
    """One command and what it says."""

    arguments: str
    code: int
    fragments: tuple[str, ...]
    check: str = ""
    """The file of sql/checks that finds it; empty where reading fails before any check."""


@pytest.fixture(autouse=True)
def _among_the_bad_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)


FINDINGS = [
    Case(
        "run_null_id.csv --qrels qrels.csv", 3, ("run_null_id.csv, line 3", "1 of 2", "'q1'", "doc_id null"), "null_id"
    ),
    Case(
        "run.csv --qrels qrels_null_id.csv",
        3,
        ("qrels_null_id.csv, line 3", "1 of 2", "query_id null", "'d3'"),
        "null_id",
    ),
    Case(
        "run.csv --qrels qrels.csv --queries queries_null_id.csv --by country",
        3,
        ("queries_null_id.csv, line 3", "1 of 2", "query_id null"),
        "null_id",
    ),
    Case(
        "run_text_score.csv --qrels qrels.csv",
        3,
        ("run_text_score.csv, line 3", "1 of 2", "'d2'", "'q1'", "'high'"),
        "bad_score",
    ),
    Case(
        "run_empty_score.csv --qrels qrels.csv",
        3,
        ("run_empty_score.csv, line 2", "1 of 2", "'d1'", "null"),
        "bad_score",
    ),
    Case(
        "run_infinite_score.csv --qrels qrels.csv",
        3,
        ("run_infinite_score.csv, line 4", "1 of 3", "'d3'", "'inf'"),
        "bad_score",
    ),
    Case(
        "run_nan_score.csv --qrels qrels.csv", 3, ("run_nan_score.csv, line 2", "1 of 2", "'d1'", "'nan'"), "bad_score"
    ),
    Case(
        "run.csv --qrels qrels_text_relevance.csv",
        3,
        ("qrels_text_relevance.csv, line 2", "1 of 2", "'d1'", "'E'", "--relevance-map"),
        "bad_relevance",
    ),
    Case(
        "run.csv --qrels qrels_infinite_relevance.csv",
        3,
        ("qrels_infinite_relevance.csv, line 3", "1 of 2", "'d3'", "'inf'"),
        "bad_relevance",
    ),
    Case(
        "export_text_relevance.csv",
        3,
        ("export_text_relevance.csv, line 3", "'d2'", "'good'", "--relevance-map"),
        "bad_relevance",
    ),
    Case(
        "run.csv --qrels qrels.csv --queries queries_text_weight.csv --weight traffic",
        3,
        ("queries_text_weight.csv, line 3", "1 of 2", "traffic", "'q2'"),
        "bad_weight",
    ),
    Case(
        "run_text_weight.csv --qrels qrels.csv --weight traffic",
        3,
        ("run_text_weight.csv, line 4", "traffic", "'q2'"),
        "bad_weight",
    ),
    Case(
        "run.csv --qrels qrels.csv -m ndcg(gain=0:0,1:1)@10",
        3,
        ("qrels.csv", "1 judgment", "gain table", "'d3'", "'q1'", "has 2", "add it to the table"),
        "gain_missing",
    ),
    Case(
        "run.csv --qrels qrels_huge_relevance.csv -m ndcg(gain=exp2)@10",
        3,
        ("qrels_huge_relevance.csv", "ndcg(gain=exp2)@10", "'q1'", "choose another gain"),
        "value_not_finite",
    ),
    Case(
        "run_duplicates.csv --qrels qrels.csv",
        3,
        ("run_duplicates.csv", "cases: 1", "'d1'", "'q1'", "2 times", "--duplicates best"),
        "run_duplicates",
    ),
    Case(
        "run.csv --qrels qrels_duplicates.csv",
        3,
        ("qrels_duplicates.csv", "'d1'", "'q1'", "2 judgments", "1", "--judgments max or mean"),
        "qrels_duplicates",
    ),
    Case(
        "export_labels_differ.csv",
        3,
        ("export_labels_differ.csv", "'d1'", "'q1'", "1", "2", "--judgments max or mean"),
        "labels_differ",
    ),
    Case("run.csv --qrels qrels_click_rates.csv", 3, ("qrels_click_rates.csv", "0.93", "--rel 0."), "level_unreached"),
    Case("run.csv --qrels qrels_click_rates.csv -m ap(rel=0.5) -m p@1", 3, ("0.93", "1"), "level_unreached"),
    Case(
        "run_other_queries.csv --qrels qrels.csv",
        3,
        ("run_other_queries.csv", "'01'", "'q1'", "varchar", "padding"),
        "no_shared_query",
    ),
    Case(
        "run_padded_documents.csv --qrels qrels.csv",
        3,
        ("run_padded_documents.csv", "'q1'", "'d01'", "'d1'", "without leading zeros"),
        "",
    ),
    Case(
        "run.csv --qrels qrels_nothing_relevant.csv -m ap --empty error",
        3,
        ("qrels_nothing_relevant.csv", "ap", "'q2'", "--empty zero, one or skip"),
        "nothing_to_find",
    ),
    Case("run_tied.csv --qrels qrels.csv --ties error", 3, ("run_tied.csv", "'q1'", "--ties"), "ties_found"),
    Case(
        "run.csv --qrels qrels.csv --where query_id='q1'",
        2,
        ("1 of 2 judged queries", "'q2'", "--query-set shared", "--query-set judged"),
        "where_emptied",
    ),
    Case(
        "shard_1.csv shard_2.csv --qrels qrels.csv",
        3,
        ("shard_1.csv", "shard_2.csv", "2 of 2", "parts of one run", "quote the pattern", "name=path"),
        "shards",
    ),
    Case(
        "run.csv --qrels qrels.csv --queries queries_missing_weight.csv --weight traffic",
        3,
        ("queries_missing_weight.csv", "traffic", "'q2'", "0 or more"),
        "weight_missing",
    ),
    Case(
        "run.csv --qrels qrels.csv --queries queries_negative_weight.csv --weight traffic",
        3,
        ("queries_negative_weight.csv", "traffic", "'q2'", "-1", "0 or more"),
        "weight_missing",
    ),
    Case(
        "run_segment_varies.csv --qrels qrels.csv --by country",
        3,
        ("run_segment_varies.csv", "country", "'q1'", "'de'", "'fr'"),
        "segment_varies",
    ),
    Case(
        "run_countries.csv --qrels qrels_countries.csv --by country",
        3,
        ("run_countries.csv", "cases: 1", "'q2'", "'de' in the run", "'fr' in the judgments", "run.country"),
        "segment_disagrees",
    ),
    Case(
        "run.csv --qrels qrels.csv --queries queries_duplicates.csv --by country",
        3,
        ("queries_duplicates.csv", "'q2'", "2 times", "one row per query"),
        "queries_duplicates",
    ),
    Case(
        "run.csv --qrels qrels.csv --items items_duplicates.csv -m diversity@2",
        3,
        ("items_duplicates.csv", "more than once in the catalogue", "cases: 1", "'d1'", "one category"),
        "items_duplicates",
    ),
    Case(
        "run.csv --qrels qrels.csv --items items_null_id.csv -m coverage@2",
        3,
        ("items_null_id.csv, line 3", "1 of 2", "doc_id null"),
        "null_id",
    ),
    Case(
        "run.csv --qrels qrels.csv --history history_null_id.csv -m novelty@2",
        3,
        ("history_null_id.csv, line 3", "1 of 2", "'q2'", "doc_id null"),
        "null_id",
    ),
    Case(
        "run.csv --qrels qrels.csv --baseline baseline_duplicates.csv -m unexpectedness@2",
        3,
        ("baseline_duplicates.csv", "cases: 1", "'d1' of query 'q1'", "remove the copies"),
        "baseline_duplicates",
    ),
    Case(
        "run.csv --qrels qrels.csv --baseline baseline_text_score.csv -m unexpectedness@2",
        3,
        ("baseline_text_score.csv, line 2", "1 of 1", "'high'"),
        "bad_score",
    ),
    Case(
        "run.csv --qrels qrels_null_subtopic.csv -m ap_ia",
        3,
        ("qrels_null_subtopic.csv, line 3", "1 of 2", "'d2' of query 'q1'"),
        "null_subtopic",
    ),
    Case(
        "run_tied.csv --qrels qrels.csv --ties average --depth 1 -m p@1",
        2,
        ("run_tied.csv", "--depth 1", "cases: 1", "'q1'", "choose another depth"),
        "tie_cut",
    ),
    Case(
        "run_not_positive.csv --qrels qrels.csv --like torchmetrics -m rr",
        2,
        ("run_not_positive.csv", "1 scores are 0 or less", "torchmetrics takes", "in rr;", "leave out --like"),
        "score_not_positive",
    ),
    Case(
        "run.csv --qrels qrels.csv -m err(max=1)@3",
        3,
        ("qrels.csv", "1 judgments are above max=1", "the largest is 2", "write max=2"),
        "grade_above_max",
    ),
]

UNREADABLE = [
    Case(
        "run.csv --qrels qrels.csv --history history_header_only.csv -m novelty@2",
        3,
        ("history_header_only.csv", "no rows"),
        "",
    ),
    Case("run_corrupt.parquet --qrels qrels.csv", 3, ("run_corrupt.parquet",)),
    Case("run_truncated.csv.gz --qrels qrels.csv", 3, ("run_truncated.csv.gz", "the gzip stream is cut short")),
    Case("run_ragged_short.csv --qrels qrels.csv", 3, ("run_ragged_short.csv", "line 3", "q1,d2", "3 Found: 2")),
    Case("run_ragged_long.csv --qrels qrels.csv", 3, ("run_ragged_long.csv", "line 3", "q1,d2,2,9", "3 Found: 4")),
    Case(
        "run_5_fields.trec --qrels qrels.csv", 3, ("run_5_fields.trec, line 2", "5 fields", "has 6", "'q1 Q0 d2 2 2'")
    ),
    Case(
        "run.csv --qrels qrels_5_fields.trec", 3, ("qrels_5_fields.trec, line 2", "5 fields", "has 4", "'q1 0 d3 2 9'")
    ),
    Case("run.csv --qrels qrels_3_fields.trec", 3, ("qrels_3_fields.trec, line 2", "3 fields", "has 4", "'q1 0 d3'")),
    Case("run_header_only.csv --qrels qrels.csv", 3, ("run_header_only.csv", "no rows")),
    Case("run_empty_file.csv --qrels qrels.csv", 3, ("run_empty_file.csv", "empty")),
    Case("run.csv --qrels run_empty_file.csv", 3, ("run_empty_file.csv", "empty")),
    Case("run_blank_lines.csv --qrels qrels.csv", 3, ("run_blank_lines.csv", "no lines")),
    Case(
        "run_missing_score.csv --qrels qrels.csv",
        3,
        ("run_missing_score.csv", "score", "'scor'", "--column score=scor"),
    ),
    Case("run_header_twice.csv --qrels qrels.csv", 3, ("run_header_twice.csv", "'score' twice")),
    Case("run_header_unnamed.csv --qrels qrels.csv", 3, ("run_header_unnamed.csv", "without a name")),
    Case(
        "run_fractional_id.jsonl --qrels qrels.csv",
        3,
        ("run_fractional_id.jsonl", "doc_id", "string or a whole number", "1.5"),
    ),
    Case("run_malformed_line.jsonl --qrels qrels.csv", 3, ("run_malformed_line.jsonl", "Malformed JSON", "line")),
    Case("run_two_names.csv --qrels qrels.csv", 3, ("run_two_names.csv", "qid", "topic", "--column query_id=qid")),
    Case("nowhere.csv --qrels qrels.csv", 3, ("nowhere.csv", "no such file")),
    Case("run.csv --qrels nowhere.parquet", 3, ("nowhere.parquet", "no such file")),
    Case("run.csv --qrels qrels.csv --queries nowhere.csv --by country", 3, ("nowhere.csv", "no such file")),
    Case("run.csv", 3, ("run.csv", "relevance", "--qrels")),
    Case("run.csv --qrels qrels.csv --ties rank", 3, ("run.csv", "rank", "--column rank=NAME")),
    Case("run.csv --qrels qrels.csv --by contry", 3, ("run.csv", "'contry'")),
    Case("run_segment_varies.csv --qrels qrels.csv --by contry", 3, ("'contry'", "did you mean country")),
    Case("run.csv --qrels qrels.csv --weight traffic", 3, ("run.csv", "'traffic'")),
    Case("run.csv --qrels qrels.csv --column score=nothing", 3, ("run.csv", "'nothing'")),
]


@pytest.mark.parametrize("case", FINDINGS + UNREADABLE, ids=lambda case: case.arguments)
def test_bad_input_is_refused_with_what_where_and_what_to_do(case: Case) -> None:
    outcome = run_cli("eval", *case.arguments.split())

    assert (outcome.code, outcome.out) == (case.code, "")
    assert outcome.err.startswith("sqlrank: error: ")
    assert outcome.err.count("\n") == 1
    for fragment in case.fragments:
        assert fragment in outcome.err


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", [case for case in FINDINGS if case.check], ids=lambda case: case.arguments)
def test_each_finding_is_that_of_the_check_it_is_listed_under(case: Case) -> None:
    said = run_cli("eval", *case.arguments.split()).err
    fixed_words = every_check()[case.check].message.split("{findings}")[-1].split("{")[0].strip(" :,")

    # A count of one may be told in the singular; what follows the first words is the check's own.
    assert fixed_words.split(" ", 2)[-1][:25] in said


NOTES = {"rank_disagrees", "scale_from_data", "level_unreached_as_asked"}
OF_FORMS = {"no_shared_document", "score_beyond_single", "score_counts_ranks", "scores_and_labels_swapped"}
"""What is found only in some forms of inputs, and tried in test_inputs."""
OF_PAIRS = {"no_query_in_both", "no_document_in_both"}
"""Those of rankings that are compared without judgments, in tests/similarity/test_likeness.py."""


def test_a_scale_that_comes_from_the_data_is_told() -> None:
    told = run_cli("eval", "run.csv", "--qrels", "qrels.csv", "-m", "err@3", "-m", "sdcg(max=4)@3")

    assert told.code == 0
    assert "err@3: max is 2, the largest relevance of the judgments; write max=2" in told.err
    assert "sdcg" not in told.err


OF_PRESETS = {
    "begins_below", "category_missing", "id_not_a_number", "judged_not_returned", "not_relevant", "rank_not_whole",
    "rank_repeated", "tied_at_cutoff", "tied_numbers",
}  # fmt: skip
"""Those that the definitions of a tool ask for, in tests/peers/test_preset_data.py."""
OF_VERDICTS = {"bad_verdict", "missing_weight", "null_rater", "rater_repeats", "verdicts_repeated"}
"""What is found only in verdicts, and tried in test_gsb."""


def test_every_check_has_a_case() -> None:
    elsewhere = NOTES | OF_FORMS | OF_VERDICTS | OF_PAIRS | OF_PRESETS
    assert {case.check for case in FINDINGS if case.check} | elsewhere == set(every_check())


def test_every_bad_file_is_used() -> None:
    words = {word for case in FINDINGS + UNREADABLE for word in case.arguments.split()}

    assert {path.name for path in BAD.iterdir()} - words == {"run_rank_disagrees.csv"}


ALLOWED = [
    ("run_duplicates.csv --qrels qrels.csv -m rr --duplicates best --query-set shared", ["1"]),
    ("run_duplicates.csv --qrels qrels.csv -m rr --duplicates first --query-set shared", ["1"]),
    ("run_duplicates.csv --qrels qrels.csv -m num_ret --duplicates best --query-set shared", ["2"]),
    ("run.csv --qrels qrels_duplicates.csv -m dcg@1 --judgments max", ["1"]),
    ("run.csv --qrels qrels_duplicates.csv -m dcg@1 --judgments mean", ["0.75"]),
    ("export_labels_differ.csv -m dcg@1 --judgments max", ["2", "0"]),
    ("export_labels_differ.csv -m dcg@1 --judgments mean", ["1.5", "0"]),
    ("run.csv --qrels qrels.csv -m dcg@1 --query-set shared --where query_id='q1'", ["1"]),
    ("run.csv --qrels qrels.csv -m dcg@1 --query-set judged --where query_id='q1'", ["0.5"]),
    ("run.csv --qrels qrels_click_rates.csv -m rr --rel 0.5", ["0.75"]),
    ("run.csv --qrels qrels_click_rates.csv -m dcg@1", ["0.465"]),
    ("run.csv --qrels qrels_nothing_relevant.csv -m ap --empty zero", ["0.5"]),
    ("run.csv --qrels qrels_nothing_relevant.csv -m ap --empty one", ["1"]),
    ("run.csv --qrels qrels_nothing_relevant.csv -m ap --empty skip", ["1"]),
    ("run_tied.csv --qrels qrels.csv -m rr --ties best", ["1"]),
    ("run_tied.csv --qrels qrels.csv -m rr --ties worst", ["0.75"]),
    ("run_tied.csv --qrels qrels.csv -m rr --ties doc-asc", ["1"]),
    ("run_tied.csv --qrels qrels.csv -m rr --ties input", ["1"]),
    ("a=shard_1.csv b=shard_2.csv --qrels qrels.csv -m rr", ["0.5", "0.25"]),
    ("shard_*.csv --qrels qrels.csv -m rr", ["0.75"]),
    ("run_text_score.csv --qrels qrels.csv -m rr --where doc_id='d1' --query-set shared", ["1"]),
    ("run_rank_disagrees.csv --qrels qrels.csv -m rr --ties rank", ["0.75"]),
    ("run.csv --qrels qrels.csv -m dcg(gain=0:0,1:1,2:4)@10", ["0.815464876786"]),
]


@pytest.mark.parametrize(("arguments", "values"), ALLOWED)
def test_a_convention_settles_what_would_be_refused(arguments: str, values: list[str]) -> None:
    outcome = run_cli("eval", *arguments.split(), "--format", "csv")

    assert outcome.code == 0, outcome.err
    assert [row["value"] for row in outcome.table] == values
    assert "sqlrank: error" not in outcome.err


def test_ties_of_equal_relevance_are_no_finding() -> None:
    outcome = run_cli("eval", "run.csv", "--qrels", "qrels.csv", "--ties", "error", "-m", "rr", "--format", "csv")

    assert (outcome.code, outcome.table[0]["value"]) == (0, "0.75")


def test_ranks_that_disagree_with_scores_are_a_note_with_the_count() -> None:
    outcome = run_cli("eval", "run_rank_disagrees.csv", "--qrels", "qrels.csv", "--ties", "rank", "--format", "csv")

    assert outcome.code == 0
    assert "sqlrank: note: run_rank_disagrees.csv: 1 row" in outcome.err
    assert "scores decide" in outcome.err


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["-m", "p(rel=3)@1"], "0"),
        (["-m", "map@1-l3"], "0"),
        (["-m", "ap", "--rel", "3"], "0"),
        (["-m", "ap(rel=3)", "--rel", "3", "--empty", "one"], "1"),
        (["-m", "ap(rel=1)"], "0"),
        (["-m", "ap", "--rel", "1"], "0"),
    ],
)
def test_a_level_that_was_asked_for_and_that_nothing_reaches_gives_the_value_of_nothing_with_a_note(
    arguments: list[str], value: str
) -> None:
    outcome = run_cli("eval", BAD / "run.csv", "--qrels", BAD / "qrels_click_rates.csv", *arguments, "--format", "csv")

    assert (outcome.code, list(outcome.values.values())) == (0, [value])
    assert "note: qrels_click_rates.csv: the largest relevance is 0.93, below rel=" in outcome.err.replace(
        f"{BAD}/", ""
    )


def test_ranks_that_agree_with_scores_are_no_note() -> None:
    arguments = ["--qrels", "qrels.csv", "--ties", "rank", "--order", "asc", "--format", "csv"]

    assert "scores decide" not in run_cli("eval", "run_rank_disagrees.csv", *arguments).err


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "arguments",
    [
        "run_duplicates.csv --qrels qrels.csv",
        "shard_1.csv shard_2.csv --qrels qrels.csv",
        "run_segment_varies.csv --qrels qrels.csv --by country",
        "run.csv --qrels qrels_duplicates.csv",
    ],
)
def test_without_checks_the_findings_are_not_looked_for_and_the_output_says_so(arguments: str) -> None:
    outcome = run_cli("eval", *arguments.split(), "--no-checks")

    assert outcome.code == 0
    assert "not checked (--no-checks)" in outcome.err


def test_without_checks_the_document_says_so_too() -> None:
    outcome = run_cli("eval", "run.csv", "--qrels", "qrels.csv", "--no-checks", "--format", "json", "--quiet")

    assert (outcome.code, outcome.err) == (0, "")
    assert "not checked (--no-checks)" in outcome.out


@pytest.mark.parametrize("case", [FINDINGS[0], FINDINGS[-1], UNREADABLE[0]], ids=lambda case: case.arguments)
def test_nothing_is_written_when_the_input_is_refused(case: Case, tmp_path: Path) -> None:
    outputs = ["-o", tmp_path / "summary.csv", "--per-query", tmp_path / "queries.csv"]

    assert run_cli("eval", *case.arguments.split(), *outputs).code == case.code
    assert list(tmp_path.iterdir()) == []
