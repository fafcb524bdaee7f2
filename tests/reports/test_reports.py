"""Reports: valid pages without requests or scripts, whose numbers are those of eval, compare and gsb."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

import sqlrank
from sqlrank.conventions import Conventions
from sqlrank.errors import UsageError
from sqlrank.output.answers import TONES
from sqlrank.pages.words import FILE, words_of
from sqlrank.reports.value_answers import OF_QUERIES
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli
from tests.support.reports import (
    HOSTILE,
    KEYWORD,
    QRELS,
    QUERIES,
    SEARCH,
    SEMANTIC,
    VERDICTS,
    command_for,
    every,
    parsed,
    sections_of,
    tables_of,
    text_of,
    write_dated,
    write_hostile,
)

PACKAGE = Path(sqlrank.__file__).parent
COMPARED = [KEYWORD, SEMANTIC, "--qrels", QRELS, "--queries", QUERIES, "--by", "country", "-m", "ndcg@10", "-m", "p@5"]


def reported(path: Path, *arguments: object) -> Element:
    """The page that a command writes."""
    completed(*command_for(*arguments), *arguments, "-o", path)
    return parsed(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Element:
    return reported(tmp_path_factory.mktemp("report") / "report.html", *COMPARED)


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Element:
    return reported(tmp_path_factory.mktemp("report") / "report.html", KEYWORD, "--qrels", QRELS)


EACH = pytest.mark.parametrize("page", ["compared", "evaluated"])


@EACH
def test_sections_stand_in_the_order_in_which_they_are_read(page: str, request: pytest.FixtureRequest) -> None:
    whole = ["verdict", "summary", "comparison", "segments", "distribution", "curves", "queries", "data", "definitions"]
    left_out = {"comparison", "segments"} if page == "evaluated" else set()
    assert sections_of(request.getfixturevalue(page)) == [key for key in whole if key not in left_out]


@EACH
def test_a_page_makes_no_request_and_runs_no_script(page: str, request: pytest.FixtureRequest) -> None:
    root: Element = request.getfixturevalue(page)
    names = {element.tag.rpartition("}")[2] for element in root.iter() if isinstance(element.tag, str)}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "foreignObject"}
    for element in root.iter():
        for key, value in element.items():
            assert not key.startswith("on")
            if key.rpartition("}")[2] in ("src", "href", "action", "srcset", "poster"):
                assert value.startswith("#"), (element.tag, key, value)
    style = "".join(every(root, "style")[0].itertext())
    assert "url(" not in style
    assert "@import" not in style


@EACH
def test_links_lead_somewhere_and_ids_are_unique(page: str, request: pytest.FixtureRequest) -> None:
    root: Element = request.getfixturevalue(page)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {str(link.get("href"))[1:] for link in every(root, "a")} <= set(ids)
    contents = [str(link.get("href"))[1:] for link in every(every(root, "nav")[0], "a")]
    assert ["verdict", *contents] == sections_of(root)


def test_every_figure_has_words_for_it_and_its_numbers(compared: Element) -> None:
    figures = every(compared, "figure")
    assert 8 < len(figures) <= 12
    for figure in figures:
        chart = next(each for each in every(figure, "div") if each.get("role") == "img")
        assert text_of(every(figure, "figcaption")[0]) in str(chart.get("aria-label"))
        assert len(every(figure, "tr")) > 1


def test_the_summary_is_that_of_eval(evaluated: Element) -> None:
    known = completed("eval", KEYWORD, "--qrels", QRELS, "--format", "csv").table
    rows = tables_of(evaluated)["Every metric with its 95 % confidence interval"]
    assert len(rows) == len(known) == 5
    for row, other in zip(rows, known, strict=True):
        low, high = (f"{float(other[end]):.4f}" for end in ("ci_low", "ci_high"))
        assert row["value"] == f"{float(other['value']):.4f}"
        assert row["95 % interval"] == f"{low} to {high}"
        assert (row["metric"], row["system"], row["queries"]) == (other["metric"], other["system"], other["queries"])


def test_the_comparison_is_that_of_compare(compared: Element) -> None:
    known = completed("compare", *COMPARED, "--format", "csv").table
    tables = tables_of(compared)
    caption = "Differences from keyword, with 95 % confidence intervals"
    rows = [*tables[caption], *tables[f"{caption}#2"]]
    assert len(rows) == len(known) == 10
    by_key = {(row["country"] or "(all)", row["metric"]): row for row in known}
    for row in rows:
        other = by_key[row.get("country", "(all)"), row["metric"]]
        assert row["keyword"] == f"{float(other['baseline_value']):.4f}"
        assert row["semantic"] == f"{float(other['value']):.4f}"
        difference = re.sub(r"[^\d.+-]", "", row["difference"])
        assert difference == f"{float(other['difference']):+.4f}"
        assert row["95 % interval"] == f"{float(other['ci_low']):+.4f} to {float(other['ci_high']):+.4f}"
        assert float(row["adjusted p"].lstrip("<")) == pytest.approx(float(other["p_adjusted"]), abs=5e-5)
        assert row["wins/ties/losses"] == f"{other['wins']}/{other['ties']}/{other['losses']}"
        signs = {("true", True): "▲", ("true", False): "▼"}
        sign = signs.get((other["significant"], float(other["difference"]) > 0), "●")
        assert row["difference"].startswith(sign)


def test_segments_are_those_of_eval(compared: Element) -> None:
    known = completed("eval", *COMPARED, "--format", "csv").table
    values = {(row["system"], row["country"], row["metric"]): row for row in known if row["is_total"] == "false"}
    rows = tables_of(compared)["Every metric in every segment"]
    assert len(rows) == len(values) == 16
    for row in rows:
        assert row["value"] == f"{float(values[row['system'], row['country'], row['metric']]['value']):.4f}"


def test_verdicts_are_those_of_gsb(tmp_path: Path) -> None:
    root = reported(tmp_path / "gsb.html", VERDICTS, "--by", "country")
    known = completed("gsb", VERDICTS, "--by", "country", "--format", "csv").table
    rows = tables_of(root)["Verdicts"]
    assert sections_of(root) == ["verdict", "gsb", "data", "definitions"]
    assert len(rows) == len(known) == 5
    for row, other in zip(rows, known, strict=True):
        assert [row[name] for name in ("good", "same", "bad", "total")] == [
            other[name] for name in ("good", "same", "bad", "total")
        ]
        assert row["verdict"] == other["decision"]
        assert row["delta_gsb"].split()[-1] == f"{float(other['delta_gsb']):.4f}"
    assert "not enough evidence" in text_of(every(root, "main")[0])


def test_the_worst_queries_are_shown_beside_their_best_order(evaluated: Element) -> None:
    rankings = [each for each in every(evaluated, "article") if each.get("class") == "rankings"]
    assert len(rankings) == 5
    title = text_of(every(rankings[0], "h3")[0])
    known = completed("eval", KEYWORD, "--qrels", QRELS, "-m", "ndcg@10", "--per-query", "-").table
    values = {row["query_id"]: float(row["ndcg_at_10"]) for row in known}
    assert f"ndcg@10 {values[title]:.4f}" in text_of(rankings[0])
    found, best = tables_of(rankings[0]).values()
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg@10"]) as result:
        expected = result.explain(title).to_dicts()
    assert [row["document"] for row in found] == [row["doc_id"] for row in expected if row["doc_id"]]
    assert [row["document"] for row in best] == [row["ideal_doc_id"] for row in expected if row["ideal_doc_id"]]
    for row, other in zip(found, expected, strict=False):
        sign = "?" if other["relevance"] is None else "+" if other["relevance"] >= 1 else "-"
        assert row["relevance"].startswith(sign)


def test_the_largest_movers_stand_between_both_systems_with_their_titles(compared: Element) -> None:
    rankings = [each for each in every(compared, "article") if each.get("class") == "rankings"]
    assert len(rankings) == 10
    with sqlrank.compare([str(KEYWORD), str(SEMANTIC)], str(QRELS), ["ndcg@10"]) as made:
        moved = [row for row in made.to_dicts(per_query=True) if row["difference"]]
    moved.sort(key=lambda row: (row["difference"], row["query_id"]))
    shown = [text_of(every(each, "h3")[0]) for each in rankings]
    assert [re.findall(r"\((q\d+)\)\Z", title)[0] for title in shown[:5]] == [row["query_id"] for row in moved[:5]]
    assert shown[-1] == "glass water bottle with straw (q0058)"
    assert moved[0]["query_id"] in shown[0]
    assert f"({moved[0]['difference']:+.4f})" in text_of(rankings[0])


def test_of_many_systems_improvements_come_first_and_queries_are_those_of_the_best(tmp_path: Path) -> None:
    """Seven systems by how many of 40 queries they find at once: 8 for the baseline."""
    found = {"base": 8, "random": 0, "near": 9, "far": 30, "good": 28, "fair": 26, "same": 8}
    lines = [
        f"{system},q{query:02},{'hit' if query < many else 'miss'},1"
        for system, many in found.items()
        for query in range(40)
    ]
    (tmp_path / "runs.csv").write_text("\n".join(["system,query_id,doc_id,score", *lines]))
    judged = (f"q{query:02},hit,1,{'ab'[query % 2]}" for query in range(40))
    (tmp_path / "qrels.csv").write_text("\n".join(["query_id,doc_id,relevance,half", *judged]))
    asked = [tmp_path / "runs.csv", "--qrels", tmp_path / "qrels.csv", "-m", "success@1", "--by", "half"]

    root = reported(tmp_path / "report.html", *asked, "--baseline", "base")

    text = text_of(root)
    said = ("better than base in success@1", "no evidence of a difference from base", "worse than base in success@1")
    places = [text.index(part) for part in said]
    assert places == sorted(places)
    named = re.findall(r"losses and gains of success@1 from base to (\w+)", text)
    assert named == ["far", "good", "fair"]
    assert "The charts show the best 4 of 7 systems" in text
    alone = reported(tmp_path / "alone.html", *asked)
    assert sections_of(alone)[0] == "systems"
    assert "compare them: sqlrank compare, or in Python sqlrank.compare" in text_of(alone)


def test_of_a_metric_that_is_better_when_lower_losses_come_first_too(tmp_path: Path) -> None:
    """The mean rank of relevant documents: q0 rises from 1 to 3, q1 falls from 3 to 1, and q2 stays."""
    places = {"a": {"q0": 1, "q1": 3, "q2": 1}, "b": {"q0": 3, "q1": 1, "q2": 1}}
    for system, of in places.items():
        lines = [
            f"{query},{'hit' if rank == place else f'd{rank}'},{-rank}"
            for query, place in of.items()
            for rank in (1, 2, 3)
        ]
        (tmp_path / f"{system}.csv").write_text("\n".join(["query_id,doc_id,score", *lines]))
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq0,hit,1\nq1,hit,1\nq2,hit,1\n")
    files = [tmp_path / "a.csv", tmp_path / "b.csv", "--qrels", tmp_path / "qrels.csv"]

    root = reported(tmp_path / "report.html", *files, "-m", "arp")

    rankings = [each for each in every(root, "article") if each.get("class") == "rankings"]
    assert [text_of(every(each, "h3")[0]) for each in rankings] == ["q0", "q1"]


def test_titles_of_documents_come_from_the_items(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\nq1,d1,3\nq1,d2,2\nq2,d3,1\n")
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,d2,1\nq2,d3,1\n")
    (tmp_path / "items.csv").write_text("doc_id,title\nd1,A lamp\nd2,A chair\n")
    inputs = [tmp_path / "run.csv", "--qrels", tmp_path / "qrels.csv", "--items", tmp_path / "items.csv"]
    root = reported(tmp_path / "report.html", *inputs, "-m", "ndcg@5")
    ranking = next(each for each in every(root, "article") if text_of(every(each, "h3")[0]) == "q1")
    assert [row["document"] for row in tables_of(ranking)["run"]] == ["A lampd1", "A chaird2"]


def test_what_the_numbers_rest_on_is_said(compared: Element) -> None:
    tables = tables_of(compared)
    assert tables["Queries of each system"][0] == {
        **{"system": "keyword", "judged": "300", "without results": "8", "without judgments": "2"},
        **{"with nothing relevant": "4", "with tied scores that matter": "132"},
    }
    assert tables["Rows of each input"][0]["left out, and why"] == "80 in queries without judgments"
    files = {Path(row["file"]).name: row for row in tables["Files that were read, by SHA-256"]}
    assert files["qrels.parquet"]["SHA-256"].startswith("c4cc95d1381d61f7")
    assert {"keyword.parquet", "semantic.parquet", "queries.parquet"} < files.keys()
    main = text_of(every(compared, "main")[0])
    assert "ties doc-desc" in main
    assert f"sqlrank {sqlrank.__version__}" in main
    assert "DCG@k / ideal DCG@k" in main
    assert "run_rows as" in main


def test_gates_are_shown_and_end_with_their_code(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    gates = ["--fail-under", "ndcg@10=0.6", "--fail-on-drop", "ndcg@10=0.01"]
    outcome = run_cli("compare", *COMPARED, *gates, "-o", path)
    assert outcome.code == 4
    assert "ndcg@10 of keyword is 0.5891, below 0.6" in outcome.err
    verdict = text_of(every(parsed(path.read_text(encoding="utf-8")), "section")[0])
    assert "✗ ndcg@10 of keyword is at least 0.6: fails" in verdict
    assert "✓ 2 gates hold" in verdict
    assert "ndcg@10 of semantic is at least 0.6, ndcg@10 of semantic does not drop by more than 0.01" in verdict
    places = [verdict.index(part) for part in ("✗", "semantic is better than keyword in ndcg@10", "✓")]
    assert places == sorted(places)


def test_a_segment_of_dates_is_drawn_over_time(tmp_path: Path) -> None:
    inputs = [KEYWORD, SEMANTIC, "--qrels", QRELS, "--queries", write_dated(tmp_path), "--by", "day", "-m", "ndcg@10"]
    root = reported(tmp_path / "report.html", *inputs)
    labels = [str(each.get("aria-label")) for each in every(root, "div") if each.get("role") == "img"]
    assert sum(label.startswith("Line chart over time") for label in labels) == 1


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    run_a, run_b, qrels, queries, items = write_hostile(tmp_path)
    inputs = [run_a, run_b, "--qrels", qrels, "--queries", queries, "--items", items, "--by", "<b>segment\"'</b>"]
    plain = reported(tmp_path / "plain.html", *inputs, "-m", "ndcg@5", "--title", HOSTILE[-1])
    names = {element.tag.rpartition("}")[2] for element in plain.iter() if isinstance(element.tag, str)}
    assert not names & {"script", "img", "b"}
    assert text_of(every(plain, "h1")[0]) == HOSTILE[-1]
    assert HOSTILE[0] in text_of(every(plain, "main")[0])
    assert "\u202e" not in (tmp_path / "plain.html").read_text(encoding="utf-8")
    assert (tmp_path / "plain.html").stat().st_size < 2_000_000
    lively = reported(tmp_path / "lively.html", *inputs, "-m", "ndcg@5", "--interactive")
    assert len(every(lively, "script")) == 2


def test_interactive_pages_hold_the_scripts_and_the_specifications(tmp_path: Path) -> None:
    root = reported(tmp_path / "report.html", KEYWORD, "--qrels", QRELS, "-m", "ndcg@10", "--interactive")
    assert len(every(root, "script")) == 2
    assert all(each.get("data-chart") for each in every(root, "div") if each.get("aria-hidden"))


def test_all_words_are_used() -> None:
    trees = [ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    said = {node.value for node in nodes if isinstance(node, ast.Constant)}
    sections = {f"section-{node.arg}" for node in nodes if isinstance(node, ast.keyword)}
    drawn = {f"kind-{path.stem}" for path in (PACKAGE / "reports" / "charts" / "specifications").iterdir()}
    claims = {f"{claim}-{of}" for claim in TONES for of in ("in", "all", "segment")}
    counts = {f"of-{name}" for name in OF_QUERIES}
    templates = "".join(path.read_text() for path in (PACKAGE / "pages" / "templates").iterdir())
    quoted = set(re.findall(r'"([\w-]+)"', templates))
    scripted = {f"explore-{word}" for word in quoted}
    assert set(tomllib.loads(FILE.read_text())) <= said | sections | drawn | claims | counts | quoted | scripted


HAN = re.compile(r"[\u4e00-\u9fff]")
NAMES = re.compile(r"[\w.@/-]+|rel=.*|.*(?:19|20)\d\d|[^a-zA-Z]*|.* ?\(q\d+\)|\S+ [\d.]+( → .*)?")
"""What is a name, a number or a citation, and stays as it is in every language."""


@pytest.mark.parametrize(
    "arguments",
    [
        [KEYWORD, "--qrels", QRELS, "--queries", QUERIES, "--by", "country"],
        [KEYWORD, SEMANTIC, "--qrels", QRELS, "--queries", QUERIES, "--by", "country"],
        [VERDICTS, "--by", "country"],
    ],
)
def test_a_report_in_chinese_is_chinese(arguments: list[object], tmp_path: Path) -> None:
    root = reported(tmp_path / "report.html", *arguments, "--lang", "zh")
    assert root.get("lang") == "zh-Hans"
    heads = [text_of(each) for each in every(root, "h2")]
    assert heads[:2] == ["结论", "目录"]
    main = every(root, "main")[0]
    for name in ("li", "dd", "dt", "th", "caption", "summary", "figcaption", "p", "small"):
        texts = [text_of(each) for each in every(main, name)]
        english = [text for text in texts if not HAN.search(text) and not NAMES.fullmatch(text)]
        assert not english, name
    cells = [text_of(each) for each in every(main, "td")]
    assert not [text for text in cells if " to " in text or "evidence" in text]
    page = text_of(main)
    assert not re.search(r"[\u4e00-\u9fff] ?[,;:](?!\d)", page), "the punctuation is that of Chinese"


def test_a_sentence_is_translated_with_what_stands_in_it() -> None:
    said = words_of("zh").said
    assert said("n = 45 to 300 queries") == "n = 45 至 300 个查询"
    text = "b: 3 judged queries, 1 without results, 0 with nothing relevant; 2 queries have results but no judgments"
    assert said(text) == "b：3 个有标注的查询，1 个无结果，0 个没有相关文档；2 个查询有结果但没有标注"  # noqa: RUF001
    assert said("what nobody has translated") == "what nobody has translated"
    assert words_of("en").said(text) == text


def test_every_convention_is_explained_in_chinese() -> None:
    words = words_of("zh")
    for each in fields(Conventions):
        choices = each.metadata["choices"] or {}
        for text in (each.metadata["help"], *choices.values()):
            assert HAN.search(words.said(text)) or text in ("0", "1"), text


def test_stored_per_query_rows_are_compared_without_rankings(tmp_path: Path) -> None:
    for path in (KEYWORD, SEMANTIC):
        stored = tmp_path / path.name
        completed("eval", path, "--qrels", QRELS, "-m", "ndcg@10", "--per-query", stored, "-o", tmp_path / "s.csv")
    root = reported(tmp_path / "report.html", tmp_path / KEYWORD.name, tmp_path / SEMANTIC.name)
    assert sections_of(root) == ["verdict", "comparison", "distribution", "definitions"]


def test_files_are_called_without_the_folder_in_which_somebody_works(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    root = reported(path, KEYWORD, SEMANTIC, "--qrels", QRELS, "-m", "ndcg@10")
    assert str(SEARCH) not in path.read_text(encoding="utf-8")
    files = tables_of(root)["Files that were read, by SHA-256"]
    assert [row["file"] for row in files] == ["keyword.parquet", "semantic.parquet", "qrels.parquet"]


def test_an_export_with_several_systems_is_evaluated_or_compared(tmp_path: Path) -> None:
    runs = FIXTURES / "search" / "runs.parquet"
    together = reported(tmp_path / "several.html", runs, "--qrels", QRELS, "-m", "ndcg@10")
    assert "comparison" not in sections_of(together)
    apart = reported(tmp_path / "compared.html", runs, "--qrels", QRELS, "-m", "ndcg@10", "--baseline", "keyword")
    assert "comparison" in sections_of(apart)


def test_a_labelled_export_and_one_without_means_have_reports(tmp_path: Path) -> None:
    export = FIXTURES / "search" / "export.parquet"
    assert "curves" in sections_of(reported(tmp_path / "export.html", export))
    bare = reported(tmp_path / "bare.html", KEYWORD, "--qrels", QRELS, "-m", "num_rel")
    assert sections_of(bare)[0] == "verdict"
    unjudged = reported(tmp_path / "unjudged.html", KEYWORD, "-m", "num_ret")
    assert "they need judgments" in text_of(every(unjudged, "main")[0])


def test_averaged_ties_have_the_curves_that_have_an_average(tmp_path: Path) -> None:
    root = reported(tmp_path / "r.html", KEYWORD, "--qrels", QRELS, "-m", "ndcg@10", "--ties", "average")
    assert len(every(root, "figure")) == 7


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([KEYWORD, "--qrels", QRELS, "--title", "T"], 2, "--title is for a report: give -o report.html too"),
        ([KEYWORD, "--qrels", QRELS, "--chart", "ecdf"], 2, "--chart ecdf: give a file for it with -o, one of .svg"),
        ([KEYWORD, "--qrels", QRELS, "-o", "r.pdf"], 2, "name the chart with --chart"),
        ([KEYWORD, "--qrels", QRELS, "-o", "r.html", "--format", "csv"], 2, "--format csv: leave it out"),
        (
            [KEYWORD, "--qrels", QRELS, "-o", "r.html", "--show", "worst=3"],
            2,
            "--show worst is printed below the table",
        ),
        ([KEYWORD, "--qrels", QRELS, "-o", "r.html", "-o", "r.html"], 2, "r.html would be written twice"),
        (
            [KEYWORD, "--qrels", QRELS, "-o", "r.html", "--chart", "ecdf"],
            2,
            "a chart is one of .svg, .png, .pdf, .json",
        ),
        ([KEYWORD, "--qrels", QRELS, "-o", "r.svg", "--chart", "ecfd"], 2, "did you mean ecdf?"),
        ([KEYWORD, "--qrels", QRELS, "-o", "r.html", "--lang", "fr"], 2, "--lang fr is not known (one of en, zh)"),
        ([KEYWORD, "--qrels", QRELS, "-o", "r.html", "--test", "t"], 2, "no such option: --test"),
        ([KEYWORD, "--qrels", QRELS, "-o", "r.html", "--fail-on-drop", "ap=1"], 2, "no such option: --fail-on-drop"),
        ([VERDICTS, "--qrels", QRELS, "-o", "r.html"], 2, "no such option: --qrels"),
        ([KEYWORD, "-o", "r.html", "--qrels", QUERIES], 3, "no column for the doc_id"),
        ([KEYWORD, "--qrels", QRELS, "-o", "nowhere/r.html"], 5, "is not there"),
    ],
)
def test_what_cannot_be_reported_is_an_error_that_leaves_nothing(
    arguments: list[object], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in error_of(code, *command_for(*arguments), *arguments)
    assert not list(tmp_path.iterdir())


def test_a_report_is_never_written_onto_an_input(tmp_path: Path) -> None:
    (tmp_path / "run.html").write_text("query_id,doc_id,score\nq,d,1\n")
    run = tmp_path / "run.html"
    assert "is an input" in error_of(2, "eval", run, "--input-format", "csv", "--qrels", QRELS, "-o", run)


def test_without_the_extra_the_error_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    path = tmp_path / "report.html"
    assert "pip install 'sqlrank[report]'" in error_of(2, "eval", KEYWORD, "--qrels", QRELS, "-o", path)
    assert not list(tmp_path.iterdir())
    with (
        sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg@10"]) as result,
        pytest.raises(UsageError, match=r"pip install 'sqlrank\[report\]'"),
    ):
        result.report(tmp_path / "report.html")
    assert not list(tmp_path.iterdir())


def test_a_chart_that_cannot_be_drawn_leaves_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(specification: object, **_: object) -> str:
        raise ValueError("no room for an axis")

    monkeypatch.setattr("vl_convert.vegalite_to_svg", fail)
    path = tmp_path / "report.html"
    error = error_of(5, "eval", KEYWORD, "--qrels", QRELS, "-m", "ndcg@10", "-o", path)
    assert "the chart cannot be drawn: no room for an axis" in error
    assert not list(tmp_path.iterdir())


def test_python_writes_the_same_page_as_the_command(evaluated: Element, tmp_path: Path) -> None:
    with sqlrank.evaluate(str(KEYWORD), str(QRELS)) as result:
        result.report(tmp_path / "report.html")
    root = parsed((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert tables_of(root) == tables_of(evaluated)


def test_a_connection_that_was_passed_is_left_as_it_was(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect() as connection:
        before = connection.execute("select count(*) from duckdb_tables()").fetchone()
        with sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg@10"], connection=connection) as result:
            result.report(tmp_path / "report.html")
        assert connection.execute("select count(*) from duckdb_tables()").fetchone() == before


def test_a_condition_still_bars_everything_but_the_inputs(tmp_path: Path) -> None:
    inputs = [KEYWORD, "--qrels", QRELS, "--queries", QUERIES, "--where", "score > 3", "--query-set", "judged"]
    root = reported(tmp_path / "report.html", *inputs, "-m", "ndcg@10")
    assert "only rows where score > 3" in text_of(every(root, "main")[0])
    assert every(root, "article")
