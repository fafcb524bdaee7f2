"""Intervals drawn on a common scale, for pages and for terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Row = Mapping[str, Any]

MARGIN = 6.0
"""Percent of the width of a drawing that is left free at either end."""
UNICODE, ASCII = "├─●┤┊", "|-o|:"
"""The marks of the lower end, the line, the value, the upper end and 0."""


class Drawn(NamedTuple):
    """An interval in percent of the width of its drawing."""

    low: float
    value: float
    high: float
    zero: float | None = None
    """Where 0 is, if it is drawn."""

    def text(self, width: int, marks: str = UNICODE) -> str:
        """The drawing in characters."""
        at = [round(share * (width - 1) / 100) for share in (self.low, self.value, self.high)]
        line = [" "] * width
        line[at[0] : at[2] + 1] = marks[1] * (at[2] - at[0] + 1)
        if self.zero is not None:
            line[round(self.zero * (width - 1) / 100)] = marks[4]
        line[at[0]], line[at[2]] = marks[0], marks[3]
        line[at[1]] = marks[2]
        return "".join(line)


def ends(row: Row, digits: int, sign: str = "", form: str = "{low} to {high}") -> str:
    """The ends of an interval in words, as `form` has them; a `sign` of + is shown too, as differences have it."""
    low, high = (f"{row[end]:{sign}.{digits}f}" for end in ("ci_low", "ci_high"))
    return form.format(low=low, high=high)


def drawings(rows: Iterable[Row], names: Sequence[str], group: Callable[[Row], Any], zero: bool) -> list[Drawn | None]:
    """The interval of each row, drawn on one scale with those of its group; `names` are value and ends.

    None where a row has no interval. With `zero` the scale has 0 in it, which is drawn. An interval alone is drawn
    between 0 and 1, if it lies there.
    """
    rows = list(rows)
    scales: dict[Any, list[float]] = {}
    for row in rows:
        found = [row[name] for name in names if row[name] is not None]
        scales.setdefault(group(row), [0.0] if zero else []).extend(found)
    for scale in scales.values():
        if not zero and len(scale) == len(names) and min(scale) >= 0 and max(scale) <= 1:
            scale += [0.0, 1.0]
    limits = {key: (min(scale), max(scale)) for key, scale in scales.items() if scale}
    drawn: list[Drawn | None] = []
    for row in rows:
        if any(row[name] is None for name in names):
            drawn.append(None)
            continue
        least, most = limits[group(row)]
        value, low, high = (place(row[name], least, most) for name in names)
        drawn.append(Drawn(low, value, high, place(0.0, least, most) if zero else None))
    return drawn


def place(value: float, low: float, high: float) -> float:
    """Where a value lies between two others, in percent of the width of a drawing."""
    share = 0.5 if low == high else (value - low) / (high - low)
    return round(MARGIN + (100 - 2 * MARGIN) * share, 2)
