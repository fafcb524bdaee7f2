"""Conventions that are settled only when the inputs are known: by whether there are judgments, and by their columns."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from sqlrank.conventions import Conventions
from sqlrank.errors import UsageError


def without_judgments(conventions: Conventions, given: Collection[str]) -> Conventions:
    """The conventions where nothing was judged: the queries are those of the run.

    Args:
        conventions: as they are asked for.
        given: those of them that were asked for one by one.

    Raises:
        UsageError: one of these says something of judgments.
    """
    for name, needs in (
        ("query_set", conventions.query_set != "run"),
        ("ties", conventions.ties in ("best", "worst")),
        ("unjudged", conventions.unjudged == "remove"),
    ):
        if needs and (name in given or name != "query_set"):
            option = f"--{name.replace('_', '-')} {getattr(conventions, name)}"
            raise UsageError(
                f"{option} looks at judgments, and there are none; leave it out, or give them with --qrels"
            )
    return replace(conventions, query_set="run")
