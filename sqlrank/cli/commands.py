"""The commands and what each of them does, under headings; they are built elsewhere, when they are asked for."""

from __future__ import annotations

EXIT_CODES = """Exit codes: 0 done, 1 internal error, 2 usage, 3 the data is wrong or missing,
4 a gate (--fail-under, --fail-on-drop, --not-worse-than) failed, a chart of
monitor is in alarm or the split of log arms is off, 5 memory, disk or an
output failed, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)."""

COMMANDS = {
    "eval": ("evaluate", "Score rankings against judgments."),
    "inspect": ("inspect", "Say what inputs are, how they fit, and how to evaluate them."),
    "compare": ("compare", "Compare systems with a baseline: differences and significance."),
    "gsb": ("gsb", "Sum up side-by-side verdicts, and say whether to ship."),
    "agreement": ("agreement", "Say how far raters agree who judged the same documents."),
    "power": ("power", "Plan a test set: which difference would so many queries find?"),
    "log inspect": ("log", "Say what a log is, and what has to be settled first."),
    "log judgments": ("log", "Make judgments of what people clicked."),
    "log propensities": ("log", "Estimate how likely people look at each position."),
    "log interleave": ("interleave", "Say which ranker people prefer, of interleaved lists."),
    "log arms": ("log_arms", "Compare the arms of an A/B test by what people did."),
    "log value": ("value", "Estimate what other rankings would have earned."),
    "monitor": ("monitor", "Watch metrics over days: control charts, and alarms."),
    "pool": ("pool", "Say what to judge next: what could change the comparison most."),
    "report": ("report", "Write a report as one HTML file, or one chart."),
    "explain": ("evaluate", "Show one query: its ranking beside the ideal one, or another."),
    "sql": ("export", "Print the SQL that scores relations of another database."),
    "macros": ("export", "Print DuckDB macros such as rank_ndcg('runs', 'qrels', k := 10)."),
    "dbt": ("dbt", "Write dbt models of metrics, with their tests."),
    "metrics": ("metrics", "List the metrics, show one (formula, parameters and SQL), or search for words."),
}
"""The module of each command, which is loaded when it is asked for, and its summary."""

GROUPS = {"log": "Make judgments and decisions of what people clicked."}
"""The groups of commands, by the word before each of them."""
PANELS = {
    "Measure": ("eval", "explain", "inspect", "metrics"),
    "Decide": ("compare", "gsb", "power", "monitor"),
    "Judge": ("log", "agreement", "pool"),
    "Take away": ("report", "sql", "macros", "dbt"),
}
"""The headings under which help lists commands and groups."""
