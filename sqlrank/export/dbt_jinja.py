"""What models say in dbt's Jinja: their relations, and which partition they are of. Everything else is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlrank.errors import UsageError
from sqlrank.statement.partitions import Batch, Looped
from sqlrank.statement.templates import sql_text

THIS = "{{ this }}"
"""The table that an incremental model adds to."""
PARTITION = "sqlrank_partition"
"""The variable that names the partition which is made again."""
TABLE = "{{ sqlrank_table }}"
"""The same in a model that says which partitions it is of, and in the test of its inputs."""
DAY = "'{{ dbt.escape_single_quotes(sqlrank_day[1:]) }}'"
"""The partition that a statement is of."""
ASKED = f'{{{{ var("{PARTITION}") }}}}'
IF_HELD, ELSE, ENDING = "{% if sqlrank_held and sqlrank_asked is none %}", "{% else %}", "{% endif %}"
IF_REMADE = f"{{% if is_incremental() and var('{PARTITION}', none) is not none %}}"
LOOPED = Looped(sql_text(DAY), sql_text(IF_HELD), sql_text(ELSE), sql_text(ENDING))
FIRST, LAST = "'{{ sqlrank_batch }}'", "'{{ sqlrank_last }}'"
GONE = ("'{{ sqlrank_gone[0] }}'", "'{{ sqlrank_gone[1] }}'")
INVOCATION = "'{{ invocation_id }}'"
BATCHED = replace(LOOPED, batch=Batch(*map(sql_text, (FIRST, LAST, *GONE, INVOCATION))))

OPENING = re.compile(r"\{[{%#]")
"""What begins an expression, a statement or a comment of Jinja."""
WORD = r"[A-Za-z0-9_][A-Za-z0-9_.$-]*"
CALL = re.compile(
    rf"""(?:\{{\{{\s*)?(ref|source)\(\s*(['"])({WORD})\2\s*(?:,\s*(['"])({WORD})\4\s*)?\)(?:\s*\}}\}})?""", re.ASCII
)
"""A call with one or two texts that hold nothing but a plain name."""
BARE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z_][A-Za-z0-9_]*))?", re.ASCII)
"""The name of a model, or those of a source and its table."""


@dataclass(frozen=True, slots=True)
class DbtRelation:
    """A relation of dbt."""

    function: str
    names: tuple[str, ...]
    whole: bool = False
    """Whether it keeps the rows of other days, which dbt leaves out of a batch where the relation has an event_time."""

    @property
    def expression(self) -> str:
        """It as a model says it."""
        called = self.call("'")
        return f"{{{{ {called}{'.render()' if self.whole else ''} }}}}"

    def call(self, quote: str) -> str:
        """It as a call, with these quotes."""
        names = ", ".join(f"{quote}{name}{quote}" for name in self.names)
        return f"{self.function}({names})"

    @property
    def word(self) -> str:
        """It as the command takes it, which a shell need not quote where the names are plain."""
        plain = BARE.fullmatch(".".join(self.names)) and len(self.names) == (2 if self.function == "source" else 1)
        return ".".join(self.names) if plain else self.call('"')


def dbt_relation(text: str, option: str, whole: bool = False) -> DbtRelation:
    """A relation by what the command line says: `runs`, `warehouse.runs`, `ref('runs')` or `source('x', 'runs')`.

    Raises:
        UsageError: it is none of these; `option` is what it was given for.
    """
    if found := BARE.fullmatch(text.strip()):
        return DbtRelation("source" if found[2] else "ref", tuple(filter(None, found.groups())), whole)
    called = CALL.fullmatch(text.strip())
    if called is None or (called[1] == "source" and not called[5]):
        raise UsageError(
            f"{option} {text}: is not a relation of dbt; name a model or seed as runs, a table of a source as"
            " warehouse.runs, or write ref('package', 'runs') or source('warehouse', 'runs')"
        )
    return DbtRelation(called[1], tuple(filter(None, (called[3], called[5]))), whole)


def said(relations: Iterable[str]) -> re.Pattern[str]:
    """What a model of these relations says in Jinja, as a pattern."""
    texts = {*relations, THIS, TABLE, DAY, ASKED, IF_HELD, ELSE, ENDING, FIRST, LAST, *GONE, INVOCATION}
    return re.compile("|".join(map(re.escape, sorted(texts, key=len, reverse=True))))


def escaped(text: str, relations: Iterable[str]) -> str:
    """The text of a model, of which dbt reads as Jinja what the model says, and nothing that a name or value holds."""
    pattern = re.compile(f"({said(relations).pattern})")
    parts = pattern.split(text)
    return "".join(part if number % 2 else OPENING.sub(r"{{ '\g<0>' }}", part) for number, part in enumerate(parts))
