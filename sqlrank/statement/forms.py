"""The form of a statement: which steps make it, in their order, and what its rows are made of.

| form         | its rows are made of                              | where                                             |
|--------------|---------------------------------------------------|---------------------------------------------------|
| ranking      | the ranked documents, which carry their judgments | one labelled export gives every value by itself   |
| judgments    | the judgments joined to the ranks                 | nothing that stands above a document is read      |
| united       | both, numbered by one sort                        | the same, on engines that shuffle                 |
| judged       | the judged queries joined to the documents found  | something is, or rows carry segments and weights  |
| queries      | the queries that are averaged, likewise           | there are several systems, copies, other queries  |
| observations | rows of several kinds below one another           | a metric reads other rows, or queries are counted |

A step never asks for the form: where two forms differ, they have steps of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlrank.statement.statement_facts import Facts, measures_by_place

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
    """The file that says how others are joined to it."""
    counted: str | None = None
    """Which documents found can change a number: the condition on their relevance."""
    last_found: int | None = None
    """The last rank that can; None for all."""

    @property
    def steps(self) -> list[str]:
        """The files of all steps."""
        return files_of((*self.documents, *self.queries, *self.metrics))


def form_of(facts: Facts) -> Form:
    """The form of a statement."""
    plan, inputs = facts.plan, facts.inputs
    if not plan.measures or not (facts.alone or plan.of_documents_found) or inputs.without_judgments:
        return observations(facts)
    if not facts.alone:
        return of_queries(facts)
    if inputs.carried_columns or (inputs.labelled and facts.conventions.depth):
        return of_judged(facts)
    if inputs.labelled:
        return of_ranking(facts)
    if united(facts):
        return of_united(facts)
    return of_judged(facts) if "scored" in plan.steps else of_judgments(facts)


def united(facts: Facts) -> bool:
    """Whether one sort of run and judgments is cheaper than joining them."""
    return facts.dialect.shuffles and not facts.pooled


def of_ranking(facts: Facts) -> Form:
    """A labelled export whose rows give the values by themselves."""
    plan, scored = facts.plan, "scored" in facts.plan.steps
    judged = plan.ideals() or plan.switches["scaled"]
    return Form(
        name=RANKING,
        documents=chosen(("ranked_in_relation", True), ("judged_in_relation", judged)),
        metrics=chosen(("scale", plan.switches["scaled"]), ("scored_in_ranking", scored), ("ideals", plan.ideals())),
        rows="scored" if scored else "ranked",
        source="ranked",
        counted="is not null",
    )


def of_judgments(facts: Facts) -> Form:
    """Judgments joined to the ranks of their documents."""
    scale = ("scale", facts.plan.switches["scaled"])
    return Form(
        name=JUDGMENTS,
        documents=(ranked_step(facts), "judged"),
        metrics=chosen(scale, ("ideals", facts.plan.ideals())),
        rows="judged",
        source="judged",
    )


def of_united(facts: Facts) -> Form:
    """The documents of run and judgments in one sort."""
    scored = "scored" in facts.plan.steps
    return Form(
        name=UNITED,
        documents=chosen(("ranked_in_relation", facts.limit), ("united", True)),
        metrics=chosen(("scale", facts.plan.switches["scaled"]), ("scored_in_judgments", scored)),
        rows="scored" if scored else "judged",
        source="rows",
    )


def of_judged(facts: Facts) -> Form:
    """Judged queries joined to the documents found."""
    plan, labelled = facts.plan, facts.inputs.labelled
    judged, scored = ("judged_in_relation", "scored_in_ranking") if labelled else ("judged", "scored")
    return Form(
        name=JUDGED,
        documents=(ranked_step(facts), judged),
        queries=chosen(("judged_queries", True), ("found_queries_in_relation", facts.reads_found)),
        metrics=chosen(("scale", plan.switches["scaled"]), (scored, True), ("ideals", plan.ideals())),
        rows="judged_queries",
        source="judged_queries",
        counted="> 0" if plan.positive_only else "is not null" if labelled else None,
        last_found=facts.limit,
    )


def of_queries(facts: Facts) -> Form:
    """The queries that are averaged, joined to the documents found."""
    plan, in_relation = facts.plan, facts.as_they_are
    judged = "judged_in_relation" if facts.inputs.labelled else "judged"
    scored = "scored_in_ranking" if facts.carries else "scored"
    before = (("scale", plan.switches["scaled"]), ("averaged", facts.averaged))
    positive = plan.positive_only and not facts.averaged
    return Form(
        name=QUERIES,
        documents=(ranked_step(facts), judged) if in_relation else documents(facts),
        queries=queries(facts, in_relation),
        metrics=chosen(*before, (scored, True), ("digits", plan.switches["numbered"]), ("ideals", plan.ideals())),
        rows="query_rows",
        source="queries",
        counted="> 0" if positive else "is not null" if facts.carries and not facts.averaged else None,
        last_found=facts.limit,
    )


def observations(facts: Facts) -> Form:
    """Rows of every kind that is read, below one another."""
    plan, switches, inputs, judged = facts.plan, facts.plan.switches, facts.inputs, not facts.inputs.without_judgments
    found = "scored_in_ranking" if facts.carries else "scored"
    positive = plan.diagnostics and plan.positive_only
    counted = "> 0" if positive else "is not null" if facts.carries else None
    places, showing = plan.depths()["places"], plan.depths()["showing"] != 0
    steps = (
        ("scale", switches["scaled"]),
        ("averaged", facts.averaged and judged),
        (found, judged),
        ("digits", switches["numbered"]),
        ("ideals", plan.ideals()),
        ("place_numbers", places),
        ("graded", places and "graded" in plan.steps),
        ("place_rows", places),
        ("viewed_places", "viewed_places" in plan.steps),
        *((step, "covered_subtopics" in plan.steps) for step in ("covered_subtopics", "subtopic_rows")),
        ("greedy_rankings", plan.groups["covered_novelties"]),
        ("cover_rows", switches["covering"]),
        *((step, "score_groups" in plan.steps) for step in ("score_groups", "group_rows")),
        *((step, "pair_rows" in plan.steps) for step in ("graded_groups", "pair_rows")),
        ("history", showing and inputs.history),
        ("baseline", showing and inputs.baseline),
        ("shown_rows", showing),
        *((step, step in plan.steps) for step in ("vectored", "vector_rows", "taste_rows")),
        ("agreed", switches["agreeing"]),
        ("cumulated", switches["cumulating"]),
        ("metrics_by_place", measures_by_place(plan)),
        ("observations", True),
    )
    return Form(
        name=OBSERVATIONS,
        documents=documents(facts),
        queries=queries(facts),
        metrics=chosen(*steps),
        rows="observations",
        source="rows",
        counted=None if facts.averaged else counted,
        last_found=facts.limit,
    )


def documents(facts: Facts) -> tuple[str, ...]:
    """The steps that read the rankings and their judgments, and give every document its rank."""
    conventions, judged = facts.conventions, not facts.inputs.without_judgments
    if facts.ranked:
        return ("run", judged_step(facts), "ranked_hits")
    return chosen(
        ("run", True),
        (judged_step(facts), judged),
        ("copies", conventions.copies in ("best", "first")),
        ("collapsed", conventions.copies == "sum"),
        ("candidates" if judged else "candidates_alone", facts.attach),
        ("returned_ranks", conventions.unjudged == "remove"),
        ("ranked", True),
    )


def ranked_step(facts: Facts) -> str:
    """The step of the ranks of a relation as it is."""
    return "ranked_by_heap" if facts.by_heap else "ranked_in_relation"


def judged_step(facts: Facts) -> str:
    """The step of the judgments."""
    if not facts.inputs.labelled:
        return "judged"
    return "judged_of_systems" if facts.pooled else "judged_in_run"


def queries(facts: Facts, in_relation: bool = False) -> tuple[str, ...]:
    """The steps that give the queries that are averaged; `in_relation` where no step holds the rows of the run."""
    conventions, steps = facts.conventions, facts.plan.steps
    every_system = facts.inputs.several and conventions.query_set == "judged"
    found = "found_queries_known" if facts.rankings else "found_queries"
    return chosen(
        ("judged_queries", not facts.inputs.without_judgments),
        ("judged_subtopics", facts.plan.switches["subtopics"]),
        ("subtopic_totals", "subtopic_totals" in steps),
        ("query_subtopics", "query_subtopics" in steps),
        ("item_weights", facts.plan.weighing),
        ("weighed_judgments", facts.plan.weighs_judgments),
        ("query_weights", "query_weights" in steps),
        ("found_queries_in_relation" if in_relation else found, facts.reads_found),
        ("kept_queries", facts.reads_returned and conventions.unjudged == "remove"),
        ("systems_in_relation" if in_relation or facts.parts > 1 else "systems", every_system),
        ("query_rows", True),
    )


def chosen(*steps: tuple[str, Any]) -> tuple[str, ...]:
    """The steps that there are, of all that there may be."""
    return tuple(step for step, there in steps if there)


def files_of(steps: Iterable[str]) -> list[str]:
    """The files of some steps."""
    return [f"steps/{step}.sql" for step in steps]
