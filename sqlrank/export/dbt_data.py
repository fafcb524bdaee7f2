"""What the macros of the dbt package know: metrics, columns, dialects and conventions, as macros that return them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from itertools import chain, repeat
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.dialects import DIALECTS, DUCKDB, Dialect
from sqlrank.export.dbt_metrics import PATTERNS, entry_of, names_of
from sqlrank.export.dbt_templates import PACKAGE, macro_name
from sqlrank.export.list_columns import MADE, ROLES_OF_LISTS
from sqlrank.export.statement import ASSUMED_OF_LISTS, ASSUMPTIONS, UNREAD
from sqlrank.inputs.column_aliases import PLACE, POSITIVE, ROLES, TIERS
from sqlrank.inputs.reading import OUTPUT_NAMES, SEGMENTED
from sqlrank.inputs.roles import COMPOSED, SESSIONED
from sqlrank.metrics.catalogue import DEFAULT_METRICS, catalogue
from sqlrank.metrics.trec_names import BARE_NAMES, SETS, expand
from sqlrank.sql_files import HEADER, sql_folder
from sqlrank.statement.column_plan import ColumnPlan, reads_others
from sqlrank.statement.column_texts import AVERAGED, UNPADDED
from sqlrank.statement.columns import (
    COLUMNS,
    DEFAULTS,
    QUERY,
    RANKED_KINDS,
    RETRIEVED,
    prefix_of,
)
from sqlrank.statement.lines import within_quotes
from sqlrank.statement.relations import AN_ID, COMPUTED, FILTERED, OF_LISTS, RELEVANT, TITLES
from sqlrank.version import __version__

READING = (
    "by",
    "weight",
    "queries",
    "items",
    "history",
    "baseline",
    "where",
    "columns",
    "session",
    "separator",
    "positives",
)
"""The options that a statement takes besides the conventions."""

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"ties": "input"}, "ties=input needs a look at the rows; name a rank column and choose ties=rank"),
    ({"ties": "error"}, "ties=error needs a look at the rows; choose an order of ties"),
    ({"ties": "average", "depth": "*"}, "depth with ties=average needs a look at the rows; choose one of them"),
    ({"duplicates": "first"}, "duplicates=first needs a look at the rows; choose duplicates=best"),
    ({"empty": "error"}, "empty=error needs a look at the rows; choose empty=zero, one or skip"),
    ({"score_type": "float", "single": ""}, "the engine has no 32-bit floats; leave out score_type=float"),
    ({"order": "rank", "depth": "*"}, "order=rank takes places as given; leave out depth"),
    ({"order": "rank", "unjudged": "remove"}, "order=rank takes places as given; leave out unjudged=remove"),
]
"""Conventions that no statement can have together, with the reason; `*` stands for any value."""

UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"asked": "query", "grain": "system"}, "one value for a system; ask for it with sqlrank.overall"),
    ({"asked": "system", "grain": "query"}, "one value for a query; ask for it with sqlrank.per_query or summary"),
    ({"ties": "average", "linear": False}, "no closed form with ties=average; choose an order of ties"),
    ({"recursive": False, "greedy": True}, "the engine cannot find its greedy ideal; take alpha_dcg, err_ia or nrbp"),
]
"""What a metric cannot be asked for with, with the reason."""

TOGETHER = {
    "ideal_novelty": ("covered_novelties", ["ideal_novelty"]),
    "agreement": ("persistences", [kind for kind in COLUMNS if kind.startswith("agreement")]),
}
"""Columns that a step makes together with others, by the first of them: the variable of the templates, and all."""

FIXED: dict[str, Any] = {
    "hints": False,
    "without_judgments": False,
    "named": True,
    "kept": [],
    "partition": None,
    "ranking": "documents",
    "checked": False,
    "rankings": None,
    "parts": 1,
    "part": 0,
}
"""Variables of the templates that are alike in every statement that dbt makes."""


def data_macros() -> dict[str, str]:
    """The data of the macros, each as a macro that returns it."""
    entries = {name: metric for name, metric in catalogue().items() if metric.summary != "none"}
    made: dict[str, Any] = {
        "catalogue": {name: entry_of(metric) for name, metric in entries.items()},
        "metric_names": {name: entry for metric in entries.values() for name, entry in names_of(metric).items()},
        "columns": {name: column_entry(name) for name in COLUMNS},
        "dialects": {"": words(DUCKDB)} | {name: different(dialect) for name, dialect in DIALECTS.items()},
        "patterns": PATTERNS,
        "facts": facts(),
    }
    return {name: returning(name, value) for name, value in made.items()} | {
        "metric_text": dispatching("metric_text", {metric.name: metric.template for metric in entries.values()}),
        "column_text": dispatching("column_text", {name: f"columns/{name}.sql" for name in written_columns()}),
    }


def written_columns() -> list[str]:
    """The columns whose files hold an expression."""
    folder = sql_folder() / "columns"
    return [name for name in COLUMNS if HEADER.sub("", (folder / f"{name}.sql").read_text(encoding="utf-8")).strip()]


def column_entry(name: str) -> dict[str, Any]:
    """One column: what it needs, what its name depends on, and what a statement that reads it has."""
    column = COLUMNS[name]
    plan = ColumnPlan((), Conventions(), diagnostics=False)
    plan.want(name, {})
    turned = [switch for switch, on in plan.switches.items() if on]
    turned += ["ranks_all"] if plan.ranks_all else []
    turned += [] if plan.in_one_step else ["gathered"]
    turned += ["others"] if reads_others(kind for kind, _ in plan.wanted.values()) else []
    gathered_in, together = TOGETHER.get(name, (None, []))
    return {
        "needs": column.needs,
        "chain": [kind for kind, _ in plan.wanted.values()],
        "depends": [[part, DEFAULTS[part], prefix_of(part)] for part in column.depends],
        "switches": turned,
        "rare": sorted(plan.rare()),
        "gathered_in": gathered_in,
        "together": together,
        "fixed": {
            "column": name,
            "rows": column.rows,
            "step": column.step,
            "padded": bool(set(column.rows) - UNPADDED),
            "queried": QUERY in column.rows,
            "axis": "rank" if column.rows == (RETRIEVED,) else "place",
        },
    }


def words(dialect: Dialect) -> dict[str, Any]:
    """A dialect as the templates read it: a word that the engine does not have is empty."""
    values = {item.name: getattr(dialect, item.name) for item in fields(dialect)}
    written = {"reserved": f" {' '.join(sorted(dialect.reserved))} ", "quoted": ""}
    written["undivided"] = within_quotes(dialect)
    written["ending"] = f"{dialect.settings}\n" if dialect.settings else ""
    return {name: "" if value is None else value for name, value in values.items()} | written


def different(dialect: Dialect) -> dict[str, Any]:
    """What a dialect spells otherwise than the first one."""
    usual = words(DUCKDB)
    return {name: value for name, value in words(dialect).items() if value != usual[name]}


def plan_of_nothing() -> dict[str, Any]:
    """What a statement has without a measure: nothing is turned on."""
    plan = ColumnPlan((), Conventions(), diagnostics=False)
    return plan.switches | {"ranks_all": False, "gathered": False, "others": False, "diagnostic_relevant": None}


@cache
def facts() -> dict[str, Any]:
    """The small tables that the macros read."""
    return {
        "version": __version__,
        "assumptions": ASSUMPTIONS,
        "assumed_of_lists": ASSUMED_OF_LISTS,
        "unread": UNREAD,
        "default_metrics": DEFAULT_METRICS,
        "sets": {
            name: [asked.text for asked in expand(name, with_texts=False)] for name in sorted({*SETS, *BARE_NAMES})
        },
        "defaults": DEFAULTS,
        "ranked_kinds": RANKED_KINDS,
        "averaged": AVERAGED,
        "conventions": {
            item.name: {"default": item.default, "choices": list(item.metadata["choices"] or ())}
            for item in fields(Conventions)
        },
        "refused": REFUSED,
        "fixed": FIXED,
        "plan": plan_of_nothing(),
        "options": READING,
        "inputs": {kind: {role: role for role in ROLES} for kind in TIERS},
        "input_names": {"category": "items", "subtopic": "qrels with a column of subtopics"},
        "unfit": UNFIT,
        "output_names": sorted(OUTPUT_NAMES),
        "segmented": list(SEGMENTED),
        "composed": COMPOSED,
        "sessioned": SESSIONED,
        "titles": TITLES,
        "positive": POSITIVE,
        "listed": ROLES_OF_LISTS,
        "made_of_lists": MADE,
        "place": PLACE,
        "roles": {kind: list(roles) for kind, roles in TIERS.items()},
        "an_id": AN_ID,
        "of_lists": OF_LISTS,
        "relevant": RELEVANT,
        "computed": COMPUTED,
        "filtered": FILTERED,
    }


def dispatching(name: str, templates: Mapping[str, str]) -> str:
    """The macro that renders the template of a name; dbt finds what a test needs only where calls are written out."""
    branches = [
        f"{{% {word} name == '{each}' %}}{{{{ {PACKAGE}.{macro_name(template)}(c) }}}}"
        for word, (each, template) in zip(chain(["if"], repeat("elif")), templates.items(), strict=False)
    ]
    return f"{{% macro {name}(name, c) %}}" + "\n".join(branches) + "{% endif %}{% endmacro %}\n"


def returning(name: str, value: Mapping[str, Any]) -> str:
    """A macro that returns a mapping, which dbt reads ten times as fast from a text of JSON as from Jinja."""
    lines = [f"{json.dumps(key)}: {json.dumps(part)}" for key, part in value.items()]
    text = re.sub(r"[\\']", r"\\\g<0>", "{\n" + ",\n".join(lines) + "\n}")
    return f"{{% macro {name}() %}}\n{{% do return(fromjson('{text}')) %}}\n{{% endmacro %}}\n"
