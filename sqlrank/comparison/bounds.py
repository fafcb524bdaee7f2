"""How far a value may be from that of the baseline, as a number or as a share."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from sqlrank.errors import UsageError


@dataclass(frozen=True, slots=True)
class Bound:
    """How far a value may be from that of the baseline."""

    size: float
    relative: bool = False
    """Whether that is a share of the baseline's value, which is taken as it is."""

    def __str__(self) -> str:
        return f"{100 * self.size:g} %" if self.relative else f"{self.size:g}"

    @property
    def word(self) -> str:
        """It as an option takes it."""
        return str(self).replace(" ", "")

    def of(self, value: float | None) -> float:
        """How far that is from a value of the baseline."""
        return self.size * abs(value or 0.0) if self.relative else self.size


def read_bound(value: float | str, option: str) -> Bound:
    """A number, or a text such as `0.005` or `1%`; UsageError with the option for any other."""
    percent = isinstance(value, str) and value.strip().endswith("%")
    try:
        size = float(value.strip().removesuffix("%") if isinstance(value, str) else value)
    except ValueError:
        size = float("nan")
    if not isfinite(size):
        raise UsageError(f"{option}: {value} is not a number, nor a share such as 1%")
    return Bound(size / 100 if percent else size, percent)
