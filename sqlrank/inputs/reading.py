"""How inputs are read, and what their arguments mean before anything is opened."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlrank.choices import INPUT_FORMATS, LABEL_DRAWS
from sqlrank.errors import UsageError
from sqlrank.inputs.files import stem
from sqlrank.process.remote import URL, path_of
from sqlrank.spelling import spelt

SQL_TIME_LIMIT = 600.0
"""Seconds after which a statement with SQL of the user is stopped, unless they say otherwise."""
FEWEST_DRAWS, MOST_DRAWS = 20, 10_000
SYSTEM_NAME = re.compile(r"[A-Za-z0-9_.-]+\Z")
PATTERN = re.compile(r"[*?\[]")
OUTPUT_NAMES = frozenset(
    "system query_id doc_id score rank relevance weight place tied retrieved judged hit gain discount "
    "is_total metric value queries stderr label_stderr effective skewness least most ci_low ci_high "
    "copy returned kept given_rank input_order".split()
)
SEGMENTED = ("run", "qrels", "queries")
"""The inputs whose columns may be segments and weights."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions on the rows of the inputs."""

    run: str | None = None
    """On the runs; where it is `bare`, on the judgments of a labelled export too."""
    qrels: str | None = None
    """On the judgments, or the positives, of their own."""
    bare: bool = False
    """Whether that on the runs was given without a name of an input."""

    @property
    def parts_labels(self) -> bool:
        """Whether the rankings of a labelled export lose rows that its judgments keep."""
        return self.run is not None and not self.bare


NO_CONDITIONS = Conditions()


@dataclass(frozen=True, slots=True)
class Reading:
    """How inputs are read: everything but their names and the conventions."""

    by: tuple[str, ...] = ()
    """Columns that split queries into segments: of the queries table if one is given and has them, else of the run,
    else of the qrels; `run.NAME`, `qrels.NAME` and `queries.NAME` say which."""
    weight: str | None = None
    """A column with the weight of each query in the means, named as those of `by`."""
    cluster: str | None = None
    """A column whose value related queries share, named as those of `by`: standard errors are robust to clusters."""
    queries: Any = None
    """A table with one row per query, for segments and weights."""
    positives: Any = None
    """Pairs of a query and a document in place of judgments: each row is relevance 1."""
    items: Any = None
    """The catalogue: a row for each document that could be shown, with the category, length or vector that is read."""
    history: Any = None
    """What is known of the past: a row for each query (or user) and document."""
    baseline_run: Any = None
    """A run to compare with, of metrics that ask what is new."""
    scores: Any = None
    """What a model gave each line of a run in LETOR: a file with a score a line, numbers, a list of files, or any of
    these by the name of its system."""
    where: str | None = None
    """An SQL condition on the rows of the run."""
    conditions: Conditions = NO_CONDITIONS
    """This and the condition on judgments of their own."""
    computed: Mapping[str, str] = field(default_factory=dict)
    """SQL expressions over a row by the names of the columns that they make: segments, and the weight by its text."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Column names by role: `query_id`, or `run.query_id` and `qrels.query_id` where they differ."""
    session: str | None = None
    """A column that is part of the query, where one query was seen in several sessions."""
    separator: str | None = None
    """What stands between the documents of one text, where a row holds a whole ranking."""
    relevance_map: Mapping[str, float | None] = field(default_factory=dict)
    """What text labels are worth, such as `{"E": 3, "C": 1, "I": 0}`; None where one means unjudged."""
    input_format: str | None = None
    """One of `INPUT_FORMATS`; None tells by suffix and content."""
    encoding: str | None = None
    """How text files are encoded; None for UTF-8."""
    header: bool = True
    """Whether CSV files begin with the names of their columns."""
    database: str | None = None
    """A DuckDB file, opened read-only, or the URL of a PostgreSQL server, whose tables the inputs are."""
    timezone: str | None = None
    """The time zone in which times that have one become text and dates; None for UTC, or that of a session passed."""
    judged_by: tuple[str, ...] = ()
    """The systems on whose results the clicks were that the judgments come from, where their files do not say it."""
    same_days: bool = False
    """Whether the judgments may come from clicks of the days that are evaluated."""
    exact_labels: bool = False
    """Whether judgments that have an interval are read without it."""
    label_draws: int = LABEL_DRAWS
    """How often labels that have an interval are drawn."""
    sql_time_limit: float = SQL_TIME_LIMIT
    """Seconds after which a statement with SQL of the user, `where` or a metric of their own, is stopped."""

    @property
    def own_sql(self) -> list[tuple[str, str]]:
        """The SQL of the user, each with the option that gave it, as `spelt_sql` takes it."""
        judged = [] if self.conditions.qrels is None else [(f"where {self.judged_role}:", self.conditions.qrels)]
        filtered = [] if self.where is None else [("where", self.where)]
        return [*filtered, *judged, *((option_of(name), text) for name, text in self.computed.items())]

    @property
    def placed(self) -> list[str]:
        """The columns of segments, clusters and weights."""
        return [*self.by, *filter(None, [self.cluster, self.weight])]

    def sql_in_words(self) -> Iterator[str]:
        """Yield what it decides, as it is printed below the numbers."""
        if self.where is not None:
            yield f"only rows where {self.where}"
        if self.conditions.qrels is not None:
            yield f"only judgments where {self.conditions.qrels}"
        yield from (f"{name} is {text}" for name, text in self.computed.items() if name != text)

    @property
    def grades(self) -> dict[float, str]:
        """The texts of each grade that the map of labels makes."""
        found: dict[float, list[str]] = {}
        for label, worth in self.relevance_map.items():
            if worth is not None:
                found.setdefault(float(worth), []).append(label)
        return {grade: "/".join(labels) for grade, labels in found.items()}

    @property
    def unjudged_labels(self) -> list[str]:
        """The labels which mean unjudged."""
        return [label for label, worth in self.relevance_map.items() if worth is None]

    @property
    def judged_role(self) -> str:
        """What the table of judgments is: `qrels`, or `positives`, which have no relevance."""
        return "qrels" if self.positives is None else "positives"

    def others(self) -> dict[str, Any]:
        """The inputs besides run and judgments that were given, by name."""
        every = {"queries": self.queries, "items": self.items, "history": self.history, "baseline": self.baseline_run}
        return {name: data for name, data in every.items() if data is not None}

    def __post_init__(self) -> None:
        if self.separator == "":
            raise UsageError(f"{spelt('separator', '')}: give the text between two documents, such as '|'")
        if self.input_format not in (None, *INPUT_FORMATS):
            raise UsageError(
                f"{spelt('input_format', self.input_format)} is not known (one of {', '.join(INPUT_FORMATS)})"
            )
        limit = self.sql_time_limit
        if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit > 0:
            raise UsageError(f"{spelt('sql_time_limit', limit)}: give a number of seconds above 0")
        if not all(self.judged_by):
            raise UsageError(f"{spelt('judged_by', '')}: give the name of a system")
        if not FEWEST_DRAWS <= self.label_draws <= MOST_DRAWS:
            raise UsageError(f"{spelt('label_draws', self.label_draws)}: give from {FEWEST_DRAWS} to {MOST_DRAWS:,}")
        check_output_names(self.by, OUTPUT_NAMES)
        check_distinct(self.by)
        if self.cluster is not None:
            check_output_names([bare_name(self.cluster)], OUTPUT_NAMES, "cluster")
            if self.cluster in self.by:
                raise UsageError(
                    f"{spelt('cluster', self.cluster)}: it is a segment too ({spelt('by')}); a segment is one"
                    " cluster then"
                )


def told_of(columns: Mapping[str, str], kind: str, roles: Container[str]) -> Iterator[tuple[str, str, str]]:
    """What `--column` says of some roles of one input: the option as it was written, the role and the column."""
    for name, column in columns.items():
        prefix, _, role = name.rpartition(".")
        if role in roles and prefix in ("", kind):
            yield name, role, column


def check_output_names(names: Iterable[str], taken: Container[str], option: str = "by") -> None:
    """Raise UsageError if a segment, or what else `option` names, has the name of a column of the output."""
    for name in names:
        if name.lower() in taken:
            raise UsageError(f"{spelt(option, name)}: the output has a column of that name; rename the column first")


def check_distinct(by: Sequence[str]) -> None:
    """Raise UsageError if a segment is named twice."""
    if len({name.lower() for name in by}) < len(by):
        raise UsageError(f"{spelt('by', ', '.join(by))}: a column is named twice")


def kind_and_name(text: str) -> tuple[str | None, str]:
    """The input and the column of a segment or weight: `queries.country` names both, a bare name no input."""
    kind, dot, name = text.partition(".")
    return (kind, name) if dot and name and kind in SEGMENTED else (None, text)


def bare_name(text: str) -> str:
    """What a segment is called in the output."""
    return kind_and_name(text)[1]


def named_run(text: str) -> tuple[str | None, str]:
    """A run argument as system name and path: `name=path`, unless a file is called that."""
    name, equals, path = text.partition("=")
    if not equals or os.path.exists(text) or URL.match(text) or not SYSTEM_NAME.match(name):
        return None, text
    return name, path


def input_paths(arguments: Sequence[str]) -> list[str]:
    """Every local file that some arguments name; no output may be one of them."""
    paths: list[str] = []
    for argument in arguments:
        _, path = named_run(argument)
        if os.path.isdir(path):
            paths += [path, *(str(file) for file in Path(path).rglob("*"))]
        else:
            paths += [path, *glob.glob(path, recursive=True)]
    return paths


def stem_of(path: str) -> str:
    """What the files of a path are called: the stem of a file; of a pattern what they have in common, or the folder.

    A stream of the shell is called by a number, which says nothing.
    """
    if path.startswith(("/dev/fd/", "/proc/")):
        return ""
    name = Path(path_of(path)).name
    if URL.match(path) or os.path.exists(path) or not glob.has_magic(name):
        return stem(name)
    return PATTERN.split(name)[0].rstrip("-_.= ") or folder_of(path)


def folder_of(path: str) -> str:
    """The folder of the files of a path or pattern, by its own name."""
    every = [part for part in Path(path_of(path)).parts[:-1] if not glob.has_magic(part)]
    return every[-1].strip("/") if every else ""


def system_of(data: Any, number: int, database: bool = False) -> str:
    """The name of a system that was not named: that of its table, the stem of its file, else `run`."""
    data = data.named if isinstance(data, Scored) else data
    if isinstance(data, str | Path):
        name = str(data) if database else stem_of(str(data))
        if name not in ("", "-") and not (database and any(map(str.isspace, name))):
            return name
    return "run" if number == 0 else f"run_{number + 1}"


def named_by(kind: str) -> str:
    """The option that names an input."""
    return "baseline_run" if kind == "baseline" else kind


def option_of(name: str) -> str:
    """The option that gave a computed column."""
    return f"by {name} =" if re.fullmatch(r"[A-Za-z_]\w*", name) else "weight"


@dataclass(frozen=True, slots=True)
class Scored:
    """A run in LETOR with the scores of its lines."""

    lines: str
    """The file of its lines."""
    scores: Any
    """The file of its scores, or numbers."""
    several: bool
    """Whether there are others, so that the system is called by its scores."""

    @property
    def named(self) -> Any:
        """What the system is called by."""
        return self.scores if self.several and isinstance(self.scores, str) else self.lines
