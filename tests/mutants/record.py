"""What was found: tests/mutants.json by file, and the changes that change no value in tests/equal_mutants.toml."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.affected import ROOT
from tests.mutants.changes import Mutant, mutants_of

RECORD = Path(__file__).parents[1] / "mutants.json"
EQUAL = Path(__file__).parents[1] / "equal_mutants.toml"
FOLDERS = ("sql/metrics", "sql/columns", "sql/steps", "sql/comparison", "sqlrank/statistics")
WHOLE = ("sql/metrics", "sql/columns")
"""The folders all of whose changes are tried, and that are to be noticed."""


def digest(path: str) -> str:
    """What tells whether a file is as it was tried."""
    return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()[:12]


def equal() -> dict[tuple[str, str], str]:
    """The changes that are known to change no value, with the reason, by file and name."""
    entries = tomllib.loads(EQUAL.read_text(encoding="utf-8"))["equal"] if EQUAL.exists() else []
    return {(entry["file"], f"{entry['line']}  =>  {entry['changed']}"): entry["why"] for entry in entries}


def recorded_mutants() -> dict[str, Any]:
    """What was found so far, by file."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def keep(found: dict[Mutant, str | None], again: bool) -> None:
    """Write down what was found, by file; of changes that are tried again, only which are still unnoticed."""
    record = recorded_mutants()
    by_file: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in found:
        by_file[mutant.path].append(mutant)
    for path, mutants in by_file.items():
        record[path] = {
            "digest": digest(path),
            "possible": len(mutants_of(path)),
            "tried": record[path]["tried"] if again else len(mutants),
            "unnoticed": sorted(mutant.name for mutant in mutants if found[mutant] is None),
        }
    kept = {path: record[path] for path in sorted(record) if (ROOT / path).is_file()}
    lines = ",\n".join(f"  {json.dumps(path)}: {json.dumps(entry, ensure_ascii=False)}" for path, entry in kept.items())
    RECORD.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
