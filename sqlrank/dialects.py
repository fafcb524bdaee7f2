"""SQL dialects: quoting, literals, type names and a few functions of each engine.

The templates use only what every engine reads alike; the rest is one record per engine here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlrank.errors import UsageError

PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")
CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)
"""Characters that steer a terminal or are invisible: control, format, line separators and lone surrogates."""
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Those of them that must not stand in a statement that people read: all that moves the cursor or turns the text."""

RESERVED = frozenset(
    """
    all analyse analyze and anti any array as asc asof asymmetric at authorization between bigint binary bit boolean
    both by case cast char character check coalesce collate collation column columns concurrently constraint create
    cross cube current current_catalog current_date current_role current_time current_timestamp current_user
    database dec decimal default deferrable desc describe distinct do else end end_exec escape except exclude exists
    extract false fetch filter first float for foreign freeze from full function generated glob grant group grouping
    groups hash having if ilike in index initially inner inout insert int integer intersect interval into is isnull
    join key lambda last lateral leading left like limit local localtime localtimestamp map natural none not notnull
    null nullif nulls numeric of offset on only or order out outer over overlaps overlay partition pivot
    pivot_longer pivot_wider placing position positional precision primary qualify range real recursive references
    returning right row rows select semi session_user set show similar smallint some struct substring summarize
    symmetric table tablesample text then time timestamp to trailing treat trim true try_cast tuple union unique
    unpack unpivot update user using values varchar variadic verbose view when where window with within
    """.split()
)
"""Words that several of the engines refuse as a bare column or table name."""
BIGQUERY_RESERVED = RESERVED | frozenset(
    """
    assert_rows_modified contains define enum following ignore lookup merge new no preceding proto respect rollup
    unbounded unnest
    """.split()
)
TRINO_RESERVED = RESERVED | frozenset(["alter", "deallocate", "delete", "drop", "execute", "prepare"])
REDSHIFT_RESERVED = RESERVED | frozenset(
    """
    aes128 aes256 allowoverwrite az64 backup blanksasnull bytedict bzip2 credentials current_user_id deflate defrag
    delta delta32k disable emptyasnull enable encode encryption explicit globaldict256 globaldict64k gzip identity
    ignore lun luns lzo lzop minus mostly16 mostly32 mostly8 new off offline oid old open parallel percent
    permissions raw readratio recover rejectlog resort respect restore snapshot sysdate system tag tdes text255
    text32k top truncatecolumns type unnest wallet without
    """.split()
)


class Argument:
    """A value that is given when the statement runs; its name stands in place of it."""

    name: str

    def __str__(self) -> str:
        return self.name


class TextArgument(Argument, str):
    """A text that is given later."""


class NumberArgument(Argument, float):
    """A number that is given later."""


class CutoffArgument(Argument, int):
    """A whole number that is given later."""


def argument(name: str, value: str | float) -> Any:
    """An argument of a name, which otherwise behaves as its default does."""
    kind = TextArgument if isinstance(value, str) else CutoffArgument if isinstance(value, int) else NumberArgument
    made = kind(value)
    made.name = name
    return made


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one engine spells SQL."""

    name: str
    title: str
    """The name of the engine, for people."""
    quote: str = '"'
    """The character around identifiers, doubled inside them."""
    escapes_texts: bool = False
    """Whether a backslash is an escape inside texts."""
    may_escape_quotes: bool = False
    """Whether a setting decides what a backslash before a quote is inside texts."""
    text_quotes: str = "'"
    """The characters that a text may stand between."""
    triples_quotes: bool = False
    """Whether two quotes may begin a text that stands between three."""
    brackets_names: bool = False
    """Whether a name may stand between brackets."""
    operators: tuple[str, ...] = ()
    """Operators that only some engines have, as regular expressions."""
    substitutes: bool = False
    """Whether `${...}` is replaced before a statement is read, inside texts and names too."""
    escapes_bytes: bool = False
    """Whether E'\\x1b' is a text in which a byte is written out."""
    escapes_names: bool = False
    """Whether a backslash is an escape inside quoted identifiers, rather than the doubled quote."""
    text: str = "varchar"
    """The type of ids."""
    bytewise: str = ""
    """Written after an id where texts do not compare by their bytes, and otherwise empty."""
    double: str = "double"
    """The type of scores, relevances, gains and values: 64-bit floating point."""
    one: str = "1"
    """The number that counts are sums of; a floating-point number where two whole ones divide as such."""
    unsigned_zero: str = ""
    """Written after a number where 0.0 and -0.0 are told apart, to make them one."""
    single: str | None = "real"
    """32-bit floating point, or None where the engine has none."""
    nth: str = "split_part("
    """What gives a part of a text between commas stands before the text; empty where the engine has nothing for it."""
    nth_of_text: str = ", ',', "
    """Written between the text and the number of the part, from 1."""
    nth_end: str = ")"
    """Written after the number."""
    unnesting: str = "ordinality"
    """How rows are made of the values of lists; the macros of lists know each of these ways."""
    split: str = "split"
    """The function that makes a list of a text, or empty where there is none that serves."""
    exact_sum: str = "sum"
    """An aggregate that sums with compensation, or plain `sum`."""
    sample_deviation: str = "stddev_samp"
    """An aggregate that gives the standard deviation of a sample, or empty where there is none."""
    weekday: str = "extract(dow from "
    """Written before a day and a closing parenthesis: the number of its weekday, whichever is the first one."""
    inline: str = ""
    """Written after `as` so that a step read twice is not copied into memory, or empty."""
    heaps: bool = False
    """Whether `max(value, k)` is a list of the k largest values, and lists are sorted, summed and made rows of."""
    broadcast: str = ""
    """Written before the names of small tables and `) */`: a hint that each machine gets a copy of them; or empty."""
    shuffles: bool = False
    """Whether rows are moved between machines for each grouping that is not the last one."""
    vectors: bool = False
    """Whether a function gives the cosine distance of two lists of numbers."""
    recursive_windows: bool = True
    """Whether a recursive step may use window functions."""
    settings: str = ""
    """Written after the statement, so that the engine does what the standard says."""
    dashed_projects: bool = False
    """Whether the first part of a dotted name may hold dashes without quotes."""
    table_options: str = ""
    """Written after the name of a table that is made of a statement."""
    begin: str = ""
    """What begins a transaction of several statements, or empty where there is none."""
    commit: str = "commit"
    """What ends it."""
    temporary: bool = False
    """Whether a table can be made that goes with the session."""
    keys: bool = False
    """Whether the engine keeps a unique index of a table."""
    deletes: bool = True
    """Whether rows of a table can be deleted."""
    dbt_strategy: str = "delete+insert"
    """How the adapter of dbt adds a partition to an incremental model."""
    dbt_batches: str = ""
    """What its strategy microbatch replaces a day by: a `window` of the column, a `merge` by a key, which deletes
    nothing, or empty where it is not known to replace exactly that day."""
    typed: bool = True
    """Whether the values of a column have one type, rather than each its own."""
    replaces_views: bool = True
    """Whether a view can be made in the place of another one."""
    longest_name: int | None = None
    """How many bytes of a name the engine reads, or None where no name of ours is too long."""
    reserved: frozenset[str] = RESERVED
    """Words that the engine, or one like it, refuses as a name unless they are quoted."""
    quoted: frozenset[str] = frozenset()
    """Those of them that the templates use as names."""

    def ident(self, name: str) -> str:
        """A name as an identifier, quoted where it must be; UsageError if it is empty or holds a NUL character."""
        if not name or "\x00" in name:
            raise UsageError(f"{name!r} cannot be the name of a column or table")
        if self.longest_name is not None and len(name.encode()) > self.longest_name:
            raise UsageError(
                f"{self.title} reads only {self.longest_name} bytes of a name, and {name} is longer;"
                " leave out the metric or the parameter that it comes from"
            )
        if self.substitutes and "${" in name:
            raise UsageError(f"{self.title} replaces what stands in ${{...}}, so {name!r} cannot be a name; rename it")
        if PLAIN_NAME.match(name) and name not in self.reserved:
            return name
        escape = "\\" if self.escapes_names else self.quote
        escaped = name.replace("\\", "\\\\") if self.escapes_names else name
        return f"{self.quote}{escaped.replace(self.quote, escape + self.quote)}{self.quote}"

    def literal(self, value: object) -> str:
        """A text, number, None, or sequence of them as a literal; UsageError for a NUL or a number not finite."""
        match value:
            case Argument():
                return str(value)
            case None:
                return "null"
            case bool():
                return "true" if value else "false"
            case int():
                return str(value)
            case float() if math.isfinite(value):
                return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
            case str() if "\x00" not in value:
                return self.text_literal(value)
            case Sequence() if not isinstance(value, str | bytes):
                return "[" + ", ".join(self.literal(item) for item in value) + "]"
        raise UsageError(f"{value!r} cannot be written as a value in SQL")

    def text_literal(self, value: str) -> str:
        """A text between single quotes."""
        if self.escapes_texts:
            escaped = "".join(ESCAPES.get(character, character) for character in value)
            return "'" + (escaped.replace("${", "$\\{") if self.substitutes else escaped) + "'"
        # A session may read a backslash as an escape in a plain text too (standard_conforming_strings).
        if self.escapes_bytes and ("\\" in value or CONTROL.search(value.replace("\n", "").replace("\t", ""))):
            return "E'" + CONTROL.sub(written_out, value.replace("\\", "\\\\").replace("'", "''")) + "'"
        return "'" + value.replace("'", "''") + "'"


def written_out(found: re.Match[str]) -> str:
    """A character as its bytes in UTF-8, each as an escape."""
    return "".join(f"\\x{byte:02x}" for byte in found[0].encode("utf-8", "surrogatepass"))


ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r"}
"""What stands for a character inside a text where a backslash is an escape."""

MATCHING = (r"!?~\*?", r"->>?")
"""The operators of PostgreSQL that match a pattern, and take what is inside of JSON."""

DUCKDB = Dialect(
    "duckdb",
    "DuckDB",
    one="1e0",
    dbt_batches="window",
    escapes_bytes=True,
    vectors=True,
    single="float",
    unnesting="subscripts",
    split="string_split",
    exact_sum="fsum",
    inline="not materialized",
    heaps=True,
    begin="begin transaction",
    keys=True,
    temporary=True,
)
SQLITE = Dialect(
    "sqlite",
    "SQLite",
    weekday="strftime('%w', ",
    brackets_names=True,
    text="text",
    bytewise=" collate binary",
    double="real",
    one="1.0",
    nth="",
    unnesting="json each",
    split="",
    sample_deviation="",
    single=None,
    inline="not materialized",
    recursive_windows=False,
    replaces_views=False,
    begin="begin immediate",
    keys=True,
    temporary=True,
    typed=False,
)
POSTGRES = Dialect(
    "postgres",
    "PostgreSQL",
    operators=MATCHING,
    dbt_batches="merge",
    escapes_bytes=True,
    text="text",
    bytewise=' collate "C"',
    double="double precision",
    one="cast(1 as double precision)",
    unnesting="rows",
    split="string_to_array",
    inline="not materialized",
    longest_name=63,
    begin="begin",
    keys=True,
    temporary=True,
)
SPARK = Dialect(
    "spark",
    "Apache Spark",
    quote="`",
    escapes_texts=True,
    substitutes=True,
    text="string",
    unnesting="explode",
    single="float",
    broadcast="/*+ broadcast(",
    shuffles=True,
    recursive_windows=False,
    dbt_strategy="insert_overwrite",
)
DATABRICKS = replace(SPARK, name="databricks", title="Databricks", dbt_strategy="append")
BIGQUERY = Dialect(
    "bigquery",
    "BigQuery",
    weekday="extract(dayofweek from ",
    quote="`",
    escapes_texts=True,
    text_quotes="'\"",
    triples_quotes=True,
    escapes_names=True,
    dashed_projects=True,
    text="string",
    double="float64",
    nth="split(",
    nth_of_text=", ',')[safe_ordinal(",
    nth_end=")]",
    unnesting="offset",
    single=None,
    recursive_windows=False,
    reserved=BIGQUERY_RESERVED,
    begin="begin transaction",
    commit="commit transaction",
    temporary=True,
    dbt_strategy="merge",
)
SNOWFLAKE = Dialect(
    "snowflake",
    "Snowflake",
    one="1e0",
    escapes_texts=True,
    unnesting="flatten",
    single=None,
    recursive_windows=False,
    begin="begin transaction",
    temporary=True,
)
TRINO = Dialect("trino", "Trino", one="1e0", recursive_windows=False, reserved=TRINO_RESERVED)
REDSHIFT = Dialect(
    "redshift",
    "Amazon Redshift",
    escapes_texts=True,
    may_escape_quotes=True,
    operators=MATCHING,
    text="varchar(65535)",
    double="double precision",
    one="cast(1 as double precision)",
    unnesting="navigation",
    split="",
    recursive_windows=False,
    longest_name=127,
    reserved=REDSHIFT_RESERVED,
    quoted=frozenset(("system",)),
    begin="begin",
    temporary=True,
)
CLICKHOUSE = Dialect(
    "clickhouse",
    "ClickHouse",
    one="1e0",
    weekday="toDayOfWeek(",
    unsigned_zero=" + 0.0",
    escapes_texts=True,
    escapes_names=True,
    single="float",
    nth="splitByChar(',', assumeNotNull(",
    nth_of_text="))[",
    nth_end="]",
    unnesting="array join",
    split="splitByString",
    exact_sum="sumKahan",
    table_options=" engine = MergeTree order by tuple()",
    settings="settings join_use_nulls = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1,"
    " query_plan_max_optimizations_to_apply = 1000000",
)
DATAFUSION = Dialect(
    "datafusion",
    "Apache DataFusion",
    one="1.0",
    unsigned_zero=" + 0.0",
    unnesting="range",
    split="string_to_array",
    deletes=False,
)

DIALECTS = {
    dialect.name: dialect
    for dialect in (
        DUCKDB,
        POSTGRES,
        SPARK,
        DATABRICKS,
        BIGQUERY,
        SNOWFLAKE,
        TRINO,
        REDSHIFT,
        CLICKHOUSE,
        DATAFUSION,
        SQLITE,
    )
}
"""Every dialect by name."""


def visible(text: str) -> str:
    """Text with control characters written out, so that an id cannot steer a terminal."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def visible_lines(text: str) -> str:
    """Lines of text, each as `visible` shows it."""
    return "\n".join(visible(line) for line in text.split("\n"))


def comment_text(text: str) -> str:
    """Text for a `--` comment: one line, no control characters, so that it cannot end the comment."""
    return CONTROL.sub(" ", text)
