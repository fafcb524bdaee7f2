"""Values of options: what a text of the command line means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

from sqlrank.errors import UsageError, not_known
from sqlrank.options import values


def number(text: str, option: str) -> float:
    """A finite number, or UsageError with the option."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise UsageError(f"{option}: {text!r} is not a number")
    return value


def whole(least: int | None = None, most: int | None = None) -> Callable[[str, str], int]:
    """A converter of texts to whole numbers from `least` to `most`."""

    def convert(text: str, option: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise UsageError(f"{option}: {text!r} is not a whole number") from None
        if (least is not None and value < least) or (most is not None and value > most):
            raise UsageError(f"{option} {value}: give {f'{least} or more' if most is None else f'{least} to {most}'}")
        return value

    return convert


def names(text: str, _: str) -> list[str]:
    """Names between commas."""
    return [part.strip() for part in text.split(",")]


def wholes(text: str, option: str) -> list[int]:
    """Whole numbers between commas."""
    return [whole(2)(part.strip(), option) for part in text.split(",")]


def day(text: str, option: str) -> date:
    """A day, or UsageError with the option."""
    try:
        return values.day(text)
    except ValueError:
        raise UsageError(f"{option} takes a date such as 2026-11-10, not {text!r}") from None


def alone(texts: list[str], option: str) -> str | list[str]:
    """One text as itself, several as they are."""
    return texts if len(texts) > 1 else texts[0]


def only(texts: list[str], option: str) -> str:
    """The one relation that was named; of several the last would be read, and the others ignored."""
    if len(texts) > 1:
        raise UsageError(f"{option} {texts[0]} and {texts[1]}: a statement reads one relation; make a view of several")
    return texts[0]


def pair(text: str, option: str, form: str, empty: bool = False) -> tuple[str, str]:
    """A name and a value, which may be `empty`, split at the first equals sign."""
    name, equals, value = text.partition("=")
    if not equals or not name or not (value or empty):
        raise UsageError(f"{option} {text}: write {form}")
    return name, value


def two_numbers(text: str, option: str) -> tuple[float, float]:
    """Two numbers between commas."""
    parts = text.split(",")
    if len(parts) != 2:
        raise UsageError(f"{option} {text}: write two numbers, such as 1,10")
    return number(parts[0].strip(), option), number(parts[1].strip(), option)


def once(pairs: Iterable[tuple[str, str]], option: str) -> dict[str, str]:
    """Names and values as a dictionary; UsageError if a name is given two values."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise UsageError(f"{option}: {name} is given twice, as {found[name]} and as {value}; give it once")
        found[name] = value
    return found


def roles(texts: list[str], option: str) -> dict[str, str]:
    """Columns by role."""
    return once((pair(text, option, "ROLE=NAME") for text in texts), option)


def actions_of(texts: list[str], option: str) -> dict[str, str]:
    """What actions say, by what they are called."""
    return once((pair(text, option, "NAME=KIND, such as open_item=click") for text in texts), option)


def margins(texts: list[str], option: str) -> dict[str, str]:
    """Margins by metric, whose parameters may hold equals signs too."""
    parts = [text.rpartition("=")[::2] for text in texts]
    for metric, value in parts:
        if not metric or not value:
            raise UsageError(f"{option} {metric or value}: write METRIC=VALUE, for example ndcg@10=0.005 or ndcg@10=1%")
    return once(parts, option)


def numbers(texts: list[str], option: str) -> dict[str, float]:
    """Numbers by metric."""
    return {metric: number(value, option) for metric, value in margins(texts, option).items()}


def shares(texts: list[str], option: str) -> dict[str, float]:
    """Shares by arm, one or several in a text."""
    parts = [part.rpartition("=")[::2] for text in texts for part in text.split(",")]
    for arm, value in parts:
        if not arm or not value:
            raise UsageError(f"{option} {arm or value}: write ARM=SHARE, for example A=0.5,B=0.5")
    return {arm.strip(): number(value, option) for arm, value in once(parts, option).items()}


def notes_of_days(texts: list[str], option: str) -> list[tuple[str, str]]:
    """Days with what happened on them."""
    found = []
    for text in texts:
        named, _, said = (part.strip() for part in text.partition("="))
        try:
            when = str(values.day(named))
        except ValueError:
            said = ""
        if not said:
            raise UsageError(f"{option} {text}: write DAY=TEXT, such as 2026-11-12='judgments renewed'")
        found.append((when, said))
    return found


def labels(text: str, option: str) -> dict[str, float | None]:
    """The relevance of text labels; None of one without a number, which means unjudged."""
    pairs = (pair(part, option, "LABEL=N,...", empty=True) for part in text.split(","))
    found = once(((label.strip(), value) for label, value in pairs), option)
    return {label: number(value, option) if value.strip() else None for label, value in found.items()}


def numbers_of(*kinds: str) -> Callable[[list[str], str], dict[str, int]]:
    """What reads KIND=N of some kinds, each at most once; UsageError for another text."""

    def read(texts: list[str], option: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for text in texts:
            kind, _, number = text.partition("=")
            if kind not in kinds:
                raise not_known(option, kind, kinds)
            if not number.isdecimal() or int(number) < 1:
                raise UsageError(f"{option} {text}: give a number, as in {kind}=5")
            if kind in found:
                raise UsageError(f"{option} {kind} is given twice")
            found[kind] = int(number)
        return found

    return read
