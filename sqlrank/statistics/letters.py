"""Compact letters: systems that share a letter do not differ significantly.

By inserting and absorbing (H.-P. Piepho, An algorithm for a letter-based representation of all-pairwise comparisons,
Journal of Computational and Graphical Statistics 13, 2004).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_letters


def compact_letters(systems: Sequence[str], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each system; the first ones have the first letters.

    Args:
        systems: their names, the best first.
        different: the pairs that differ significantly.
    """
    groups = [frozenset(systems)]
    for pair in different:
        apart = [group - {one} if group >= set(pair) else group for group in groups for one in pair]
        groups = [group for group in dict.fromkeys(apart) if not any(group < other for other in apart)]
    places = {system: place for place, system in enumerate(systems)}
    groups.sort(key=lambda group: sorted(places[system] for system in group))
    return {
        system: "".join(letter(number) for number, group in enumerate(groups) if system in group) for system in systems
    }


def letter(number: int) -> str:
    """The letter of a group; beyond those of both cases, its number in brackets."""
    return ascii_letters[number] if number < len(ascii_letters) else f"({number + 1})"
