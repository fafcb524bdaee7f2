"""The options that several questions share: the session, files, and how differences are tested."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from sqlrank.choices import ALTERNATIVES, DIALECTS
from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import CONNECTION, MARGINS, NUMBER, PATH, SECONDS, TEXTS, WHOLE

if TYPE_CHECKING:
    import duckdb


class Limits(TypedDict, total=False):
    """What DuckDB may use."""

    threads: Annotated[int | None, option("N", "Number of DuckDB threads", WHOLE, least=1)]
    memory_limit: Annotated[
        str | None, option("SIZE", "Memory limit of DuckDB, such as 500MB; beyond it, data is spilled to disk")
    ]
    temp_dir: Annotated[str | None, option("DIR", "Directory for spilled data", PATH)]


class Session(Limits, total=False):
    """Where a call runs, and what it may use."""

    connection: Annotated[
        "duckdb.DuckDBPyConnection | None",
        option("", "DuckDB connection to work on", CONNECTION, shown="a new one, with {threads} and its limits"),
    ]
    progress: Annotated[bool, flag("Show progress on stderr")]
    writes: Annotated[
        Sequence[str],
        option("", "Files that will be written from the result where {where} locks the connection", TEXTS, ()),
    ]


class TextFiles(TypedDict, total=False):
    """How text files are read."""

    encoding: Annotated[
        str | None,
        option(
            "NAME", "Encoding of text files, such as utf-16, latin-1 or gbk", default=..., shown="utf-8", carried=False
        ),
    ]
    timezone: Annotated[
        str | None,
        option(
            "ZONE",
            "Where times have a zone: the one in which they are read, such as Europe/Berlin",
            default=...,
            shown="UTC",
            carried=False,
        ),
    ]


class Separated(TypedDict, total=False):
    """How texts of several values are read."""

    separator: Annotated[
        str | None,
        option(
            "TEXT",
            "A row holds a whole ranking, its documents (and scores) as texts with this between them",
            default=...,
            carried=False,
        ),
    ]


class TimeLimit(TypedDict, total=False):
    """The time limit of SQL that the user wrote."""

    sql_time_limit: Annotated[
        float,
        option(
            "SECONDS", "Time limit of a statement with SQL of yours ({where}, {metrics_dir})", SECONDS, ..., shown="600"
        ),
    ]


class Alpha(TypedDict, total=False):
    """The significance level."""

    alpha: Annotated[
        float,
        option(
            "P",
            "Significance level; intervals have a confidence of 1 - P",
            NUMBER,
            0.05,
            least=1e-6,
            most=0.5,
            hint="0.05 is for intervals of 95 %",
            in_python="Significance level; intervals have a confidence of 1 - alpha",
        ),
    ]


class Alternative(TypedDict, total=False):
    """What a test of two systems, or of two arms, looks for."""

    alternative: Annotated[
        str,
        option(
            "WORD",
            "What the test looks for: a difference either way, or a candidate that is better (greater) or worse (less)",
            default=ALTERNATIVES[0],
            words=ALTERNATIVES,
        ),
    ]


class Replicates(TypedDict, total=False):
    """How often something is drawn, and where chance begins."""

    replicates: Annotated[int, option("N", "Replicates of randomization and bootstrap", WHOLE, 10_000)]
    seed: Annotated[int, option("N", "Seed of their random numbers", WHOLE, 0)]


class Margins(TypedDict, total=False):
    """Margins of non-inferiority and equivalence."""

    margins: Annotated[
        Mapping[str, float | str] | None,
        option(
            "METRIC=VALUE",
            "Also test whether candidates are not worse than the baseline, and equivalent to it, up to VALUE or 1%; "
            "repeatable",
            MARGINS,
            flags="--margin",
        ),
    ]


class SegmentsOfLog(TypedDict, total=False):
    """Segments of a log."""

    by: Annotated[
        str | Sequence[str] | None,
        option(
            "COLUMN",
            "Segment by this column of the log: rows for each value, as well as for the total; repeatable",
            TEXTS,
            complete="columns",
            common=True,
        ),
    ]


class Statement(TypedDict, total=False):
    """The statement for another engine."""

    dialect: Annotated[str, option("DIALECT", "Engine that will run it", default="duckdb", words=DIALECTS, common=True)]


def part_of(options: Mapping[str, Any], *records: type) -> dict[str, Any]:
    """The options of a call that belong to some records."""
    names = {name for record in records for name in record.__annotations__}
    return {name: value for name, value in options.items() if name in names}


def session_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Where a call runs, and what it may use, among all of its options."""
    return {name: value for name, value in part_of(options, Session).items() if name != "writes"}
