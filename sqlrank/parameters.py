"""The parameters in a text that asks for a metric: `gain=exp2`, `rel=2`, a gain table, a square of another tool."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlrank.catalogue import NUMBER, Metric, Value
from sqlrank.conventions import plain
from sqlrank.errors import UsageError, nearest

TABLE = re.compile(r"-?[0-9.]+:-?[0-9.]+(,-?[0-9.]+:-?[0-9.]+)*\Z")


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
    return pairs


def read_parameter(metric: Metric, name: str, value: str, text: str) -> Mapping[str, Value]:
    """One parameter as the values it sets."""
    if value in metric.spellings.get(name, {}):
        return metric.spellings[name][value]
    root = metric.squares.get(name)
    if name == "judged_only":
        raise UsageError(f"{text!r}: judged_only holds for all metrics of a call here: choose --unjudged remove")
    if name not in metric.parameters and root is None:
        hint = nearest(name, list(metric.parameters)) + f" (it takes {', '.join(metric.parameters) or 'none'})"
        raise UsageError(f"{text!r}: {metric.name} has no parameter {name!r}{hint}")
    if name == "gain" and TABLE.match(value):
        return {name: canonical_table(value, text)}
    words = [word for word in metric.choices.get(name, ()) if word != NUMBER]
    if value in words:
        return {name: value}
    if words and NUMBER not in metric.choices[name]:
        known = ", ".join(words) + (" or a table such as 0:0,1:1,2:4" if name == "gain" else "")
        raise UsageError(f"{text!r}: {name}={value} is not known (one of {known})")
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf") or (root and number <= 0):
        raise UsageError(f"{text!r}: {name} must be a number{' above 0' if root else ''}, not {value!r}")
    return {root: number**0.5} if root else {name: number}


def canonical_table(value: str, text: str) -> str:
    """A gain table in order of relevance, each relevance once.

    Raises:
        UsageError: a relevance stands twice, or a gain is negative.
    """
    try:
        pairs = [(float(left), float(right)) for left, right in (pair.split(":") for pair in value.split(","))]
    except ValueError:
        raise UsageError(f"{text!r}: {value!r} is not a gain table such as 0:0,1:1,2:4") from None
    if len(dict(pairs)) < len(pairs) or any(gain < 0 for _, gain in pairs):
        raise UsageError(f"{text!r}: a gain table names each relevance once, with gains of 0 or more")
    return ",".join(f"{plain(relevance)}:{plain(gain)}" for relevance, gain in sorted(pairs))


def check_values(metric: Metric, values: Mapping[str, Value], text: str) -> None:
    """Refuse parameters that are missing, out of bounds, or make no sense together."""
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
    least, most = values.get("min"), values.get("max")
    if isinstance(least, float) and isinstance(most, float) and least >= most:
        raise UsageError(f"{text!r}: min must be below max")
    if values.get("tn") and not values.get("documents"):
        raise UsageError(f"{text!r}: tn counts what was not returned; say how many documents there are, documents=N")
