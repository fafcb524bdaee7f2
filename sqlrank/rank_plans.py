"""How DuckDB finds the ranks: the cheapest of four plans that give the same ones, chosen by what was asked and found.

| plan   | what it does                                                  | chosen when                              |
|--------|---------------------------------------------------------------|------------------------------------------|
| top    | ranks only the documents that reach the last place that counts | every metric has a cutoff, well above the end of the rankings |
| count  | counts the better documents of each judged one                | few judged documents are found           |
| lists  | looks each judged document up in the sorted scores            | more of them, and the scores fit in memory |
| sort   | sorts all documents                                           | everything else                          |

What is counted and looked up are better scores; the ties of a judged document are broken only where it has some. The
limits below are crossovers measured with benchmarks/crossover.py on 2 cores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.observations import PLACE
from sqlrank.plan import Plan
from sqlrank.statements import policies, row_limit
from sqlrank.templates import render, sql_text

RANKINGS_LONGER_THAN_LIMIT = 2
"""Top: how many times longer than the part that counts the rankings are on average, at least."""
LARGEST_HEAP = 21
"""Up to how many scores of a ranking are kept in a heap rather than cut from a sorted list."""
COMPARISONS_PER_DOCUMENT = 6
"""Count: how many judged documents each document is compared with on average, at most."""
LOOKUPS_PER_DOCUMENT = 100
"""Lists: the same, for numbers that are passed in a sorted list."""
BYTES_PER_SCORE = 32
"""What a score takes while lists of them are built and sorted."""
SHARE_OF_MEMORY = 0.5
"""How much of the memory limit such lists may take."""


@dataclass(frozen=True)
class RankPlan:
    """The plan that was chosen."""

    name: str
    reason: str
    statements: tuple[str, ...] = ()
    """What ran before the statement that gives a row per query, which reads the tables that they make."""
    context: Mapping[str, Any] = field(default_factory=dict)
    """What the templates of that statement need to know of it."""
    documents: Any = None
    """The relation of the documents that can change a number, where these are not all."""


class Planner:
    """Chooses a plan and makes the tables that it reads.

    Args:
        engine: what runs them.
        inputs: the relations and columns, as the templates read them.
        needs: what the measures need of the observations.
        conventions: how a ranking is formed.
    """

    def __init__(
        self, engine: DuckDBEngine, inputs: dict[str, Any], needs: Plan, conventions: Conventions
    ) -> None:
        self.engine, self.needs, self.conventions = engine, needs, conventions
        self.labelled: bool = inputs["labelled"]
        tables = ("cut_scores", "first_documents", "hits", "placed", "tied_hits")
        self.names = {table: engine.name(table) for table in tables}
        self.policies = policies(inputs, needs)
        self.limit = row_limit(needs.deepest(), conventions, needs.diagnostics)
        self.context = inputs | conventions.shown() | self.policies | {"names": self.names, "limit": self.limit}
        self.context |= {"judged_only": not self.labelled}
        self.statements: list[str] = []

    def choose(self) -> RankPlan:
        """The plan, with its tables made."""
        if reason := self.without_choice():
            return RankPlan("sort", reason)
        self.rankings, self.documents = self.numbers("plans/survey.sql")
        for plan in PLANS:
            if (chosen := plan(self)) is not None:
                return chosen
        return RankPlan("sort", "no other plan promises to be faster")

    def without_choice(self) -> str | None:
        """Why every document must be ranked with all others, if so."""
        if self.conventions.needs_judgments:
            return "the order depends on judgments or copies"
        if self.needs.ranks_all or self.needs.rare() - {PLACE} or self.conventions.ties == "average":
            return "a metric reads documents without judgment"
        return None

    def top(self) -> RankPlan | None:
        """Rank only the documents that reach the last place that counts."""
        if self.limit is None or self.documents < RANKINGS_LONGER_THAN_LIMIT * self.limit * self.rankings:
            return None
        heap = self.limit <= LARGEST_HEAP
        kept = self.rankings * self.limit if heap else self.documents
        if not self.fits(kept):
            return None
        self.make("cut_scores", by_heap=heap)
        self.make("first_documents")
        relation = sql_text(self.engine.dialect.ident(self.names["first_documents"]))
        context = {"attach": False, "carries": self.labelled and not self.policies["pooled"], "candidates": relation}
        reason = f"no metric looks below place {self.limit}, and rankings have {self.documents // self.rankings}"
        return RankPlan("top", f"{reason} documents on average", tuple(self.statements), context, relation)

    def count(self) -> RankPlan | None:
        """Count the better documents of each judged one."""
        if not self.finds_hits():
            return None
        if self.comparisons > COMPARISONS_PER_DOCUMENT * self.documents:
            return None
        return self.placed("counted", "count", "few judged documents were found")

    def lists(self) -> RankPlan | None:
        """Look each judged document up in the sorted scores of its ranking."""
        if not self.finds_hits() or not self.fits(self.documents):
            return None
        if self.comparisons > LOOKUPS_PER_DOCUMENT * self.documents:
            return None
        return self.placed("listed", "lists", "many judged documents were found, and the scores fit in memory")

    def finds_hits(self) -> bool:
        """Whether the judged documents that were found decide the ranks; they are in a table then."""
        if self.labelled or self.conventions.ties not in ("doc-desc", "doc-asc", "error"):
            return False
        if not self.statements:
            self.make("hits")
            self.comparisons = self.numbers("plans/comparisons.sql")[0]
        return True

    def placed(self, template: str, name: str, reason: str) -> RankPlan:
        """The plan that knows the place of each judged document, with ties broken where it has some."""
        self.make("placed", template)
        self.make("tied_hits")
        share = f"{self.comparisons / max(self.documents, 1):.1f} comparisons for each document"
        context = {"ranking": "hits", "names": self.names, "attach": False, "carries": True}
        return RankPlan(name, f"{reason} ({share})", tuple(self.statements), context)

    def fits(self, scores: int) -> bool:
        """Whether lists of so many scores fit in memory."""
        return scores * BYTES_PER_SCORE <= SHARE_OF_MEMORY * self.engine.memory_limit

    def make(self, table: str, template: str | None = None, **context: Any) -> None:
        """Make one of the tables, and keep the statement."""
        sql = render(f"plans/{template or table}.sql", self.engine.dialect, **self.context, **context)
        self.engine.make("table", self.names[table], sql, doing="ranking")
        self.statements.append(sql)

    def numbers(self, template: str) -> list[int]:
        """The whole numbers that a statement gives."""
        row = self.engine.execute(render(template, self.engine.dialect, **self.context), doing="ranking")[0]
        return [int(number) for number in row]


PLANS: tuple[Callable[[Planner], RankPlan | None], ...] = (Planner.top, Planner.count, Planner.lists)
"""In the order in which they are considered."""
