"""Which kinds of tests `.ci/run` asks of this change: `python -m tests.turns [--next | --marks]`.

tests/turns.toml is the ledger. Without an option, the expression of marks that the main environment is asked with;
`--marks`, the marks that are asked; `--next`, let the kind that has waited longest be asked by the next change.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LEDGER = Path(__file__).with_name("turns.toml")
ELSEWHERE = ("packages", "pipelines", "jupyter")
"""What is asked in environments of their own."""


@dataclass(frozen=True)
class Kind:
    """Tests that take turns with others."""

    name: str
    marks: list[str]
    asked: int
    """The change of main that asked them last, counted from the first one that took turns."""


def kinds() -> list[Kind]:
    """The kinds that take turns, the one that has waited longest first."""
    found = tomllib.loads(LEDGER.read_text(encoding="utf-8"))
    return sorted((Kind(name, **kind) for name, kind in found.items()), key=lambda kind: kind.asked)


def waiting() -> list[str]:
    """The marks of tests that this change is not asked."""
    return [] if os.environ.get("SQLRANK_WHOLE") else [mark for kind in kinds()[:-1] for mark in kind.marks]


def of_two_kinds(needed: Iterable[str]) -> bool:
    """Whether a test belongs to two kinds, so that it would never be asked."""
    return sum(bool(set(kind.marks) & set(needed)) for kind in kinds()) > 1


def give_next() -> None:
    """Write down that the next change asks the kind that has waited longest."""
    oldest, *_, newest = kinds()
    text = LEDGER.read_text(encoding="utf-8")
    section = rf"(^\[{oldest.name}\]\n(?:.+\n)*?asked = )\d+"
    LEDGER.write_text(re.sub(section, rf"\g<1>{newest.asked + 1}", text, flags=re.MULTILINE), encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Print what is asked, or give the next turn."""
    if arguments == ["--next"]:
        give_next()
    elif arguments == ["--marks"]:
        marks = [mark for kind in kinds() for mark in kind.marks if mark not in waiting()]
        sys.stdout.write(" ".join(marks) + "\n")
    else:
        left = dict.fromkeys([*ELSEWHERE, *waiting()])
        sys.stdout.write(f"needs and not ({' or '.join(left)})\n")


if __name__ == "__main__":
    main(sys.argv[1:])
