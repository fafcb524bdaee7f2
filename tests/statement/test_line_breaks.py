"""Values and names with line breaks reach the engine as they are, wherever in a statement they stand.

Each request is made twice, with hostile texts and with plain ones in their place; both give the same rows. The rows
beside them hold what the hostile text would become if it were indented with the statement around it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.dialects import DIALECTS
from sqlrank.errors import UsageError
from tests.support.cli_helper import error_of
from tests.support.sessions import SESSIONS, Session
from tests.support.tables import hold

BREAKS = [
    "\n",
    "\r\n",
    "\r",
    "\v",
    "\f",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x85",
    "\u2028",
    "\u2029",
    "\n\n",
    " \n  \n",
    "\n'\n",
]
"""What some program takes for the end of a line."""
PLAIN = "plain"

FORMS: dict[str, dict[str, Any]] = {
    "per query": {},
    "summary": {"summary": True},
    "systems": {"system": None, "columns": {"system": "{}s"}, "summary": True},
    "kept": {"keep": ["{}k", "qrels.{}j"]},
    "table": {"create": ("table", '"{}t"')},
    "summary in a table": {"create": ("table", '"{}t"'), "summary": True},
    "view": {"create": ("view", '"{}t"')},
    "partition": {"create": ("table", '"{}t"'), "incremental": "{}d", "query_set": "judged"},
    "summary of a partition": {
        "create": ("table", '"{}t"'),
        "incremental": "{}d",
        "query_set": "judged",
        "summary": True,
    },
    "findings": {"check": True, "keep": ["{}k"]},
    "findings of a partition": {
        "check": True,
        "create": ("table", '"{}t"'),
        "incremental": "{}d",
        "query_set": "judged",
    },
    "ids": {"columns": {"run.doc_id": 'doc_id,"{}k"', "qrels.doc_id": 'doc_id,"{}j"'}, "summary": True},
    "shared": {"query_set": "shared", "duplicates": "best", "judgments": "max", "summary": True},
}
"""Options of each form of a statement; `{}` is where the text stands in a name."""


def filled(part: Any, text: str) -> Any:
    """An option with the text in its place."""
    if isinstance(part, dict):
        return {name: filled(each, text) for name, each in part.items()}
    if isinstance(part, list | tuple):
        return type(part)(filled(each, text) for each in part)
    return part.replace("{}", text.replace('"', '""')) if isinstance(part, str) else part


def options_of(form: str, text: str) -> dict[str, Any]:
    """The options of a form, with the text in a condition, a segment, the name of a system, and other names."""
    escaped = text.replace("'", "''")
    usual = {
        "where": f"c in ('{escaped}', 'other') /* it's of one market */",
        "by": [f"run.{text}b"],
        "system": f"{text}s",
        "columns": {"run.query_id": f"{text}q"},
    }
    asked = usual | filled(FORMS[form], text)
    asked["columns"] = usual["columns"] | asked["columns"]
    return {name: value for name, value in asked.items() if value is not None}


def indented(text: str) -> list[str]:
    """What a text becomes where its lines are indented, or their ends are made alike."""
    lines = text.splitlines()
    return sorted({(end + " " * deep).join(lines) for end in ("\n", "\r\n") for deep in (0, 4, 8)} - {text, PLAIN})


def rows(text: str, where: bool) -> list[tuple[Any, ...]]:
    """Rows of a run: query, document, score, segment, kept, day, system, condition."""
    found = [
        (query, f"d{number}", float(number), f"{text}{query}", text, "2026-01-01", f"{text}s", where)
        for query in ("q1", "q2")
        for number, where in enumerate([text, "other", text], 1)
    ]
    return found + [
        ("q1", f"e{number}", 9.0, f"{text}q1", text, "2026-01-01", f"{text}s", decoy)
        for number, decoy in enumerate(indented(text) if where else [])
    ]


def answers(session: Session, engine: str, form: str, text: str, where: bool) -> list[tuple[Any, ...]]:
    """The names of the columns and the rows of a form, with the text replaced by the plain one."""
    spoken = DIALECTS[engine]
    run, made = spoken.ident(f"{text}r"), spoken.ident(f"{text}t")
    names = [f"{text}{end}" for end in "q"] + ["doc_id", "score"] + [f"{text}{end}" for end in "bkds"] + ["c"]
    kinds = [spoken.double if name == "score" else spoken.text for name in names]
    declared = ", ".join(f"{spoken.ident(name)} {kind}" for name, kind in zip(names, kinds, strict=True))
    judged = spoken.ident(f"{text}j")
    values = [f"({', '.join(map(spoken.literal, row))})" for row in rows(text, where)]
    script = [
        f"create table {run} ({declared})",
        f"insert into {run} values {', '.join(values)}",
        f"create table judged (query_id {spoken.text}, doc_id {spoken.text}, relevance int, {judged} {spoken.text})",
        f"insert into judged values ('q1', 'd1', 1, {spoken.literal(text)}), ('q2', 'd2', 1, {spoken.literal(text)})",
    ]
    asked = options_of(form, text)
    if engine != "duckdb":  # where no comment may stand in a condition
        asked["where"] = asked["where"].partition(" /*")[0]
    if not where:
        del asked["where"]
    statement = sqlrank.sql(f'"{text}r"', "judged", ["rr", "num_ret"], dialect=engine, **asked)
    for line in script:
        session.run(line)
    try:
        if "create" in asked and not asked.get("check"):
            for part in statements_in(engine, statement):
                session.run(part)
            statement = f"select * from {made}"
        elif "create" in asked:
            session.run(
                f"create table {made} as select {spoken.ident(text + 'd')}, '' as system from {run} where 1 = 0"
            )
        columns, found = session.query(statement)
    finally:
        kind = "view" if form == "view" else "table"
        for line in (f"drop {kind} if exists {made}", f"drop table {run}", "drop table judged"):
            session.run(line)
    shown = [place for place, name in enumerate(columns) if name != "sqlrank_definition"]  # which writes signs out
    plain = [tuple(replaced(row[place], text) for place in shown) for row in found]
    return [tuple(replaced(columns[place], text) for place in shown), *sorted(plain, key=repr)]


def statements_in(engine: str, text: str) -> list[str]:
    """The statements of a script, as the engine itself divides it."""
    if engine == "duckdb":
        return [part.query for part in duckdb.extract_statements(text)]
    found, begun = [], ""
    for part in text.rstrip().rstrip(";").split(";"):
        begun += part + ";"
        if sqlite3.complete_statement(begun):
            found.append(begun)
            begun = ""
    return [*found, begun] if begun.strip(" ;\n") else found


def replaced(value: Any, text: str) -> Any:
    """A value with the plain text in place of the other one; sums differ in their last bits."""
    if isinstance(value, float):
        return round(value, 12)
    return value.replace(text, PLAIN) if isinstance(value, str) else value


ENGINES = ["duckdb", "sqlite", "postgres"]
WANTED: dict[tuple[str, str, bool], list[tuple[Any, ...]]] = {}
"""What an engine answers to a form with the plain text, with a condition or without."""


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Session]]:
    """The name of an engine, and its session."""
    session = SESSIONS[request.param]()
    yield request.param, session
    session.close()


@pytest.mark.parametrize("form", FORMS)
def test_a_text_with_a_line_break_is_the_same_in_every_place(engine: tuple[str, Session], form: str) -> None:
    """DuckDB is asked for every sign in every form, the others for a third: each form and each sign with some."""
    place = list(FORMS).index(form)
    signs = BREAKS if engine[0] == "duckdb" else [sign for at, sign in enumerate(BREAKS) if (at + place) % 3 == 0]
    hold({repr(sign): sign for sign in signs}, lambda sign: is_the_same(*engine, form, sign))


def is_the_same(name: str, session: Session, form: str, sign: str) -> None:
    """A form gives what it gives for a text without a line break."""
    where = name == "duckdb" or not re.search(r"[\v\f\x1c-\x1e]", sign)  # which no condition may hold elsewhere
    if (name, form, where) not in WANTED:
        WANTED[name, form, where] = answers(session, name, form, PLAIN, where)
    wanted = WANTED[name, form, where]
    assert len(wanted) > 1 or "findings" in form
    assert answers(session, name, form, f"x{sign}y", where) == wanted


@pytest.mark.parametrize("summary", [False, True])
@pytest.mark.parametrize("sign", ["\n", "\n  ", "\u2028"])
def test_a_separator_may_be_a_line_break(sign: str, summary: bool) -> None:
    text = sqlrank.sql(
        "runs", "judged", "rr", columns={"run.doc_id": "docs[]"}, separator=sign, summary=summary, where="'\n' = '\n'"
    )
    with duckdb.connect() as connection:
        connection.execute("create table judged as select 'q' as query_id, 'd2' as doc_id, 1 as relevance")
        connection.execute("create table runs as select 'q' as query_id, ? as docs", [sign.join(["d1", "d2"])])
        assert connection.sql(text).fetchall()[0][1] == 0.5


@pytest.mark.parametrize("sign", [sign for sign in BREAKS if "\r" not in sign])
def test_a_metric_of_the_user_may_hold_a_text_with_a_line_break(tmp_path: Path, sign: str) -> None:
    text = f"x{sign}y".replace("'", "''")
    head = '{#\ntitle = "Own"\nreads = ["hit"]\nrange = [0, 99]\nsummary = "mean"\nparams = {}\n'
    head += 'formula = "length"\ncitation = "ours"\n#}\n'
    (tmp_path / "own.sql").write_text(f"{head}max(length('{text}'))\n- 0 * {{{{ hit.value }}}}\n", newline="")
    run, judged = {"q": {"d": 1.0}}, {"q": {"d": 1}}
    with sqlrank.evaluate(run, judged, "own", metrics_dir=str(tmp_path)) as result:
        assert result["own"] == len(f"x{sign}y")


@pytest.mark.parametrize("sign", BREAKS)
def test_a_condition_of_macros_is_the_same(sign: str) -> None:
    text = f"x{sign}y".replace("'", "''")
    with duckdb.connect() as connection:
        connection.execute("create table judged as select 'q' as query_id, 'd2' as doc_id, 1 as relevance")
        connection.execute("create table runs (query_id text, doc_id text, score double, c text)")
        decoys = [("q", "d1", 3.0, other) for other in indented(f"x{sign}y")]
        connection.executemany("insert into runs values (?, ?, ?, ?)", [("q", "d2", 1.0, f"x{sign}y"), *decoys])
        connection.execute(sqlrank.macros(["rr"], where=f"c = '{text}'", query_set="shared"))
        assert connection.sql("select rr from rank_rr('runs', 'judged')").fetchall() == [(1.0,)]
        assert connection.sql("select value from rank_summary('runs', 'judged')").fetchall() == [(1.0,)]


@pytest.mark.parametrize("prefix", ["a\nb", "a\x1bb", "a\x00b"])
def test_a_prefix_of_macros_holds_no_control_character(prefix: str) -> None:
    with pytest.raises(UsageError, match="prefix"):
        sqlrank.macros(["rr"], prefix=prefix)
    if "\x00" not in prefix:
        assert "--prefix" in error_of(2, "macros", "--prefix", prefix)
