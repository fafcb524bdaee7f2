"""What a call on the arms of a log asks for: the unit, the split that was planned, and what came before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from sqlrank.behaviour.opened_log import UNITS, Log
from sqlrank.errors import DataError, UsageError
from sqlrank.experiments.options import PLANNED
from sqlrank.spelling import spelt

WORDS = {"user": "user_id", "session": "session_id", "impression": "impression_id"}
"""What may have been randomized, by the words of `--unit`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How arms are made of a log."""

    unit: str | None = None
    """A word of `WORDS`; None for the first that the log has."""
    shares: Mapping[str, float] = field(default_factory=dict)
    """The share of units that each arm was to have; none for equal ones."""
    before: date | None = None
    """The first day of the experiment: what units did before it reduces the variance."""
    sequential: bool = False
    """Whether intervals and p values hold however often one looks."""
    planned: int | None = None
    """The number of units at which such intervals are narrowest; None for `PLANNED`."""

    def __post_init__(self) -> None:
        for arm, share in self.shares.items():
            if not (math.isfinite(share) and share > 0):
                raise UsageError(f"{spelt('shares', {arm: share})}: a share is above 0")
        if self.shares and not math.isclose(math.fsum(self.shares.values()), 1, rel_tol=1e-6):
            raise UsageError(
                f"{spelt('shares')}: {', '.join(f'{arm}={share:g}' for arm, share in self.shares.items())} sum to"
                f" {math.fsum(self.shares.values()):g}, and not to 1"
            )
        if self.planned is not None and not self.sequential:
            raise UsageError(f"{spelt('planned')} is for {spelt('sequential')}: give that too")

    @property
    def narrowest(self) -> int:
        """The number of units at which intervals that hold however often one looks are narrowest."""
        return PLANNED if self.planned is None else self.planned

    def unit_of(self, log: Log) -> str:
        """The column of the units; DataError where the log has no such column."""
        if self.unit is None:
            return log.unit
        role = WORDS[self.unit]
        if role not in log.columns:
            raise DataError(
                f"{log.label} has no column of {role} for {spelt('unit', self.unit)}; name it with"
                f" {spelt('columns', {role: 'NAME'})}"
            )
        return role


def arm_of(log: Log) -> str:
    """The column of the arms: that of the role, else the system; DataError without either."""
    for role in ("arm", "system"):
        if role in log.columns:
            return role
    raise DataError(
        f"{log.label} has no column that says which arm showed a list; name it with {spelt('columns', {'arm': 'NAME'})}"
        f" (it has {', '.join(name for name in [*log.roles.values(), *log.unread] if not name.startswith('sqlrank_'))})"
    )


def coarser(unit: str, log: Log) -> str | None:
    """The coarsest column that may have been randomized in place of the unit; None if there is none."""
    wider = UNITS[: UNITS.index(unit)]
    return next((role for role in wider if role in log.columns), None)


def noun_of(unit: str) -> str:
    """What a unit is called."""
    return unit.removesuffix("_id")
