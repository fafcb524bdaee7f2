"""Does the default run notice a wrong token? `python -m tests.mutants [--draw N | --again] [FOLDER or FILE...]`.

One token of a template, or of a module of numbers, is changed in a copy of the project, and the default tests that
reach the file are asked until one fails. Printed is what nobody noticed. All changes of a folder are tried, or N drawn
from it. What is found is kept in tests/mutants.json, by file with a digest of its text; a survivor that changes no
value stands in tests/equal_mutants.toml with the reason.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NoReturn

from tests.affected import ROOT, files, recorded

RECORD = Path(__file__).with_name("mutants.json")
EQUAL = Path(__file__).with_name("equal_mutants.toml")
FOLDERS = ("sql/metrics", "sql/columns", "sql/steps", "sql/comparison", "sqlrank/statistics")
WHOLE = ("sql/metrics", "sql/columns")
"""The folders all of whose changes are tried, and that are to be noticed."""
REACHED = recorded()
WORKED = "tests/whole/test_worked_rows.py"
PATIENCE = 300
"""Seconds after which a test that does not end has noticed."""

SWAPS = {
    "+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "*",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "<>", "<>": "=", "==": "!=", "!=": "==",
    "and": "or", "or": "and", "asc": "desc", "desc": "asc", "min": "max", "max": "min",
    "least": "greatest", "greatest": "least", "True": "False", "False": "True", "sum": "max", "ln": "exp",
}  # fmt: skip
"""What a token becomes; a number becomes the next one, `not` goes."""
TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|\{#.*?#\}|<=|>=|<>|!=|==|\w+(?:\.\d+)?|[-+*/<>=]", re.DOTALL)
JOINED = re.compile(r"\{%-?\s*(?:from|import|include|extends)\b[^%]*?%\}")
"""Tags of Jinja that only name things."""


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    path: str
    start: int
    old: str
    new: str
    line: str
    """The line as it is."""
    changed: str
    """The line as it becomes."""

    @property
    def name(self) -> str:
        """What tells it from others, wherever the line stands."""
        return f"{self.line}  =>  {self.changed}"


def replaced(token: str) -> str | None:
    """What a token becomes, or None where it stays."""
    if re.fullmatch(r"\d+(\.\d+)?", token):
        whole, _, rest = token.partition(".")
        return f"{int(whole) + 1}" + (f".{rest}" if rest else "")
    return "" if token == "not" else SWAPS.get(token)


def sources_of(*paths: str) -> list[str]:
    """The templates and modules in folders, or files."""
    return [path for path in files(*paths) if path.endswith((".sql", ".py"))]


def mutants_of(path: str) -> list[Mutant]:
    """Every change of a file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    tokens = python_tokens(text) if path.endswith(".py") else template_tokens(text)
    found = []
    for start, token in tokens:
        new = replaced(token)
        if new is None:
            continue
        before, after = text.rfind("\n", 0, start) + 1, text.find("\n", start) % (len(text) + 1)
        line, place = text[before:after], start - before
        changed = line[:place] + new + line[place + len(token) :]
        found.append(Mutant(path, start, token, new, line.strip(), changed.strip()))
    return found


def template_tokens(text: str) -> Iterator[tuple[int, str]]:
    """The tokens of the body of a template, but for comments, texts and tags that only name things."""
    held = [match.span() for match in JOINED.finditer(text)]
    for match in TOKEN.finditer(text):
        if match[0][0] in "'\"-{" and len(match[0]) > 1:
            continue
        if any(start <= match.start() < end for start, end in held):
            continue
        around = text[match.start() - 1 : match.start()] + text[match.end() : match.end() + 1]
        trims = match[0] in "-+" and ("%" in around or "{" in around)
        frames = match[0] == "and" and re.search(r"between [^\n]*\Z", text[: match.start()])
        if not trims and not frames and not (match[0] == "=" and named(text, match)):
            yield match.start(), match[0]


def named(text: str, match: re.Match[str]) -> bool:
    """Whether an equals sign gives a value to a name of Jinja, and compares nothing."""
    opened = max(text.rfind("{%", 0, match.start()), text.rfind("{{", 0, match.start()))
    closed = max(text.rfind("%}", 0, match.start()), text.rfind("}}", 0, match.start()))
    return opened > closed


def python_tokens(text: str) -> Iterator[tuple[int, str]]:
    """The operators, numbers and words of a module."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        counts = token.type in (tokenize.OP, tokenize.NUMBER, tokenize.NAME) and token.string != "="
        names = before in ("->", "import", "from", ":") or (token.string == "*" and before in ("(", ","))
        if counts and not names:
            yield starts[token.start[0] - 1] + token.start[1], token.string
        before = token.string


def digest(path: str) -> str:
    """What tells whether a file is as it was tried."""
    return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()[:12]


@dataclass
class Order:
    """Which files of tests to ask first: those that noticed most for the time they took."""

    noticed: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def worth(self, test: str) -> float:
        """Notices a second, as if it had noticed one in one second before it was first asked."""
        return (self.noticed[test] + 1) / (self.seconds[test] + 1)

    def asked_for(self, tests: list[str], seconds: float, found: str | None) -> None:
        """Remember how long some tests took, and which of them noticed."""
        for test in tests:
            self.seconds[test] += seconds / len(tests)
        if found:
            self.noticed[found.partition("::")[0]] += 1


class Asker:
    """A process in a copy of the project that has imported what tests import, and asks them in a fork of itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = copied(folder)
        command, settings = [sys.executable, "-m", "tests.mutants", "--serve"], os.environ | {"PYTHONPATH": str(folder)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=folder, env=settings, stdin=pipe, stdout=pipe, text=True)

    def noticed(self, mutant: Mutant, order: Order) -> str | None:
        """The test that fails with a change, or None where none does."""
        target, text = self.folder / mutant.path, (ROOT / mutant.path).read_text(encoding="utf-8")
        target.write_text(text[: mutant.start] + mutant.new + text[mutant.start + len(mutant.old) :], encoding="utf-8")
        try:
            return next(filter(None, (self.ask(tests, mutant, order) for tests in asked(mutant, order))), None)
        finally:
            target.write_text(text, encoding="utf-8")

    def ask(self, tests: list[str], mutant: Mutant, order: Order) -> str | None:
        """The first of some tests that fails."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        began = time.monotonic()
        self.process.stdin.write(json.dumps([mutant.path, tests]) + "\n")
        self.process.stdin.flush()
        found: str | None = json.loads(self.process.stdout.readline())
        order.asked_for(tests, time.monotonic() - began, found)
        return found


def asked(mutant: Mutant, order: Order) -> Iterator[list[str]]:
    """The tests to ask for a change, a few at a time: the worked rows of a metric first, then what noticed most."""
    if mutant.path.startswith("sql/metrics/"):
        yield [WORKED, "-k", f"[{Path(mutant.path).stem}]"]
    rest = sorted(REACHED.get(mutant.path, []), key=order.worth, reverse=True)
    yield from ([test] for test in rest[:4])
    yield from (rest[at : at + 10] for at in range(4, len(rest), 10))


def serve() -> int:
    """Answer on standard output which test fails first, for each line of standard input, each in a fork."""
    import sqlrank.cli  # noqa: F401 imported once for all forks

    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        path, tests = json.loads(line)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            os.close(reader)
            run_tests(path, tests, writer)
        os.close(writer)
        ended, _, _ = select.select([reader], [], [], PATIENCE)
        found = os.read(reader, 10_000).decode() if ended else f"{tests[0]} (no end)"
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reader)
        answers.write(json.dumps(found or None) + "\n")
        answers.flush()
    return 0


def run_tests(path: str, tests: list[str], writer: int) -> NoReturn:
    """Run tests until one fails, and write its name."""
    import pytest

    class First:
        name = ""

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                self.name = self.name or report.nodeid

        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            if report.failed:
                self.name = self.name or report.nodeid

    if path.endswith(".py"):
        for name in [name for name in sys.modules if name.partition(".")[0] == "sqlrank"]:
            del sys.modules[name]
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(quiet, stream)
    first = First()
    code = pytest.main(["-n0", "-x", "-qq", "--tb=no", "-p", "no:cacheprovider", *tests], [first])
    os.write(writer, (first.name if code else "").encode() or (b"" if code in (0, 5) else b"no report"))
    os._exit(0)


def tried(mutants: list[Mutant], processes: int) -> Iterator[tuple[Mutant, str | None]]:
    """Who noticed each change, some at a time, each in a copy of the project of its own."""
    order, askers = Order(), SimpleQueue[Asker]()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(processes):
            askers.put(Asker(Path(folder, str(number))))

        def ask(mutant: Mutant) -> str | None:
            asker = askers.get()
            found = asker.noticed(mutant, order)
            askers.put(asker)
            sys.stdout.write(f"{mutant.path}: {mutant.name}: {found or '!!! NOBODY'}\n")
            sys.stdout.flush()
            return found

        with ThreadPoolExecutor(processes) as pool:
            yield from zip(mutants, pool.map(ask, mutants), strict=True)
        for _ in range(processes):
            process = askers.get().process
            process.kill()
            process.communicate()


def copied(target: Path) -> Path:
    """A copy of what git knows of the project."""
    for name in files("."):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    return target


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


def main(arguments: list[str]) -> int:
    """Try the changes; 1 where one that is not known to be equal was not noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("paths", nargs="*", default=FOLDERS)
    parser.add_argument("--draw", type=int, help="how many of all changes to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="try those that were not noticed the last time")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.serve:
        return serve()
    mutants = [mutant for path in sources_of(*chosen.paths) for mutant in mutants_of(path)]
    known, record = equal(), recorded_mutants()
    mutants = [mutant for mutant in mutants if (mutant.path, mutant.name) not in known]
    if chosen.again:
        mutants = [mutant for mutant in mutants if mutant.name in record.get(mutant.path, {}).get("unnoticed", ())]
    if chosen.draw:
        drawn = random.Random(chosen.seed).sample(mutants, min(chosen.draw, len(mutants)))
        mutants = sorted(drawn, key=lambda mutant: (mutant.path, mutant.start))
    found: dict[Mutant, str | None] = {}
    for _, of_file in groupby(tried(mutants, chosen.processes), lambda pair: pair[0].path):
        of_one = dict(of_file)
        keep(of_one, chosen.again)  # at once, for whoever stops it
        found |= of_one
    unnoticed = [mutant for mutant, test in found.items() if test is None]
    for mutant in unnoticed:
        sys.stdout.write(f"unnoticed: {mutant.path}: {mutant.name}\n")
    share = 1 - len(unnoticed) / max(len(found), 1)
    sys.stdout.write(f"{len(found)} changes, {len(unnoticed)} unnoticed: {share:.1%} were noticed\n")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
