"""Choices of options, importable before anything heavy."""

from __future__ import annotations

RESULT_FORMATS = ("table", "csv", "tsv", "json", "jsonl", "parquet", "markdown", "latex")
"""Output formats of results of every kind."""

FORMATS = (*RESULT_FORMATS, "trec")
"""Output formats of an evaluation, which trec_eval's has a place for alone."""

DIALECTS = tuple(
    "duckdb postgres spark databricks bigquery snowflake trino redshift clickhouse datafusion sqlite".split()
)
"""Dialects of SQL that statements can be in."""

ID_FORMS = ("text", "native")
"""How a statement tells ids apart: by their texts, or as they are, where each has one type in all relations."""

SETTINGS = ("sqlrank.toml", "pyproject.toml")
"""The files that are read as settings of a project."""

ENGINES = ("duckdb", "spark")
"""Engines."""

TIDY = ("csv", "tsv", "json", "jsonl", "parquet")
"""Output formats with one row per value, which per-query rows may take."""

TESTS = ("randomization", "t", "bootstrap", "wilcoxon", "sign")
"""Tests of a difference between two systems."""

ARM_TESTS = ("t", "randomization", "bootstrap")
"""Those of a difference between the arms of a log, the usual one first."""

UNITS = ("user", "session", "impression")
"""What may have been drawn by lot in an A/B test, and what may vote."""

ALTERNATIVES = ("two-sided", "greater", "less")
"""What a test of a difference looks for."""

CORRECTIONS = ("holm", "bonferroni", "bh", "none")
"""Corrections of p values for asking several questions at once."""

CHART_METHODS = ("e", "cs", "shewhart", "ewma", "cusum")
"""Rules of a control chart."""

LABEL_METHODS = ("ratio", "sdbn", "ctr", "coec", "cascade", "dcm", "dbn", "pbm", "ips", "grades")
"""Methods that make judgments of a log; a test holds them against the files of sql/behaviour/methods."""

PROPENSITY_METHODS = ("pbm", "allpairs", "swap")
"""Methods that estimate how likely positions are looked at."""

DESIGNS = ("team-draft", "balanced", "probabilistic")
"""How interleaved lists are made."""

VOTE_TESTS = ("sign", "t", "randomization")
"""The tests of votes."""

VALUE_ESTIMATORS = (
    *("item-position", "pbm", "document", "cascade", "list", "sn-item-position", "sn-cascade", "sn-list"),
    *("dr", "sn-dr", "switch-dr", "dr-os", "dm"),
)
"""How what a ranking would have earned is estimated, besides ips_dcg@K and snips_dcg@K."""

VALUE_INTERVALS = ("delta", "bootstrap", "student", "bernstein", "hoeffding")
"""How the interval of such a value is made; the last three are lower bounds."""

DIRECTIONS = ("down", "up", "both")
"""What a control chart watches for."""

COMPARISON_CORRECTIONS = (*CORRECTIONS, "max-t")
"""Those of a comparison, which takes the test of the largest t too."""

TABLE_INPUTS = ("parquet", "csv", "tsv", "json")
"""Formats of input files that have columns."""

INPUT_FORMATS = (
    *(*TABLE_INPUTS, "trec", "letor", "recbole", "movielens", "quepid", "ranx"),
    *("dictionaries", "mteb", "rank_eval_request", "rank_eval_answer", "judgment_list", "quepid_json"),
)
"""Formats of input files, those of JSON last."""

TOOLS = (
    "trec_eval",
    "trec_eval-9",
    "ir_measures",
    "ranx",
    "sklearn",
    "spark",
    "lightgbm",
    "xgboost",
    "torchmetrics",
    "recommenders",
    "rectools",
    "replay",
    "catboost",
    "elasticsearch",
    "opensearch",
    "quepid",
    "ranklib",
    "lenskit",
    "recbole",
    "tensorflow_ranking",
    "evidently",
)
"""The tools whose definitions `--like` takes."""


COLORS = ("auto", "always", "never")
"""When significant differences are coloured."""

LANGUAGES = ("en", "zh")
"""Languages of reports."""

PAGES = (".html", ".htm")
"""The suffixes of a report."""

PICTURES = (".svg", ".png", ".pdf")
"""The suffixes of a chart; .json is one too, as Vega-Lite, where a chart is asked for."""

CHARTS = (
    "by-cutoff",
    "recall-precision",
    "distribution",
    "ecdf",
    "segments",
    "unjudged",
    "differences",
    "sorted-differences",
    "waterfall",
    "segment-differences",
    "power",
    "verdicts",
)
"""The charts that can be written alone."""

LABEL_DRAWS = 200
"""How often labels that have an interval are drawn, unless somebody says otherwise."""
