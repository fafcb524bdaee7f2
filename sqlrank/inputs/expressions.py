"""SQL of the user that reads a row: conditions on an input, and columns that are computed of others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.inputs.reading import NO_CONDITIONS, Conditions
from sqlrank.spelling import spelt

OF_INPUT = re.compile(
    r"\s*(?P<kind>(?i:run|qrels|positives|queries|items|history|baseline))\s*:(?!:)\s*(?P<condition>.*)", re.DOTALL
)
"""A condition on one input, such as `qrels: judged_at < '2026-01-01'`."""
NAMED = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*=(?!=)\s*(?P<expression>.*\S)\s*", re.DOTALL)
"""A column that is computed, such as `week=date_trunc('week', day)`."""
COLUMN = re.compile(r"(?:\w+\.)?\w+")
"""What is surely a column and no expression."""


def with_expressions(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Ways of reading with the conditions and the computed columns among them told apart; UsageError as below."""
    given = reading.get("by") or ()
    by, computed = segments_of((given,) if isinstance(given, str) else tuple(given))
    conditions = conditions_of(reading.get("where"), reading.get("positives") is not None)
    computed |= weight_of(reading.get("weight"))
    return {**reading, "by": by, "computed": computed, "where": conditions.run, "conditions": conditions}


def conditions_of(where: str | Sequence[str] | Mapping[str, str] | None, positives: bool = False) -> Conditions:
    """The conditions of --where; `positives` stand in place of judgments.

    Raises:
        UsageError: two are of one input, or one is of an input that is not filtered.
    """
    if where is None:
        return NO_CONDITIONS
    if isinstance(where, Mapping):
        given: Iterable[str] = [f"{kind}:{condition}" for kind, condition in where.items()]
    else:
        given = [where] if isinstance(where, str) else where
    known = ("run", "positives" if positives else "qrels")
    found: dict[str, str] = {}
    bare = False
    for text in given:
        named = OF_INPUT.fullmatch(text) if isinstance(text, str) else None
        kind, condition = (named["kind"].lower(), named["condition"]) if named else ("run", text)
        if kind not in known:
            raise UsageError(f"{spelt('where', kind)}: is of no input that there is; {known[0]}: and {known[1]}: are")
        if kind in found:
            raise UsageError(f"{spelt('where')}: there are two conditions on the {kind}; join them with and")
        found[kind] = condition
        bare = bare or named is None
    return Conditions(found.get("run"), found.get(known[1]), bare)


def segments_of(by: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The names of the segments, and the expressions of those that are computed."""
    found = [(text, NAMED.fullmatch(text)) for text in by]
    computed = {match["name"]: match["expression"] for _, match in found if match}
    return tuple(match["name"] if match else text for text, match in found), computed


def weight_of(weight: str | None) -> dict[str, str]:
    """The expression of a weight, by its own text, where it is no column."""
    from sqlrank.statement.syntax_trees import parsed

    if weight is None or COLUMN.fullmatch(weight) or parsed(weight).problem:
        return {}
    return {weight: weight}
