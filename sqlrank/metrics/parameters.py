"""The parameters in a text that asks for a metric: `gain=exp2`, `rel=2`, a gain table, a square of another tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise

from sqlrank.errors import UsageError, nearest
from sqlrank.metrics.catalogue import NUMBER
from sqlrank.metrics.measure import ITEM, WITHIN, Metric, Value
from sqlrank.spelling import plain

TABLE = re.compile(r"-?[0-9.]+:-?[0-9.]+(,-?[0-9.]+:-?[0-9.]+)*\Z")
GAIN_FROM = re.compile(r"(linear|exp2|binary)_from_(\d+\.?\d*|\.\d+)\Z", re.ASCII)
"""A gain of which relevances below a number are worth nothing."""
DISCOUNT_OF_BASE = re.compile(r"(log|letor)(\d+\.?\d*|\.\d+)?\Z", re.ASCII)
"""A discount by a logarithm, and its base."""
NUMBER_TEXT = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\Z", re.ASCII | re.IGNORECASE)


TABLES = {
    "gain": " or a table such as 0:0,1:1,2:4",
    "discount": ", log10 or letor10 for another base, or a table such as 1:1,2:0.6,3:0.5",
}
"""What parameters take besides words."""


def parameter_texts(inside: str, text: str) -> list[tuple[str, str]]:
    """Names and values between the brackets; the pairs of a gain table hold commas of their own."""
    pairs: list[tuple[str, str]] = []
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, equals, value = part.partition("=")
        if equals:
            pairs.append((name.strip(), value.strip().strip("'\"")))
        elif pairs and ":" in part:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]},{part}")
        else:
            raise UsageError(f"{text!r}: write parameters as name=value, not {part!r}")
    return [gains_of(name, value) for name, value in pairs]


def cutoff_apart(
    pairs: list[tuple[str, str]], numbers: list[str], text: str
) -> tuple[list[tuple[str, str]], list[str]]:
    """The parameters without ir_measures' `cutoff=20`, our @20, and the numbers with it; UsageError if given twice."""
    written = [value for name, value in pairs if name == "cutoff"]
    if written and (numbers or len(written) > 1):
        raise UsageError(f"{text!r}: the cutoff is given twice; give it once")
    return [pair for pair in pairs if pair[0] != "cutoff"], written or numbers


def gains_of(name: str, value: str) -> tuple[str, str]:
    """A parameter, of which the `gains={0:0,1:1}` of ir_measures is our `gain=0:0,1:1`."""
    if name == "gains" and value.startswith("{") and value.endswith("}"):
        return "gain", re.sub(r"\s", "", value[1:-1])
    return name, value


def given_values(
    metric: Metric, alias: str, pairs: Iterable[tuple[str, str]], said: Mapping[str, Value], text: str
) -> dict[str, Value]:
    """The values that parameters set, with those that name or level `said`; UsageError if unknown or set twice."""
    found, written = dict(said), dict.fromkeys(said, alias)
    for name, value in pairs:
        renamed = metric.renames.get(alias, {}).get(name, name)
        for key, settled in read_parameter(metric, renamed, value, text).items():
            if key in written and (written[key] != alias or found[key] != settled):
                twice = f"both by {written[key]} and by {name}" if written[key] != name else "twice"
                raise UsageError(f"{text!r}: {key} is given {twice}; give it once")
            found[key], written[key] = settled, name
    return found


def read_parameter(metric: Metric, name: str, value: str, text: str) -> Mapping[str, Value]:
    """One parameter as the values it sets."""
    if value in metric.spellings.get(name, {}):
        return metric.spellings[name][value]
    root = metric.squares.get(name)
    if name == "judged_only" and value in ("true", "false"):
        return {}
    if name not in metric.parameters and root is None:
        hint = nearest(name, list(metric.parameters)) + f" (it takes {', '.join(metric.parameters) or 'none'})"
        raise UsageError(f"{text!r}: {metric.name} has no parameter {name!r}{hint}")
    if name == "gain" and (table := read_gain(value, text)):
        return {name: table}
    if name == "discount" and (discount := read_discount(value, text)):
        return {name: discount}
    if name == "recalls" and metric.folder is None:
        return {name: canonical_recalls(value, text)}
    words = [word for word in metric.choices.get(name, ()) if word != NUMBER]
    if value in words:
        return {name: value}
    if words and NUMBER not in metric.choices[name]:
        known = ", ".join(words) + TABLES.get(name, "")
        raise UsageError(f"{text!r}: {name}={value} is not known (one of {known})")
    number = float(value) if NUMBER_TEXT.match(value) else float("nan")
    if not abs(number) < float("inf") or (root and number <= 0):
        raise UsageError(f"{text!r}: {name} must be a number{' above 0' if root else ''}, not {value!r}")
    return {root: number**0.5} if root else {name: number}


def read_gain(value: str, text: str) -> str | None:
    """A gain that is no word: a table, or a word with the least relevance that is worth something."""
    if TABLE.match(value):
        return canonical_table(value, text)
    if found := GAIN_FROM.match(value):
        return gain_from(found[1], float(found[2]), text)
    return None


def gain_from(word: str, least: float, text: str) -> str:
    """A gain of which relevances below a number are worth nothing; UsageError if it is not above 0, or for a table."""
    if not 0 < least < float("inf") or ":" in word or "_from_" in word:
        raise UsageError(f"{text!r}: a gain from a level on is linear, exp2 or binary, from a level above 0")
    return f"{word}_from_{plain(least)}"


def read_discount(value: str, text: str) -> str | None:
    """A discount that is no word: a logarithm of another base, or a table; UsageError if it is none of ranks."""
    if TABLE.match(value):
        return canonical_discounts(value, text)
    found = DISCOUNT_OF_BASE.match(value)
    if not found or not found[2]:
        return None
    base = float(found[2])
    if not 1 < base < float("inf"):
        raise UsageError(f"{text!r}: the base of a logarithm is above 1, not {found[2]}")
    return f"{found[1]}{plain(base)}" if (found[1], base) != ("letor", 2) else "letor"


def canonical_discounts(value: str, text: str) -> str:
    """A table of weights in order of rank; UsageError if ranks are left out or appear twice, or weights rise."""
    pairs = sorted(numbers_of(value, "discount", text))
    if [rank for rank, _ in pairs] != list(range(1, len(pairs) + 1)):
        raise UsageError(f"{text!r}: a discount table gives the weight of each rank from 1 on, once, and 0 beyond it")
    weights = [weight for _, weight in pairs]
    if weights != sorted(weights, reverse=True) or weights[0] <= 0 or weights[-1] < 0:
        raise UsageError(f"{text!r}: the weights of a discount table begin above 0, never rise, and are 0 or more")
    return ",".join(f"{plain(rank)}:{plain(weight)}" for rank, weight in pairs)


def numbers_of(value: str, name: str, text: str) -> list[tuple[float, float]]:
    """The pairs of a table; UsageError if one is not of numbers."""
    try:
        return [(float(left), float(right)) for left, right in (pair.split(":") for pair in value.split(","))]
    except ValueError:
        raise UsageError(
            f"{text!r}: {value!r} is not a {name} table such as {TABLES[name].rpartition(' ')[2]}"
        ) from None


def level_values(metric: Metric, level: str | None, values: Mapping[str, Value], text: str) -> dict[str, Value]:
    """What the `-l2` of ranx sets: judgments below the level count for nothing; UsageError if there is no level."""
    if level is None:
        return {}
    if "gain" in metric.parameters:
        return {} if level == "1" else {"gain": gain_from(str(values["gain"]), float(level), text)}
    if "rel" not in metric.parameters:
        raise UsageError(f"{text!r}: {metric.name} has no relevance level")
    return {"rel": float(level)}


def canonical_recalls(value: str, text: str) -> str:
    """Recalls in rising order, with / between them; UsageError if one is not from 0 to 1, or not above the last."""
    parts = [part.strip() for part in value.split("/")]
    numbers = [float(part) if NUMBER_TEXT.match(part) else -1.0 for part in parts]
    rising = all(one < other for one, other in pairwise(numbers))
    if not rising or not all(0 <= number <= 1 for number in numbers):
        raise UsageError(f"{text!r}: recalls are numbers from 0 to 1 in rising order, such as 0.25/0.5/0.75")
    return "/".join(plain(number) for number in numbers)


def canonical_table(value: str, text: str) -> str:
    """A gain table in order of relevance; UsageError if a relevance appears twice, or a gain is negative."""
    pairs = numbers_of(value, "gain", text)
    if len(dict(pairs)) < len(pairs) or any(gain < 0 for _, gain in pairs):
        raise UsageError(f"{text!r}: a gain table names each relevance once, with gains of 0 or more")
    return ",".join(f"{plain(relevance)}:{plain(gain)}" for relevance, gain in sorted(pairs))


def check_values(metric: Metric, values: Mapping[str, Value], text: str) -> None:
    """Raise if a parameter is missing or out of bounds, or two contradict each other."""
    for name in metric.required:
        if values[name] == "required":
            example = f"{metric.name}({name}=0.5)"
            raise UsageError(f"{text!r}: {metric.name} needs the parameter {name}, for example {example}")
    for name, (low, *high) in metric.bounds.items():
        number = values[name]
        if isinstance(number, float) and not (low < number and all(number < most for most in high)):
            between = f"between {plain(low)} and {plain(high[0])}" if high else f"above {plain(low)}"
            raise UsageError(f"{text!r}: {name} must be {between}, not {plain(number)}")
    for name, (smallest, largest) in metric.within.items():
        number = values[name]
        if isinstance(number, float) and not smallest <= number <= largest:
            raise UsageError(
                f"{text!r}: {name} must be from {plain(smallest)} to {plain(largest)}, not {plain(number)}"
            )
    gains = (
        [gain for _, gain in numbers_of(str(values["gain"]), "gain", text)] if ":" in str(values.get("gain")) else []
    )
    if gains and isinstance(values.get("max"), float):
        raise UsageError(f"{text!r}: the largest gain of a table ends its scale; leave out max")
    if values.get("max") == "none" and any(gain > 1 for gain in gains):
        raise UsageError(f"{text!r}: max=none takes a gain for a probability, and {plain(max(gains))} is above 1")
    least, most = values.get("min"), values.get("max")
    if isinstance(least, float) and isinstance(most, float) and least >= most:
        raise UsageError(f"{text!r}: min must be below max")
    for name, words in metric.weighed_with.items() if values.get("weight") in (ITEM, WITHIN) else ():
        if values[name] not in words:
            raise UsageError(
                f"{text!r}: documents weigh where {name} is {' or '.join(words)}; leave out {name}={values[name]}"
            )
    if values.get("tn") and not values.get("documents"):
        raise UsageError(f"{text!r}: tn counts what was not returned; say how many documents there are, documents=N")
