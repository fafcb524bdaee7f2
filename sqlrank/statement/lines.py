"""The lines of a statement, in which what stands between quotes is never divided, whatever it holds."""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

from sqlrank.dialects import Dialect

COMMENT = r"/\*(?:(?!/\*|\*/).)*\*/"
NESTED = rf"/\*(?:{COMMENT}|(?!/\*|\*/).)*\*/"
COMMENTS = [r"--[^\n]*", rf"/\*(?:{NESTED}|(?!/\*|\*/).)*\*/"]
JINJA = r"\{\{.*?\}\}"
"""A relation that dbt puts in."""
DOLLARS = r"(?<![\w$])\$(?P<tag>(?:[A-Za-z_]\w*)?)\$.*?\$(?P=tag)\$"
"""A text between dollars."""


@cache
def quoted(dialect: Dialect) -> str:
    """What a dialect reads as a comment, a text or a quoted name, as a pattern in which a dot is any character."""
    return "|".join([JINJA, DOLLARS, within_quotes(dialect)])


def within_quotes(dialect: Dialect) -> str:
    """The same without what holds another language or is between dollars; the pattern has no groups."""
    escaping, doubling = r"{0}(?:[^{0}\\]|\\.)*{0}", r"{0}[^{0}]*{0}"
    texts = [escaping.format("'")] if dialect.escapes_texts else [r"(?<![\w$])[eE]" + escaping.format("'")]
    escapes = {"`": dialect.escapes_names, '"': dialect.escapes_names or dialect.quote == "`"}
    names = [(escaping if escapes[sign] else doubling).format(sign) for sign in escapes]
    return "|".join([*COMMENTS, *texts, doubling.format("'"), *names])


def lines_of(text: str, dialect: Dialect) -> list[Markup]:
    """The lines of a statement; a text or a name with line breaks stays in one of them."""
    found, start = [], 0
    for match in re.finditer(rf"{quoted(dialect)}|(?P<end>\n)", text, re.DOTALL):
        if match["end"]:
            found.append(text[start : match.start()])
            start = match.end()
    return [Markup(line) for line in (*found, text[start:])]  # noqa: S704 parts of a statement


def indented(dialect: Dialect, text: str) -> Markup:
    """A statement with its lines but the first four further to the right."""
    first, *others = lines_of(text, dialect)
    return Markup("\n").join([first, *(Markup("    ") + line if line else line for line in others)])
