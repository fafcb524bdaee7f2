"""Validation of the arguments of the Python interface, with errors that name them as Python does."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from sqlrank.choices import CORRECTIONS, INPUT_FORMATS, TESTS, TOOLS, UNITS
from sqlrank.conventions import Conventions
from sqlrank.errors import SqlrankError, UsageError, commanded, no_option
from sqlrank.options import kinds as k
from sqlrank.options import values
from sqlrank.options.declared import Option, documented, options_of, signature_of
from sqlrank.options.kinds import Kind

P = ParamSpec("P")
R = TypeVar("R")


FLAGS = ("check", "confidently", "every", "segments", "summary")
"""The arguments that are True or False."""
KINDS: dict[str, Kind] = {
    **dict.fromkeys(("system", "prefix", "incremental", "replace", "until", "day"), k.TEXT),
    **dict.fromkeys(("dialect", "ids", "metric", "query", "method", "direction"), k.WORD),
    **dict.fromkeys(("metrics", "by", "keep"), k.TEXTS),
    **dict.fromkeys(("alpha", "power"), k.NUMBER),
    "most": k.WHOLE,
    "rows": Kind(k.WHOLE.meant, values.whole, optional=False),
    **dict.fromkeys(FLAGS, k.FLAG),
    "as_of": Kind(k.DAY.meant, values.day, optional=False),
    "sizes": Kind("a list of whole numbers", values.sizes),
    "systems": Kind("a dictionary of runs by the name of their system, with at least one", values.systems),
    **dict.fromkeys(("fail_under", "fail_on_drop", "not_worse_than"), k.GATES),
    "create": Kind("a pair of texts such as ('table', 'daily')", values.pair),
}
"""The kind of every argument that no record declares, by its name, which means the same in every function."""

CHOICES: dict[str, Collection[str]] = {item.name: item.metadata["choices"] or {} for item in fields(Conventions)}
CHOICES |= {"input_format": INPUT_FORMATS, "like": TOOLS, "test": TESTS, "correction": CORRECTIONS, "unit": UNITS}
"""The words of options that take one."""
OTHERS = {
    "column": "columns",
    "margin": "margins",
    "no-header": "header=False",
    "no-checks": "checks=False",
    "replace-stored": "replace=True",
    "unpaired": "paired=False",
    "gate-segments": "segments=True",
    "labels-as-exact": "exact_labels=True",
    "movers": "most",
    "action": "actions",
    "estimator": "estimators",
    "run-column": "run_columns",
    "run": "runs",
    "all": "every",
}
OTHERS |= dict.fromkeys(
    ("propensities", "expected", "qrels", "positives", "queries", "items", "history", "baseline", "scores", "engine"),
    "",
)
"""Options of the command line that have another name in Python, or are inputs."""
DECLARED: dict[str, Option] = {}
"""The options of records that functions take."""
OPTION = re.compile(
    r"(?<![\w-])(?<!sqlrank sql )--(?P<name>[a-z][a-z-]*[a-z])(?P<value> (?:[\w.]+=[\w.=,-]*\w(?:\[\](?:\.\w+)?)?"
    r"|[A-Z]+\b|'[^']*'|-?[0-9][0-9.e+-]*(?![\w-])|[^\s:,;()]+(?=:|,? is not)|[\w-]+(?=[ ,.;)]|$)))?"
)
METRIC = re.compile(r"(?<![\w-])-m (?=\S)")


def in_python(said: str) -> str:
    """A message with options of the command line replaced by the arguments of Python."""
    return METRIC.sub("metrics=", OPTION.sub(argument, said)) if "-" in said else said


def argument(found: re.Match[str]) -> str:
    """An option, with its value if it has one, as an argument."""
    option, value = found["name"], (found["value"] or "").strip()
    name = option.replace("-", "_")
    if option not in OTHERS and name not in KINDS and name not in DECLARED:
        return found[0]
    called = OTHERS.get(option) or name
    if "=" in called or not value:
        return (called if "=" in called else f"{called}=") + (found["value"] or "")
    if name in ("column", "margin", "relevance_map") and "=" in value:
        value = value.removeprefix("'").removesuffix("'")
        pairs = (pair.partition("=") for pair in (value.split(",") if name == "relevance_map" else [value]))
        inside = ", ".join(f"{key!r}: {one if name == 'relevance_map' else repr(one)}" for key, _, one in pairs)
        return f"{called}={{{inside}}}"
    if re.fullmatch(r"'.*'|[A-Z]+|-?[0-9][0-9.e+-]*", value):
        return f"{called}={value}"
    follows = found.string[found.end() :]
    if value in CHOICES.get(name, ()) or re.match(r":|,? is not", follows):
        return f"{called}={value!r}"
    return f"{called}={found['value']}"


def taken(name: str, value: Any, kinds: Mapping[str, Kind]) -> Any:
    """An argument, converted; UsageError if it is of another kind."""
    kind = kinds.get(name)
    return value if kind is None or (value is None and kind.optional) else kind.taken(name, value)


def public(*only: str, record: type | None = None, **special: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a public function: its arguments are validated, and its errors name arguments rather than options.

    `only` are the arguments that are looked at (none for all), `special` the kinds of those that differ from their
    namesakes. The options of a `record` are the `**options` of the function, which gets all of them; its signature and
    its documentation show each.
    """
    kinds = ({name: KINDS[name] for name in only} if only else KINDS) | special
    options = {} if record is None else options_of(record)
    DECLARED.update(options)
    kinds = {name: kind for name, kind in kinds.items() if name in special or name not in options}

    def decorate(call: Callable[P, R]) -> Callable[P, R]:
        code = call.__code__
        order, every = code.co_varnames[: code.co_argcount], code.co_argcount + code.co_kwonlyargcount
        names = [name for name in code.co_varnames[:every] if name != "self"]

        @wraps(call)
        def checked(*arguments: Any, **named: Any) -> R:
            try:
                places = [taken(name, value, kinds) for name, value in zip(order, arguments, strict=False)]
                told = asked(call.__qualname__.removesuffix(".__init__"), names, options, named) if options else named
                given = {name: taken(name, value, kinds) for name, value in told.items() if name in kinds}
                return spoken(call(*places, *arguments[len(order) :], **told | given))
            except SqlrankError as error:
                if isinstance(error, UsageError) and error.unknown is not None:
                    error.args = (error.unknown.told(*names),)
                if not commanded():
                    error.args = (in_python(str(error)),)
                raise

        if record is not None:
            checked.__doc__ = documented(call.__doc__ or "", record)
            checked.__signature__ = signature_of(call, record)  # type: ignore[attr-defined]
        return checked

    return decorate


def asked(function: str, names: Collection[str], options: Mapping[str, Option], given: Mapping[str, Any]) -> Any:
    """All options of a call; UsageError for one that there is not, or a value that it does not take."""
    if unknown := [name for name in given if name not in options and name not in names]:
        raise no_option(f"{function} has no option {unknown[0]!r}", unknown[0], [*names, *options])
    told = {name: options[name].taken(name, value) for name, value in given.items() if name in options}
    usual = {name: item.default for name, item in options.items() if item.default is not ...}
    return {**usual, **given, **told}


def spoken(result: R) -> R:
    """A result whose notes name arguments rather than options."""
    notes: Iterable[str] | None = getattr(result, "notes", None)
    if notes is not None and not commanded():
        result.notes = [in_python(note) for note in notes]  # type: ignore[attr-defined]
    return result
