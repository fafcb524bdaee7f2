"""Every finding about bad input: the exit code, and that the message says what, where, and what to do.

The inputs are the files of fixtures/bad, each the smallest that fails in one way; run.csv and qrels.csv are good.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import sqlrank
from sqlrank.inputs.check_files import every_check, row_checks
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli
from tests.support.lacking import none_lacks
from tests.support.tables import each, hold

pytestmark = pytest.mark.usefixtures("plans_whatever_the_size")

BAD = FIXTURES / "bad"


class Case(NamedTuple):
    """One command and what it says."""

    arguments: str
    code: int
    fragments: tuple[str, ...]
    check: str = ""
    """The file of sql/checks that finds it; empty where reading fails before any check."""


GOOD = {"run.csv", "qrels.csv"}


def case(arguments: str, said: str, check: str = "", code: int = 3) -> Case:
    """A case with the good run and judgments where none are named; `{}` in what is said is the first other file."""
    words = arguments.split() if arguments[0] != "-" else ["run.csv", *arguments.split()]
    runs = [*takewhile(lambda word: word[0] != "-", words)]
    if "--qrels" not in words and not arguments.startswith("export"):
        words = [*runs, "--qrels", "qrels.csv", *words[len(runs) :]]
    bad = next((word for word in words if re.fullmatch(r"\w+(\.\w+)+", word) and word not in GOOD), "")
    return Case(" ".join(words), code, tuple(said.replace("{}", bad).split(" | ")), check)


@pytest.fixture(autouse=True)
def _among_the_bad_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)


FINDINGS = [
    case("run_null_id.csv", "{}, line 3 | 1 of 2 | 'q1' | doc_id null", "null_id"),
    case("--qrels qrels_null_id.csv", "{}, line 3 | 1 of 2 | query_id null | 'd3'", "null_id"),
    case("--queries queries_null_id.csv --by country", "{}, line 3 | 1 of 2 | query_id null", "null_id"),
    case("run_text_score.csv", "{}, line 3 | 1 of 2 | 'd2' | 'q1' | 'high'", "bad_score"),
    case("run_empty_score.csv", "{}, line 2 | 1 of 2 | 'd1' | null", "bad_score"),
    case("run_null_system.csv", "{}, line 3 | 1 of 2 | no system | 'd2' of query 'q1' | --where", "null_system"),
    case("run_infinite_score.csv", "{}, line 4 | 1 of 3 | 'd3' | 'inf'", "bad_score"),
    case("run_nan_score.csv", "{}, line 2 | 1 of 2 | 'd1' | 'nan'", "bad_score"),
    case("--qrels qrels_text_relevance.csv", "{}, line 2 | 1 of 2 | 'd1' | 'E' | --relevance-map", "bad_relevance"),
    case("--qrels qrels_infinite_relevance.csv", "{}, line 3 | 1 of 2 | 'd3' | 'inf'", "bad_relevance"),
    case("--qrels qrels_label_outside.csv", "{}, line 3 | 1 of 3 | 'd3' | '2', from '0.5' to '1.5'", "interval_beside"),
    case("--qrels qrels_one_end.csv", "{}, line 3 | 1 of 3 | 'd3' | null | --labels-as-exact", "interval_open"),
    case("export_text_relevance.csv", "{}, line 3 | 'd2' | 'good' | --relevance-map", "bad_relevance"),
    case("--queries queries_text_weight.csv --weight traffic", "{}, line 3 | 1 of 2 | traffic | 'q2'", "bad_weight"),
    case("run_text_weight.csv --weight traffic", "{}, line 4 | traffic | 'q2'", "bad_weight"),
    case(
        "-m ndcg(gain=0:0,1:1)@10",
        "qrels.csv | 1 judgment | gain table | 'd3' | 'q1' | has 2 | add it to the table",
        "gain_missing",
    ),
    case(
        "--qrels qrels_huge_relevance.csv -m ndcg(gain=exp2)@10",
        "{} | ndcg(gain=exp2)@10 | 'q1' | choose another gain",
        "value_not_finite",
    ),
    case("run_place_without_id.jsonl", "{}, row 2 | 1 of 5 | 'q2' | remove the extra", "no_id_in_list"),
    case("run_ranking_in_two_rows.csv --separator | -m rr", "{} | 1 query | 'q1' | 2 | run.rank", "query_in_rows"),
    case("run_duplicates.csv", "{} | cases: 1 | 'd1' | 'q1' | 2 times | --duplicates best", "run_duplicates"),
    case(
        "--qrels qrels_duplicates.csv",
        "{} | 'd1' | 'q1' | 2 judgments | 1 | --judgments max or mean",
        "qrels_duplicates",
    ),
    case("export_labels_differ.csv", "{} | 'd1' | 'q1' | 1 | 2 | --judgments max or mean", "labels_differ"),
    case("--qrels qrels_click_rates.csv", "{} | 0.93 | --rel 0.", "level_unreached"),
    case("--qrels qrels_click_rates.csv -m ap(rel=0.5) -m p@1", "0.93 | 1", "level_unreached"),
    case("run_other_queries.csv", "{} | '01' | 'q1' | varchar | padding", "no_shared_query"),
    case("run_padded_documents.csv", "{} | 'q1' | 'd01' | 'd1' | without leading zeros", ""),
    case(
        "--qrels qrels_nothing_relevant.csv -m ap --empty error",
        "{} | ap | 'q2' | --empty zero, one or skip",
        "nothing_to_find",
    ),
    case("run_tied.csv --ties error", "{} | 'q1' | --ties", "ties_found"),
    case(
        "--where query_id='q1'",
        "1 of 2 judged queries | 'q2' | --query-set shared | --query-set judged",
        "where_emptied",
        code=2,
    ),
    case(
        "shard_1.csv shard_2.csv",
        "shard_1 | shard_2 | no query in common | --query-set shared | parts of one run | quote the pattern",
        "",
    ),
    case("--queries queries_of_others.csv --by country", "{} | 'q1' | queries.query_id=NAME", "no_query_described"),
    case("--queries queries_missing_weight.csv --weight traffic", "{} | traffic | 'q2' | 0 or more", "weight_missing"),
    case(
        "--queries queries_negative_weight.csv --weight traffic",
        "{} | traffic | 'q2' | -1 | 0 or more",
        "weight_missing",
    ),
    case(
        "--queries queries_missing_cluster.csv --cluster topic",
        "1 query | topic | 'q2' | give each one its cluster",
        "cluster_missing",
    ),
    case("run_segment_varies.csv --by country", "{} | country | 'q1' | 'de' | 'fr'", "segment_varies"),
    case(
        "run_countries.csv --qrels qrels_countries.csv --by country",
        "{} | cases: 1 | 'q2' | 'de' in the run | 'fr' in the judgments | run.country",
        "segment_disagrees",
    ),
    case(
        "--queries queries_duplicates.csv --by country", "{} | 'q2' | 2 times | one row per query", "queries_duplicates"
    ),
    case(
        "--items items_duplicates.csv -m diversity@2",
        "{} | more than once in the catalogue | cases: 1 | 'd1' | one row, with one category",
        "items_duplicates",
    ),
    case("--items items_null_id.csv -m coverage@2", "{}, line 3 | 1 of 2 | doc_id null", "null_id"),
    case(
        "--items items_bad_length.csv -m tbg",
        "{}, line 3 | 1 of 3 | document 'd2': '-5' | give the number",
        "bad_length",
    ),
    case(
        "--items items_missing_length.csv -m tbg",
        "run.csv | 1 document returned has no length | 'd3' of query 'q2' | a row with its length",
        "item_lacks",
    ),
    case("--items items_bad_vector.csv -m ild@2", "{}, line 3 | 1 of 3 | document 'd2' | leave it empty", "bad_vector"),
    case("--items items_uneven_vectors.csv -m ild@2", "{} | from 1 to 2 numbers | of one model", "vectors_differ"),
    case("--history history_null_id.csv -m novelty@2", "{}, line 3 | 1 of 2 | 'q2' | doc_id null", "null_id"),
    case(
        "--baseline-run baseline_duplicates.csv -m unexpectedness@2",
        "{} | cases: 1 | 'd1' of query 'q1' | remove the copies",
        "baseline_duplicates",
    ),
    case("--baseline-run baseline_text_score.csv -m unexpectedness@2", "{}, line 2 | 1 of 1 | 'high'", "bad_score"),
    case(
        "--qrels qrels_bad_item_weight.csv -m ap(weight=item)",
        "{}, line 3 | 3 of 4 | item_weight | 'd3' of query 'q1': null | give every judgment a weight",
        "bad_item_weight",
    ),
    case(
        "--qrels qrels_zero_item_weight.csv -m ap(weight=item)",
        "{}, line 3 | 1 of 3 | 'd3' of query 'q1' | --where 'cast(item_weight as double) > 0' | --unjudged remove",
        "zero_item_weight",
    ),
    case(
        "export_text_item_weight.csv -m ap(weight=item)",
        "{}, line 3 | 1 of 2 | item_weight | 'd2' of query 'q1': 'dear'",
        "bad_item_weight",
    ),
    case(
        "export_item_weights_differ.csv -m ap(weight=item)",
        "{} | cases: 1 | 'd1' of query 'q1' has 2 and 4 | make them equal",
        "item_weights_differ",
    ),
    case("--qrels qrels_null_subtopic.csv -m ap_ia", "{}, line 3 | 1 of 2 | 'd2' of query 'q1'", "null_subtopic"),
    case(
        "run_tied.csv --ties average --depth 1 -m p@1",
        "{} | --depth 1 | cases: 1 | 'q1' | choose another depth",
        "tie_cut",
        code=2,
    ),
    case(
        "run_not_positive.csv --like torchmetrics -m rr",
        "{} | 1 score is 0 or less | torchmetrics takes | in rr; | leave out --like",
        "score_not_positive",
        code=2,
    ),
    case(
        "-m p@3 --top-relevance 1.5",
        "qrels.csv, line | relevances is above --top-relevance 1.5: document | give the top of the scale",
        "above_top",
    ),
    case(
        "-m err(max=1)@3", "qrels.csv | 1 judgment is above max=1 | the largest is 2 | write max=2", "grade_above_max"
    ),
    case(
        "-m err(gain=linear,max=none)@3",
        "qrels.csv | 1 judgment is above 1, such as 2 of document | 'q1' | name the largest relevance",
        "not_a_probability",
    ),
]

UNREADABLE = [
    case("--history history_header_only.csv -m novelty@2", "{} | no rows"),
    case("run_corrupt.parquet", "{}"),
    case("run_truncated.csv.gz", "{} | the gzip stream is cut short"),
    case("run_ragged_short.csv", "{} | line 3 | q1,d2 | 3 Found: 2"),
    case("run_ragged_long.csv", "{} | line 3 | q1,d2,2,9 | 3 Found: 4"),
    case("run_5_fields.trec", "{}, line 2 | 5 fields | has 6 | 'q1 Q0 d2 2 2'"),
    case("--qrels qrels_5_fields.trec", "{}, line 2 | 5 fields | has 4 | 'q1 0 d3 2 9'"),
    case("--qrels qrels_3_fields.trec", "{}, line 2 | 3 fields | has 4 | 'q1 0 d3'"),
    case("run_header_only.csv", "{} | no rows"),
    case("run_empty_file.csv", "{} | empty"),
    case("--qrels run_empty_file.csv", "{} | empty"),
    case("run_blank_lines.csv", "{} | no lines"),
    case("run_missing_score.csv", "{} | score | 'scor' | --column score=scor"),
    case("run_header_twice.csv", "{} | 'score' twice"),
    case("run_header_unnamed.csv", "{} | without a name"),
    case("run_fractional_id.jsonl", "{} | doc_id | string or a whole number | 1.5"),
    case("run_malformed_line.jsonl", "{} | Malformed JSON | line"),
    case("run_two_names.csv", "{} | qid | topic | --column query_id=qid"),
    case("nowhere.csv", "{} | no such file"),
    case("--qrels nowhere.parquet", "{} | no such file"),
    case("--queries nowhere.csv --by country", "{} | no such file"),
    Case("run.csv", 3, ("run.csv", "relevance", "--qrels")),
    case("--ties rank", "run.csv | rank | --column rank=NAME"),
    case("--by contry", "run.csv | 'contry'"),
    case("run_segment_varies.csv --by contry", "'contry' | did you mean country"),
    case("--weight traffic", "run.csv | 'traffic'"),
    case("--column score=nothing", "run.csv | 'nothing'"),
]


def own_words(check: str) -> str:
    """Words that only this check says; what stands before them may be told in the singular."""
    return every_check()[check].message.split("{findings}")[-1].split("{")[0].strip(" :,").split(" ", 2)[-1][:25]


@each({case.arguments: case for case in FINDINGS + UNREADABLE})
def test_bad_input_is_refused_with_what_where_and_what_to_do(case: Case) -> None:
    said = error_of(case.code, "eval", *case.arguments.split())
    assert said.startswith("sqlrank: error: ")
    assert said.count("\n") == 1
    for fragment in (*case.fragments, *([own_words(case.check)] if case.check else [])):
        assert fragment in said


NOTES = {
    "every_judgment_relevant",
    "rank_contradicts",
    "rank_disagrees",
    "rank_no_number",
    "ranks_begin_late",
    "queries_below_level",
    "queries_not_described",
    "scale_from_data",
    "spaced_id",
    "level_unreached_as_asked",
    "value_above_range",
}
OF_FORMS = {
    "no_shared_document",
    "rank_does_not_count",
    "score_beyond_single",
    "score_counts_ranks",
    "scores_and_labels_swapped",
}
"""What is found only in some forms of inputs, and tried in test_inputs and test_files_as_they_come."""
OF_PAIRS = {"no_query_in_both", "no_document_in_both"}
"""Those of rankings that are compared without judgments, in tests/comparison/similarity/test_likeness.py."""


def test_ratings_of_which_all_are_relevant_are_told() -> None:
    run = {"q": {"a": 2.0, "b": 1.0}}
    stars = {"q": {"a": 1, "b": 5}}
    cases: list[tuple[Any, dict[str, Any], bool]] = [
        (stars, {}, True),
        (stars, {"rel": 1}, False),
        ({"q": {"a": 0, "b": 5}}, {}, False),
        ({"q": {"a": 1, "b": 3}}, {}, False),
    ]
    for qrels, options, told in cases:
        with sqlrank.evaluate(run, qrels, ["rr"], **options) as found:
            notes = [note for note in found.notes if "every judgment is relevant" in note]
        assert bool(notes) is told
        assert not told or "as the lowest is 1 and the level 1 (the largest is 5); " in notes[0]
        assert not told or notes[0].endswith("such as rel=3")


def test_scores_that_may_be_distances_are_told(tmp_path: Path) -> None:
    def check(case: tuple[str, dict[str, Any], str | None]) -> None:
        text, options, said = case
        run = tmp_path / "run.csv"
        run.write_text(text, encoding="utf-8")
        with sqlrank.evaluate(run, {"q": {"a": 1, "b": 0}}, ["rr"], **options) as found:
            notes = [note.removeprefix(f"{run}: ") for note in found.notes]
        assert [note for note in notes if "ordered by" in note] == ([said] if said else [])

    named = "documents are ordered by the column {}, largest first; if smaller is better, choose "
    beside = (
        "scores and ranks disagree in at least 1 row: document 'b' of query 'q' has rank 2 and score 0.9, the document"
        " ranked above it 0.1; documents are ordered by score, the largest first: order='rank' uses the ranks,"
        " order='asc' puts the smallest score first"
    )
    turned = "query_id,doc_id,rank,score\nq,a,1,0.1\nq,b,2,0.9\n"
    systems = "system,query_id,doc_id,rank,score\ns,q,a,1,0.9\nt,q,b,2,1.9\n"
    text = (
        "at least 1 rank is not a number, such as x of document 'a' of query 'q'; documents are ordered by score, and"
        " ranks are ignored"
    )
    cases: dict[str, tuple[str, dict[str, Any], str | None]] = {
        name: (f"query_id,doc_id,{name}\nq,a,0.1\nq,b,0.9\n", {"columns": {"score": name}}, said)
        for name, said in (
            *((name, f"{named.format(name)}order='asc'") for name in ("distance", "l2_distance", "_distance", "Dist")),
            *((name, None) for name in ("distant", "closeness")),
        )
    }
    cases["distances, asked for"] = (*cases["distance"][:1], {"columns": {"score": "distance"}, "order": "asc"}, None)
    cases["distances, largest asked for"] = (cases["distance"][0], {**cases["distance"][1], "order": "desc"}, None)
    cases["turned ranks"] = (turned, {}, beside)
    cases["turned ranks, ascending"] = (turned, {"order": "asc"}, None)
    cases["ranks of two systems"] = (systems, {}, None)
    cases["a rank named so"] = (turned.replace("rank", "place"), {"columns": {"rank": "place"}}, beside)
    cases["a position that was shown"] = (turned.replace("rank", "position"), {}, None)
    cases["a rank that is no number"] = (turned.replace("1,0.1", "x,0.1"), {}, text)
    hold(cases, check)


def test_ranks_that_begin_after_one_are_told(tmp_path: Path) -> None:
    def check(case: tuple[list[tuple[str, int]], dict[str, Any], str | None]) -> None:
        ranks, options, said = case
        run = tmp_path / "run.csv"
        lines = [f"{query},{doc},{rank}" for doc, (query, rank) in zip("abcdef", ranks, strict=False)]
        run.write_text("\n".join(["query_id,doc_id,rank", *lines]), encoding="utf-8")
        with sqlrank.evaluate(run, {"q": {"a": 1, "b": 0}, "p": {"c": 1}}, ["rr"], **options) as found:
            notes = [note.removeprefix(f"{run}: ") for note in found.notes if " start at rank 1" in note]
        assert [note.partition(";")[0] for note in notes] == ([said] if said else [])

    said = "1 ranking does not start at rank 1, such as that of query 'q', which starts at 4"
    cases: dict[str, tuple[list[tuple[str, int]], dict[str, Any], str | None]] = {
        "from 4 on": ([("q", 4), ("q", 5), ("p", 1)], {}, said),
        "their places kept": ([("q", 4), ("q", 5), ("p", 1)], {"order": "rank"}, None),
        "from 0 on": ([("q", 0), ("q", 1), ("p", 0)], {}, None),
        "with gaps": ([("q", 1), ("q", 7), ("p", 1)], {}, None),
    }
    hold(cases, check)


def test_a_label_that_the_map_leaves_out_is_told_as_that(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.csv"
    qrels.write_text("query_id,doc_id,relevance\nq,a,exact\nq,b,irrelevant\n", encoding="utf-8")
    run = {"q": {"a": 2.0, "b": 1.0}}
    for worth, said in (
        ({"exact": 3}, r"has 'irrelevant'.* add it to relevance_map= \(LABEL=0"),
        ({}, "has 'exact'.* for text labels give relevance_map=, such as E=3,S=2,C=1,I=0"),
    ):
        with pytest.raises(sqlrank.DataError, match=said):
            sqlrank.evaluate(run, qrels, ["rr"], relevance_map=worth)
    for left in (0, None):
        with sqlrank.evaluate(run, qrels, ["rr"], relevance_map={"exact": 3, "irrelevant": left}) as found:
            assert found["rr"] == 1


def test_one_end_of_an_interval_alone_is_told(tmp_path: Path) -> None:
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, tmp_path / "qrels.csv"
    for name, exact in (("low", False), ("ci_high", False), ("low", True)):
        qrels.write_text(f"query_id,doc_id,relevance,{name}\nq,a,1,0.5\nq,b,0,0\n", encoding="utf-8")
        with sqlrank.evaluate(run, qrels, ["rr"], exact_labels=exact) as found:
            said = f"{name} looks like one end of a label interval"
            assert [said in note for note in found.notes] == ([] if exact else [True])


def test_queries_with_nothing_of_the_level_of_a_metric_are_told() -> None:
    run = {name: {"a": 2.0, "b": 1.0} for name in "pqr"}
    qrels = {"p": {"a": 4, "b": 1}, "q": {"a": 2, "b": 1}, "r": {"a": 3, "b": 0}}
    with sqlrank.evaluate(run, qrels, ["recall(rel=4)@2", "ap(rel=4)", "rr", "ndcg(gain=exp2)@2"]) as found:
        (note,) = found.notes
    assert note == (
        "the qrels: 2 queries have no document of relevance 4 or more, such as 'q';"
        " in recall(rel=4)@2, ap(rel=4) they count as queries without relevant documents"
    )
    with sqlrank.evaluate(run, qrels, ["recall@2"], rel=4) as found:
        assert [counts.no_relevant for counts in found.counts.values()] == [2]
    for metric in ("recall(rel=2)@2", "recall(rel=1)@2"):
        with sqlrank.evaluate(run, qrels, [metric]) as found:
            assert found.notes == []


def test_a_scale_that_comes_from_the_data_and_ids_with_spaces_are_told(tmp_path: Path) -> None:
    told = completed("eval", "run.csv", "--qrels", "qrels.csv", "-m", "err@3", "-m", "sdcg(max=4)@3").err
    assert "err@3: max is 2, the largest relevance of the judgments; write max=2" in told
    assert "sdcg" not in told
    run, qrels = tmp_path / "run.csv", tmp_path / "qrels.csv"
    run.write_text("query_id,doc_id,score\nlaptop bag, a2,3\nlaptop bag,a1 ,2\nkettle,b2,1\n", encoding="utf-8")
    qrels.write_text("query_id,doc_id,relevance\nlaptop bag,a2,2\nkettle,b2,1\n", encoding="utf-8")
    told = completed("eval", run, "--qrels", qrels, "-m", "ndcg@10").err
    assert f"{run}: 2 of 3 rows have an id with a space before or after it, which counts" in told
    assert f"{qrels}: 1 of" not in told


OF_PRESETS = {
    "begins_below", "category_missing", "id_not_a_number", "judged_not_returned", "labels_beyond", "not_relevant",
    "rank_not_whole", "rank_repeated", "read_otherwise", "shorter_than_cutoff", "tied_at_cutoff", "tied_numbers",
}  # fmt: skip
"""Those that the definitions of a tool ask for, in tests/peers."""
OF_LOGS = {"log_id_missing", "log_mark_not_known", "log_position_not_whole"}
OF_LOGS |= {"log_other_mark_not_known", "log_dwell_not_a_time", "log_page_not_whole"}
OF_VERDICTS = {"bad_verdict", "missing_weight", "null_rater", "rater_repeats", "verdicts_repeated"}
"""What is found only in verdicts, and tried in test_gsb."""


def test_every_check_has_a_case() -> None:
    own = {case.check for case in FINDINGS if case.check}
    tried = own | NOTES | OF_FORMS | OF_LOGS | OF_VERDICTS | OF_PAIRS | OF_PRESETS
    none_lacks(
        (check.template for name, check in every_check().items() if name not in tried),
        "sql/{} finds what no test has: add a damaged file to fixtures/bad, and a case to FINDINGS in"
        " tests/inputs/test_checks.py",
    )
    none_lacks(tried - set(every_check()), "tests/inputs/test_checks.py has a case for {}, which sql/checks has not")


def test_every_bad_file_is_used() -> None:
    words = {word for case in FINDINGS + UNREADABLE for word in case.arguments.split()}
    none_lacks(
        {path.name for path in BAD.iterdir()} - words - {"run_rank_disagrees.csv"},
        "fixtures/bad/{} is in no case: add one to FINDINGS in tests/inputs/test_checks.py",
    )


ALLOWED = [
    ("run_duplicates.csv --qrels qrels.csv -m rr -m num_ret --duplicates best --query-set shared", ["1", "2"]),
    ("run_duplicates.csv --qrels qrels.csv -m rr --duplicates first --query-set shared", ["1"]),
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
    ("run.csv --qrels qrels.csv -m rr --ties error", ["0.75"]),
    ("run_tied.csv --qrels qrels.csv -m rr --ties best", ["1"]),
    ("run_tied.csv --qrels qrels.csv -m rr --ties worst", ["0.75"]),
    ("run_tied.csv --qrels qrels.csv -m rr --ties doc-asc", ["1"]),
    ("run_tied.csv --qrels qrels.csv -m rr --ties input", ["1"]),
    ("shard_1.csv shard_2.csv --qrels qrels.csv -m rr --query-set shared", ["1", "0.5"]),
    ("shard_*.csv --qrels qrels.csv -m rr", ["0.75"]),
    ("run_text_score.csv --qrels qrels.csv -m rr --where doc_id='d1' --query-set shared", ["1"]),
    ("run_rank_disagrees.csv --qrels qrels.csv -m rr --ties rank", ["0.75"]),
    ("run.csv --qrels qrels.csv -m dcg(gain=0:0,1:1,2:4)@10", ["0.815464876786"]),
]


@each(ALLOWED)
def test_a_convention_settles_what_would_be_refused(case: tuple[str, list[str]]) -> None:
    arguments, values = case
    outcome = completed("eval", *arguments.split(), "--format", "csv")
    assert [row["value"] for row in outcome.table] == values
    assert "sqlrank: error" not in outcome.err


def test_ranks_that_disagree_with_scores_are_a_note_with_the_count_and_others_are_none() -> None:
    request = ("eval", "run_rank_disagrees.csv", "--qrels", "qrels.csv", "--ties", "rank", "--format", "csv")
    said = completed(*request).err
    assert "sqlrank: note: run_rank_disagrees.csv: 1 row" in said
    assert "scores decide" in said
    assert "scores decide" not in completed(*request, "--order", "asc").err


@each(
    [
        (["-m", "p(rel=3)@1"], "0"),
        (["-m", "map@1-l3"], "0"),
        (["-m", "ap", "--rel", "3"], "0"),
        (["-m", "ap(rel=3)", "--rel", "3", "--empty", "one"], "1"),
        (["-m", "ap(rel=1)"], "0"),
        (["-m", "ap", "--rel", "1"], "0"),
    ]
)
def test_a_level_that_was_asked_for_and_that_nothing_reaches_gives_the_value_of_nothing_with_a_note(
    case: tuple[list[str], str],
) -> None:
    arguments, value = case
    outcome = completed("eval", "run.csv", "--qrels", "qrels_click_rates.csv", *arguments, "--format", "csv")
    assert list(outcome.values.values()) == [value]
    assert "note: qrels_click_rates.csv: the largest relevance is 0.93, below rel=" in outcome.err


@each(
    [
        "run_duplicates.csv --qrels qrels.csv",
        "run_segment_varies.csv --qrels qrels.csv --by country",
        "run.csv --qrels qrels_duplicates.csv",
    ]
)
def test_without_checks_the_findings_are_not_looked_for_and_the_output_says_so(arguments: str) -> None:
    assert "not checked (--no-checks)" in completed("eval", *arguments.split(), "--no-checks").err
    document = completed("eval", *arguments.split(), "--no-checks", "--format", "json", "--quiet")
    assert document.err == ""
    assert "not checked (--no-checks)" in document.out


def test_nothing_is_written_when_the_input_is_refused(tmp_path: Path) -> None:
    outputs = ["-o", tmp_path / "summary.csv", "--per-query", tmp_path / "queries.csv"]
    for refused in (FINDINGS[0], FINDINGS[-1], UNREADABLE[0]):
        assert run_cli("eval", *refused.arguments.split(), *outputs).code == refused.code
        assert list(tmp_path.iterdir()) == []


def test_a_note_about_rows_shows_one_of_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    message = "{findings} of {rows_read}: document {doc_id} of query {query_id}"
    note = replace(every_check()["spaced_id"], shows=("query_id", "doc_id"), message=message)
    monkeypatch.setattr("sqlrank.inputs.check_runner.row_checks", lambda: {note.name: note})
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\nq1,d1,2\nq1, d2,1\n")
    with sqlrank.evaluate(str(tmp_path / "run.csv"), {"q1": {"d1": 1}}, "rr") as result:
        assert [text.partition(": ")[2] for text in result.notes] == ["1 of 2: document ' d2' of query 'q1'"]
        assert "run.csv, line 3" in result.notes[0]


def test_the_verb_of_each_row_check_follows_how_many_rows_there_are() -> None:
    one, several = r"(has|is|lacks|holds)\b", r"(have|are|lack|hold)\b"

    def check(name: str) -> None:
        found = row_checks()[name]
        shown = {"rows_read": 3, **dict.fromkeys((*found.shows, "weight", "top", "labels_told"), "x")}
        counted = r"of 3 (places of lists|document ids|weights in the column x|\w+)"
        assert re.match(rf"1 {counted} {one}", found.said({"findings": 1, **shown}))
        assert re.match(rf"2 {counted} {several}", found.said({"findings": 2, **shown}))

    hold({name: name for name in row_checks()}, check)
