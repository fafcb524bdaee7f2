"""Reports of results without charts: their tables, the gates, and how the numbers were made."""

from __future__ import annotations

from pathlib import Path

import pytest

import sqlrank
from sqlrank.reports.document import TITLES
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli
from tests.support.reports import KEYWORD, QRELS, SEMANTIC, every, parsed, text_of
from tests.support.tables import hold

LOGS = FIXTURES / "behaviour"
RATED = "query_id,doc_id,rater,relevance\n" + "".join(
    f"q{number},d,{rater},{(number + (rater == 'bo' and number % 3 == 0)) % 2}\n"
    for number in range(12)
    for rater in ("ann", "bo")
)
ANSWERED = ("ArmComparison", "Interleaved")
"""Those that end with an answer, which leads the page."""
HOSTILE = "<script>alert(1)</script>"


def asked(folder: Path) -> dict[str, list[object]]:
    """A request for each kind of result."""
    (folder / "rated.csv").write_text(RATED)
    labels = "\n".join(f"q{number:04},d{number},1" for number in range(3))
    (folder / "model.csv").write_text(f"query_id,doc_id,relevance\n{labels}\n")
    both: list[object] = [KEYWORD, SEMANTIC]
    sets = ["--qrels", f"people={QRELS}", "--qrels", f"again={QRELS}"]
    return {
        "ArmComparison": ["log", "arms", LOGS / "test" / "log.parquet", "--baseline", "A", "-m", "ctr"],
        "Interleaved": ["log", "interleave", LOGS / "shop" / "interleaved.parquet"],
        "JudgmentSets": ["compare", *both, *sets, "-m", "rr"],
        "Likeness": ["compare", *both, "-m", "rbo"],
        "Plan": ["compare", *both, "--qrels", QRELS, "-m", "rr", "--plan"],
        "RaterAgreement": ["agreement", folder / "rated.csv"],
        "Values": [
            "log",
            "value",
            LOGS / "shop" / "tuned.parquet",
            "--log",
            LOGS / "shop" / "log.parquet",
            "--exclude-bots",
        ],
    }


def test_every_kind_has_a_page_with_the_numbers_of_its_table(tmp_path: Path) -> None:
    requests = asked(tmp_path)
    assert set(requests) == set(TITLES)

    def check(kind: str) -> None:
        page = tmp_path / f"{kind}.html"
        shown = completed(*requests[kind], "-o", "-", "-o", page, "--title", HOSTILE).out
        root = parsed(page.read_text(encoding="utf-8"))
        assert text_of(every(root, "h1")[0]) == HOSTILE
        assert not every(root, "script")
        text = text_of(root)
        numbers = [word for word in shown.split("\n\n")[0].split() if word.count(".") == 1 and word[-1].isdigit()]
        assert numbers
        assert all(number in text for number in numbers)
        if kind in ANSWERED:
            assert shown.splitlines()[-1] in text_of(every(root, "section")[0])

    hold(list(requests), check)


def test_the_gates_of_a_log_lead_its_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    request = asked(tmp_path)["ArmComparison"]
    assert run_cli(*request, "--fail-on-drop", "ctr=50%", "-o", page).code == 0
    assert "ctr of B does not drop by more than 50 %" in text_of(every(parsed(page.read_text("utf-8")), "section")[0])


def test_options_of_charts_are_refused_where_there_are_none(tmp_path: Path) -> None:
    request = asked(tmp_path)["RaterAgreement"]
    assert "no charts are drawn of this" in error_of(2, *request, "-o", "x.svg")
    assert "--title is for a report" in error_of(2, *request, "--title", "T")
    assert "no such option: --chart" in error_of(2, *request, "--chart", "ecdf", "-o", "x.svg")


def test_python_writes_the_page_and_refuses_it_of_judgments(tmp_path: Path) -> None:
    with sqlrank.likeness([KEYWORD, SEMANTIC], "rbo") as result:
        result.report(tmp_path / "page.html")
    assert "Similarity of rankings" in (tmp_path / "page.html").read_text("utf-8")
    with (
        sqlrank.log.judgments(LOGS / "shop" / "log.parquet", exclude_bots=True) as judgments,
        pytest.raises(sqlrank.UsageError, match="there is no report of Judgments"),
    ):
        judgments.report(tmp_path / "judgments.html")


def test_one_run_writes_several_files_and_the_table(tmp_path: Path) -> None:
    request = ("eval", KEYWORD, "--qrels", QRELS, "-m", "ndcg@10", "--quiet")
    files = [tmp_path / name for name in ("rows.csv", "rows.json", "page.html", "table.md")]
    outcome = completed(*request, "-o", "-", *(word for file in files for word in ("-o", file)))
    assert "0.5891" in outcome.out
    assert all("0.5891" in file.read_text("utf-8") for file in files[2:])
    assert files[0].read_text() == completed(*request, "--format", "csv").out
    assert files[1].read_text() == completed(*request, "--format", "json").out
    asked = ("--show", "worst=1", "-o", tmp_path / "again.csv")
    assert "worst: system" in completed(*request, *asked, "-o", "-").out
    assert "worst has no place in csv" in error_of(2, *request, *asked)
    assert "--plot draws in a table, not in a report" in error_of(2, *request, "--plot", "-o", tmp_path / "x.html")
    twice = ("-o", "x.csv", "-o", "y.csv", "--format", "csv")
    assert "--format csv: leave it out" in error_of(2, *request, *twice)
