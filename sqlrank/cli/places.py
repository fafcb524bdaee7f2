"""Where options stand in the help of every command: under which heading, and in which order."""

from __future__ import annotations

PLACES = {
    "Inputs": "qrels positives log baseline baseline_run items queries history scores columns run_columns actions"
    " session where relevance_map input_format header encoding timezone separator database judged_by same_days"
    " exact_labels label_draws checks",
    "Metrics": "metrics like metrics_dir judged bounds",
    "Pooling": "",
    "What counts": "signal shown_depth position_base page_size exclude_bots sorted_too fold_queries unit",
    "Method": "method rounds propensities min_impressions clip",
    "Votes": "",
    "Reference": "",
    "Charts": "rule direction baseline_days",
    "Segments and weights": "by weight cluster",
    "Conventions": "rel top_relevance query_set empty unjudged judgments ties order score_type duplicates collapse",
    "Significance": "alpha test alternative correction margins sequential all_pairs replicates seed",
    "Planning": "",
    "Gates": "fail_under fail_on_drop not_worse_than confidently gate_segments junit",
    "Statement": "sql dialect ids system keep check incremental until",
    "Output": "format output per_query show digits plot verbose color quiet",
    "Report": "title lang interactive explore rows chart",
    "Resources": "threads memory_limit temp_dir sql_time_limit",
    "Settings": "config show_config",
}
"""The headings in their order, each with the options that several commands have, in theirs."""
OTHERWISE = {("Method", "like"), ("Output", "rows"), ("Output", "system"), ("Significance", "system")}
"""Options that mean something else than their namesakes, with the heading that they keep."""
HEADINGS = {name: heading for heading, names in PLACES.items() for name in names.split()}
"""The heading of each of them."""
ORDER = {name: number for number, name in enumerate(HEADINGS)}
"""Their order."""
RANKS = {heading: number for number, heading in enumerate(PLACES)}
"""The order of the headings."""


def heading_of(name: str, heading: str) -> str:
    """The heading of an option, whose group has another perhaps."""
    return heading if (heading, name) in OTHERWISE else HEADINGS.get(name, heading)


def place_of(name: str, heading: str) -> tuple[int, int]:
    """What options are sorted by: those that several commands have come first under each heading."""
    shared = heading == HEADINGS.get(name)
    return RANKS.get(heading, len(RANKS)), ORDER[name] if shared else len(ORDER)
