"""The form of a statement: which steps make it, in their order, and what its rows are made of.

| form         | its rows are made of                              | where                                             |
|--------------|---------------------------------------------------|---------------------------------------------------|
| ranking      | the ranked documents, which carry their judgments | one labelled export gives every value by itself   |
| judgments    | the judgments beside the ranks                    | nothing that stands above a document is read      |
| united       | both, numbered by one sort                        | the same, on engines that shuffle                 |
| judged       | the judged queries beside the documents found     | something is, or rows carry segments and weights  |
| queries      | the queries that are averaged, likewise           | there are several systems, copies, other queries  |
| observations | rows of several kinds below one another           | a metric reads other rows, or queries are counted |

A step never asks for the form: where two forms differ, they have steps of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.dialects import Dialect
from sqlrank.statement.column_plan import ColumnPlan, shallowest
from sqlrank.statement.columns import inputs_of
from sqlrank.statement.relations import Relations

RANKING, JUDGMENTS, UNITED, JUDGED, QUERIES, OBSERVATIONS = (
    "ranking judgments united judged queries observations".split()
)

OF_ROWS = (RANKING, JUDGMENTS, UNITED)
"""The forms that sum over the rows of a query what others count in a step of their own."""
OF_JUDGMENTS = (JUDGMENTS, UNITED)
"""Those whose rows are judged documents, with a rank where they were found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form, with its steps."""

    name: str
    documents: tuple[str, ...]
    """The steps that give the judgments and the ranks."""
    queries: tuple[str, ...] = ()
    """Those that give the queries."""
    metrics: tuple[str, ...] = ()
    """Those that give what metrics read."""
    rows: str
    """The step that the rows of the queries are made of."""
    source: str
    """The file that says how others stand beside it."""
    counted: str | None = None
    """Which documents found can change a number: the condition on their relevance."""
    last_found: int | None = None
    """The last rank that can; None for all."""

    @property
    def steps(self) -> list[str]:
        """The files of all steps."""
        return files_of((*self.documents, *self.queries, *self.metrics))


@dataclass(frozen=True, slots=True)
class Needs:
    """What decides the form: the engine, the inputs, and the columns."""

    dialect: Dialect
    inputs: Relations
    plan: ColumnPlan
    reads_relevance: bool = False
    """Whether a metric of whole systems reads the judgment of each document."""
    ranked: bool = False
    """Whether tables that are there already hold the ranks."""
    rankings: str | None = None
    """The table that holds the queries with results, where there is one."""
    parts: int = 1
    """Of how many parts of the queries it gives one."""

    @property
    def conventions(self) -> Conventions:
        """How a ranking is formed and what counts."""
        return self.plan.conventions

    @property
    def pooled(self) -> bool:
        """Whether several rows may judge one document."""
        labelled, conventions = self.inputs.labelled, self.conventions
        pooled = conventions.judgments != "error" or "subtopic" in inputs_of(self.plan.measures)
        return pooled or (labelled and (self.inputs.several or conventions.duplicates != "error"))

    @property
    def attach(self) -> bool:
        """Whether documents have their judgments before they are ranked."""
        if self.ranked:
            return False
        if self.inputs.labelled:
            return self.pooled
        return self.conventions.needs_judgments or self.plan.ranks_all or self.reads_relevance

    @property
    def carries(self) -> bool:
        """Whether the ranked documents have them."""
        return self.ranked or ((self.attach or self.inputs.labelled) and not self.inputs.without_judgments)

    @property
    def averaged(self) -> bool:
        """Whether ties are averaged."""
        return self.conventions.ties == "average"

    @property
    def reads_returned(self) -> bool:
        """Whether something reads how many documents a query has."""
        return not self.plan.measures or any(kind == "retrieved" for kind, _ in self.plan.wanted.values())

    @property
    def reads_found(self) -> bool:
        """Whether something reads which queries have results: a segment is named for those that have none."""
        carried = any(column.found or not column.is_number for column in self.inputs.carried_columns)
        return self.reads_returned or carried or self.conventions.query_set != "judged"

    @property
    def limit(self) -> int | None:
        """The last rank that matters: one below the largest cutoff where ties across it are counted."""
        return row_limit(self.plan.deepest(), self.conventions, self.plan.diagnostics)

    @property
    def as_they_are(self) -> bool:
        """Whether the relations can be ranked without a look at copies, labels of others or 32-bit numbers."""
        looking = self.conventions.needs_judgments or self.averaged
        odd = self.attach or self.ranked or self.inputs.without_judgments or looking
        return not odd and (self.conventions.duplicates, self.conventions.score_type) == ("error", "double")

    @property
    def alone(self) -> bool:
        """Whether the rows of a run and of judgments give the values, without a step of the queries."""
        simple = self.conventions.query_set == "judged" and not self.inputs.several and self.plan.in_one_step
        looking = self.conventions.depth is not None or self.inputs.carried_columns
        return self.as_they_are and simple and not (self.inputs.labelled and looking)


def form_of(needs: Needs) -> Form:
    """The form of a statement."""
    plan, inputs = needs.plan, needs.inputs
    if not plan.measures or not (needs.alone or plan.of_documents_found) or inputs.without_judgments:
        return observations(needs)
    if not needs.alone:
        return of_queries(needs)
    if inputs.labelled:
        return of_ranking(needs)
    if inputs.carried_columns or ("scored" in plan.steps and not united(needs)):
        return of_judged(needs)
    return of_united(needs) if united(needs) else of_judgments(needs)


def united(needs: Needs) -> bool:
    """Whether one sort of run and judgments is cheaper than joining them."""
    return needs.dialect.shuffles and not needs.pooled


def of_ranking(needs: Needs) -> Form:
    """A labelled export whose rows give the values by themselves."""
    plan, scored = needs.plan, "scored" in needs.plan.steps
    judged = plan.ideals() or plan.switches["scaled"]
    return Form(
        name=RANKING,
        documents=chosen(("ranked_in_relation", True), ("judged_in_relation", judged)),
        metrics=chosen(("scale", plan.switches["scaled"]), ("scored_in_ranking", scored), ("ideals", plan.ideals())),
        rows="scored" if scored else "ranked",
        source="ranked",
        counted="is not null",
    )


def of_judgments(needs: Needs) -> Form:
    """Judgments beside the ranks of their documents."""
    scale = ("scale", needs.plan.switches["scaled"])
    return Form(
        name=JUDGMENTS,
        documents=("ranked_in_relation", "judged"),
        metrics=chosen(scale, ("ideals", needs.plan.ideals())),
        rows="judged",
        source="judged",
    )


def of_united(needs: Needs) -> Form:
    """The documents of run and judgments in one sort."""
    scored = "scored" in needs.plan.steps
    return Form(
        name=UNITED,
        documents=chosen(("ranked_in_relation", needs.limit), ("united", True)),
        metrics=chosen(("scale", needs.plan.switches["scaled"]), ("scored_in_judgments", scored)),
        rows="scored" if scored else "judged",
        source="rows",
    )


def of_judged(needs: Needs) -> Form:
    """Judged queries beside the documents found."""
    plan = needs.plan
    return Form(
        name=JUDGED,
        documents=("ranked_in_relation", "judged"),
        queries=chosen(("judged_queries", True), ("found_queries_in_relation", needs.reads_found)),
        metrics=chosen(("scale", plan.switches["scaled"]), ("scored", True), ("ideals", plan.ideals())),
        rows="judged_queries",
        source="judged_queries",
        counted="> 0" if plan.positive_only else None,
        last_found=needs.limit,
    )


def of_queries(needs: Needs) -> Form:
    """The queries that are averaged beside the documents found."""
    plan, in_relation = needs.plan, needs.as_they_are and not needs.inputs.labelled
    scored = "scored_in_ranking" if needs.carries else "scored"
    before = (("scale", plan.switches["scaled"]), ("averaged", needs.averaged))
    positive = plan.positive_only and not needs.averaged
    return Form(
        name=QUERIES,
        documents=("ranked_in_relation", "judged") if in_relation else documents(needs),
        queries=queries(needs, in_relation),
        metrics=chosen(*before, (scored, True), ("digits", plan.switches["numbered"]), ("ideals", plan.ideals())),
        rows="query_rows",
        source="queries",
        counted="> 0" if positive else "is not null" if needs.carries and not needs.averaged else None,
        last_found=needs.limit,
    )


def observations(needs: Needs) -> Form:
    """Rows of every kind that is read, below one another."""
    plan, switches, inputs = needs.plan, needs.plan.switches, needs.inputs
    judged = not inputs.without_judgments
    found = "scored_in_ranking" if needs.carries else "scored"
    positive = plan.diagnostics and plan.positive_only
    counted = "> 0" if positive else "is not null" if needs.carries else None
    places, showing = plan.depths()["places"], plan.depths()["showing"]
    steps = (
        ("scale", switches["scaled"]),
        ("averaged", needs.averaged and judged),
        (found, judged),
        ("digits", switches["numbered"]),
        ("ideals", plan.ideals()),
        ("place_numbers", places),
        ("graded", places and "graded" in plan.steps),
        ("place_rows", places),
        ("viewed_places", "viewed_places" in plan.steps),
        ("covered_subtopics", "covered_subtopics" in plan.steps),
        ("subtopic_rows", "covered_subtopics" in plan.steps),
        ("greedy_rankings", plan.groups["covered_novelties"]),
        ("cover_rows", switches["covering"]),
        ("score_groups", "score_groups" in plan.steps),
        ("group_rows", "score_groups" in plan.steps),
        ("graded_groups", "pair_rows" in plan.steps),
        ("pair_rows", "pair_rows" in plan.steps),
        ("history", showing and inputs.history),
        ("baseline", showing and inputs.baseline),
        ("shown_rows", showing),
        ("agreed", switches["agreeing"]),
        ("cumulated", switches["cumulating"]),
        ("observations", True),
    )
    return Form(
        name=OBSERVATIONS,
        documents=documents(needs),
        queries=queries(needs),
        metrics=chosen(*steps),
        rows="observations",
        source="rows",
        counted=None if needs.averaged else counted,
        last_found=needs.limit,
    )


def documents(needs: Needs) -> tuple[str, ...]:
    """The steps that read the rankings and their judgments, and give every document its rank."""
    conventions, judged = needs.conventions, not needs.inputs.without_judgments
    if needs.ranked:
        return ("run", judged_step(needs), "ranked_hits")
    return chosen(
        ("run", True),
        (judged_step(needs), judged),
        ("copies", conventions.duplicates != "error"),
        ("candidates" if judged else "candidates_alone", needs.attach),
        ("returned_ranks", conventions.unjudged == "remove"),
        ("ranked", True),
    )


def judged_step(needs: Needs) -> str:
    """The step of the judgments."""
    if not needs.inputs.labelled:
        return "judged"
    return "judged_of_systems" if needs.pooled else "judged_in_run"


def queries(needs: Needs, in_relation: bool = False) -> tuple[str, ...]:
    """The steps that give the queries that are averaged; `in_relation` where no step holds the rows of the run."""
    conventions, steps = needs.conventions, needs.plan.steps
    every_system = needs.inputs.several and conventions.query_set == "judged"
    found = "found_queries_known" if needs.rankings else "found_queries"
    return chosen(
        ("judged_queries", not needs.inputs.without_judgments),
        ("judged_subtopics", needs.plan.switches["subtopics"]),
        ("subtopic_totals", "subtopic_totals" in steps),
        ("query_subtopics", "query_subtopics" in steps),
        ("found_queries_in_relation" if in_relation else found, needs.reads_found),
        ("kept_queries", needs.reads_returned and conventions.unjudged == "remove"),
        ("systems_in_relation" if in_relation or needs.parts > 1 else "systems", every_system),
        ("query_rows", True),
    )


def query_source(needs: Needs) -> str:
    """The file that says which queries are averaged."""
    query_set = needs.conventions.query_set
    if query_set == "judged":
        beside = "found" if needs.reads_found else "alone"
        return f"judged_{beside}{'_for_systems' if needs.inputs.several else ''}"
    if needs.inputs.without_judgments:
        return "found_alone"
    return "shared" if query_set == "shared" else "found"


def chosen(*steps: tuple[str, Any]) -> tuple[str, ...]:
    """The steps that there are, of all that there may be."""
    return tuple(step for step, there in steps if there)


def row_limit(deepest: int | None, conventions: Conventions, diagnostics: bool) -> int | None:
    """The last rank that matters: one below the largest cutoff where ties across it are counted."""
    limits = [conventions.depth if conventions.unjudged != "remove" else None]
    if deepest is not None:
        limits.append(max(deepest + 1 if diagnostics else deepest, 1))
    return shallowest(limits)


def files_of(steps: Iterable[str]) -> list[str]:
    """The files of some steps."""
    return [f"steps/{step}.sql" for step in steps]
