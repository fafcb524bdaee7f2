"""What happened where a chart is in alarm: whose judgments, what was judged, the mix of segments, and which of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.arms import Arms
from sqlrank.comparison.paired import Paired, Source
from sqlrank.comparison.parts import parts_of
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.rows import row_of
from sqlrank.comparison.test_results import Finding
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import counted
from sqlrank.monitoring.opening import Opened
from sqlrank.statement.templates import render, sql_text

Row = dict[str, Any]

BEFORE, SINCE = "the baseline", "since the alarm"
"""What the two periods are called."""
LESS_JUDGED = 0.05
"""By how much the share of judged documents falls where a drop may be theirs."""
MOSTLY = 0.75
"""The share of a change from which on it is that of the mix."""
NEWER = 0.05
"""By how much the share of documents that are new rises where it is said."""
BUSY = 1.5
"""From how many times as many queries a day, or as few, it is said."""


@dataclass(frozen=True, slots=True)
class Happened:
    """What made a chart alarm, as far as the rows say."""

    kind: str
    """`judgments` (renewed in between), `unjudged` (fewer documents were judged), `mix` (of segments), or `change`."""
    said: str
    """In words."""
    parts: list[Row]
    """The parts of the difference between the days of the alarm and the baseline, as those of a comparison."""
    before: float
    since: float
    """The mean of the baseline, and since the alarm."""


class Happenings:
    """Says of charts in alarm what happened: their days since then compared with the baseline."""

    def __init__(self, engine: DuckDBEngine, opened: Opened, by: Sequence[str]) -> None:
        self.engine, self.opened, self.by = engine, opened, list(by)

    def of(self, chart: Row) -> Happened:
        """What happened on one chart."""
        engine, opened = self.engine.beside(), self.opened
        place = [measure.text for measure in opened.measures].index(chart["metric"])
        measures, columns = [opened.measures[place]], [opened.rows.columns[place]]
        if opened.judged is not None:
            measures, columns = [*measures, opened.judged[0]], [*columns, opened.judged[1]]
        total = chart.get("is_total", True)
        segments = [column for column, _ in opened.rows.segments] if total else []
        sources = [
            Source(self.days(chart, first, last), name, name, tuple(columns), None, opened.rows.day)
            for name, first, last in (
                (BEFORE, chart["baseline_first"], chart["baseline_last"]),
                (SINCE, chart["since"], chart["day"]),
            )
        ]
        paired = Paired(engine, sources, [BEFORE, SINCE], measures, segments, opened.rows.weighted)
        arms = Arms(paired, sources)
        questions = Questions(test="t", paired=False)
        nothing = Finding(None, "t")
        rows = [row_of(row, arms.pairs[row["pair"] - 1], arms.by, nothing, questions, None) for row in arms.summary()]
        found = [row for row in rows if row["is_total"]]
        parts = [part for part in parts_of(arms, rows, questions.alpha) if part["metric"] == chart["metric"]]
        highest = self.highest(chart) if measures[0].summary == "mean" else None
        engine.close()
        kind, said = self.verdict(chart, found, parts, highest)
        return Happened(kind, said, parts, found[0]["baseline_value"], found[0]["value"])

    def days(self, chart: Row, first: Any, last: Any) -> Any:
        """The rows of some days, of the system and the segment of a chart."""
        rows = self.opened.rows
        segment = [] if chart.get("is_total", True) else [(column, chart[name]) for column, name in rows.segments]
        context: dict[str, Any] = {"relation": rows.relation, "day": rows.day, "first": str(first), "last": str(last)}
        context |= {"system": chart["system"] if rows.system is None else None, "segment": segment}
        return sql_text(render("monitoring/between.sql", self.engine.dialect, **context).strip())

    def highest(self, chart: Row) -> float | None:
        """The mean since the alarm if all unjudged documents were relevant; None where that is not known."""
        column, rows = self.opened.bounds.get(chart["metric"]), self.opened.rows
        if column is None:
            return None
        context = {"rows": self.days(chart, chart["since"], chart["day"]), "column": column, "weighted": rows.weighted}
        found: float | None = self.engine.row(render("monitoring/mean.sql", self.engine.dialect, **context))["mean"]
        return found

    def verdict(self, chart: Row, rows: Sequence[Row], parts: Sequence[Row], highest: float | None) -> tuple[str, str]:
        """What kind of change it is, and it in words."""
        renewed = [day for day in self.opened.renewed if str(chart["baseline_first"]) < day <= str(chart["day"])]
        if renewed:
            return "judgments", (
                f"the judgments were renewed on {', '.join(renewed)}, which may explain it all: name a later baseline"
            )
        fell = [row for row in rows[1:] if row["difference"] is not None and row["difference"] <= -LESS_JUDGED]
        before, dropped = rows[0]["baseline_value"], rows[0]["difference"] < 0
        if dropped and highest is not None and highest >= before:
            return "unjudged", (
                f"no drop until more is judged: {chart['metric']} would be up to {highest:.4f}, compared with"
                f" {before:.4f} before, if the unjudged documents were relevant"
            )
        if fell and dropped and highest is None:
            share = " to ".join(f"{100 * fell[0][name]:.0f} %" for name in ("baseline_value", "value"))
            return "unjudged", f"{fell[0]['metric']} fell from {share}: documents are new, not worse"
        whole = {part["part"]: part for part in parts if part["kind"] == "segments"}
        names = " and ".join(self.by)
        if whole and is_all_mix(whole, rows[0]["difference"]):
            sizes = f"{whole['mix']['contribution']:+.4f} of {rows[0]['difference']:+.4f}"
            within = f"{whole['within']['contribution']:+.4f}"
            return "mix", f"the mix of {names} changed ({sizes}; the results within {names} make {within})"
        return "change", "; ".join([*self.largest(rows[0], parts), *self.newer(chart), *busier(chart, rows[0])])

    def largest(self, row: Row, parts: Sequence[Row]) -> list[str]:
        """The segment whose own results moved the total most, where that is more than chance."""
        own = [part for part in parts if part["kind"] == "segment" and part["part"] == "within"]
        same = [part for part in own if part["contribution"] * row["difference"] > 0 and apart(part)]
        if not same:
            return []
        most = max(same, key=lambda part: abs(part["contribution"]))
        columns = [column for column, _ in self.opened.rows.segments]
        named = ", ".join(
            f"{name}={'(null)' if most[column] is None else most[column]}"
            for column, name in zip(columns, self.by, strict=True)
        )
        sizes = f"{most['contribution']:+.4f} of {row['difference']:+.4f}"
        return [f"the results in {named} make {sizes} ({most['baseline_value']:.4f} to {most['value']:.4f})"]

    def newer(self, chart: Row) -> list[str]:
        """That more of the documents shown are new since the alarm than before it."""
        shown = self.opened.shown
        if shown is None or not chart.get("is_total", True):
            return []
        context = {"shown": shown, "system": chart["system"], "since": str(chart["since"]), "last": str(chart["day"])}
        found = self.engine.row(render("monitoring/new_documents.sql", self.engine.dialect, **context))
        if found["before"] is None or found["since"] - found["before"] < NEWER:
            return []
        days = counted((chart["day"] - chart["since"]).days + 1, "day")
        shares = [f"{100 * found[name]:.0f} %" for name in ("since", "before")]
        return [
            f"{shares[0]} of the documents had not been shown before, compared with {shares[1]} in the {days} before"
        ]


def is_all_mix(whole: dict[str, Row], difference: float) -> bool:
    """Whether nearly all of a difference is that of the mix."""
    return bool(apart(whole["mix"]) and whole["mix"]["contribution"] / difference >= MOSTLY)


def apart(part: Row) -> bool:
    """Whether the interval of a part leaves out 0."""
    return part["ci_low"] is not None and not part["ci_low"] <= 0 <= part["ci_high"]


def busier(chart: Row, row: Row) -> list[str]:
    """That there are many more or fewer queries a day."""
    days = max((chart["day"] - chart["since"]).days + 1, 1)
    before, since = row["baseline_queries"] / max(chart["baseline_days"], 1), row["queries"] / days
    if 1 / BUSY < since / before < BUSY:
        return []
    return [f"{since:,.0f} queries a day, compared with {before:,.0f} before"]
