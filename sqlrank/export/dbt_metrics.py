"""Metrics as the macros of the dbt package read them: texts as patterns, parameters and rules as data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sqlrank.conventions import plain
from sqlrank.dialects import CONTROL, PLAIN_NAME
from sqlrank.inputs.expressions import NAMED, OF_INPUT
from sqlrank.inputs.roles import IN_LISTS
from sqlrank.metrics.catalogue import NUMBER
from sqlrank.metrics.metric import Metric
from sqlrank.metrics.trec_names import FOREIGN
from sqlrank.statement import renamed_steps as step_names
from sqlrank.statement.columns import COLUMNS, COVER, CUMULATED, PLACE, RETRIEVED, SHOWN

AMOUNT = r"(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})"
POSITIVE = rf"(?=[^e]*[1-9]){AMOUNT}(?:e[-+]?\d{{1,2}})?\Z"
ANY_NUMBER = rf"[-+]?{AMOUNT}(?:e[-+]?\d{{1,2}})?\Z"
SHORT = r"(?:(?:0|[1-9]\d{0,29})(?:\.\d{0,29}[1-9])?)"
SHARE = r"(?:0\.\d{0,29}[1-9]|0|1)"
LISTS: dict[str, tuple[str, str, str]] = {
    "gain": (
        rf"(-?{SHORT}:{SHORT}(,-?{SHORT}:{SHORT})*|(linear|exp2|binary)_from_(?!0\Z){SHORT})\Z",
        rf"(-?{SHORT}):",
        "a table such as 0:0,1:1,2:4 in rising order",
    ),
    "recalls": (rf"{SHARE}(/{SHARE})*\Z", SHARE, "recalls from 0 to 1 in rising order as 0.25/0.5"),
}
"""Parameters that hold several numbers: what they look like, those of the numbers that rise, and how that is said."""

CUTOFFS = {True: (r"0*[1-9][0-9]{0,8}\Z", "a cutoff is a whole number, 1 or more")}
CUTOFFS[False] = (r"(?!)", "it looks at the whole ranking and takes no cutoff")

DEPTHS = {"places": {PLACE}, "covers": {COVER}, "showing": {SHOWN}, "deepest": {RETRIEVED, CUMULATED, PLACE}}
"""How deep some kinds of rows are read, by the variable of the templates: as far as any metric reads them."""

VALUE = r"[^,=()'\"]*(?:,[^,=:()'\"]*:[^,=()'\"]*)*"
PAIR = rf"\s*([a-z_0-9]+)\s*=\s*['\"]?({VALUE})['\"]?\s*"
TEXT = (
    rf"(?!{FOREIGN.pattern})(?P<name>[a-z0-9_.,-]+?)\s*(?:\((?P<parameters>(?:{PAIR}(?:,{PAIR})*,?)?)\))?\s*"
    r"(?:@\s*(?P<k>[0-9.][0-9., ]*))?\Z"
)

QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`"
"""What is between quotes in a condition, which may hold any sign."""
ENDING = r"['\"`;#]|--|/\*|\$\w*\$"
"""What else may end a condition, or begin a comment or a text that only some engines know."""

PATTERNS = {
    "quoted": QUOTED,
    "ending": ENDING,
    "plain_name": PLAIN_NAME.pattern,
    "control": CONTROL.pattern,
    "in_lists": f"(?s){IN_LISTS.pattern}",
    "text": TEXT.replace("([a-z_0-9]+)", "[a-z_0-9]+").replace(f"({VALUE})", VALUE),
    "pair": PAIR,
    "suffix": r"(?P<name>.+?)[._](?P<k>[0-9.]+(?:,[0-9.]+)*)\Z",
    "between": r",(?![^(]*\))(?!-?[0-9.]+(?:=-?[0-9.]+)?(?:,|\Z))",
    "of_input": f"(?s){OF_INPUT.pattern}",
    "named": f"(?s){NAMED.pattern}",
    "step": f"(?m){step_names.STEP.pattern}",
}


def names_of(metric: Metric) -> dict[str, dict[str, Any]]:
    """A metric's name and aliases: the parameters that each sets or renames, and what it means without a cutoff."""
    return {
        name: {"metric": metric.name, "values": preset}
        | {"renames": metric.renames.get(name, {}), "uncut": metric.uncut.get(name, name)}
        for name, preset in {metric.name: {}, **metric.aliases}.items()
    }


def entry_of(metric: Metric) -> dict[str, Any]:
    """The entry of one metric for the macros."""
    kept = "name parameters whole trailing reads reads_with empty vanishes linear summary grain".split()
    needed = [COLUMNS[column].input for column in (*metric.reads, *metric.empty)]
    looks, said = CUTOFFS[metric.cutoff != "none"]
    return {name: getattr(metric, name) for name in kept} | {
        "cutoff": looks,
        "cutoff_help": said,
        "undefined": metric.undefined is not None,
        "takes": {name: kind_of(metric, name) for name in (*metric.parameters, *metric.spellings, *metric.squares)},
        "limits": limits(metric),
        "rules": rules_of(metric),
        "depths": [
            depth for depth, kinds in DEPTHS.items() if any(kinds & set(COLUMNS[name].rows) for name in metric.reads)
        ],
        "inputs": {name: metric.spares.get(name) for name in dict.fromkeys([*metric.inputs, *filter(None, needed)])},
    }


def rules_of(metric: Metric) -> list[tuple[dict[str, Any], str]]:
    """Values that a metric cannot have together (a cutoff of 0 is none), each with the reason."""
    rules: list[tuple[dict[str, Any], str]] = [
        ({name: "required"}, f"{metric.name} needs the parameter {name}, for example {metric.name}({name}=0.5)")
        for name in metric.required
    ]
    if metric.cutoff == "required":
        rules.append(({"k": 0}, f"{metric.name} needs a cutoff, for example {metric.name}@10"))
    cut_with = {"ideal": "full"} | ({"norm": "k"} if metric.cutoff == "optional" else {})
    rules += [
        ({name: word, "k": 0}, f"{name}={word} needs a cutoff, for example {metric.name}({name}={word})@10")
        for name, word in cut_with.items()
        if name in metric.parameters
    ]
    if "tn" in metric.parameters:
        rules.append(({"tn": "*", "documents": 0.0}, "tn needs the parameter documents: how many there are"))
    return rules


def kind_of(metric: Metric, name: str) -> dict[str, Any]:
    """What a parameter takes: words with the values that each sets, a number, or a list of numbers."""
    choices = metric.choices.get(name, ())
    words: dict[str, Mapping[str, Any]] = {word: {name: word} for word in choices if word != NUMBER}
    words |= metric.spellings.get(name, {})
    squared = name in metric.squares
    numeric = name in metric.parameters and NUMBER in (choices or (NUMBER,))
    looks, rising, listed = LISTS.get(name, ("", "", ""))
    spoken = [*words, *(["a number above 0"] if squared else ["a number"] if numeric else []), *filter(None, [listed])]
    return {
        "sets": metric.squares.get(name, name),
        "words": words,
        "number": POSITIVE if squared else ANY_NUMBER if numeric else "",
        "power": 0.5 if squared else 1,
        "looks": looks,
        "rising": rising,
        "help": ", ".join(spoken),
    }


def limits(metric: Metric) -> dict[str, Any]:
    """The smallest and the largest value of a parameter, and how that is said."""
    found: dict[str, Any] = {}
    for name, (low, *high) in metric.bounds.items():
        most = math.nextafter(high[0], -math.inf) if high else 1e300
        said = f"between {plain(low)} and {plain(high[0])}" if high else f"above {plain(low)}"
        found[name] = [math.nextafter(low, math.inf), most, said]
    for name, (low, top) in metric.within.items():
        found[name] = [low, top, f"from {plain(low)} to {plain(top)}"]
    return found
