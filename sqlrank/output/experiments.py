"""Writing A/B tests of logs: for people, and as tidy rows."""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.comparison.notes import legend, stars
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import dicts
from sqlrank.experiments.result import ArmComparison
from sqlrank.output.comparison import MOST_STARS, chance, interval, number, relative, tone_of
from sqlrank.output.formats import write_result
from sqlrank.output.tables import Destination, Row, Rows, Shown, for_people, rounded
from sqlrank.pages.tables import SIGNS, Cell, Table
from sqlrank.statistics.verdict import WITHHELD

SPARE = (
    *("effect_size", "relative_difference", "p_value", "plain_difference", "variance_reduction", "p_adjusted"),
    *("baseline_units", "units", "baseline_value", "value", "interval", "system"),
)
"""The columns that are left out where a terminal has no room, the first one first."""
SAID = {WITHHELD: "none: the split is not as planned"}
"""What verdicts are called for people, where that is not their name."""


def write_arms(result: ArmComparison, destination: Destination, days: bool = False) -> None:
    """Write an A/B test in any format but trec; with `days`, for people, the difference of every day too."""
    check_kind(destination.kind, days)
    digits = destination.digits

    def shown() -> Shown:
        tables = [arms_table(result, digits)]
        tables += [days_table(result, digits), trends_table(result)] if days and result.by_day.days else []
        return tables, [*result.remarks(), legend(result.questions)]

    people = for_people(shown, destination.screen)
    write_result(result, result.rows, destination, result.metadata, people, partial(document_of, result))


def check_kind(kind: str, days: bool = False) -> None:
    """Raise UsageError for a format that has no place for arms, or for their days."""
    if kind not in RESULT_FORMATS:
        raise UsageError(f"log arms takes {', '.join(RESULT_FORMATS)}, not {kind}")
    if days and kind not in ("table", "markdown", "json"):
        raise UsageError(f"--days has no place in {kind}; choose table, markdown or json")


def arms_table(result: ArmComparison, digits: int) -> Table:
    """Both values of each row, their difference with its interval, and the verdict."""
    rows = Rows(result.all_rows)
    before = "baseline value" if result.all_pairs else result.baseline
    plain = []
    if result.adjusted is not None:
        plain = [
            rows.numbers("plain_difference", lambda row: number(row["plain_difference"], digits, "+"), "plain"),
            rows.numbers("variance_reduction", less, "less variance"),
        ]
    return Table(
        [
            rows.words("system", title="arm"),
            *([rows.words("baseline")] if result.all_pairs else []),
            *rows.segments(result.by),
            rows.words("metric"),
            rows.numbers("baseline_units", itemgetter("baseline_queries"), f"baseline {result.questions.nouns}"),
            rows.numbers("units", itemgetter("queries"), result.questions.nouns),
            rows.numbers("baseline_value", lambda row: number(row["baseline_value"], digits), before),
            rows.numbers("value", lambda row: number(row["value"], digits)),
            rows.numbers("difference", lambda row: difference(row, digits), marks=MOST_STARS),
            rows.numbers("interval", partial(interval, digits=digits), f"{result.questions.confidence} interval"),
            rows.drawn("difference", itemgetter("metric"), tone=tone_of),
            *plain,
            rows.numbers("relative_difference", relative, "relative"),
            rows.numbers("p_value", lambda row: chance(row["p_value"], digits), "p"),
            rows.numbers("p_adjusted", lambda row: chance(row["p_adjusted"], digits), "adjusted p"),
            rows.numbers("effect_size", lambda row: number(row["effect_size"], 2, "+"), "effect"),
            rows.words("verdict", lambda row: SAID.get(row["verdict"], row["verdict"] or "-")),
        ],
        spare=[name for name in SPARE if name != "system" or len(result.systems) == 2],
    )


def days_table(result: ArmComparison, digits: int) -> Table:
    """The difference of each day."""
    rows = Rows(result.by_day.days)
    return Table(
        [
            rows.words("day"),
            rows.words("system", title="arm"),
            *([rows.words("baseline")] if result.all_pairs else []),
            rows.words("metric"),
            rows.numbers("baseline_units", title=f"baseline {result.questions.nouns}"),
            rows.numbers("units", title=result.questions.nouns),
            rows.numbers("difference", lambda row: number(row["difference"], digits, "+")),
            rows.numbers("interval", partial(interval, digits=digits), f"{result.questions.confidence} interval"),
        ],
        "by day, without what came before and not adjusted",
        spare=("baseline_units", "units"),
    )


def trends_table(result: ArmComparison) -> Table:
    """How each difference changes from day to day."""
    rows = Rows(result.by_day.trends)
    return Table(
        [
            rows.words("system", title="arm"),
            *([rows.words("baseline")] if result.all_pairs else []),
            rows.words("metric"),
            rows.numbers("change_per_day", lambda row: small(row["change_per_day"]), "change a day"),
            rows.numbers("p_value", lambda row: rounded(row["p_value"], 4), "p"),
        ],
        "trend of the difference over the days, p not adjusted",
    )


def small(value: float | None) -> str:
    """A number that may be small."""
    return "-" if value is None else f"{value:+.3g}"


def less(row: Row) -> str:
    """By what share the variance fell."""
    return "-" if row["variance_reduction"] is None else f"{100 * row['variance_reduction']:.1f} %"


def difference(row: Row, digits: int) -> Cell:
    """A difference with its stars."""
    tone = tone_of(row)
    sign = "" if row["difference"] is None else SIGNS[tone]
    return Cell(number(row["difference"], digits, "+"), tone, sign=sign, mark=stars(row))


def document_of(result: ArmComparison) -> dict[str, Any]:
    """What a JSON document holds beside the rows."""
    units = result.units
    found: dict[str, Any] = {
        "comparison": {"baseline": None if result.all_pairs else result.baseline, "families": result.families}
        | result.questions.to_dict()
        | {"unit": units.noun, "sequential": result.sequential},
        "split": {
            "p_value": result.split.p_value,
            "mismatch": result.is_mismatch,
            "shares": list(dicts(result.shares)),
        },
        "arms": [row | {"impressions": int(row["impressions"])} for row in units.arms],
        "days": list(dicts(result.days)),
        "trends": list(dicts(result.trends)),
        "behaviour": units.session.origin(),
    }
    found |= {"before": str(units.asked.before)} if units.asked.before else {}
    found |= {"gates": result.gates} if result.gates else {}
    return found | {"notes": result.notes, "remarks": result.remarks()}
