"""Whether units were split between arms as was planned: a sample ratio mismatch leaves no verdict.

A. Fabijan, J. Gupchup, S. Gupta, J. Omhover, W. Qin, L. Vermeer and P. Dmitriev, Diagnosing sample ratio mismatch in
online controlled experiments, KDD 2019.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlrank.errors import DataError, counted, several, shortened
from sqlrank.experiments.units import Units
from sqlrank.spelling import spelt
from sqlrank.statistics.chi_square import fits, independent

MISMATCH = 0.001
"""Below this p value the split is not the one that was planned."""
FEWEST_EXPECTED = 5
"""The number of units in its smallest arm from which a stratum tells its shares."""
MOST_SAID = 3
"""How many strata are named."""

Row = dict[str, Any]


@dataclass(slots=True)
class Split:
    """The shares of the arms."""

    rows: list[Row]
    """By stratum, such as a day, and arm: units, their share, the planned one, and the p value of the stratum."""
    p_value: float | None
    """The p value of the shares of all units; None where there are too few."""
    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    off: dict[str, dict[str, float]] = field(default_factory=dict)
    """By day or segment, the values with a sample ratio mismatch, with their p values."""

    @property
    def is_mismatch(self) -> bool:
        """Whether no difference between the arms is evidence."""
        return self.p_value is not None and self.p_value < MISMATCH

    @property
    def failure(self) -> str | None:
        """Why there is no verdict; None where the split is as planned."""
        if not self.is_mismatch:
            return None
        return f"sample ratio mismatch: {self.lines[0]}; differences between the arms are no evidence"


def split_of(units: Units) -> Split:
    """The shares of the arms, in total, by first day and by segment; DataError where they are not those planned."""
    names = [str(row["arm"]) for row in units.arms]
    planned = planned_shares(units, names)
    rows = stratum_rows("", "", {row["arm"]: row["units"] for row in units.arms}, planned)
    strata = {"first_day": "first day"} if units.timed else {}
    for column, by in (strata | units.session.log.segments).items():
        found = units.sql.rows("strata", units=units.table, stratum=column)
        for value, each in groupby(found, itemgetter("stratum")):
            rows += stratum_rows(by, value, {row["arm"]: row["units"] for row in each}, planned)
    split = Split(rows, rows[0]["p_value"])
    split.lines = [share_line(split, several(units.noun))]
    split.off = off_strata(split.rows)
    split.lines += located(split) if split.is_mismatch else []
    split.notes = [*mismatch_notes(split), *bot_notes(units)]
    return split


def planned_shares(units: Units, names: Sequence[str]) -> dict[str, float]:
    """The share that each arm was to have; DataError where the log has other arms than were planned."""
    told = units.asked.shares
    if not told:
        return {name: 1 / len(names) for name in names}
    if lacking := [name for name in told if name not in names]:
        raise DataError(
            f"{units.label}: no {units.noun} is in the arm {lacking[0]!r} of {spelt('shares')}; there are"
            f" {', '.join(names)}"
        )
    if more := [name for name in names if name not in told]:
        raise DataError(
            f"{units.label}: {spelt('shares')} says nothing of the arm {more[0]!r}; give each its share, or leave it"
            f" out with {spelt('where')}"
        )
    return {name: told[name] for name in names}


def stratum_rows(by: str, value: str, counts: Mapping[str, int], planned: Mapping[str, float]) -> list[Row]:
    """The shares of the arms in one stratum."""
    total = sum(counts.values())
    seen = [counts.get(name, 0) for name in planned]
    tells = total * min(planned.values()) >= FEWEST_EXPECTED
    p_value = fits(seen, list(planned.values())) if tells else None
    return [
        {"by": by, "value": value, "arm": name, "units": number, "share": number / total, "planned_share": share}
        | {"p_value": p_value}
        for number, (name, share) in zip(seen, planned.items(), strict=True)
    ]


def share_line(split: Split, nouns: str) -> str:
    """The units of every arm, and whether their shares are those planned."""
    total = [row for row in split.rows if not row["by"]]
    arms = ", ".join(f"{shortened(row['arm'])} {row['units']:,} ({100 * row['share']:.2f} %)" for row in total)
    plan = ", ".join(f"{100 * row['planned_share']:.4g} %" for row in total)
    if split.p_value is None:
        return f"split: {nouns} {arms}, too few to test their shares"
    return f"split: {nouns} {arms} of {plan} planned, p {split.p_value:.4g} (chi square)"


def located(split: Split) -> list[str]:
    """Where the sample ratio mismatch is: in some strata of a kind, or alike in all of them."""
    lines = []
    for by, every in groupby((row for row in split.rows if row["by"]), itemgetter("by")):
        rows = [row for row in every if row["p_value"] is not None]
        p_values = {row["value"]: row["p_value"] for row in rows}
        counts = [[row["units"] for row in rows if row["value"] == value] for value in p_values]
        if len(p_values) < 2:
            continue
        alike = independent(counts)
        off = split.off.get(by, {})
        if alike >= MISMATCH or not off:
            lines.append(
                f"split by {by}: alike in all {len(p_values)} (p {alike:.2g}), so that none of them is the cause"
            )
        else:
            lines.append(f"split by {by}: off in {len(off)} of {len(p_values)}, such as {worst(off)}")
    return lines


def off_strata(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """The strata of each kind with a sample ratio mismatch, though they are many."""
    tested: dict[str, dict[str, float]] = {}
    for row in rows:
        if row["by"] and row["p_value"] is not None:
            tested.setdefault(row["by"], {})[row["value"]] = row["p_value"]
    found = {by: {value: p for value, p in each.items() if p * len(each) < MISMATCH} for by, each in tested.items()}
    return {by: off for by, off in found.items() if off}


def worst(off: Mapping[str, float]) -> str:
    """The strata that are off most."""
    first = sorted(off.items(), key=itemgetter(1))[:MOST_SAID]
    return ", ".join(f"{shortened(value)} (p {p:.2g})" for value, p in first)


def mismatch_notes(split: Split) -> list[str]:
    """What a sample ratio mismatch means, and what to look at; where strata have one though the total has none."""
    if not split.is_mismatch:
        return [
            f"the split is as planned in total and off by {by}: {worst(off)}; missing units are not like the others"
            for by, off in split.off.items()
        ]
    return [
        "sample ratio mismatch: the arms do not have the planned shares of units, which is unlikely by chance: the"
        " missing units are not like the others, so no difference is evidence. Look at redirects and errors of one"
        f" arm, logging that loses its events, bots, caches, a ramp-up of shares ({spelt('shares')}, or"
        f" {spelt('where')} for the days since), and units that moved between arms"
    ]


def bot_notes(units: Units) -> list[str]:
    """A note on arms that differ in the units that look automated."""
    bots = [(row["units"] - row["bots"], row["bots"]) for row in units.arms]
    if not sum(number for _, number in bots) or independent(bots) >= MISMATCH:
        return []
    shown = ", ".join(f"{shortened(row['arm'])} {counted(row['bots'], units.noun)}" for row in units.arms)
    return [
        f"arms differ in {several(units.noun)} that look automated ({shown}): leave them out with"
        f" {spelt('exclude_bots')}, and check whether one arm attracts them"
    ]
