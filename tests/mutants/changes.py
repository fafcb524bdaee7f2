"""One changed token: what may be changed in a template or a module, and what it becomes."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from tests.affected import ROOT, files

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
