"""What the steps of a statement read of its form, its inputs and its conventions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlrank.statement.columns import OF_ITEMS, column_of
from sqlrank.statement.forms import (
    JUDGED,
    JUDGMENTS,
    OF_JUDGMENTS,
    OF_ROWS,
    QUERIES,
    RANKING,
    UNITED,
    Form,
    chosen,
    files_of,
    judged_step,
    ranked_step,
)
from sqlrank.statement.statement_facts import LARGEST_HEAP, Facts
from sqlrank.statement.templates import inlined, sql_text

EMPTY_VALUES = {"zero": 0, "one": 1, "skip": None, "error": None}
NOTHING = sql_text("")


def context_of(facts: Facts, form: Form, named: bool = True, doc: bool = False, score: bool = False) -> dict[str, Any]:
    """The variables of a statement besides its columns and measures.

    `named` says whether a column names the one system, `doc` and `score` whether more than the columns reads those.
    """
    context = facts.inputs.context() | facts.plan.context | facts.conventions.to_dict() | variables_of(facts, form)
    reads_doc, reads_score = doc or context["needs_doc"], score or context["needs_score"]
    return context | {
        "named_system": named and not facts.inputs.several,
        "ranked_columns": ranked_columns(facts, reads_doc, reads_score),
    }


def variables_of(facts: Facts, form: Form) -> dict[str, Any]:
    """What the steps read of the form, and of what decides it."""
    inputs, plan, dialect = facts.inputs, facts.plan, facts.dialect
    keys = ["system", "query_id"] if inputs.several else ["query_id"]
    idents = [dialect.ident(name) for name in keys]
    of_rows = "judged" if form.rows == "judged" or form.name == UNITED else "ranked"
    return {
        "form": form,
        "sums_judged": form.name in OF_ROWS,
        "may_be_unfound": form.name in OF_JUDGMENTS,
        "united": form.name == UNITED,
        "carried_beside": form.name == JUDGED,
        "rows_of_queries": form.rows if form.name in (JUDGED, QUERIES) else None,
        "always_held": frozenset(),
        "document_steps": files_of(form.documents),
        "query_steps": files_of(form.queries),
        "metric_steps": files_of(form.metrics),
        "key_names": keys,
        "keys": sql_text(", ".join(idents)),
        "query_keys": sql_text(", ".join(f"query_rows.{name}" for name in idents)),
        "row_keys": sql_text(", ".join(f"{of_rows}.{name}" for name in idents)),
        "averaged": facts.averaged,
        "ascending": str(inputs.direction) == "asc",
        "direction": inputs.direction,
        "parts": facts.parts,
        "part": 0,
        "limit": facts.limit,
        "empty_value": EMPTY_VALUES[plan.conventions.empty],
        "positive_only": plan.positive_only,
        "carried_columns": inputs.carried_columns,
        "hints": plan.diagnostics and dialect.shuffles,
        "joins": joins_of(facts),
        "every_place": sql_text("unviewed_places" if "viewed_places" in plan.steps else "place_rows"),
        "ideals": ideals_of(facts),
        **of_documents(facts, form),
        **of_queries(facts),
        **of_the_last(facts, form),
        **of_united(facts),
    }


def of_documents(facts: Facts, form: Form) -> dict[str, Any]:
    """What the steps read that give judgments and ranks."""
    conventions, copied = facts.conventions, facts.conventions.copies != "error"
    breaking = {"rank": ["given_rank"], "input": ["input_order"]}.get(conventions.ties, [])
    of_copies = ["input_order"] if conventions.copies == "first" and "input_order" not in breaking else []
    removing = conventions.unjudged == "remove"
    candidates = sql_text("candidates" if facts.attach else "run_rows")
    return {
        "pooled": facts.pooled,
        "carries": facts.carries,
        "rating": sql_text("avg" if conventions.judgments == "mean" else "max"),
        "judged_step": f"steps/{judged_step(facts)}.sql",
        "judged_inline": inlined(facts.dialect.inline) if not facts.pooled and rereads(facts, form) else NOTHING,
        "run_order": breaking + of_copies,
        "tie_columns": breaking,
        "returned": sql_text("copies" if copied else "run_rows"),
        "candidates": candidates,
        "ranked_from": sql_text("returned_ranks") if removing else candidates,
        "counted": None if form.counted is None else sql_text(form.counted),
        "last_found": form.last_found,
        "last_depth": None if removing else conventions.depth,
        "grade_of_unjudged": conventions.grade_of_unjudged,
        "copies": conventions.copies,
    }


def ranked_columns(facts: Facts, doc: bool, score: bool) -> list[str]:
    """The columns of ranked documents that are read."""
    there = {"relevance": facts.carries, "doc_id": doc or not facts.carries, "score": score}
    return [name for name, read in there.items() if read]


def rereads(facts: Facts, form: Form) -> bool:
    """Whether several steps read the judgments as they are in their relation."""
    read = {JUDGMENTS: "ideals" in form.metrics, JUDGED: True, QUERIES: ranked_step(facts) in form.documents}
    return read.get(form.name, False)


def of_queries(facts: Facts) -> dict[str, Any]:
    """What the steps read that give the queries."""
    inputs, conventions = facts.inputs, facts.conventions
    judged = conventions.query_set == "judged"
    base = sql_text("judged" if judged else "found")
    system = [(sql_text("system_rows" if judged else "found"), "system")] if inputs.several else []
    return {
        "query_base": base,
        "returned_read": facts.reads_returned,
        "judged_columns": judged_columns(facts),
        "query_keys_of": [*system, (base, "query_id")],
        "query_source": f"steps/queries/{query_source(facts)}.sql",
        "systems_in": facts.rankings or "run_rows",
        "rankings": facts.rankings,
    }


def query_source(facts: Facts) -> str:
    """The file that says which queries are averaged."""
    query_set = facts.conventions.query_set
    if query_set == "judged":
        beside = "found" if facts.reads_found else "alone"
        return f"judged_{beside}{'_for_systems' if facts.inputs.several else ''}"
    if facts.inputs.without_judgments:
        return "found_alone"
    return "shared" if query_set == "shared" else "found"


def judged_columns(facts: Facts) -> int:
    """How many columns the step of the judged queries has in addition to their ids."""
    made = [kind for kind, _ in facts.plan.wanted.values() if column_of(kind).step == "judged_queries"]
    return len(made) + len(facts.inputs.qrels.carried)


def of_the_last(facts: Facts, form: Form) -> dict[str, Any]:
    """What the rows of the statement read."""
    rows = facts.dialect.ident(form.rows)
    return {
        "rows": form.rows,
        "row_source": f"steps/from/{form.source}.sql",
        "query_of_row": sql_text(f"{rows}.query_id"),
        "judged_alone": form.name == RANKING and form.rows == "ranked",
    }


def joins_of(facts: Facts) -> dict[str, list[str]]:
    """What is joined to the rows of each step, as files."""
    plan, inputs, switches = facts.plan, facts.inputs, facts.plan.switches
    shown, tasted = plan.made_in("shown_rows"), plan.made_in("taste_rows")
    scale, asked = ("scale", switches["scaled"]), bool(inputs.queries)
    found = {
        "scored": chosen(
            ("query_rows", switches["beside"]),
            ("item_weights", plan.has("item_weight")),
            ("scale", switches["scaled"] and switches["stops"]),
        ),
        "graded_groups": chosen(("query_rows", True), ("item_weights", plan.has("group_weight"))),
        "averaged": chosen(("query_rows", True), scale),
        "graded": chosen(("scale", switches["scaled"] and not facts.averaged)),
        "cumulated": chosen(("scale", switches["scaled"] and plan.has("ideal_stopped"))),
        "place_rows": chosen(("graded", "graded" in plan.steps), scale),
        "covered_subtopics": chosen(
            ("subtopic_totals", "subtopic_totals" in plan.steps), ("item_weights", plan.has("subtopic_weight"))
        ),
        "query_rows": chosen(
            ("subtopics", "query_subtopics" in plan.steps),
            ("query_weights", "query_weights" in plan.steps),
            ("kept", facts.reads_returned and facts.conventions.unjudged == "remove"),
            ("asked", asked),
        ),
        "judged_queries": chosen(("found_queries", facts.reads_found), ("asked_of_judged", asked)),
        "taste_rows": chosen(("judged_vectors", any(column.judged for column in tasted))),
        "shown_rows": chosen(
            ("history", inputs.history),
            ("baseline", inputs.baseline),
            ("catalogue", any(column.input in OF_ITEMS for column in shown)),
            ("judged", plan.has("shown_hit", "shown_gain", "seconds_above", "characters_read")),
            ("judged_documents", plan.has("judged_anywhere")),
            ("query_rows", True),
        ),
    }
    return {step: [f"steps/joins/{join}.sql" for join in joins] for step, joins in found.items()}


def of_united(facts: Facts) -> dict[str, Any]:
    """What the documents of run and judgments in one sort read."""
    ascending = str(facts.inputs.direction) == "asc"
    by_score = "rank_given" if facts.conventions.order == "rank" else "rank_by_score"
    tied = ["given_rank"] if facts.conventions.ties == "rank" else []
    return {
        "unjudged_last": sql_text(f"{facts.inputs.direction}{' nulls last' if ascending else ''}"),
        "united_rank": f"steps/united/{'rank' if facts.limit else by_score}.sql",
        "united_run": f"steps/united/{'run_ranked' if facts.limit else 'run_scored'}.sql",
        "united_columns": [sql_text(name) for name in (["rank"] if facts.limit else ["score", *tied])],
    }


def ideals_of(facts: Facts) -> list[dict[str, Any]]:
    """The ideal rankings, those first that others are summed up from: a ranking of rows is sorted once."""
    ideals = facts.plan.ideals()
    by_place = {ideal["rows"]: ideal for ideal in ideals if ideal["name"] and ideal["kind"] == "judged"}
    beside = [ideal | {"by_place": by_place.get(f"{ideal['rows']}_rows")} for ideal in ideals]
    return [ideal_variables(ideal, facts) for ideal in sorted(beside, key=lambda ideal: bool(ideal["by_place"]))]


def ideal_variables(ideal: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """What the steps of an ideal ranking read."""
    retrieved, k = ideal["kind"] == "retrieved", ideal["k"]
    plain = ideal["gain"]["kind"] != "table" and not ideal["weighed"]
    heaped = facts.dialect.heaps and k and k <= LARGEST_HEAP and plain
    several = facts.inputs.several and retrieved
    keys = [facts.dialect.ident(name) for name in (("system", "query_id") if several else ("query_id",))]
    summed = "heaped" if heaped else "totals_of_places" if ideal["by_place"] else "totals"
    step = "full" if ideal["kind"] == "full" else summed if ideal["totals"] else "places"
    totals = [total | {"within": total["k"] if total["k"] != k else None} for total in ideal["totals"]]
    return dict(ideal) | {
        "grouping": sql_text(", ".join(keys)),
        "source": sql_text("scored" if retrieved else "weighed_judgments" if ideal["weighed"] else "judged"),
        "file": f"steps/ideals/{step}.sql",
        "totals": totals,
    }
