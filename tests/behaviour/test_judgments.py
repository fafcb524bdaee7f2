"""Judgments of a log as files that others read, and the signals and methods that worked labels do not try."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

import sqlrank
from sqlrank.errors import DataError, UsageError
from sqlrank.log import arms, inspect, interleave, judgments, judgments_sql, propensities, value
from tests.behaviour.simulated import logged
from tests.behaviour.test_hostile_logs import log
from tests.interleaving.drafted import drafted
from tests.support.cli_helper import completed, run_cli
from tests.support.tables import each, hold


def metadata(path: str) -> dict[str, str]:
    with duckdb.connect() as connection:
        rows = connection.execute(f"select decode(key), decode(value) from parquet_kv_metadata('{path}')").fetchall()
    return dict(rows)


def test_a_file_says_where_its_judgments_come_from_and_eval_reads_it() -> None:
    data = logged("pbm", impressions=1500).frame()
    data["day"] = [f"2026-10-{1 + number % 20:02}" for number in data["impression_id"]]
    data["system"] = [("old", "new", "other")[number] for number in data["system"]]
    data.to_parquet("log.parquet")
    completed("log", "judgments", "log.parquet", "-o", "judgments.parquet")

    said = metadata("judgments.parquet")
    origin = json.loads(said["behaviour"])
    assert said["contents"] == "judgments of behaviour"
    assert origin["method"] == "sdbn"
    assert origin["systems"] == ["new", "old", "other"]
    assert (origin["first_day"], origin["last_day"]) == ("2026-10-01", "2026-10-20")
    assert origin["impressions"] == 1500
    data.rename(columns={"position": "rank"})[["query_id", "doc_id", "rank"]].drop_duplicates(
        ["query_id", "doc_id"]
    ).to_csv("run.csv", index=False)
    shown = completed("eval", "run.csv", "--qrels", "judgments.parquet", "-m", "ndcg@5").out
    assert "judgments: from clicks (sdbn) on new, old and other, 2026-10-01 to 2026-10-20" in shown
    assert "from the labels" in shown


def test_pool_and_agreement_read_them_too() -> None:
    logged("pbm", impressions=900).frame().to_parquet("log.parquet")
    completed("log", "judgments", "log.parquet", "-o", "a.parquet")
    completed("log", "judgments", "log.parquet", "--method", "ctr", "-o", "b.parquet")
    with sqlrank.agreement(["a.parquet", "b.parquet"]) as found:
        assert found.pairs > 100
    run = pd.DataFrame({"query_id": 0, "doc_id": [*range(3), 97, 98], "score": range(5)})
    with sqlrank.pool(run, "a.parquet", "dcg@5") as pool:
        assert pool.totals.pairs == 2


def worth(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """The log with carts, purchases and how long clicks lasted."""
    found = []
    for number, row in enumerate(rows):
        clicked = row["clicked"]
        more = {"cart": int(clicked and number % 2 == 0), "purchase": int(clicked and number % 6 == 0)}
        found.append(row | more | {"dwell": (5 + number % 60) if clicked and number % 7 else None})
    return pd.DataFrame(found)


def test_a_signal_takes_the_place_of_clicks() -> None:
    data = worth(log())
    for signal in ("cart", "purchase"):
        with judgments(data, signal=signal, method="ctr") as found:
            of_signal = found.to_dicts()
        with judgments(data.assign(clicked=data[signal]), method="ctr") as found:
            assert found.to_dicts() == [pytest.approx(row) for row in of_signal]


def test_a_click_counts_from_so_many_seconds_on_and_the_last_one_where_nobody_knows() -> None:
    data = worth(log())
    last = data[data["clicked"] == 1].groupby("impression_id")["position"].max()
    ends = data["position"] == data["impression_id"].map(last)
    lasted = (data["dwell"] >= 30) | (data["dwell"].isna() & ends)
    with judgments(data, signal="dwell>=30", method="ctr") as found:
        rows, said = found.to_dicts(), found.remarks()
    with judgments(data.assign(clicked=((data["clicked"] == 1) & lasted).astype(int)), method="ctr") as found:
        assert found.to_dicts() == [pytest.approx(row) for row in rows]
    assert any("no known duration" in line for line in said)


def test_the_best_action_is_a_grade() -> None:
    rows = [
        {"impression_id": n, "query_id": "q", "doc_id": d, "position": p, "clicked": c, "cart": k, "purchase": b}
        for n in range(12)
        for p, (d, c, k, b) in enumerate([("a", 1, int(n < 6), int(n < 3)), ("b", int(n == 0), 0, 0)], 1)
    ]
    with judgments(pd.DataFrame(rows), signal="best", method="grades") as found:
        labels = {row["doc_id"]: row["relevance"] for row in found.to_dicts()}

    # a: bought 3 times, in the cart 3 times, clicked 6 times, and always looked at; b: looked at once, and clicked.
    assert labels == pytest.approx({"a": (3 * 3 + 3 * 2 + 6) / 12, "b": 1.0})


def test_opensearch_rounds_halves_up() -> None:
    rows = [
        {"impression_id": f"{doc}{n}", "query_id": "q", "doc_id": doc, "position": 1, "clicked": int(n < clicks)}
        for doc, clicks in (("a", 2001), ("b", 1999))
        for n in range(4000)
    ]
    with judgments(pd.DataFrame(rows), like="opensearch") as found:
        assert {row["doc_id"]: row["relevance"] for row in found.to_dicts()} == {"a": 1.001, "b": 1.0}


def test_rankers_that_answer_queries_of_their_own_are_refused() -> None:
    data = logged("pbm", impressions=4000).frame()
    with propensities(data, method="allpairs", min_impressions=5) as found:
        assert found.links
    tied = data[(data["query_id"] < 3) | (data["system"] == 0)]
    with pytest.raises(DataError, match="which ranker answered depends on the query"):
        propensities(tied, method="allpairs", min_impressions=5, min_documents=1)


WRONG = [
    ({"method": "best"}, "--method best|method='best'"),
    ({"signal": "views"}, "signal"),
    ({"prior": (-1, 1)}, "prior"),
    ({"method": "ips", "propensities": {1: 1.0}, "prior": (1, 1)}, "has none"),
    ({"no_click": "never"}, "no_click"),
    ({"like": "solr"}, "like"),
    ({"like": "opensearch", "method": "sdbn"}, "leave out"),
    ({"position_base": 2}, "give 0 to 1"),
    ({"shown_depth": 0}, "1 or more"),
    ({"clip": 0.5}, "give 1 or more"),
    ({"rows": 3}, "has no option 'rows'"),
    ({"actions": {"tap": "click"}}, "are not events"),
    ({"min_impressions": 10_000}, "none of 10 pairs"),
    ({"signal": "purchase"}, "no column for"),
]


def test_a_click_that_is_clipped_at_one_counts_once() -> None:
    data, known = pd.DataFrame(log()), {position: 1 / position for position in range(1, 20)}
    with (
        judgments(data, method="ctr", min_impressions=0, prior=(1e-9, 1e-9)) as rates,
        judgments(data, method="ips", min_impressions=0, propensities=known, clip=1) as found,
    ):
        clicks = [row["relevance"] for row in rates.to_dicts()]
        assert [row["relevance"] for row in found.to_dicts()] == pytest.approx(clicks, abs=1e-9)


def test_what_cannot_be_done_is_said() -> None:
    data = pd.DataFrame(log())

    def check(case: tuple[Any, str]) -> None:
        options, says = case
        with pytest.raises((UsageError, DataError), match=says):
            judgments(data, **options)

    hold(WRONG, check)


def test_formats_hold_the_same_labels() -> None:
    pd.DataFrame(log()).to_csv("log.csv", index=False)
    for suffix in ("csv", "json", "jsonl", "parquet", "md", "tex"):
        completed("log", "judgments", "log.csv", "-o", f"labels.{suffix}")
    table = pd.read_csv("labels.csv")
    document = json.loads(Path("labels.json").read_text())
    assert len(table) == len(document["rows"]) == len(pd.read_parquet("labels.parquet")) == 10
    assert document["behaviour"]["method"] == "sdbn"
    assert "trec" in run_cli("log", "judgments", "log.csv", "--format", "trec").err


def test_a_table_of_a_database_is_a_log_or_an_export_in_every_command(tmp_path: Path) -> None:
    data, path = drafted(users=60), str(tmp_path / "shop.duckdb")
    data["side"] = ["control" if user % 2 else "new" for user in data["user_id"]]
    data["day"] = data["time"].dt.strftime("%Y-%m-%d")
    run = data.drop_duplicates(["query_id", "doc_id"])[["query_id", "doc_id"]].assign(score=1.0)
    export = pd.DataFrame({"query_id": range(60), "doc_id": "d", "score": 1.0, "relevance": [0, 1, 1] * 20})
    export["day"] = [f"2026-03-{1 + row % 20:02}" for row in range(60)]
    export["query_id"] = export["query_id"].astype(str)
    tables = {"log": data, "run": run, "export": export}
    with duckdb.connect(path) as connection:
        for name, table in tables.items():
            connection.register("given", table)
            connection.execute(f"create table {name} as from given")

    def check(call: Callable[[Mapping[str, Any], dict[str, Any]], Any]) -> None:
        named = {name: name for name in tables} | {"run": run}
        with call(tables, {}) as frames, call(named, {"database": path}) as stored:
            assert of_both(frames) == of_both(stored) != []

    hold(OF_TABLES, check)


def of_both(result: Any) -> list[str]:
    """The rows without what depends on the name of the input."""
    named = ("system", "p_value", "p_adjusted")
    return [
        str([round(cell, 9) if isinstance(cell, float) else cell for name, cell in row.items() if name not in named])
        for row in result.to_dicts()
    ]


FLAT = dict.fromkeys(range(1, 7), 1.0)
OF_TABLES: dict[str, Callable[[Mapping[str, Any], dict[str, Any]], Any]] = {
    "log judgments": lambda of, how: judgments(of["log"], **how),
    "log interleave": lambda of, how: interleave(of["log"], **how),
    "log arms": lambda of, how: arms(of["log"], "ctr", baseline="control", columns={"arm": "side"}, **how),
    "log value": lambda of, how: value(of["run"], of["log"], propensities=FLAT, anyway=True, **how),
    "monitor": lambda of, how: sqlrank.monitor(of["export"], metrics="p@1", day="day", **how),
    "compare --periods": lambda of, how: sqlrank.compare(
        of["export"], metrics="p@1", periods="day=2026-03-01..2026-03-10,2026-03-11..2026-03-20", **how
    ),
}


NO_INPUTS: dict[str, tuple[Callable[[], Any], str]] = {
    "log.inspect([])": (lambda: inspect([]), "the list of inputs is empty"),
    "log.judgments([])": (lambda: judgments([]), "the list of inputs is empty"),
    "log.propensities(())": (lambda: propensities(()), "the list of inputs is empty"),
    "log.interleave([])": (lambda: interleave([]), "the list of inputs is empty"),
    "log.arms([])": (lambda: arms([]), "the list of inputs is empty"),
    "log.value(run, [])": (lambda: value({"q": {"d": 1}}, []), "the list of inputs is empty"),
    "log.judgments_sql([])": (lambda: judgments_sql([]), "log= takes a text"),  # type: ignore[arg-type]
    "agreement({})": (lambda: sqlrank.agreement({}), "there are no judgments"),
    "agreement([])": (lambda: sqlrank.agreement([]), "there are no judgments"),
} | {
    f"propensities={wrong}": (lambda wrong=wrong: judgments(pd.DataFrame(log()), propensities=wrong), "propensities=")
    for wrong in (
        {},
        {"a": 1},
        {1.9: 1},
        {1: "x"},
        {None: 1},
        {1: None},
        {True: 1},
        {float("inf"): 1},
        {1: float("nan")},
    )
}


@each(NO_INPUTS)
def test_arguments_that_hold_nothing_or_something_else_are_refused(case: tuple[Callable[[], Any], str]) -> None:
    call, says = case
    with pytest.raises(UsageError, match=re.escape(says)):
        call()


def test_columns_are_found_by_the_names_that_shops_give_them() -> None:
    names = {"position": "slot", "user_id": "customer_id"}
    data = pd.DataFrame(log()).rename(columns=names).assign(experiment_arm="A", ds="2026-01-01", event_ts="2026-01-02")
    found = inspect(data)
    read = {"position": "slot", "user_id": "customer_id", "arm": "experiment_arm", "time": "event_ts"}
    assert {role: found.roles[role] for role in read} == read
    assert found.not_read == ["ds"]
    with sqlrank.evaluate(pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "slot": [2, 1]}), BEST, "rr") as result:
        assert result["rr"] == 0.5


BEST = {"q": {"a": 1.0}}
