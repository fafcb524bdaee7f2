"""Which positions can be compared: those that share documents, directly or through others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlrank.errors import DataError
from sqlrank.evaluation.words import counted

ENOUGH = 50
"""How many impressions a document has at both positions that it links."""
LINKING = 10
"""How many such documents link two positions."""
WAYS_ON = (
    "ways on: a log of several rankers or of shuffled results, --shown-depth N for the positions that are linked, or"
    " propensities from elsewhere (sqlrank log judgments --propensities FILE)"
)


@dataclass(frozen=True, slots=True)
class Link:
    """Two positions, and how many documents stood at both."""

    position: int
    other: int
    pairs: int


def apart(positions: Sequence[int], links: Iterable[Link], linking: int = LINKING) -> list[int]:
    """The positions that are not linked to the first one."""
    reached, links = {positions[0]}, [link for link in links if link.pairs >= linking]
    grows = True
    while grows:
        more = {end for link in links for end in (link.position, link.other) if {link.position, link.other} & reached}
        grows = not more <= reached
        reached |= more
    return [position for position in positions if position not in reached]


def check_linked(
    label: str, places: Mapping[int, Mapping[str, int]], links: Sequence[Link], enough: int, linking: int
) -> None:
    """Raise DataError if some position shares no documents with the others, so that nothing can be said of it."""
    positions = sorted(places)
    lost = apart(positions, links, linking) if linking else []
    if not lost:
        return
    rows = sum(places[position]["impressions"] for position in lost)
    share = 100 * rows / sum(place["impressions"] for place in places.values())
    own = [link for link in links if lost[0] in (link.position, link.other)]
    most = max(own, key=lambda link: link.pairs, default=None)
    shared = "none" if most is None else f"{most.pairs} with position {min(most.position, most.other)} at most"
    raise DataError(
        f"{label}: position {lost[0]} shares no documents with those above it, and so do"
        f" {counted(len(lost), 'position')} of {len(positions)} ({share:.0f} % of the rows): {linking} documents with"
        f" {enough} impressions at both are needed, and there are {shared}; {WAYS_ON}"
    )
