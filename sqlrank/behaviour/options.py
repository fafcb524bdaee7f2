"""The options of calls on a log, how it is read and which of its rows count, and of what is estimated from it."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from sqlrank.choices import LABEL_METHODS, PROPENSITY_METHODS, TABLE_INPUTS
from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import ACTIONS, BY_POSITION, NUMBER, PATH, ROLES, TWO_NUMBERS, WHOLE
from sqlrank.options.shared import Alpha, Separated, Session, Statement, TextFiles, TimeLimit

ENOUGH = 50
"""How many impressions a document has at both positions that it links."""
LINKING = 10
"""How many such documents link two positions."""


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


class Prior(TypedDict, total=False):
    """What is known before the log."""

    prior: Annotated[
        tuple[float, float] | None,
        option(
            "A,B",
            "Clicks, and impressions without one, added to those of each document",
            TWO_NUMBERS,
            shown="that of the method",
        ),
    ]


class Rounds(TypedDict, total=False):
    """How long is learned."""

    rounds: Annotated[
        int | None, option("N", "Number of EM iterations", WHOLE, shown="until convergence", least=1, carried=False)
    ]


class Labels(Prior, total=False):
    """How labels are estimated."""

    method: Annotated[
        str | None,
        option(
            "WORD",
            "How labels are estimated",
            shown="ratio with {propensities}, else sdbn",
            words=LABEL_METHODS,
            common=True,
        ),
    ]
    propensities: Annotated[
        Any,
        option("FILE", "Examination propensities by position: columns position, propensity", BY_POSITION, common=True),
    ]
    no_click: Annotated[
        str,
        option(
            "WORD",
            "What an impression without clicks says\nexamined: all of it was examined\nskip: nothing",
            default="examined",
            words=("examined", "skip"),
        ),
    ]
    min_impressions: Annotated[
        int, option("N", "Minimum impressions of a pair for it to have a label", WHOLE, 10, least=0, common=True)
    ]
    clip: Annotated[float, option("N", "Largest weight of a click with ips", NUMBER, 10, least=1)]


class LearnedLabels(Rounds, total=False):
    """How labels are learned, or are those of a tool: what statements cannot do."""

    min_documents: Annotated[
        int,
        option(
            "N", "Documents that link two positions, for pbm; 0 asks for none", WHOLE, LINKING, least=0, carried=False
        ),
    ]
    like: Annotated[
        str | None,
        option("TOOL", "The labels of a tool, to the last digit", words=("opensearch",), carried=False),
    ]
    max_rank: Annotated[int, option("N", "How far down {like} looks", WHOLE, 20, least=1, carried=False)]


class JudgmentOptions(Labels, LearnedLabels, Alpha, LogOptions, total=False):
    """The options of `sqlrank.log.judgments`."""


class LabelSteps(Statement, total=False):
    """What the statement of judgments makes."""

    step: Annotated[
        str,
        option(
            "WORD",
            "What it makes\n"
            "all: judgments of a log\n"
            "cells: counts by day, for a log that grows\n"
            "labels: judgments of such counts",
            default="all",
            words=("all", "cells", "labels"),
        ),
    ]
    day: Annotated[str | None, option("COLUMN", "Column of the days, for {step} cells")]


class JudgmentStatement(Labels, Alpha, LabelSteps, LogReading, total=False):
    """The options of `sqlrank.log.judgments_sql`."""


class Examined(Prior, Rounds, total=False):
    """How propensities are estimated."""

    method: Annotated[
        str,
        option(
            "WORD",
            "How propensities are estimated\n"
            "pbm: position-based model, fitted by EM\n"
            "allpairs: from documents that several rankers showed at different positions\n"
            "swap: from positions that were randomly exchanged with the first",
            default="pbm",
            words=PROPENSITY_METHODS,
            common=True,
        ),
    ]
    min_impressions: Annotated[
        int, option("N", "Impressions of a document at both positions that it links", WHOLE, ENOUGH, least=1)
    ]
    min_documents: Annotated[
        int, option("N", "Documents that link two positions; 0 asks for none", WHOLE, LINKING, least=0)
    ]


class PropensityOptions(Examined, Alpha, LogOptions, total=False):
    """The options of `sqlrank.log.propensities`."""
