"""Tables of users beside queries of a user and a date, or of a query and a session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sqlrank

RUN = """user_id,date,doc_id,score
u1,2026-11-02,d1,2
u1,2026-11-02,d2,1
u1,2026-11-03,d1,2
u1,2026-11-03,d2,1
"u,2",2026-11-02,d2,2
"u,2",2026-11-02,d1,1
"""
QRELS = (
    'user_id,date,doc_id,relevance\nu1,2026-11-02,d1,1\nu1,2026-11-03,d2,1\n"u,2",2026-11-02,d2,1\nu9,2026-11-02,d1,1\n'
)
USERS = 'user_id,plan,worth\nu1,free,1\n"u,2",paid,3\nu9,free,2\nu8,paid,5\n'
HISTORY = 'user_id,doc_id\nu1,d1\n"u,2",d1\n'
ASKED: dict[str, Any] = {"columns": {"query_id": ["user_id", "date"]}}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"run": RUN, "qrels": QRELS, "users": USERS, "history": HISTORY}.items():
        Path(f"{name}.csv").write_text(text)


def test_a_table_of_users_gives_every_query_of_theirs_its_segment_and_weight_and_the_history() -> None:
    options = ASKED | {"queries": "users.csv", "by": "plan", "weight": "worth"}
    with sqlrank.evaluate("run.csv", "qrels.csv", "rr", **options) as result:
        assert result.value("rr", plan="free") == pytest.approx((1 + 0.5 + 2 * 0) / 4)
        assert result.value("rr", plan="paid") == 1.0
        assert result["rr"] == pytest.approx((1 + 0.5 + 3 * 1 + 2 * 0) / 7)
        assert "users.csv: its rows are of each user_id, a part of the queries of user_id,date" in result.notes
    with sqlrank.evaluate("run.csv", "qrels.csv", "popularity@1", history="history.csv", **ASKED) as result:
        assert result["popularity@1"] == pytest.approx((2 + 2 + 0 + 0) / 4)


def test_a_session_that_the_table_of_queries_lacks_is_no_part_of_its_rows() -> None:
    Path("run.csv").write_text("query_id,session,doc_id,score\nq1,s1,d1,1\nq1,s2,d2,1\nq2,s1,d1,1\n")
    Path("qrels.csv").write_text("query_id,session,doc_id,relevance\nq1,s1,d1,1\nq1,s2,d1,1\nq2,s1,d1,1\n")
    Path("queries.csv").write_text("query_id,country\nq1,de\nq2,fr\n")
    options: dict[str, Any] = {"queries": "queries.csv", "by": "country", "session": "session"}
    with sqlrank.evaluate("run.csv", "qrels.csv", "rr", **options) as result:
        assert (result.value("rr", country="de"), result.value("rr", country="fr")) == (0.5, 1.0)


def test_a_query_whose_part_the_table_lacks_and_a_user_who_stands_twice_are_refused() -> None:
    Path("users.csv").write_text("user_id,worth\nu1,1\nu9,2\n")
    with pytest.raises(sqlrank.DataError, match="worth"):
        sqlrank.evaluate("run.csv", "qrels.csv", "rr", queries="users.csv", weight="worth", **ASKED)
    Path("users.csv").write_text(USERS + "u1,paid,2\n")
    with pytest.raises(sqlrank.DataError, match=r"users\.csv"):
        sqlrank.evaluate("run.csv", "qrels.csv", "rr", queries="users.csv", by="plan", **ASKED)


def test_a_table_of_whole_queries_is_read_as_before() -> None:
    plans = 'u1,2026-11-02,a\nu1,2026-11-03,b\n"u,2",2026-11-02,b\nu9,2026-11-02,b\n'
    Path("users.csv").write_text(f"user_id,date,plan\n{plans}")
    with sqlrank.evaluate("run.csv", "qrels.csv", "rr", queries="users.csv", by="plan", **ASKED) as result:
        assert (result.value("rr", plan="a"), result.value("rr", plan="b")) == (1.0, 0.5)
        assert not any("a part of" in note for note in result.notes)
