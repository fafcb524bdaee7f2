"""How DuckDB computes ranks: the cheapest of five plans, all of which give the same ranks.

| plan    | what it does                                           | chosen when                                 |
|---------|--------------------------------------------------------|---------------------------------------------|
| top     | looks only at the documents that reach the last place  | every metric has a cutoff, and the rankings |
|         | that counts                                            | go on well beyond it                        |
| count   | counts the better documents of each judged one         | few judged documents are found              |
| lists   | looks each judged document up in the sorted scores     | more are found, but no more than a fifth of |
|         |                                                        | all, and the scores fit in memory           |
| buckets | counts the better documents of about the score of each | the same in long rankings, and scores are   |
|         | judged one, and those of better scores by ranges       | spread over their range                     |
| sort    | sorts all documents                                    | everything else, and where they are few     |

All but the last find how many scores are better, and break the ties of a judged document only where it has some. The
limits below are crossovers measured on 2 cores, written down in docs/explanation/ranks.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.engines.protocol import Engine
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.columns import PLACE
from sqlrank.statement.form_variables import context_of
from sqlrank.statement.forms import form_of
from sqlrank.statement.relations import Relations
from sqlrank.statement.statement_facts import Facts
from sqlrank.statement.templates import render, sql_text

FEW_DOCUMENTS = 300_000
"""Up to how many documents are sorted without a look at what else might do."""
FEW_WITH_CUTOFFS = 150_000
"""The same where every metric has a cutoff."""
RANKINGS_LONGER_THAN_LIMIT = 2
"""Top: how many times longer than the part that counts the rankings are on average, at least."""
LARGEST_HEAP = 101
"""Up to how many scores of a ranking are kept in a heap rather than sorted as a list."""
COMPARISONS_PER_DOCUMENT = 6
"""Count: how many judged documents each document is compared with on average, at most."""
LOOKUPS_PER_DOCUMENT = 100
"""Lists: the same, for numbers that are passed in a sorted list."""
MOST_JUDGED = 0.4
"""Above this share of judgments to documents, a sample is looked up first: most of them may be found."""
SAMPLED_DOCUMENTS = 50_000
"""How many documents are looked up then."""
MOST_FOUND = 0.2
"""Lists: which share of the documents is judged and counts, at most."""
MOST_IN_BUCKETS = 0.1
"""Buckets: the same."""
JUDGED_SHARE = 0.75
"""Below this share, documents of queries without judgments are left out before anything is sorted."""


@dataclass(frozen=True)
class RankPlan:
    """The plan that was chosen."""

    name: str
    reason: str
    statements: tuple[str, ...] = ()
    """The statements that made the tables that the per-query statement reads."""
    tables: tuple[str, ...] = ()
    """These tables."""
    context: Mapping[str, Any] = field(default_factory=dict)
    """Variables of the templates of that statement."""
    documents: Any = None
    """The relation of the documents that can change a number, where these are not all."""
    part: Mapping[str, int] = field(default_factory=lambda: {"part": 0, "parts": 1})
    """Which part of the queries was ranked, of how many."""
    length: int = 0
    """How many documents the ranking of one has on average, where they were counted."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """What statements that run need not find out again: `rankings`, the table of the rankings and their lengths,
    `checked`, whether every score and judgment is known to be there, and `reach`, the worst score that any of the first
    documents has."""


class Planner:
    """Chooses a plan and makes its tables; `checked` says that every score and judgment is known to be there."""

    def __init__(
        self,
        engine: Engine,
        inputs: Relations,
        needs: ColumnPlan,
        conventions: Conventions,
        documents: Callable[[], int],
        part: tuple[int, int] = (0, 1),
        checked: bool = False,
    ) -> None:
        self.count_documents = documents
        self.engine, self.needs, self.conventions = engine, needs, conventions
        self.labelled, self.without_judgments = inputs.labelled, inputs.without_judgments
        tables = ("rankings", "first_scores", "first_documents", "hits", "buckets", "placed", "tied_hits")
        self.names = {table: engine.name(table) for table in tables}
        given = Facts(engine.dialect, inputs, needs)
        self.limit = given.limit
        self.context = context_of(given, form_of(given))
        self.context |= {"names": self.names, "documents": sql_text("run_rows")}
        self.part = {"part": part[0], "parts": part[1]}
        self.context |= {"positive_only": needs.positive_only} | self.part
        self.known: dict[str, Any] = {"checked": checked}
        self.length = 0
        self.made: dict[str, str] = {}
        """The statements that made the tables that are there, by their names."""

    def choose(self) -> RankPlan:
        """The plan, with its tables made."""
        reason = self.without_choice()
        if reason is None:
            self.make("rankings")
            self.known["rankings"] = self.names["rankings"]
            found = map(int, self.numbers("plans/survey.sql"))
            self.rankings, self.documents, judged, self.length, self.longest, self.to_count = found
            self.context["judged_only"] = judged < JUDGED_SHARE * self.documents
            for plan in PLANS if self.documents else ():
                if (chosen := plan(self)) is not None:
                    return chosen
            self.clear(but=self.names["rankings"])
        return self.plan("sort", reason or "no other plan promises to be faster")

    def plan(self, name: str, reason: str, **found: Any) -> RankPlan:
        """A plan, with what was made for it."""
        made = tuple(self.made.values())
        known, part = self.known, self.part
        return RankPlan(name, reason, made, tuple(self.made), part=part, length=self.length, known=known, **found)

    def without_choice(self) -> str | None:
        """Why every document must be ranked with all others, if so."""
        if self.engine.always_sorts is not None:
            return self.engine.always_sorts
        if self.conventions.needs_judgments or self.conventions.ties not in ("doc-desc", "doc-asc", "error"):
            return "the order depends on more than scores and ids"
        if self.conventions.order == "rank":
            return "the ranks are given"
        if self.count_documents() <= (FEW_DOCUMENTS if self.limit is None else min(FEW_DOCUMENTS, FEW_WITH_CUTOFFS)):
            return "the documents are few"
        if self.without_judgments:
            return "nothing was judged"
        if self.needs.ranks_all or self.needs.rare() - {PLACE}:
            return "a metric reads documents without judgment"
        if self.needs.weighing:
            return "a metric weighs each document by its id"
        return None

    def top(self) -> RankPlan | None:
        """Rank only the documents that reach the last place that counts."""
        if self.limit is None or self.documents < RANKINGS_LONGER_THAN_LIMIT * self.limit * self.rankings:
            return None
        heap = self.limit <= LARGEST_HEAP
        if not self.engine.holds(self.rankings * self.limit if heap else self.documents):
            return None
        self.make("first_scores", by_heap=heap)
        (reach,) = self.numbers("plans/reach.sql")
        # As text, so that nothing is lost between a number and its literal; none where no query was judged.
        self.known["reach"] = None if reach is None else repr(reach)
        self.make("first_documents")
        self.context["documents"] = sql_text(self.engine.dialect.ident(self.names["first_documents"]))
        self.make("hits")
        reason = f"nothing below place {self.limit} matters, and rankings have {self.documents / self.rankings:.0f}"
        return self.placed("listed", "top", f"{reason} documents on average")

    def count(self) -> RankPlan | None:
        """Count the better documents of each judged one."""
        if self.crowded:
            return None
        if self.comparisons > COMPARISONS_PER_DOCUMENT * self.documents:
            return None
        return self.placed("counted", "count", f"few judged documents were found ({self.share})")

    def lists(self) -> RankPlan | None:
        """Look each judged document up in the sorted scores of its ranking."""
        if self.crowded or self.hits > MOST_FOUND * self.documents:
            return None
        if self.comparisons > LOOKUPS_PER_DOCUMENT * self.documents:
            return None
        if not self.engine.holds(self.documents):
            return None
        return self.placed("listed", "lists", f"many judged documents were found ({self.share})")

    def buckets(self) -> RankPlan | None:
        """Count the better documents of each judged one among those of about its score, and the others by ranges."""
        if self.crowded or self.hits > MOST_IN_BUCKETS * self.documents:
            return None
        if self.comparisons < LOOKUPS_PER_DOCUMENT * self.documents:
            return None
        worst, best = self.numbers("plans/extent.sql")
        if not 0 < best - worst < math.inf:
            return None
        ranges = -(-self.comparisons // self.documents)
        self.context |= {"worst": worst, "span": best - worst, "ranges": ranges}
        self.make("buckets")
        (comparisons,) = self.numbers("plans/compared.sql")
        if comparisons > COMPARISONS_PER_DOCUMENT * self.documents:
            return None
        return self.placed("counted", "buckets", f"many were found in long rankings ({self.share})")

    @cached_property
    def crowded(self) -> bool:
        """Whether so many documents are judged and count that all are sorted; too small a sample says little."""
        if self.labelled:
            return self.to_count > MOST_FOUND * self.documents
        if self.to_count <= MOST_JUDGED * self.documents:
            return False
        parts = self.part["parts"] * max(self.documents // SAMPLED_DOCUMENTS, 1)
        documents, hits = map(int, self.numbers("plans/sample.sql", parts=parts))
        share = hits / max(documents, SAMPLED_DOCUMENTS / 2)
        return share > MOST_FOUND or share * self.documents / self.rankings > LOOKUPS_PER_DOCUMENT

    @cached_property
    def found(self) -> tuple[int, int]:
        """With how many documents all judged documents that were found share a ranking, and how many these are.

        They are in a table then.
        """
        self.make("hits")
        comparisons, hits = map(int, self.numbers("plans/comparisons.sql"))
        return comparisons, hits

    @property
    def comparisons(self) -> int:
        """With how many documents all judged documents that were found share a ranking."""
        return self.found[0]

    @property
    def hits(self) -> int:
        """How many judged documents were found."""
        return self.found[1]

    @property
    def share(self) -> str:
        """The number of comparisons, in words."""
        return f"{self.comparisons / self.documents:.1f} in the ranking of a document, on average"

    def placed(self, template: str, name: str, reason: str) -> RankPlan:
        """The plan that knows the place of each judged document, with ties broken where it has some."""
        by_bucket = name == "buckets"
        self.make("placed", template, by_bucket=by_bucket, by_heap=self.longest <= LARGEST_HEAP, longest=self.longest)
        self.make("tied_hits")
        first = self.context["documents"] if name == "top" else None
        return self.plan(name, reason, context={"names": self.names}, documents=first)

    def make(self, table: str, template: str | None = None, **context: Any) -> None:
        """Make one of the tables, of this part of the queries, and keep the statement that does."""
        sql = render(f"plans/{template or table}.sql", self.engine.dialect, **self.context | self.known | context)
        self.engine.make("table", self.names[table], sql, doing="ranking")
        self.made[self.names[table]] = sql

    def clear(self, but: str | None = None) -> None:
        """Drop the tables but one that is still read, so that those of another part can be made."""
        for name in [made for made in self.made if made != but]:
            self.engine.drop("table", name)
            del self.made[name]

    def numbers(self, template: str, **context: Any) -> list[Any]:
        """The numbers that a statement gives."""
        sql = render(template, self.engine.dialect, **self.context | context)
        return list(self.engine.execute(sql, doing="ranking")[0])


PLANS: tuple[Callable[[Planner], RankPlan | None], ...] = (Planner.top, Planner.count, Planner.lists, Planner.buckets)
"""In the order in which they are considered."""
