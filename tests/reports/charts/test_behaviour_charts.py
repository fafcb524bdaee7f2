"""Charts of judgments and propensities of a log, in both languages, and as a notebook shows them."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from sqlrank.log import judgments, propensities, value
from sqlrank.pages.words import words_of
from sqlrank.reports.charts.log_plots import LabelPlots, PropensityPlots, ValuePlots
from tests.behaviour.simulated import logged
from tests.behaviour.test_hostile_logs import log, with_bot
from tests.counterfactual.worked import RUN, THETA, listed, ranked
from tests.reports.charts.test_charts import data


@pytest.mark.parametrize("language", ["en", "zh"])
def test_labels_are_drawn_by_impressions(language: str) -> None:
    with judgments(logged("pbm", impressions=3000).frame()) as found:
        chart = LabelPlots(found, language).labels()
        rows, labels = data(chart), found.to_dicts()

    assert sum(row["labels"] for row in rows) == len(labels)
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows)
    assert [row["impressions"] for row in rows] == sorted(row["impressions"] for row in rows)
    first = [row["relevance"] for row in labels if 16 <= row["impressions"] < 32]
    assert next(row for row in rows if row["impressions"] == 16)["labels"] == len(first)
    assert ElementTree.fromstring(chart.svg()).tag.endswith("svg")
    assert chart.title == words_of(language)("labels-by-impressions")


def test_propensities_are_drawn_with_their_intervals() -> None:
    with propensities(logged("pbm", impressions=4000).frame(), method="allpairs", min_impressions=5) as found:
        rows, told = data(found.plot.propensities()), found.to_dicts()
        svg = PropensityPlots(found, "zh").propensities().svg()

    assert [row["value"] for row in rows] == pytest.approx([row["propensity"] for row in told])
    assert [row["low"] for row in rows] == pytest.approx([row["low"] for row in told])
    assert ElementTree.fromstring(svg).tag.endswith("svg")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_values_are_drawn_with_their_support_and_weights(language: str) -> None:
    asked: dict[str, Any] = {"estimators": ["item-position", "pbm"], "propensities": THETA, "min_impressions": 1}
    with value(ranked(**RUN), listed(), anyway=True, **asked) as found:
        plots = ValuePlots(found, language)
        support, weights = plots.support(), plots.weights()
        shown = found._repr_html_()

    cells = [row["share"] for row in data(support) if row["system"] == "run, item-position"]
    assert cells == pytest.approx([1, 1, 0.4, 1])
    shares = [row["share"] for row in data(weights) if row["system"] == "run, pbm"]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    assert all(ElementTree.fromstring(chart.svg()).tag.endswith("svg") for chart in (support, weights))
    assert "item-position" in shown


def test_what_does_not_count_is_drawn_by_reason() -> None:
    import pandas as pd

    with judgments(pd.DataFrame(with_bot(log()) + log()[:10]), exclude_bots=True) as found:
        rows = {row["label"]: row["count"] for row in data(found.plot.excluded())}
        shown = found._repr_html_()

    assert rows["repeated"] == 10
    assert rows["look automated"] > 100
    assert sum(rows.values()) == found.origin["rows"]
    assert "relevance" in shown
    assert "<script" not in shown
