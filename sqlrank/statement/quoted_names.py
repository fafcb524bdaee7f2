"""Names that an engine reserves, quoted where the templates write them; loaded by Jinja where there are some."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import TOKEN_DATA, Token, TokenStream


class QuotedNames(Extension):
    """Quotes the names that the templates write as they are and the engine reserves; comments stay as they are."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The tokens of a template, with these names quoted in its text."""
        names = "|".join(sorted(self.environment.quoted))  # type: ignore[attr-defined]
        for token in stream:
            if token.type == TOKEN_DATA:
                token = Token(token.lineno, token.type, re.sub(rf"--[^\n]*|\b({names})\b", self.quoted, token.value))
            yield token

    def quoted(self, found: re.Match[str]) -> str:
        """A name between the quotes of the dialect; a comment as it is."""
        quote = self.environment.quote  # type: ignore[attr-defined]
        return f"{quote}{found[1]}{quote}" if found[1] else found[0]
