"""Whether the experiment behind a log was one: fair coins, lists that are drafts, and days that agree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from sqlrank.errors import DataError, counted, percent, shortened
from sqlrank.spelling import spelt
from sqlrank.statistics.estimate import Estimate
from sqlrank.statistics.exact_tests import sign_test

UNFAIR = 0.001
"""From which p value on coins are no coins."""
BROKEN = 0.01
"""Which share of the lists may be no draft."""
APART = 0.02
"""From which difference on the shares of lists without a click are worth a line."""
DEVIATES = 3
"""How many standard errors apart they are at least."""
TRENDING = 0.05
"""Below which p value a change from day to day is worth a line."""
FEWEST_DAYS = 3
"""Below so many days none is looked for."""


def check_draft(label: str, facts: Mapping[str, Any], names: tuple[str, ...]) -> None:
    """Raise DataError if lists are no drafts, or the coin that says who picks first is none."""
    if facts["broken"] > BROKEN * facts["impressions"]:
        share = percent(facts["broken"] / facts["impressions"])
        raise DataError(
            f"{label}: {counted(facts['broken'], 'impression', 'is', 'are', f' ({share})')} not made by a team draft,"
            f" such as {shortened(str(facts['broken_example']))}: in each round of {len(names)} every ranker"
            f" ({', '.join(map(shortened, names))}) has one pick; is each of these a ranker, was the list"
            " filtered or sorted after the draft, or are teams of pages drafted anew?"
        )
    if "first_a" not in facts:
        return
    for a, b, what in (
        (facts["first_a"], facts["first_b"], "the first picks of lists"),
        (facts["first_picks_a"], facts["first_picks_b"], "the first picks of rounds"),
    ):
        if sign_test(a, b) < UNFAIR:
            raise DataError(
                f"{label}: the coin is not fair: {shortened(names[0])} has {a:,} of {what} and {shortened(names[1])}"
                f" {b:,} (p {sign_test(a, b):.1g}), and the first position is clicked more; correct the draft, or look"
                f" at a part of the log in which it is fair ({spelt('where')})"
            )


def draft_lines(facts: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """What is said of the lists."""
    if facts["broken"]:
        yield f"{counted(facts['broken'], 'impression', 'is', 'are')} not a team draft: left out"
    if facts["cut"]:
        share = percent(facts["cut"] / facts["impressions"])
        lists = counted(facts["cut"], "list", "goes", "go", f" ({share})")
        yield f"{lists} on where one ranker has no documents left: cut there"
    if "first_a" not in facts or not (facts["first_a"] and facts["first_b"]):
        return
    share = percent(facts["first_a"] / facts["impressions"])
    yield f"the first pick is of {shortened(names[0])} in {share} of the lists"
    if facts["shared"]:
        yield f"both rankers would have made {counted(facts['shared'], 'pick')}: clicks on them count for neither"
    idle_a, idle_b = facts["idle_a"] / facts["first_a"], facts["idle_b"] / facts["first_b"]
    idle = (facts["idle_a"] + facts["idle_b"]) / facts["impressions"]
    stderr = math.sqrt(idle * (1 - idle) * (1 / facts["first_a"] + 1 / facts["first_b"]))
    if abs(idle_a - idle_b) > max(APART, DEVIATES * stderr):
        yield (
            f"{100 * idle_a:.1f} % of the lists that {shortened(names[0])} begins have no click, and of those that"
            f" {shortened(names[1])} begins in {100 * idle_b:.1f} %: users who leave without a click have no vote"
        )


def trend_lines(rows: list[dict[str, Any]], called: Mapping[int, str]) -> Iterator[str]:
    """Which preferences change from day to day, more than chance lets them."""
    for row in rows:
        if row["days"] < FEWEST_DAYS or not row["stderr"]:
            continue
        p_value = Estimate(row["slope"], row["stderr"], row["clusters"] - 1).p_value()
        if p_value is not None and p_value < TRENDING:
            yield (
                f"{called[row['pair']]}: the preference changes by {row['slope'] / 2:+.4f} a day (p {p_value:.2g}):"
                " novelty may wear off, or users learn; look at the days, and leave out"
                f" the first ones ({spelt('where')})"
            )
