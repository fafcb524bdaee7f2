"""Does the default run notice a wrong token? `python -m tests.mutants [--draw N] [--seed N] [FOLDER or FILE...]`.

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
import shutil
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
from pathlib import Path
from queue import SimpleQueue

from tests.affected import ROOT, files, reached_by

RECORD = Path(__file__).with_name("mutants.json")
EQUAL = Path(__file__).with_name("equal_mutants.toml")
FOLDERS = ("sql/metrics", "sql/columns", "sql/steps", "sql/comparison", "sqlrank/statistics")
WHOLE = ("sql/metrics", "sql/columns")
"""The folders all of whose changes are tried, and that are to be noticed."""
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
        if token.type in (tokenize.OP, tokenize.NUMBER, tokenize.NAME) and before not in ("->", "import", "from", ":"):
            if token.string != "=" and (token.string != "*" or before not in ("(", ",")):
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
    asked: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def worth(self, test: str) -> float:
        """Notices a second, as if it had noticed one in one second before it was first asked."""
        return (self.noticed[test] + 1) / (self.seconds[test] + 1 + self.asked[test] / 2)


def noticed_by(mutant: Mutant, copy: Path, order: Order) -> str | None:
    """The test that fails with a change, or None where none does."""
    target = copy / mutant.path
    text = (ROOT / mutant.path).read_text(encoding="utf-8")
    target.write_text(text[: mutant.start] + mutant.new + text[mutant.start + len(mutant.old) :], encoding="utf-8")
    try:
        rest = sorted(reached_by([mutant.path]), key=order.worth, reverse=True)
        for asked in [*([test] for test in rest[:3]), *(rest[at : at + 12] for at in range(3, len(rest), 12))]:
            began = time.monotonic()
            found = failing(asked, copy)
            for test in asked:
                order.seconds[test] += (time.monotonic() - began) / len(asked)
                order.asked[test] += 1
            if found:
                order.noticed[found.partition("::")[0]] += 1
                return found
    finally:
        target.write_text(text, encoding="utf-8")
    return None


def failing(tests: list[str], copy: Path) -> str | None:
    """The first test of some files that fails."""
    command = [sys.executable, "-m", "pytest", "-n0", "-x", "--tb=no", "-rfE", "-p", "no:cacheprovider", *tests]
    settings = os.environ | {"PYTHONPATH": str(copy), "COLUMNS": "500"}
    try:
        done = subprocess.run(command, cwd=copy, env=settings, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"{tests[0]} (no end)"
    if done.returncode in (0, 5):
        return None
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return found[1] if found else f"{tests[0]} (no report)"


def tried(mutants: list[Mutant]) -> dict[Mutant, str | None]:
    """Who noticed each change, two at a time, each in a copy of the project of its own."""
    order, copies = Order(), SimpleQueue[Path]()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(os.cpu_count() or 1):
            copies.put(copied(Path(folder, str(number))))

        def ask(mutant: Mutant) -> str | None:
            copy = copies.get()
            found = noticed_by(mutant, copy, order)
            copies.put(copy)
            sys.stdout.write(f"{mutant.path}: {mutant.name}: {found or '!!! NOBODY'}\n")
            sys.stdout.flush()
            return found

        with ThreadPoolExecutor(copies.qsize()) as pool:
            return dict(zip(mutants, pool.map(ask, mutants), strict=True))


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


def keep(found: dict[Mutant, str | None], drawn: bool) -> None:
    """Write down what was found, by file."""
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    by_file: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in found:
        by_file[mutant.path].append(mutant)
    for path, mutants in by_file.items():
        record[path] = {
            "digest": digest(path),
            "possible": len(mutants_of(path)),
            "tried": len(mutants),
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
    chosen = parser.parse_args(arguments)
    named = [path for path in files(*chosen.paths) if path.endswith((".sql", ".py"))]
    mutants = [mutant for path in named for mutant in mutants_of(path)]
    known = equal()
    mutants = [mutant for mutant in mutants if (mutant.path, mutant.name) not in known]
    if chosen.draw:
        mutants = random.Random(chosen.seed).sample(mutants, min(chosen.draw, len(mutants)))
    found = tried(mutants)
    keep(found, bool(chosen.draw))
    unnoticed = [mutant for mutant, test in found.items() if test is None]
    for mutant in unnoticed:
        sys.stdout.write(f"unnoticed: {mutant.path}: {mutant.name}\n")
    share = 1 - len(unnoticed) / max(len(found), 1)
    sys.stdout.write(f"{len(found)} changes, {len(unnoticed)} unnoticed: {share:.1%} were noticed\n")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
