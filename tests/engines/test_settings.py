"""Settings of a session of PostgreSQL and Spark that can change what SQL means change no statement.

They are found in the lists of settings of both: how a text, a number, a name or a day is read, how null and ties are
ordered, what a group or a division is. Others are of memory, files, plans and logs, or of how a client shows a number,
as `extra_float_digits` of PostgreSQL.
"""

from __future__ import annotations

from typing import Any

import pytest

import sqlrank
from tests.support.engines import session
from tests.support.tables import hold

SETTINGS: dict[str, dict[str, str]] = {
    "postgres": {
        "standard_conforming_strings": "off",
        "backslash_quote": "on",
        "escape_string_warning": "off",
        "transform_null_equals": "on",
        "array_nulls": "off",
        "quote_all_identifiers": "on",
        "datestyle": "'SQL, DMY'",
        "intervalstyle": "'sql_standard'",
        "timezone": "'Asia/Tokyo'",
        "bytea_output": "'escape'",
        "lc_numeric": "'C'",
        "xmloption": "'document'",
    },
    "spark": {
        "spark.sql.ansi.enabled": "false",
        "spark.sql.ansi.doubleQuotedIdentifiers": "true",
        "spark.sql.ansi.relationPrecedence": "true",
        "spark.sql.ansi.enforceReservedKeywords": "true",
        "spark.sql.caseSensitive": "true",
        "spark.sql.groupByAliases": "false",
        "spark.sql.groupByOrdinal": "false",
        "spark.sql.orderByOrdinal": "false",
        "spark.sql.parser.quotedRegexColumnNames": "true",
        "spark.sql.parser.escapedStringLiterals": "true",
        "spark.sql.mapKeyDedupPolicy": "LAST_WIN",
        "spark.sql.session.timeZone": "Asia/Tokyo",
        "spark.sql.variable.substitute": "false",
        "spark.sql.window.segmentTree.enabled": "true",
        "spark.sql.decimalOperations.allowPrecisionLoss": "false",
        "spark.sql.legacy.exponentLiteralAsDecimal.enabled": "true",
        "spark.sql.legacy.literal.pickMinimumPrecision": "false",
        "spark.sql.legacy.statisticalAggregate": "true",
        "spark.sql.legacy.setopsPrecedence.enabled": "true",
        "spark.sql.legacy.sizeOfNull": "true",
        "spark.sql.legacy.integralDivide.returnBigint": "false",
        "spark.sql.legacy.ctePrecedencePolicy": "LEGACY",
        "spark.sql.legacy.timeParserPolicy": "LEGACY",
    },
}
STATEMENTS: list[dict[str, Any]] = [
    {"metrics": ["ndcg@5", "ap@3", "rr", "p@2", "err@5", "bpref", "infap", "gauc", "rbp", "ndcg(gain=1:3, 2:7)@3"]},
    {"metrics": ["p@2", "recall@5"], "ties": "average", "columns": {"query_id": "part,query_id"}},
    {"metrics": ["ap", "p@2"], "unjudged": "remove", "by": ["market"], "weight": "traffic", "summary": True},
    {"metrics": ["ndcg@5"], "check": True},
]
COLUMNS = ("query_id", "doc_id", "score", "part", "market", "traffic")
RUN = [
    (f"q{query}", rf"d\{doc}'\"", float(doc * query % 5), "a\\", "de" if query % 2 else None, 0.1 + query)
    for query in range(5)
    for doc in range(7)
]
JUDGED = [
    (f"q{query}", rf"d\{doc}'\"", float((doc * query + 1) % 4), "a\\", "de" if query % 2 else None, 0.1 + query)
    for query in range(6)
    for doc in range(6)
]


def answers(engine: str, settings: dict[str, str]) -> list[Any]:
    """The rows of all statements in a session with some settings, which are taken back."""
    judged = tuple(name if name != "score" else "relevance" for name in COLUMNS)
    opened, found = session(engine, found=(RUN, COLUMNS), judged=(JUDGED, judged)), []
    try:
        for name, value in settings.items():
            opened.run(f"set {name} = {value}")
        for asked in STATEMENTS:
            _, rows = opened.query(sqlrank.sql("found", "judged", dialect=engine, **asked))
            found.append(sorted(repr([round(x, 9) if isinstance(x, float) else x for x in row]) for row in rows))
    finally:
        for name in settings:
            opened.run(f"reset {name}")
    return found


@pytest.mark.parametrize("engine", SETTINGS, indirect=True)
def test_no_setting_of_a_session_changes_a_statement(engine: str) -> None:
    wanted = answers(engine, {})
    if answers(engine, SETTINGS[engine]) == wanted:
        return

    def alike(setting: str) -> None:
        assert answers(engine, {setting: SETTINGS[engine][setting]}) == wanted

    hold(list(SETTINGS[engine]), alike)
