"""How interleaved lists are made, and their clicks credited: each is one file of sql/interleaving/designs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlrank.errors import no_such_word
from sqlrank.spelling import spelt
from sqlrank.sql_files import Entries, read_entry, sql_folder


@dataclass(frozen=True, slots=True)
class Design:
    """One file of sql/interleaving/designs."""

    name: str
    title: str
    needs: tuple[str, ...]
    """The columns of a log that it reads, in addition to those that every log has."""
    credits: tuple[str, ...]
    """How clicks may be credited; the first one unless told."""
    citation: str = ""
    doi: str = ""

    @property
    def drafted(self) -> bool:
        """Whether each document is the pick of one ranker, and the log says of which."""
        return "team" in self.needs


@cache
def every_design() -> Entries[Design]:
    """The designs by name."""
    return Entries(sorted((sql_folder() / "interleaving" / "designs").glob("*.sql")), read_design)


def read_design(path: Path) -> Design:
    """The design in one file."""
    entry = read_entry(path)
    return Design(path.stem, **entry | {name: tuple(entry[name]) for name in ("needs", "credits")})


def design_of(name: str) -> Design:
    """The design of a name as it is typed, `team-draft` or `team_draft`; UsageError if there is none."""
    known = {each.replace("_", "-"): each for each in every_design()}
    if name.replace("_", "-") not in known:
        raise no_such_word(spelt("design", name), name, list(known))
    return every_design()[known[name.replace("_", "-")]]
