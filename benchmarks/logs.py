"""Times what a log costs: its cells, and a round of learning, each beside the same by hand, with the answers compared.

python benchmarks/logs.py --impressions 10000000 --cells 10000000 --runs 3 --folder DIR
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import duckdb

from sqlrank.behaviour.asked import Counting, signal_of
from sqlrank.behaviour.learning import Positions
from sqlrank.behaviour.methods import Prior
from sqlrank.behaviour.opened_log import check_rows, open_log
from sqlrank.behaviour.session import Cells
from sqlrank.behaviour.settled import settle
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.inputs.reading import Reading
from sqlrank.statement.templates import sql_text

MEMORY, THREADS = "4GB", 2
STATEMENTS = dict(
    re.findall(r"-- name: (\w+)\n(.*?)(?=\n-- name:|\Z)", Path(__file__).with_suffix(".sql").read_text(), re.S)
)


def timed(call: Callable[[], object]) -> float:
    """Seconds of a call."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def filled(name: str, **values: object) -> str:
    """A statement with its values."""
    text = STATEMENTS[name]
    for key, value in values.items():
        text = text.replace(f"${key}", str(value))
    return text


def by_hand(path: str) -> tuple[float, tuple[int, ...]]:
    """Cells by a plain group by."""
    with duckdb.connect(
        config={"memory_limit": MEMORY, "threads": THREADS, "temp_directory": f"{path}.tmp"}
    ) as connection:
        seconds = timed(lambda: connection.execute(filled("cells_by_hand", path=path)))
        return seconds, connection.execute("select count(*), sum(impressions), sum(clicks) from cells").fetchone()  # type: ignore[return-value]


def ours(path: str) -> tuple[float, float, tuple[int, ...]]:
    """What is settled, and cells, each with its seconds."""
    engine = DuckDBEngine(threads=THREADS, memory_limit=MEMORY, temp_dir=str(Path(path).parent))
    log, counting = open_log(engine, path, Reading()), Counting(signal_of("click"))
    begun = time.perf_counter()
    check_rows(engine, log)
    settled = settle(engine, log, counting)
    between = time.perf_counter()
    cells = Cells(engine, log, settled, counting).counted()
    ended = time.perf_counter()
    found = engine.execute(f"select count(*), sum(impressions), sum(clicks) from {cells}")[0]
    engine.close()
    return between - begun, ended - between, found


def rounds(cells: int, runs: int) -> tuple[list[float], list[float]]:
    """A round by hand and of ours, by turns, over the same cells; AssertionError where the answers differ."""
    engine = DuckDBEngine(threads=THREADS, memory_limit=MEMORY)
    engine.execute(filled("counted", cells=cells))
    model = Positions(engine, sql_text("counted"), Prior(1, 1))
    hand, own = [], []
    for _ in range(runs):
        model.rounds = 0
        model.begin()
        for name, table in (("attraction_now", model.now.attraction), ("examination_now", model.now.examination)):
            engine.execute(f"create or replace temp table {name} as from {table}")
        hand.append(
            timed(lambda: [engine.execute(filled(f"{name}_by_hand")) for name in ("attraction", "examination")])
        )
        posterior, model.posterior = model.posterior, lambda: 0.0  # type: ignore[method-assign]
        own.append(timed(lambda: model.learn(1, None)))
        model.posterior = posterior  # type: ignore[method-assign]
        apart = filled("apart", learned=model.now.attraction)
        assert engine.execute(apart)[0][0] < 1e-12
    engine.close()
    return hand, own


def main() -> None:
    """Print the seconds and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in (("impressions", 10_000_000), ("cells", 10_000_000), ("runs", 3)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--folder", default=".")
    given = parser.parse_args()
    path = str(Path(given.folder) / "log.parquet")
    if not Path(path).exists():
        duckdb.execute(filled("log", impressions=given.impressions, path=path))
    plain, settled, counted = [], [], []
    for _ in range(given.runs):
        seconds, answer = by_hand(path)
        of_settling, of_cells, own = ours(path)
        assert answer == own, (answer, own)
        plain.append(seconds)
        settled.append(of_settling)
        counted.append(of_cells)
    print(f"cells of {10 * given.impressions:,} rows: {median(counted):.1f} s, by hand {median(plain):.1f} s,"
          f" ratio {median(counted) / median(plain):.2f}; what is settled first: {median(settled):.1f} s")  # fmt: skip
    hand, own_rounds = rounds(given.cells, given.runs)
    print(f"a round over {given.cells:,} cells: {median(own_rounds):.2f} s, by hand {median(hand):.2f} s,"
          f" ratio {median(own_rounds) / median(hand):.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
