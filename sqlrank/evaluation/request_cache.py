"""Requests that calls after one another ask for, each kept with the statements that were rendered for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any

from sqlrank.evaluation.request import Request, request_of

MOST_REQUESTS = 8
"""How many requests are kept."""

keeping = Lock()
requests: dict[str, Request] = {}
"""The last requests, with their statements, by what was asked for."""


def kept_request(metrics: str | Iterable[str] | None, options: Mapping[str, Any], texts: bool = False) -> Request:
    """The same as `request_of`, made once: a loop asks for the same again and again.

    Metrics of files may change, and tables among the options cannot be compared: those are made anew.
    """
    asked = [metrics, dict(sorted(options.items())), texts]
    if options.get("metrics_dir") is not None or not is_plain(asked):
        return request_of(metrics, options, texts)
    key = repr(asked)
    with keeping:
        if key not in requests:
            made = request_of(metrics, options, texts)
            while len(requests) >= MOST_REQUESTS:
                del requests[next(iter(requests))]
            requests[key] = made
        return requests[key]


def is_plain(value: Any) -> bool:
    """Whether a value is made of texts and numbers alone."""
    if isinstance(value, dict):
        return all(is_plain(part) for pair in value.items() for part in pair)
    if type(value) in (list, tuple):
        return all(map(is_plain, value))
    return value is None or type(value) in (str, int, float, bool)
