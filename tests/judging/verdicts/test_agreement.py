"""The agreement of raters in `sqlrank gsb`, beside the packages that have it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from statsmodels.stats import inter_rater

import sqlrank
from sqlrank.judging.raters.measures import NO_INTERVAL
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli

EXAMPLE = FIXTURES / "search" / "verdicts.csv"
WORDS = ("bad", "same", "good")


def drawn(seed: int, items: int, raters: int, missing: float) -> Any:
    """Verdicts of raters on items, NaN where one gave none."""
    rng = np.random.default_rng(seed)
    table = np.where(rng.random((items, raters)) < 0.6, rng.choice(3, (items, 1)), rng.choice(3, (items, raters)))
    return np.where(rng.random((items, raters)) < missing, np.nan, table.astype(float))


def written(path: Path, table: Any, documents: bool = False) -> Path:
    """These verdicts as a file."""
    lines = [
        f"q{item // 2 if documents else item},d{item % 2},rater {rater},{WORDS[int(value)]}"
        for (item, rater), value in np.ndenumerate(table)
        if not np.isnan(value)
    ]
    text = ["query_id,doc_id,rater,verdict", *lines]
    if not documents:
        text = [",".join(line.split(",")[:1] + line.split(",")[2:]) for line in text]
    path.write_text("\n".join(text) + "\n")
    return path


@pytest.mark.parametrize("documents", [False, True])
@pytest.mark.parametrize(("raters", "missing"), [(2, 0.0), (2, 0.3), (5, 0.0), (5, 0.5)])
def test_measures_are_those_of_the_packages(raters: int, missing: float, documents: bool, tmp_path: Path) -> None:
    table = drawn(raters, 40, raters, missing)
    levels: list[Any] = ["nominal", "ordinal", "interval"]
    with sqlrank.gsb(written(tmp_path / "verdicts.csv", table, documents)) as result:
        found = {name: one.value for name, one in result.agreement.items()}
    wanted = {
        f"krippendorff-{level}": krippendorff.alpha(table.T, level_of_measurement=level, value_domain=[0.0, 1.0, 2.0])
        for level in levels
    }
    full = table[(~np.isnan(table)).sum(axis=1) > 1]
    if not np.isnan(full).any():
        counts, _ = inter_rater.aggregate_raters(full.astype(int), n_cat=3)
        wanted["fleiss"] = inter_rater.fleiss_kappa(counts)
    if raters == 2:
        both = full.astype(int)
        square = np.array([[np.sum((both == (one, other)).all(axis=1)) for other in range(3)] for one in range(3)])
        wanted["cohen"] = inter_rater.cohens_kappa(square).kappa
    assert found == {name: pytest.approx(value, rel=1e-9) for name, value in wanted.items()}


def test_raters_and_disputed_items_by_hand(tmp_path: Path) -> None:
    rows = ["a,x,good", "a,y,good", "a,z,bad", "b,x,same", "b,y,good", "c,x,bad", "c,y,bad", "d,z,good"]
    path = tmp_path / "verdicts.csv"
    path.write_text("query_id,rater,verdict\n" + "\n".join(rows) + "\n")
    with sqlrank.gsb(path) as result:
        # x meets y, z on a, y on b, y on c, of whom z and y differ; z meets x and y on a, who both differ.
        assert result.by_rater().fetchall() == [("z", 2, 1, 1.0), ("x", 3, 3, 0.5), ("y", 3, 3, 0.5)]
        assert result.disputed().fetchall() == [("a", 2, 0, 1, pytest.approx(2 / 3)), ("b", 1, 1, 0, 1.0)]
        assert result.disputed(1).fetchall() == result.disputed().fetchall()[:1]
        with pytest.raises(sqlrank.UsageError, match="ask for 1 item or more"):
            result.disputed(0)


def test_items_of_one_rater_say_nothing(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text("query_id,rater,verdict\na,x,good\nb,x,bad\nc,y,same\n")
    outcome = completed("gsb", path)
    assert "no item has several raters" in outcome.out
    assert "Krippendorff" not in outcome.out


def test_few_queries_have_no_interval_and_a_line_says_so(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text("query_id,rater,verdict\na,x,good\na,y,good\nb,x,bad\nb,y,bad\n")
    lines = completed("gsb", path).out.splitlines()
    assert "Krippendorff's alpha of these items, with its 95 % interval: ordinal 1.000, nominal 1.000" in lines[-5]
    assert lines[-3] == NO_INTERVAL


def test_without_raters_nothing_is_known(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text("query_id,verdict\na,good\nb,bad\n")
    assert "choose --column rater=NAME" in error_of(2, "gsb", path, "--show", "disputed=3")
    with sqlrank.gsb(path) as result:
        with pytest.raises(sqlrank.UsageError, match="not known who gave the verdicts"):
            result.by_rater()
        with pytest.raises(sqlrank.UsageError, match="not known who gave the verdicts"):
            _ = result.agreement


def test_the_command_shows_raters_and_items() -> None:
    outcome = completed("gsb", EXAMPLE, "--show", "disputed=2", "--quiet")
    lines = outcome.out.splitlines()
    place = lines.index("rater  verdicts  shared  disagreement")
    assert lines[place + 1].split() == ["anna", "20", "20", "0.2500"]
    assert [line.split()[0] for line in lines[place + 5 : place + 8]] == ["query_id", "q0014", "q0016"]
    document = json.loads(completed("gsb", EXAMPLE, "--show", "disputed=2", "--format", "json").out)
    assert document["agreement"]["fleiss"]["value"] == pytest.approx(0.6)
    assert (len(document["raters"]), len(document["disputed"])) == (3, 2)
    assert (
        "| anna | 20 | 20 | 0.2500 |" in completed("gsb", EXAMPLE, "--show", "disputed=2", "--format", "markdown").out
    )
    assert run_cli("gsb", EXAMPLE, "--show", "disputed=2", "--format", "csv").code == 2


def test_a_hostile_name_of_a_rater_steers_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    given = (("\x1b[31mx", "good"), ("y", "bad"), ("z", "same"))
    rows = [f"{query},{rater},{verdict}" for query in "abc" for rater, verdict in given]
    path.write_text("query_id,rater,verdict\n" + "\n".join(rows) + "\n")
    assert "\x1b" not in completed("gsb", path, "--show", "disputed=3").out
