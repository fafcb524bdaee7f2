"""The options of every call on a log: how it is read, and which of its rows count."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from sqlrank.choices import TABLE_INPUTS
from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import ACTIONS, PATH, ROLES, WHOLE
from sqlrank.options.shared import Separated, Session, TextFiles, TimeLimit


class LogInputs(TypedDict, total=False):
    """A log, and how it is read."""

    columns: Annotated[
        Mapping[str, str],
        option(
            "ROLE=NAME",
            "Column for impression_id, query_id, doc_id, position, clicked, user_id, session_id, time, click_time, "
            "system, arm, application, seen, dwell, cart, purchase, page, sort, swap, is_ad, is_bot, team, rank_a, "
            "rank_b, length_a, length_b, shown, clicks, ranking_a, ranking_b, propensity, propensity_prefix or "
            "propensity_list; repeatable",
            ROLES,
            flags="--column",
            complete="roles",
            common=True,
        ),
    ]
    actions: Annotated[
        Mapping[str, str],
        option(
            "NAME=KIND",
            "Name that a log of events has for an action: shown, click, cart or purchase; repeatable",
            ACTIONS,
            flags="--action",
            carried=False,
        ),
    ]
    where: Annotated[str | None, option("SQL", "Keep only rows that meet this condition")]
    input_format: Annotated[
        str | None,
        option("FORMAT", "Input format, if the suffix does not tell", words=TABLE_INPUTS, carried=False),
    ]
    header: Annotated[
        bool,
        flag(
            "CSV has no header",
            in_python="CSV files begin with the names of their columns",
            given=False,
            default=True,
            flags="--no-header",
            carried=False,
        ),
    ]
    database: Annotated[
        str | None,
        option(
            "FILE|URL",
            "DuckDB file, ducklake:FILE, md:NAME or postgresql:// URL, opened read-only, with LOG as a table",
            PATH,
            carried=False,
        ),
    ]


class CountedRows(TypedDict, total=False):
    """Which rows count, and as what."""

    signal: Annotated[
        str,
        option(
            "SIGNAL",
            "What is taken for a click: click, dwell>=SECONDS, cart, purchase, or best (a click 1, the cart 2, a "
            "purchase 3)",
            default="click",
            common=True,
        ),
    ]
    shown_depth: Annotated[int | None, option("N", "Last position that was displayed", WHOLE, least=1)]
    position_base: Annotated[
        int | None, option("0|1", "Position of the first document", WHOLE, shown="as seen", least=0, most=1)
    ]
    page_size: Annotated[
        int | None, option("N", "Documents per page, where positions begin anew on each page", WHOLE, least=1)
    ]
    exclude_bots: Annotated[bool, flag("Exclude users who look automated", common=True)]
    sorted_too: Annotated[bool, flag("Include lists whose order the user chose")]
    fold_queries: Annotated[bool, flag("Treat queries that differ only in case and outer blanks as one")]


class LogReading(LogInputs, TextFiles, Separated, CountedRows, TimeLimit, total=False):
    """How a log is read, and which of its rows count."""


class LogOptions(LogReading, Session, total=False):
    """The options of every call on a log."""
