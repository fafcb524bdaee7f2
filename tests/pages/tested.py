"""The tables of what is tested: what is collected, what was measured, and what was recorded of tools."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from sqlrank.metrics.tools import presets
from tests import affected, ledger
from tests.mutants.changes import mutants_of, sources_of
from tests.mutants.record import FOLDERS, equal, recorded_mutants
from tests.peers.test_golden import COMPARED
from tests.support import tool_labels
from tests.support.needs import NEEDS


def reasons_table() -> str:
    """How many tests need what, rounded, so that the page is as it was where a few are added."""
    with tempfile.TemporaryDirectory() as folder:
        tests = [*ledger.collected(Path(folder)).values()]
    default = sum(not reasons for reasons in tests)
    counts = Counter(reason for reasons in tests for reason in reasons)
    rows = [("none", "the default run: Python and the packages of the extra `test`", f"{round(default, -2):,}")]
    rows += [(f"`{reason}`", what, f"{max(10, round(counts[reason], -1)):,}") for reason, what in NEEDS.items()]
    return table(("mark", "what the tests need", "tests, about"), rows)


def tools_table() -> str:
    """How many recorded values of other tools are compared."""
    return table(("tool", "values"), ((tool, f"{number:,}") for tool, number in COMPARED.items()))


def labels_table() -> str:
    """What tools give of each kind of label, and where sqlrank refuses."""
    record, titles = tool_labels.record(), presets()
    rows = []
    for tool, metrics in record["tools"].items():
        for metric, given in metrics.items():
            followed = record["followed"][tool][metric]
            cells = [shown(found, kind in followed) for kind, found in given.items()]
            rows.append((titles[tool].title, f"`{metric}`", *cells))
    heads = [f"{kind}: {', '.join(map(str, labels))}" for kind, labels in tool_labels.KINDS.items()]
    return table(("tool", "metric", *(head.replace("None", "none") for head in heads)), rows)


def shown(found: float | str, followed: bool) -> str:
    """A cell of the table of labels."""
    if isinstance(found, str):
        return found
    text = f"{found:.4f}" if abs(found) < 1000 else f"{found:.1e}"
    return text if followed else f"{text}, refused"


def coverage_table() -> str:
    """Statements and branches by package."""
    found = json.loads(affected.COVERED.read_text(encoding="utf-8"))
    whole: Counter[str] = Counter()
    for counts in found.values():
        whole.update(counts)
    rows = [(f"`{name}`" if " " not in name else name, counts) for name, counts in found.items()]
    return table(
        ("package", "statements", "covered", "branches", "covered"),
        (
            (name, *share(counts, "lines", "statements"), *share(counts, "branches", "branches"))
            for name, counts in [*rows, ("**all**", dict(whole))]
        ),
    )


def share(counts: dict[str, int], covered: str, of: str) -> tuple[str, str]:
    """How many there are, and the share that is covered."""
    number = counts[f"num_{of}"]
    return f"{number:,}", f"{counts[f'covered_{covered}'] / max(number, 1):.1%}"


def mutants_table() -> str:
    """How many changes of each folder were tried and noticed."""
    record, known = recorded_mutants(), equal()
    rows = []
    for folder in FOLDERS:
        found = {path: entry for path, entry in record.items() if path.startswith(f"{folder}/")}
        same = sum(path.startswith(f"{folder}/") for path, _ in known)
        possible = sum(len(mutants_of(path)) for path in sources_of(folder))
        missed = sum((path, name) not in known for path, entry in found.items() for name in entry["unnoticed"])
        asked = sum(entry["tried"] for entry in found.values()) - (same if found else 0)
        noticed = f"{1 - missed / asked:.1%}" if asked else "not tried"
        rows.append((f"`{folder}`", f"{possible:,}", f"{asked:,}", f"{missed:,}", noticed, f"{same:,}"))
    return table(("folder", "possible changes", "tried", "not noticed", "noticed", "known to be equal"), rows)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    titles = list(head)
    lines = [titles, ["--"] * len(titles), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
