"""Validation of the arguments of the Python interface."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from sqlrank.errors import UsageError, no_option
from sqlrank.options import kinds as k
from sqlrank.options import values
from sqlrank.options.declared import Option, documented, options_of, signature_of
from sqlrank.options.kinds import Kind
from sqlrank.spelling import renamed

P = ParamSpec("P")
R = TypeVar("R")

KINDS: dict[str, Kind] = {
    "system": k.TEXT,
    **dict.fromkeys(("metric", "query"), k.WORD),
    **dict.fromkeys(("confidently", "segments"), k.FLAG),
    "metrics": k.TEXTS,
    "most": k.WHOLE,
    "rows": Kind(k.WHOLE.meant, values.whole, optional=False),
    "as_of": Kind(k.DAY.meant, values.day, optional=False),
    "systems": Kind("a dictionary of runs by the name of their system, with at least one", values.systems),
    **dict.fromkeys(("fail_under", "fail_on_drop", "not_worse_than"), k.GATES),
}
"""The kind of every argument that no record declares, by its name, which means the same in every function."""


def taken(name: str, value: Any, kinds: Mapping[str, Kind]) -> Any:
    """An argument, converted; UsageError if it is of another kind."""
    kind = kinds.get(name)
    return value if kind is None or (value is None and kind.optional) else kind.taken(name, value)


def public(*only: str, record: type | None = None, **special: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a public function, whose arguments are validated.

    `only` are the arguments that are looked at (none for all), `special` the kinds of those that differ from their
    namesakes. The options of a `record` are the `**options` of the function, which gets all of them; its signature and
    its documentation show each.
    """
    kinds = ({name: KINDS[name] for name in only} if only else KINDS) | special
    options = {} if record is None else options_of(record)
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
                return call(*places, *arguments[len(order) :], **told | given)
            except UsageError as error:
                if error.unknown is not None:
                    error.args = (error.unknown.told(*names),)
                raise

        if record is not None:
            checked.__doc__ = documented(call.__doc__ or "", record)
            checked.__signature__ = signature_of(call, record)  # type: ignore[attr-defined]
        return checked

    return decorate


def asked(function: str, names: Collection[str], options: Mapping[str, Option], given: Mapping[str, Any]) -> Any:
    """All options of a call; UsageError for one that there is not, or a value that it does not take."""
    if unknown := [name for name in given if name not in options and name not in names]:
        if news := renamed(unknown[0], [*names, *options]):
            raise UsageError(f"{function} has no option {unknown[0]!r}: write {' or '.join(news)}")
        raise no_option(f"{function} has no option {unknown[0]!r}", unknown[0], [*names, *options])
    told = {name: options[name].taken(name, value) for name, value in given.items() if name in options}
    usual = {name: item.default for name, item in options.items() if item.default is not ...}
    return {**usual, **given, **told}
