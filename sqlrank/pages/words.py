"""The words of reports and charts in each language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sqlrank.choices import LANGUAGES
from sqlrank.errors import no_such_word
from sqlrank.pages.tables import ends
from sqlrank.spelling import spelt

FILE = Path(__file__).parent / "words.toml"
SENTENCES = Path(__file__).parent / "sentences.toml"
GAP = re.compile(r"\\?\{(\w+)\\?\}")
"""What stands for any text in a sentence, escaped or not."""


class Words:
    """The words of one language, by key; `{name}` in them is filled in by what is called with."""

    def __init__(self, language: str) -> None:
        self.language = language

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The texts by key, which are read when the first is asked for."""
        return MappingProxyType({key: entry[self.language] for key, entry in entries().items()})

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key."""
        return self.texts[key].format(**values) if values else self.texts[key]

    def said(self, text: str) -> str:
        """A note or a remark in this language, clause by clause; as it is where nobody translated it."""
        if self.language == "en":
            return text
        whole = self.clause(text)
        return whole if whole != text else self.texts["semicolon"].join(map(self.clause, text.split("; ")))

    def clause(self, text: str, inside: bool = False) -> str:
        """One clause with what stands in it; `inside`: what stands in another one."""
        for pattern, translated in sentences(inside):
            if found := pattern.fullmatch(text):
                return translated.format(**{name: self.clause(part, True) for name, part in found.groupdict().items()})
        return text

    def listed(self, names: Sequence[str]) -> str:
        """Names one after another."""
        return self.texts["comma"].join(names)

    def ends(self, row: Mapping[str, Any], digits: int, sign: str = "") -> str:
        """The ends of an interval; a `sign` of + is shown too, as differences have it."""
        return ends(row, digits, sign, self.texts["range"])


@cache
def entries() -> dict[str, dict[str, str]]:
    """The texts of all languages."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def sentences(inside: bool) -> list[tuple[re.Pattern[str], str]]:
    """The Chinese text of each English one, whose `{name}` stand for any text; the longest ones first.

    `inside`: also of those that only stand in others.
    """
    tables = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
    found = tables["sentences"] | (tables["parts"] if inside else {})
    order = sorted(found.items(), key=lambda pair: -len(GAP.sub("", pair[0])))
    return [(re.compile(GAP.sub(r"(?P<\1>[^;]+?)", re.escape(text))), translated) for text, translated in order]


@cache
def words_of(language: str) -> Words:
    """The words of a language; UsageError if there are none."""
    if language not in LANGUAGES:
        raise no_such_word(spelt("lang", language), language, LANGUAGES)
    return Words(language)


ENGLISH = words_of("en")
