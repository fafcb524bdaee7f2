"""Run the tests that a change can reach: `python -m tests.affected [REV] [-- PYTEST OPTIONS]`.

The change is what differs between REV (HEAD unless it is named) and the working tree. Which tests reach which modules
and templates is in tests/reached.json, made by running each file of tests in a process of its own:
`python -m tests.affected --renew [FILE...]`, all files unless some are named.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RECORD = Path(__file__).with_name("reached.json")
MEASURED = ("sqlrank", "sql", "tests")
"""The folders whose files tests reach by running them."""
SETTINGS = "[run]\nbranch = true\nsource = {source}\n[report]\nexclude_also = if TYPE_CHECKING:\n"
COVERED = Path(__file__).with_name("covered.json")
COUNTED = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def files(*folders: str) -> list[str]:
    """The files that git tracks, or would, in some folders."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted({name for name in names if (ROOT / name).is_file()})


def test_files() -> list[str]:
    """The files of tests."""
    return [name for name in files("tests") if Path(name).name.startswith("test_") and name.endswith(".py")]


def sources() -> list[str]:
    """The modules and templates that the map knows: all but the tests themselves."""
    known = (name for name in files(*MEASURED) if name.endswith((".py", ".sql")))
    return sorted(set(known) - set(test_files()))


def recorded() -> dict[str, list[str]]:
    """The tests that reach each source, the most particular first: those that reach the fewest sources."""
    stored = json.loads(RECORD.read_text(encoding="utf-8"))
    tests: list[str] = stored["tests"]
    reach = {
        source: [t for t, at in zip(tests, bits(mask), strict=False) if at] for source, mask in stored["reach"].items()
    }
    breadth = {test: sum(test in reached for reached in reach.values()) for test in tests}
    return {source: sorted(reached, key=lambda test: (breadth[test], test)) for source, reached in reach.items()}


def bits(mask: str) -> list[bool]:
    """The bits of a hexadecimal number, the lowest first, at least as many as are set."""
    return [digit == "1" for digit in reversed(f"{int(mask, 16):b}")]


def changed(revision: str) -> list[str]:
    """The files that differ from a revision, new ones included."""
    listed = ["git", "diff", "--name-only", "--no-renames", revision, "--"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    new = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    return sorted({*names, *new})


def reached_by(changes: Iterable[str]) -> list[str]:
    """The files of tests that changes can reach, the most particular first.

    A file of tests reaches itself; a source that no test was seen to reach, since it is new or read in other ways,
    and a file that is no source reach the tests that mention its name, or those of the folder of its name. A file of
    tests that the map does not know may reach any source.
    """
    known, there = recorded(), test_files()
    strange = set(there) - set(json.loads(RECORD.read_text(encoding="utf-8"))["tests"])
    found: dict[str, None] = {}
    for change in changes:
        tests = [change] if change in there else known.get(change) or mentioning(change)
        found |= dict.fromkeys(test for test in tests if test in there)
        found |= dict.fromkeys(sorted(strange) if change in known else ())
    return list(found)


def mentioning(name: str) -> list[str]:
    """The files of tests that speak of a file or of its folder, as fixtures and pages are read."""
    path = Path(name)
    words = {path.name, path.stem if path.suffix in (".py", ".sql") else path.name}
    if path.parent != Path("."):
        words |= {f'"{path.parent.name}"', f"{path.parent.name}/"}
    return [test for test in test_files() if any(word in text_of(test) for word in words)]


@cache
def text_of(name: str) -> str:
    """The text of a file of tests."""
    return (ROOT / name).read_text(encoding="utf-8")


def renew(names: Iterable[str]) -> None:
    """Run each file of tests under coverage, two at a time, and write what it reached, and what all together cover."""
    from coverage import Coverage

    stored = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {"tests": [], "reach": {}}
    reach = {
        test: {source for source, mask in stored["reach"].items() if bits(mask)[place : place + 1] == [True]}
        for place, test in enumerate(stored["tests"])
    }
    named = list(names) or test_files()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        settings = Path(folder, "coverage.rc")
        settings.write_text(SETTINGS.format(source=",".join(str(ROOT / part) for part in MEASURED)), encoding="utf-8")
        data = [Path(folder, f"data.{number}") for number in range(len(named))]
        reach |= dict(zip(named, pool.map(partial(run_alone, settings), named, data), strict=True))
        write({test: reach[test] for test in test_files() if test in reach})
        if set(named) >= set(test_files()):
            whole = Coverage(str(Path(folder, "whole")), config_file=str(settings))
            whole.combine([str(path) for path in data])
            whole.json_report(outfile=f"{folder}/whole.json", omit=["*/tests/*", "*.sql"])
            keep_coverage(json.loads(Path(folder, "whole.json").read_text(encoding="utf-8"))["files"])


def keep_coverage(measured: dict[str, Any]) -> None:
    """Write how many statements and branches of each package the default run takes."""
    packages: dict[str, Counter[str]] = defaultdict(Counter)
    for file, found in measured.items():
        path = Path(file).relative_to(ROOT) if Path(file).is_absolute() else Path(file)
        packages[path.parts[1] if len(path.parts) > 2 else "modules of their own"].update(
            {name: found["summary"][name] for name in COUNTED}
        )
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(packages[name])}" for name in sorted(packages))
    COVERED.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def write(reach: dict[str, set[str]]) -> None:
    """Write the map, a line a source."""
    tests, lines = sorted(reach), []
    for source in sources():
        mask = sum(1 << place for place, test in enumerate(tests) if source in reach[test])
        lines.append(f"  {json.dumps(source)}: {json.dumps(f'{mask:x}')}")
    listed = ",\n".join(f"  {json.dumps(test)}" for test in tests)
    joined = ",\n".join(lines)
    RECORD.write_text(f'{{\n"tests": [\n{listed}\n],\n"reach": {{\n{joined}\n}}\n}}\n', encoding="utf-8")


def run_alone(settings: Path, name: str, data: Path) -> set[str]:
    """Run a file of tests in a process of its own, and say which failed; the sources that it reached."""
    from coverage import CoverageData

    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", f"--data-file={data}"]
    done = subprocess.run(
        [*command, "-m", "pytest", "-n0", name], cwd=ROOT, capture_output=True, text=True, check=False
    )
    said = "" if done.returncode in (0, 5) else f" failed\n{done.stdout[-2000:]}"
    sys.stdout.write(f"{name}{said}\n")
    sys.stdout.flush()
    collected = CoverageData(str(data))
    collected.read()
    ran = {file: set(collected.lines(file) or ()) for file in collected.measured_files()}
    return {str(Path(file).relative_to(ROOT)) for file, lines in ran.items() if lines & telling(file)}


@cache
def telling(file: str) -> frozenset[int]:
    """The lines of a file that tell that it was used: of a template all, of a module those of its functions, if any.

    The rest of a module runs wherever it is imported.
    """
    text = Path(file).read_text(encoding="utf-8")
    everything = frozenset(range(text.count("\n") + 2))
    if not file.endswith(".py"):
        return everything
    inside: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside |= set(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(inside) or everything


def main(arguments: list[str]) -> int:
    """Renew the map, or run the tests that a change can reach; the exit code of pytest."""
    if arguments[:1] == ["--renew"]:
        renew(arguments[1:])
        return 0
    own, options = (
        (arguments[:1], arguments[1:]) if arguments and not arguments[0].startswith("-") else (["HEAD"], arguments)
    )
    tests = reached_by(changed(own[0]))
    if not tests:
        sys.stdout.write(f"nothing that differs from {own[0]} is reached by a test\n")
        return 0
    sys.stdout.write(f"{len(tests)} of {len(test_files())} files of tests: {' '.join(tests)}\n")
    sys.stdout.flush()
    return subprocess.run(
        [sys.executable, "-m", "pytest", *[option for option in options if option != "--"], *tests],
        cwd=ROOT,
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
