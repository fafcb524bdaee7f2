"""Specifications of charts: files of Vega-Lite, in which a text `$name` stands for what the chart puts there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "specifications"
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
"""The version of Vega-Lite. It is a name; nothing is fetched from there."""


@cache
def file_text(name: str) -> str:
    """The text of a specification."""
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def specification(name: str, title: str, alternative: str, rows: list[dict[str, Any]], **values: Any) -> dict[str, Any]:
    """A whole specification: that of a file, with the values of its `$names`, its rows and the theme of all charts."""
    filled: dict[str, Any] = fill(json.loads(file_text(name)), values)
    head = {"$schema": SCHEMA, "description": alternative, "title": title, "data": {"values": rows}}
    return head | filled | {"config": json.loads(file_text("theme"))}


def fill(node: Any, values: Mapping[str, Any]) -> Any:
    """A specification with the value of every `$name`: JSON for JSON, so that no text can become part of it."""
    if isinstance(node, dict):
        return {key: fill(value, values) for key, value in node.items()}
    if isinstance(node, list):
        return [fill(value, values) for value in node]
    if isinstance(node, str) and node.startswith("$"):
        return values[node[1:]]
    return node
