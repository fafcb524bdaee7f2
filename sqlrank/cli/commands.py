"""The commands and what each of them does, under headings; they are built elsewhere, when they are asked for."""

from __future__ import annotations

EXIT_CODES = """Exit codes: 0 done, 1 internal error, 2 usage, 3 the data is wrong or missing,
4 a gate (--fail-under, --fail-on-drop, --not-worse-than) failed, a monitor
chart is in alarm, or log arms found a sample ratio mismatch, 5 memory, disk
or an output failed, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)."""

COMMANDS = {
    "eval": ("evaluate", "Score rankings against judgments."),
    "inspect": ("inspect", "Describe input files, check that they match, print the command."),
    "compare": ("compare", "Compare systems with a baseline: differences and significance."),
    "gsb": ("gsb", "Summarize side-by-side (GSB) ratings and recommend whether to ship."),
    "agreement": ("agreement", "Measure how well raters agree on documents (alpha, kappa)."),
    "log inspect": ("log", "Describe a click log, and what to settle before using it."),
    "log judgments": ("log", "Estimate relevance judgments from clicks."),
    "log propensities": ("log", "Estimate examination propensities by position."),
    "log interleave": ("interleave", "Test which ranker users prefer in an interleaving experiment."),
    "log arms": ("log_arms", "Compare the arms of an A/B test from its log."),
    "log value": ("value", "Off-policy evaluation: estimate clicks under another ranking."),
    "monitor": ("monitor", "Monitor daily metrics with control charts and alarms."),
    "pool": ("pool", "List unjudged documents that could change the comparison most."),
    "explain": ("evaluate", "Show one query rank by rank, next to the ideal or another ranking."),
    "sql": ("export", "Print the SQL that computes metrics in your own database."),
    "macros": ("export", "Print DuckDB macros such as rank_ndcg('runs', 'qrels', k := 10)."),
    "dbt": ("dbt", "Write dbt models of metrics, with their tests."),
    "metrics": ("metrics", "List the metrics, show one (formula, parameters and SQL), or search for words."),
}
"""The module of each command, which is loaded when it is asked for, and its summary."""

GROUPS = {"log": "Use click logs: judgments, interleaving, A/B tests, off-policy."}
"""The groups of commands, by the word before each of them."""
PANELS = {
    "Measure": ("eval", "explain", "inspect", "metrics"),
    "Decide": ("compare", "gsb", "monitor"),
    "Judge": ("log", "agreement", "pool"),
    "Take away": ("sql", "macros", "dbt"),
}
"""The headings under which help lists commands and groups."""
