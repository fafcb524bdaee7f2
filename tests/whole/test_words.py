"""What the tool says is in standard terms and plain English: phrases of its former dialect do not come back."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.cli_helper import ROOT
from tests.support.tables import each

BANNED = {
    "next to, compared with, as well as": r"(?<![`{])\bbeside\b(?![`}:])(?! compares)",
    "appears twice": r"\bstands? twice\b",
    "randomized": r"\bdrawn by lot\b",
    "assumes": r"\b(?:takes?|taken) for granted\b",
    "expected, predicts": r"\blets? expect\b",
    "unjudged": r"\b(?:what|that) nobody (?:has )?judged\b",
    "look automated": r"\bbehaved? like no person\b",
    "the true value": r"\bholds the truth\b",
    "does not support": r"\bcannot bear\b",
    "the smallest detectable difference": r"\bso many (?:queries|users|units|\{\}) find\b",
    "expected X, found Y": r"\bwhere (?:\{\}|an? \w+|its \w+) (?:is|are) to be\b",
    "do not have, lack": r"\b(?:have|has) not (?:the|an?|got)\b",
    "sample ratio mismatch": r"\bsplit is (?:off|not the one planned|not as planned)\b",
}
"""Patterns of what is not said, by what is said in its place."""
OF = re.compile(r"(?:^|(?<=[a-z)][.;!?] )|(?<=\n\n))Of ")
"""A sentence that begins with "Of"."""
LONGEST = 35
"""How many words a sentence of a message has at most; what is in brackets is not counted."""
GAP = "{}"
"""What stands for a value in a message."""
DECLARED = {"option", "flag", "repeated"}
"""The calls that declare options, whose help the tests of the command line hold."""
APART = ("sqlrank/output/", "sqlrank/cli/options.py", "sqlrank/choices.py")
"""Modules whose docstrings are not held."""
SAID_IN_SQL = re.compile(r"(?:message|title|text|formula) = \"(.*)\"|\s*-- (.*)")
"""The lines of a template that people read: of its entry, and comments of the statement."""


class Said(NamedTuple):
    """A text that people read."""

    where: str
    text: str
    document: bool = False
    """Whether it is a docstring."""

    def __repr__(self) -> str:
        return f"{self.where}: {self.text.strip()[:100]!r}"


def literals(path: Path) -> Iterator[tuple[int, str, bool]]:
    """The texts of a module, with their line and whether they are docstrings; values in them are gaps."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts, documents = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(value) for value in node.values}
        elif isinstance(node, ast.Expr):
            documents.add(id(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DECLARED:
            parts |= {id(value) for value in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in parts:
            continue
        if isinstance(node, ast.JoinedStr):
            texts = (str(one.value) if isinstance(one, ast.Constant) else GAP for one in node.values)
            yield node.lineno, "".join(texts), False
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value, id(node) in documents


def texts_of(found: Any) -> Iterator[str]:
    """The keys and texts of a catalogue."""
    if isinstance(found, dict):
        for key, value in found.items():
            yield key
            yield from texts_of(value)
    elif isinstance(found, list):
        for value in found:
            yield from texts_of(value)
    elif isinstance(found, str):
        yield found


@cache
def every_text() -> list[Said]:
    """All that is said, but for names and lists of names."""
    found = []
    for path in sorted((ROOT / "sqlrank").rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        for line, text, document in literals(path):
            if not (document and where.startswith(APART)):
                found.append(Said(f"{where}:{line}", text, document))
    for path in sorted((ROOT / "sqlrank").rglob("*.toml")):
        texts = texts_of(tomllib.loads(path.read_text(encoding="utf-8")))
        found += [Said(path.relative_to(ROOT).as_posix(), text) for text in texts]
    for path in sorted((ROOT / "sql").rglob("*.sql")):
        for number, sentence in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if read := SAID_IN_SQL.match(sentence):
                found.append(Said(f"{path.relative_to(ROOT).as_posix()}:{number}", read[1] or read[2]))
    return [one for one in found if " " in one.text.strip() and not ("_" in one.text and is_list(one.text))]


def is_list(text: str) -> bool:
    """Whether a text is the names of columns, one after another."""
    return re.fullmatch(r"[\w *]+", text) is not None


def sentences(text: str) -> list[str]:
    """The sentences and clauses of a message, and the entries of a numbered list, without what is in brackets."""
    return re.split(r"[.;:!?](?= |$)|,(?= \d+ \w)", re.sub(r"\([^()]*\)", "", " ".join(text.split())))


@each(list(BANNED))
def test_words_of_the_former_dialect_are_not_said(instead: str) -> None:
    pattern = re.compile(BANNED[instead])
    assert not [one for one in every_text() if pattern.search(" ".join(one.text.split()))], f"say: {instead}"


def test_no_sentence_begins_with_of() -> None:
    assert not [one for one in every_text() if OF.search(one.text.strip())]


def test_sentences_of_messages_are_short() -> None:
    messages = [one for one in every_text() if ".py:" in one.where and not one.document and not is_list(one.text)]
    assert len(messages) > 2000
    said = [(one, sentence) for one in messages for sentence in sentences(one.text) if " the " in sentence]
    assert not [one for one, sentence in said if len(sentence.split()) > LONGEST]
