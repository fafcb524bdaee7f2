"""The table of what the action of GitHub takes and gives, from action.yml."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from tests.pages.blocks import ROOT


def action_table() -> str:
    """The inputs and the outputs of the action."""
    return "\n".join(rows())


def rows() -> Iterator[str]:
    """The lines of the table."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    yield "| input | what it is |\n| :-- | :-- |"
    for name, said in action["inputs"].items():
        default = f" (`{said['default']}`)" if "default" in said else ""
        yield f"| `{name}` | {said['description']}{default} |"
    yield "\n| output | what it is |\n| :-- | :-- |"
    yield from (f"| `{name}` | {said['description']} |" for name, said in action["outputs"].items())
