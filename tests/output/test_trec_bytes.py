"""`--format trec` is trec_eval's output byte for byte, for its flags -q, -c, -l, -M and -J and its parameters.

The values come from the code of trec_eval 9 itself, which pytrec_eval holds; names, order and spacing are those of the
files that trec_eval is tried with (test/out.test.aql and test/out.test.meas_params of its repository).
"""

from __future__ import annotations

import math
import random
import re
from functools import reduce
from itertools import product
from operator import add
from pathlib import Path

import pytest

from sqlrank.metrics.trec_names import LINES
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.tables import hold

pytrec_eval = pytest.importorskip("pytrec_eval")

Table = dict[str, dict[str, int]]
COUNTS = {line.name for line in LINES if line.whole}
PER_QUERY = {line.name for line in LINES if line.shows == "both" and line.since == 9 and "A" in line.sets}
CHARACTERS = "0123456789"

MEAS_PARAMS = (
    "iprec_at_recall..10,.20,.25,.75,.50 P.5,7,3 recall.20,2000 Rprec_mult.5.0,0.2,0.35 utility.2,-1,0,0 "
    "11pt_avg..25,.5,.75 ndcg.1=3,2=9,4=4.5 ndcg_cut.10,20,23.4 success.2,5,20"
).split()
MEAS_PARAMS_NAMES = (
    "iprec_at_recall_0.10 iprec_at_recall_0.20 iprec_at_recall_0.25 iprec_at_recall_0.50 iprec_at_recall_0.75 P_3 P_5 "
    "P_7 recall_20 recall_2000 Rprec_mult_0.20 Rprec_mult_0.35 Rprec_mult_5.00 utility_2,-1,0,0 11pt_avg_.25,.5,.75 "
    "ndcg_1=3,2=9,4=4.5 ndcg_cut_10 ndcg_cut_20 ndcg_cut_23 success_2 success_5 success_20"
).split()
"""The names of trec_eval's test/out.test.meas_params, in its order."""

MISBEHAVES = {
    "relstring.20": ("'-'", "''", "trec_eval 10 -c shows the document that stands for the results of a query without"),
    "utility.1,-1,0,0": ("-1.0000", "0.0000", "the same document counts as one returned"),
    "rbp_resid.p=0.5": ("1.0000", "0.0000", "the same document counts as one without judgment"),
}
"""Where trec_eval itself goes wrong for a query without results: what it prints, what we print, and why.

It also drops the second of `-m P.5 -m P.7`, takes gains closer than 1 for equal, and prints -nan with -J where nothing
judged was returned; we print both, order by gain, and print 0.
"""


def tables(seed: int) -> tuple[dict[str, dict[str, float]], Table]:
    """A run and judgments, with ties, unjudged and negative documents, and queries that only one of them has."""
    source = random.Random(seed)
    qrels: Table = {}
    for number in range(8):
        judged = {f"d{document}": source.choice([0, 0, 1, 1, 2, 3, 12, -1]) for document in range(30)}
        qrels[str(number)] = judged | {"top": 3 if number else 1}
    run = {
        query: {f"d{document}": float(source.randint(0, 9)) for document in source.sample(range(60), 40)}
        for query in [*list(qrels)[1:], "stranger"]
    }
    return run, qrels


def ordered(ranking: dict[str, float]) -> list[str]:
    """The documents of a ranking in trec_eval's order."""
    return sorted(ranking, key=lambda document: (ranking[document], document.encode()), reverse=True)


def character(relevance: int | None) -> str:
    """One relevance of a relstring."""
    if relevance is None or relevance < 0:
        return "-" if relevance is None else "."
    return CHARACTERS[relevance] if relevance < 10 else ">"


def line(name: str, query: str, value: float | str) -> str:
    """A line as trec_eval prints it."""
    whole = re.sub(r"_[\d.]+$", "", name) in COUNTS
    shown = value if isinstance(value, str) else f"{value:.0f}" if whole else f"{value:6.4f}"
    return f"{name:<22}\t{query}\t{shown}\n"


def named(values: dict[str, float]) -> list[str]:
    """The measures of a query in trec_eval's order."""
    places = {one.name: place for place, one in enumerate(LINES)}
    split = {name: re.match(r"(.+?)(?:_([\d.]+))?\Z", name).groups() for name in values}  # type: ignore[union-attr]
    return sorted(values, key=lambda name: (places[split[name][0]], float(split[name][1] or 0)))


def expected(run: dict[str, dict[str, float]], qrels: Table, level: int, judged: bool, complete: bool) -> str:
    """What trec_eval 9 prints for -q -m all_trec -mrelstring.20, by its own values."""
    measures = {*PER_QUERY, "gm_map", "gm_bpref"} - {"relstring"}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=level, judged_docs_only_flag=judged)
    found = {query: dict(values) for query, values in sorted(evaluator.evaluate(run).items())}
    lines = []
    for query, values in found.items():
        values["set_F"] = values.pop("set_F_1.0", values.get("set_F", 0.0))
        kept = [name for name in ordered(run[query]) if not judged or qrels[query].get(name, -1) >= 0]
        relevances = "".join(character(qrels[query].get(document)) for document in kept[:20])
        texts = values | {"relstring_20": f"'{relevances}'"}
        lines += [line(name, query, texts[name]) for name in named(texts) if not name.startswith("gm_")]
    lines.append(line("runid", "all", "tag"))
    missing = [query for query in qrels if query not in found] if complete else []
    number = len(found) + len(missing)
    summary = {"num_q": float(number)}
    for name in next(iter(found.values())):
        values_of = [values[name] for values in found.values()]
        total = reduce(add, values_of)
        if name == "num_rel" and complete:
            total = float(sum(relevance > 0 for judgments in qrels.values() for relevance in judgments.values()))
        if name.startswith("gm_"):
            summary[name] = math.exp((total + len(missing) * math.log(0.00001)) / number)
        else:
            summary[name] = total if name in COUNTS else total / number
    return "".join([*lines, *(line(name, "all", summary[name]) for name in named(summary))])


def written(folder: Path, run: dict[str, dict[str, float]], qrels: Table) -> list[object]:
    """The arguments that evaluate these tables, as TREC files of a folder."""
    rows = [f"{query} Q0 {name} 1 {score} tag\n" for query, scores in run.items() for name, score in scores.items()]
    (folder / "a.run").write_text("".join(rows))
    judged = [f"{query} 0 {name} {value}\n" for query, values in qrels.items() for name, value in values.items()]
    (folder / "a.qrels").write_text("".join(judged))
    asked = ["eval", folder / "a.run", "--qrels", folder / "a.qrels", "--input-format", "trec", "--format", "trec"]
    return [*asked, "--per-query", "-"]


@pytest.mark.needs("random")
def test_every_byte_is_that_of_trec_eval(tmp_path: Path) -> None:
    def check(case: tuple[str, int]) -> None:
        flags, seed = case
        run, qrels = tables(seed)
        given = flags.split()
        level = next((int(flag[2:]) for flag in given if flag.startswith("-l")), 1)
        depth = next((int(flag[2:]) for flag in given if flag.startswith("-M")), 1000)
        cut = {query: {name: ranking[name] for name in ordered(ranking)[:depth]} for query, ranking in run.items()}
        options = ["--rel", level, "--depth", depth, "--query-set", "judged" if "-c" in given else "shared"]
        options += ["--unjudged", "remove"] if "-J" in given else []

        outcome = completed(
            *written(tmp_path, run, qrels), "--like", "trec_eval-9", "-m", "all_trec", "-m", "relstring.20", *options
        )

        assert outcome.out == expected(cut, qrels, level, "-J" in given, "-c" in given)

    hold(product(["-l3", "-M7 -l2", "-J -M15", "-c -l2", "-c -M7 -J"], [0, 1, 2]), check)


def test_parameters_are_named_and_ordered_as_in_the_file_that_trec_eval_is_tried_with(tmp_path: Path) -> None:
    run, qrels = tables(0)
    fewer = {3: 2, 12: 4}
    graded = {query: {name: fewer.get(grade, grade) for name, grade in docs.items()} for query, docs in qrels.items()}
    metrics = [word for text in MEAS_PARAMS for word in ("-m", text)]

    outcome = completed(*written(tmp_path, run, graded), *metrics, "--query-set", "shared")

    names = [text.split("\t")[0] for text in outcome.out.splitlines()]
    queries = sorted(set(run) & set(qrels))
    assert names == [f"{name:<22}" for _ in [*queries, "all"] for name in MEAS_PARAMS_NAMES]


def test_the_run_is_named_where_it_is_asked_for_and_parameters_take_the_place_of_the_default_ones(
    tmp_path: Path,
) -> None:
    asked = written(tmp_path, *tables(0))[:-2]
    for metrics, named in [(["map"], 0), (["map", "runid"], 1), (["set"], 1)]:
        outcome = run_cli(*asked, *(word for metric in metrics for word in ("-m", metric)))
        assert outcome.out.count("runid") == named
    assert run_cli(*asked, "-m", "runid").out == line("runid", "all", "tag")

    outcome = run_cli(*asked, "-m", "official", "-m", "P.7", "-m", "relstring.3", "--per-query", "-")
    names = [text.split("\t")[0].strip() for text in outcome.out.splitlines()]
    assert {name for name in names if name.startswith("P_")} == {"P_7"}
    assert {"runid", "relstring_3", "map"} <= {*names}
    assert names.count("runid") == 1


def test_where_trec_eval_goes_wrong_the_definition_holds(tmp_path: Path) -> None:
    shown = run_cli(*written(tmp_path, *tables(0)), *(word for metric in MISBEHAVES for word in ("-m", metric))).out
    assert [text.split("\t")[1] for text in shown.splitlines()[:3]] == ["0"] * 3
    for metric, (theirs, ours, _) in MISBEHAVES.items():
        assert line(metric.replace(".", "_", 1), "0", ours) in shown
        assert theirs != ours


def test_relevances_are_exact_at_any_length(tmp_path: Path) -> None:
    ranking = {f"d{place:04}": 1000.0 - place for place in range(310)}
    judged = {name: place % 4 for place, name in enumerate(ranking) if place % 5}
    run, qrels = {"q": ranking, "short": {"x": 1.0}}, {"q": judged, "short": {"y": 1}, "none": {"x": 1}}
    lengths = (1, 13, 14, 20, 300)

    outcome = run_cli(*written(tmp_path, run, qrels), *(f"-mrelstring.{length}" for length in lengths))

    shown = {"none": "", "q": "".join(character(judged.get(name)) for name in ranking), "short": "-"}
    assert outcome.out == "".join(
        line(f"relstring_{length}", query, f"'{text[:length]}'") for query, text in shown.items() for length in lengths
    )


def test_a_total_that_only_trec_eval_understands_is_refused_elsewhere(tmp_path: Path) -> None:
    asked = written(tmp_path, *tables(0))[:6]

    said = error_of(2, *asked, "--like", "trec_eval", "--rel", "2", "-m", "num_rel")

    assert "counts every positive judgment" in said
    assert run_cli(*asked, "--like", "trec_eval", "--rel", "2", "-m", "num_rel", "--query-set", "shared").code == 0
    assert run_cli(*asked, "--like", "trec_eval", "-m", "num_rel").code == 0
