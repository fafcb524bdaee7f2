"""What the steps of a statement read of its form, its inputs and its conventions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlrank.statement.columns import column_of
from sqlrank.statement.forms import (
    JUDGED,
    JUDGMENTS,
    OF_JUDGMENTS,
    OF_ROWS,
    QUERIES,
    RANKING,
    UNITED,
    Form,
    Needs,
    chosen,
    files_of,
    judged_step,
    query_source,
)
from sqlrank.statement.templates import inlined, sql_text

EMPTY_VALUES = {"zero": 0, "one": 1, "skip": None, "error": None}
LARGEST_HEAP = 100
"""Up to how many relevances of a query are kept in a heap rather than sorted."""
NOTHING = sql_text("")


def context_of(needs: Needs, form: Form, named: bool = True, doc: bool = False, score: bool = False) -> dict[str, Any]:
    """The variables of a statement besides its columns and measures.

    `named` says whether a column names the one system, `doc` and `score` whether more than the columns reads those.
    """
    context = needs.inputs.context() | needs.plan.context | needs.conventions.to_dict() | variables_of(needs, form)
    reads_doc, reads_score = doc or context["needs_doc"], score or context["needs_score"]
    return context | {
        "named_system": named and not needs.inputs.several,
        "ranked_columns": ranked_columns(needs, reads_doc, reads_score),
    }


def variables_of(needs: Needs, form: Form) -> dict[str, Any]:
    """What the steps read of the form, and of what decides it."""
    inputs, plan, dialect = needs.inputs, needs.plan, needs.dialect
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
        "averaged": needs.averaged,
        "ascending": str(inputs.direction) == "asc",
        "direction": inputs.direction,
        "parts": needs.parts,
        "part": 0,
        "limit": needs.limit,
        "empty_value": EMPTY_VALUES[plan.conventions.empty],
        "positive_only": plan.positive_only,
        "carried_columns": inputs.carried_columns,
        "hints": plan.diagnostics and dialect.shuffles,
        "joins": joins_of(needs),
        "every_place": sql_text("unviewed_places" if "viewed_places" in plan.steps else "place_rows"),
        "ideals": [ideal_variables(ideal, needs) for ideal in plan.ideals()],
        **of_documents(needs, form),
        **of_queries(needs),
        **of_the_last(needs, form),
        **of_united(needs),
    }


def of_documents(needs: Needs, form: Form) -> dict[str, Any]:
    """What the steps read that give judgments and ranks."""
    conventions, copied = needs.conventions, needs.conventions.duplicates != "error"
    breaking = {"rank": ["given_rank"], "input": ["input_order"]}.get(conventions.ties, [])
    of_copies = ["input_order"] if conventions.duplicates == "first" and "input_order" not in breaking else []
    removing = conventions.unjudged == "remove"
    candidates = sql_text("candidates" if needs.attach else "run_rows")
    return {
        "pooled": needs.pooled,
        "carries": needs.carries,
        "rating": sql_text("avg" if conventions.judgments == "mean" else "max"),
        "judged_step": f"steps/{judged_step(needs)}.sql",
        "judged_inline": inlined(needs.dialect.inline) if not needs.pooled and rereads(form) else NOTHING,
        "run_order": breaking + of_copies,
        "tie_columns": breaking,
        "returned": sql_text("copies" if copied else "run_rows"),
        "candidates": candidates,
        "ranked_from": sql_text("returned_ranks") if removing else candidates,
        "counted": None if form.counted is None else sql_text(form.counted),
        "last_found": form.last_found,
    }


def ranked_columns(needs: Needs, doc: bool, score: bool) -> list[str]:
    """The columns of ranked documents that are read."""
    there = {"relevance": needs.carries, "doc_id": doc or not needs.carries, "score": score}
    return [name for name, read in there.items() if read]


def rereads(form: Form) -> bool:
    """Whether several steps read the judgments as they are in their relation."""
    read = {JUDGMENTS: "ideals" in form.metrics, JUDGED: True, QUERIES: "ranked_in_relation" in form.documents}
    return read.get(form.name, False)


def of_queries(needs: Needs) -> dict[str, Any]:
    """What the steps read that give the queries."""
    inputs, conventions = needs.inputs, needs.conventions
    judged = conventions.query_set == "judged"
    base = sql_text("judged" if judged else "found")
    system = [(sql_text("system_rows" if judged else "found"), "system")] if inputs.several else []
    return {
        "query_base": base,
        "returned_read": needs.reads_returned,
        "judged_columns": judged_columns(needs),
        "query_keys_of": [*system, (base, "query_id")],
        "query_source": f"steps/queries/{query_source(needs)}.sql",
        "systems_in": needs.rankings or "run_rows",
        "rankings": needs.rankings,
    }


def judged_columns(needs: Needs) -> int:
    """How many columns the step of the judged queries has beside their ids."""
    made = [kind for kind, _ in needs.plan.wanted.values() if column_of(kind).step == "judged_queries"]
    return len(made) + len(needs.inputs.qrels.carried)


def of_the_last(needs: Needs, form: Form) -> dict[str, Any]:
    """What the rows of the statement read."""
    rows = needs.dialect.ident(form.rows)
    return {
        "rows": form.rows,
        "row_source": f"steps/from/{form.source}.sql",
        "query_of_row": sql_text(f"{rows}.query_id"),
        "judged_alone": form.name == RANKING and form.rows == "ranked",
    }


def joins_of(needs: Needs) -> dict[str, list[str]]:
    """What stands beside the rows of each step, as files."""
    plan, inputs, switches = needs.plan, needs.inputs, needs.plan.switches
    scale, asked = ("scale", switches["scaled"]), bool(inputs.queries)
    found = {
        "scored": chosen(("query_rows", switches["beside"]), ("scale", switches["scaled"] and switches["stops"])),
        "averaged": chosen(("query_rows", True), scale),
        "graded": chosen(("scale", switches["scaled"] and not needs.averaged)),
        "place_rows": chosen(("graded", "graded" in plan.steps), scale),
        "covered_subtopics": chosen(("subtopic_totals", "subtopic_totals" in plan.steps)),
        "query_rows": chosen(
            ("subtopics", "query_subtopics" in plan.steps),
            ("kept", needs.reads_returned and needs.conventions.unjudged == "remove"),
            ("asked", asked),
        ),
        "judged_queries": chosen(("found_queries", needs.reads_found), ("asked_of_judged", asked)),
        "shown_rows": chosen(
            ("history", inputs.history),
            ("baseline", inputs.baseline),
            ("catalogue", switches["categories"]),
            ("query_rows", True),
        ),
    }
    return {step: [f"steps/joins/{join}.sql" for join in joins] for step, joins in found.items()}


def of_united(needs: Needs) -> dict[str, Any]:
    """What the documents of run and judgments in one sort read."""
    ascending = str(needs.inputs.direction) == "asc"
    by_score = "rank_given" if needs.conventions.order == "rank" else "rank_by_score"
    tied = ["given_rank"] if needs.conventions.ties == "rank" else []
    return {
        "unjudged_last": sql_text(f"{needs.inputs.direction}{' nulls last' if ascending else ''}"),
        "united_rank": f"steps/united/{'rank' if needs.limit else by_score}.sql",
        "united_run": f"steps/united/{'run_ranked' if needs.limit else 'run_scored'}.sql",
        "united_columns": [sql_text(name) for name in (["rank"] if needs.limit else ["score", *tied])],
    }


def ideal_variables(ideal: Mapping[str, Any], needs: Needs) -> dict[str, Any]:
    """What the steps of an ideal ranking read."""
    retrieved, k = ideal["kind"] == "retrieved", ideal["k"]
    heaped = needs.dialect.heaps and k and k <= LARGEST_HEAP and ideal["gain"]["kind"] != "table"
    several = needs.inputs.several and retrieved
    keys = [needs.dialect.ident(name) for name in (("system", "query_id") if several else ("query_id",))]
    step = "full" if ideal["kind"] == "full" else "totals" if ideal["totals"] else "places"
    totals = [total | {"within": total["k"] if total["k"] != k else None} for total in ideal["totals"]]
    return dict(ideal) | {
        "grouping": sql_text(", ".join(keys)),
        "source": sql_text("scored" if retrieved else "judged"),
        "file": f"steps/ideals/{step}.sql",
        "order": f"steps/ideals/{'by_heap' if heaped else 'by_rank'}.sql",
        "last": None if heaped else k,
        "totals": totals,
    }
