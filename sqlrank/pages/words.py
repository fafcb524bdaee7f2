"""The words of reports and charts in each language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

from sqlrank.choices import LANGUAGES
from sqlrank.errors import UsageError

FILE = Path(__file__).parent / "words.toml"


class Words:
    """The words of one language, by key; `{name}` in them is filled in by what is called with."""

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language, self.texts = language, texts

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key."""
        return self.texts[key].format(**values) if values else self.texts[key]

    def listed(self, names: Sequence[str]) -> str:
        """Names one after another."""
        return self.texts["comma"].join(names)


@cache
def words_of(language: str) -> Words:
    """The words of a language; UsageError if there are none."""
    if language not in LANGUAGES:
        raise UsageError(f"--lang {language} is not known (one of {', '.join(LANGUAGES)})")
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return Words(language, MappingProxyType({key: entry[language] for key, entry in entries.items()}))
