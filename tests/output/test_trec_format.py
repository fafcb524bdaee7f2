"""`--format trec` prints what trec_eval prints: its names, order, spacing and rounding."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlrank.metrics.language import Language
from sqlrank.metrics.tools import find_preset
from sqlrank.metrics.trec_names import LINES, SETS, Asked, expand
from sqlrank.output.trec import trec_names
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.tables import each

RUN = """1 Q0 d4 1 0.9 first
1 Q0 d1 2 0.8 first
1 Q0 dX 3 0.7 first
1 Q0 d3 4 0.6 first
1 Q0 d2 5 0.5 first
10 Q0 a 1 2 first
10 Q0 b 2 1 last
"""
QRELS = "1 0 d1 3\n1 0 d2 2\n1 0 d3 1\n1 0 d4 0\n1 0 d5 0\n1 0 d6 2\n10 0 b 12\n10 0 a -1\n2 0 z 1\n"
OFFICIAL = """runid                 \tall\tlast
num_q                 \tall\t3
num_ret               \tall\t7
num_rel               \tall\t6
num_rel_ret           \tall\t4
map                   \tall\t0.3000
gm_map                \tall\t0.0126
"""


@pytest.fixture(autouse=True)
def _in_a_folder_with_the_files() -> None:
    Path("a.run").write_text(RUN)
    Path("a.qrels").write_text(QRELS)


ASKED = ("eval", "a.run", "--qrels", "a.qrels", "--input-format", "trec")


def trec(*arguments: str) -> str:
    """What the command prints in the format."""
    outcome = run_cli(*ASKED, "--format", "trec", *arguments)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


def test_the_official_measures_are_the_default_and_stand_in_their_order() -> None:
    printed = trec()

    assert printed.startswith(OFFICIAL)
    names = [line.split()[0] for line in printed.splitlines()[7:11]]
    assert names == ["Rprec", "bpref", "recip_rank", "iprec_at_recall_0.00"]
    assert printed.endswith("P_1000                \tall\t0.0013\n")


def test_queries_come_first_in_the_order_of_their_bytes() -> None:
    lines = [line.split("\t") for line in trec("-m", "num_ret", "-m", "map", "--per-query", "-").splitlines()]

    assert [(name.strip(), query) for name, query, _ in lines[:6]] == [
        (name, query) for query in ("1", "10", "2") for name in ("num_ret", "map")
    ]
    assert lines[6] == ["num_ret               ", "all", "7"]


def test_relevances_are_shown_by_characters_as_far_as_the_ranking_goes() -> None:
    lines = [line for name in ("", ".3") for line in trec("-m", f"relstring{name}", "--per-query", "-").splitlines()]
    shown = {(name.strip(), query): value for name, query, value in (line.split("\t") for line in lines)}
    assert shown["relstring", "1"] == "'03-12'"
    assert shown["relstring_3", "1"] == "'03-'"
    assert shown["relstring", "10"] == "'.>'"
    assert shown["relstring", "2"] == "''"
    assert len(lines) == len(shown)


def test_parameters_are_read_and_printed_as_trec_eval_does() -> None:
    lines = {
        "P.5,1": ("P_1", "0.0000"),
        "P_5": ("P_5", "0.2667"),
        "set_F.0.5": ("set_F_0.5", "0.4143"),
        "utility.1,-1,0,0": ("utility_1,-1,0,0", "0.3333"),
        "utility.2,-1,0,0": ("utility_2,-1,0,0", "1.6667"),
        "ndcg.-1=0,0=0,1=1,2=2,3=3,12=4": ("ndcg_-1=0,0=0,1=1,2=2,3=3,12=4", "0.3917"),
        "rbp.p=0.5": ("rbp_p=0.5", "0.1806"),
        "Rprec_mult.0.5": ("Rprec_mult_0.50", "0.1667"),
        "iprec_at_recall.0.1": ("iprec_at_recall_0.10", "0.3667"),
        "IPREC_AT_RECALL_0.2": ("iprec_at_recall_0.20", "0.3667"),
    }
    printed = trec(*(word for asked in lines for word in ("-m", asked)))
    found = {name.strip(): value for name, _, value in (line.split("\t") for line in printed.splitlines())}
    assert found == dict(lines.values())
    assert f"{'P_1':<22}\tall\t0.0000\n" in printed


def test_every_measure_of_a_set_is_printed_under_its_own_name() -> None:
    for version, tool in ((9, "trec_eval-9"), (10, "trec_eval")):
        language = Language(preset=find_preset(tool), texts=True)
        for name, letter in SETS.items():
            lines = trec_names([name], language)
            members = [line for line in LINES if letter in line.sets and line.since <= version]
            assert [line for line, _, _ in lines] == [line for line in members for _ in line.parameters or ("",)]


def test_a_name_that_only_trec_eval_has_stands_for_its_default_parameters() -> None:
    assert [asked.text for asked in expand("map_cut")[:2]] == ["ap@5", "ap@10"]
    assert len(expand("iprec_at_recall")) == 11
    assert expand("ndcg@10") == [Asked("ndcg@10")]


@each(
    [
        (["-m", "judged@5"], 2, "trec_eval 10: it has no judged"),
        (["-m", "ndcg(gain=exp2)@10"], 2, "trec_eval has no name for ndcg(gain=exp2)@10"),
        (["--like", "ranx", "-m", "p@5"], 0, ""),
        (["--like", "trec_eval-9", "-m", "rbp"], 2, "it came with trec_eval 10"),
    ]
)
def test_what_trec_eval_cannot_print_is_refused(case: tuple[list[str], int, str]) -> None:
    arguments, code, fragment = case
    outcome = run_cli(*ASKED, "--format", "trec", *arguments)
    assert outcome.code == code
    assert fragment in outcome.err


def test_several_systems_and_segments_are_refused() -> None:
    Path("b.run").write_text(RUN)
    Path("labelled.csv").write_text("query_id,doc_id,score,relevance,country\nq,d,1,1,de\n")

    for arguments in (["a.run", "b.run", "--qrels", "a.qrels"], ["labelled.csv", "--by", "country"]):
        assert "one system, without segments" in error_of(2, "eval", *arguments, "--format", "trec")


def test_a_query_id_that_would_break_a_line_is_refused() -> None:
    Path("a.csv").write_text('query_id,doc_id,score\n"a\nb",d,1\n')
    Path("q.csv").write_text('query_id,doc_id,relevance\n"a\nb",d,1\n')

    assert "line break" in error_of(2, "eval", "a.csv", "--qrels", "q.csv", "--format", "trec", "--per-query", "-")


def test_other_inputs_are_named_by_their_system() -> None:
    Path("keyword.csv").write_text("query_id,doc_id,score\nq,d,1\n")
    Path("q.csv").write_text("query_id,doc_id,relevance\nq,d,1\n")

    outcome = completed(
        "eval", "keyword.csv", "--qrels", "q.csv", "--format", "trec", "-m", "runid", "-m", "map", "-o", "out.txt"
    )

    assert outcome.out == ""
    assert Path("out.txt").read_text() == f"{'runid':<22}\tall\tkeyword\n{'map':<22}\tall\t1.0000\n"


def test_a_text_is_refused_in_every_other_format() -> None:
    assert "only --format trec" in error_of(2, *ASKED, "-m", "relstring@10")
    assert "relstring" not in run_cli(*ASKED, "-m", "all_trec").out


def test_the_relevances_of_the_top_are_a_character_each() -> None:
    labels = {"a": 0, "b": 1, "c": 9, "d": 10, "e": -1, "g": 3, "h": 11}  # f is unjudged, as are i and j
    Path("a.run").write_text("".join(f"1 Q0 {doc} 0 {-place} run\n" for place, doc in enumerate("fabcdeghij")))
    Path("a.qrels").write_text("".join(f"1 0 {doc} {label}\n" for doc, label in labels.items()))

    shown = trec("-m", "relstring_10", "-m", "relstring_4", "--per-query", "-").splitlines()
    assert shown[:2] == [f"{'relstring_4':<22}\t1\t'-019'", f"{'relstring_10':<22}\t1\t'-019>.3>--'"]
