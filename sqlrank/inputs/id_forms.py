"""Forms of ids: padded, in another case, with leading zeros, a trailing .0, a prefix; and in which two are equal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

PADDING = re.compile(r"(?<![0-9.])0+(?=[0-9])")
Id = tuple[str, str]
"""What an id belongs to, such as its query, and the id."""
SAME = "if the statistics of a file were not wrong, which are damaged"
"""The message for ids that are equal and that the engine still did not match."""


@dataclass(frozen=True, slots=True)
class Form:
    """A way in which ids differ."""

    name: str
    """Completes: ids would match ..."""
    scope: str
    """What the ids of the pair belong to."""
    left: str
    right: str


def without_zeros(text: str) -> str:
    """A text whose numbers have no leading zeros."""
    return PADDING.sub("", text)


def without_fraction(text: str) -> str:
    """A whole number that was written as 7.0 as 7."""
    whole = text.removesuffix(".0")
    return whole if whole.removeprefix("-").isdecimal() else text


def decoded(text: str) -> str:
    """A text that was written in UTF-8 and read in one of the encodings of one byte."""
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return text


def undressed(text: str) -> str:
    """A text without the blanks, quotes and invisible characters around it."""
    return text.strip(" \t\r\n\xa0\u200b\ufeff\"'")


def plainest(text: str) -> str:
    """A text with all of these differences removed."""
    spaced = " ".join(undressed(unicodedata.normalize("NFKC", decoded(text))).split())
    return without_zeros(without_fraction(spaced.lower()))


FORMS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("without the blanks around them", str.strip),
    ("if case did not matter", str.lower),
    ("without leading zeros", without_zeros),
    ("without a trailing .0", without_fraction),
    ("in one normal form of Unicode", lambda text: unicodedata.normalize("NFC", text)),
    ("without the quotes and invisible characters around them", undressed),
    ("in one encoding: one side holds UTF-8 that was read in another", decoded),
    ("without blanks, case, leading zeros, a trailing .0 and forms of characters", plainest),
)


def matching_form(left: Iterable[Id], right: Iterable[Id]) -> Form | None:
    """The first form in which an id of one side is one of the other, or None where the sides are disjoint."""
    left, right = sorted(set(left)), sorted(set(right))
    if found := first_match(left, right, str, str):
        return Form(SAME, *found)
    for name, change in FORMS:
        if found := first_match(left, right, change, change):
            return Form(name, *found)
    return matching_affix(left, right)


def matching_affix(left: list[Id], right: list[Id]) -> Form | None:
    """The prefix or suffix that all ids of one side have more than those of the other, where they match without it."""
    for kind, affix_of, cut in (("prefix", start_of, str.removeprefix), ("suffix", end_of, str.removesuffix)):
        ours, theirs = (affix_of([text for _, text in ids]) for ids in (left, right))
        longer, shorter = sorted((ours, theirs), key=len, reverse=True)
        if longer == shorter or not (longer.endswith(shorter) if kind == "prefix" else longer.startswith(shorter)):
            continue
        found = first_match(left, right, partial(without_affix, cut, ours), partial(without_affix, cut, theirs))
        if found:
            return Form(f"without the {kind} {longer!r}", *found)
    return None


def without_affix(cut: Callable[[str, str], str], affix: str, text: str) -> str:
    """A text without an affix."""
    return cut(text, affix)


def first_match(
    left: Iterable[Id], right: Iterable[Id], change_left: Callable[[str], str], change_right: Callable[[str], str]
) -> tuple[str, str, str] | None:
    """The first pair of ids that are equal once each is changed."""
    changed = {(scope, change_right(text)): text for scope, text in right}
    for scope, text in left:
        if (scope, change_left(text)) in changed:
            return scope, text, changed[scope, change_left(text)]
    return None


def start_of(texts: list[str]) -> str:
    """The longest common prefix that ends between a letter, a digit and a mark, and is no whole text."""
    first, last = (min(texts), max(texts)) if texts else ("", "")
    longest = next((place for place, pair in enumerate(zip(first, last, strict=False)) if len({*pair}) > 1), len(first))
    shortest = min(map(len, texts), default=0)
    for end in range(min(longest, shortest - 1), 0, -1):
        if all(sort_of(text[end - 1]) != sort_of(text[end]) for text in texts):
            return first[:end]
    return ""


def end_of(texts: list[str]) -> str:
    """The longest common suffix, likewise."""
    return start_of([text[::-1] for text in texts])[::-1]


def sort_of(character: str) -> str:
    """The class of a character: letter, digit or mark."""
    return "digit" if character.isdecimal() else "letter" if character.isalpha() else "mark"


def form_of(scope: str, first: str, second: str) -> Form:
    """In which form two ids are equal that are so without case, blanks, zeros, or a prefix."""
    for name, change in FORMS:
        if change(first) == change(second):
            return Form(name, scope, first, second)
    longer, shorter = sorted(map(plainest, (first, second)), key=len, reverse=True)
    return Form(f"without the prefix {longer.removesuffix(shorter)!r}", scope, first, second)
