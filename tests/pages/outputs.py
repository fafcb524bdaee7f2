"""The fields of JSON outputs as a JSON Schema and as tables, from docs/reference/outputs.toml."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from tests.pages.blocks import DOCS

DESCRIBED = DOCS / "reference" / "outputs.toml"
TYPES: dict[str, Any] = {
    "segment": ["string", "number", "boolean", "null"],
    "value": ["string", "number", "boolean", "array", "null"],
}
"""Types of fields whose names or values are those of the data."""


@cache
def outputs() -> dict[str, dict[str, str]]:
    """The fields of each output by path, those it shares with others among them."""
    described = tomllib.loads(DESCRIBED.read_text(encoding="utf-8"))
    shared = described.pop("shared")
    found = {}
    for name, entry in described.items():
        own = {path: text for path, text in entry.items() if path not in ("title", "also", "optional", "list")}
        fields = dict(each for path, text in own.items() for each in expanded(path, text))
        for part in entry.get("also", []):
            mark = "?" if part in entry.get("optional", []) else ""
            fields |= {
                path.rstrip("?") + (mark or "?" * path.endswith("?")): text for path, text in shared[part].items()
            }
        found[name] = fields
    return found


def expanded(path: str, text: str) -> Iterator[tuple[str, str]]:
    """A field as it is described, or the columns that are declared in the code where it names these."""
    module, _, name = text.partition(":")
    if not name.isupper():
        yield path, text
        return
    for field in getattr(import_module(module), name):
        optional = path.endswith("?") or bool(field.when)
        yield f"{path.rstrip('?')}.{field.name}{'?' * optional}", field.described


def titles() -> dict[str, str]:
    """The title of each output."""
    described = tomllib.loads(DESCRIBED.read_text(encoding="utf-8"))
    return {name: entry["title"] for name, entry in described.items() if name != "shared"}


def schema_page() -> str:
    """The JSON Schema of every output, each under its name in `$defs`."""
    definitions = {name: {"title": titles()[name]} | schema(fields) for name, fields in outputs().items()}
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "JSON of sqlrank"}
    return json.dumps(document | {"$defs": definitions}, indent=2, ensure_ascii=False) + "\n"


def schema(fields: dict[str, str], strict: bool = False) -> dict[str, Any]:
    """The schema of a document with such fields; `strict` if it is to have no others."""
    tree: dict[str, Any] = {}
    for path, text in fields.items():
        node = tree
        for step in path.rstrip("?").replace("[]", ".[]").strip(".").split("."):
            before, node = node, node.setdefault("parts", {}).setdefault(step, {})
            if not path.endswith("?"):
                before.setdefault("required", set()).add(step)
        node["text"] = text
    return built(tree, strict)


def built(node: dict[str, Any], strict: bool) -> dict[str, Any]:
    """The schema of a field and what is in it."""
    if "text" in node:
        kind, _, meaning = node["text"].partition(": ")
        bare = kind.removesuffix("?")
        kinds = TYPES.get(bare, [bare, "null"] if kind.endswith("?") else bare)
        return {"type": kinds, "description": meaning}
    parts = node["parts"]
    if "[]" in parts:
        return {"type": "array", "items": built(parts["[]"], strict)}
    named = {name: built(part, strict) for name, part in parts.items() if name != "*"}
    required = [name for name in named if name in node.get("required", ())]
    rest = built(parts["*"], strict) if "*" in parts else not strict
    return {"type": "object", "properties": named, "required": required, "additionalProperties": rest}


def tables() -> str:
    """The fields of every output as tables, those that all have alike first."""
    described = tomllib.loads(DESCRIBED.read_text(encoding="utf-8"))
    everywhere = {name: described["shared"][name] for name in ("version", "inputs", "conventions", "notes")}
    first = {path: text for part in everywhere.values() for path, text in part.items()}
    lines = ["### Of every evaluation", "", *table(first)]
    common = {path.rstrip("?") for path in first}
    for name, fields in outputs().items():
        own = {path: text for path, text in fields.items() if path.rstrip("?") not in common}
        shared = [f"`{part}`" for part in ("inputs", "conventions", "notes") if part in described[name].get("also", [])]
        also = f"With {', '.join(['`sqlrank`', *shared])} of the table above." if "also" in described[name] else ""
        lines += [
            "",
            f"### {titles()[name]}",
            "",
            f"`sqlrank.schema.json#/$defs/{name}`. {also}".rstrip(),
            "",
            *table(own),
        ]
    return "\n".join(lines)


def table(fields: dict[str, str]) -> list[str]:
    """Fields as the lines of a table."""
    lines = ["| field | type | what it is |", "| :-- | :-- | :-- |"]
    for path, text in fields.items():
        kind, _, meaning = text.partition(": ")
        shown = kind.removesuffix("?") + (" or null" if kind.endswith("?") else "")
        lines.append(f"| `{path.rstrip('?')}` | {shown} | {meaning} |")
    return lines
