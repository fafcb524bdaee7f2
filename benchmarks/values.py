"""Times the value of a ranking on a log, beside a GROUP BY of its cells by hand, with the answers compared.

python benchmarks/values.py --impressions 5000000 --folder DIR
"""

from __future__ import annotations

import argparse
import re
import resource
from pathlib import Path

import duckdb
from logs import MEMORY, THREADS, timed
from logs import filled as of_logs

from sqlrank.log import value

STATEMENTS = dict(
    re.findall(r"-- name: (\w+)\n(.*?)(?=\n-- name:|\Z)", Path(__file__).with_suffix(".sql").read_text(), re.S)
)


def filled(name: str, **values: object) -> str:
    """A statement with its values."""
    text = STATEMENTS[name]
    for key, value_of in values.items():
        text = text.replace(f"${key}", str(value_of))
    return text


def made(folder: Path, impressions: int) -> tuple[str, str]:
    """The paths of a log and of a run, which are written unless they are there."""
    log, run = folder / f"log-{impressions}.parquet", folder / f"run-{impressions}.parquet"
    with duckdb.connect(config={"memory_limit": MEMORY, "threads": THREADS}) as connection:
        connection.execute(f"set temp_directory = '{folder}/making.tmp'")
        if not log.exists():
            connection.execute(of_logs("log", impressions=impressions, path=log))
        if not run.exists():
            connection.execute(filled("run", path=log, run=run))
    return str(log), str(run)


def by_hand(log: str, run: str) -> tuple[float, float]:
    """Seconds of the cells by a plain GROUP BY, and the value by them."""
    config = {"memory_limit": MEMORY, "threads": THREADS, "temp_directory": f"{log}.tmp"}
    with duckdb.connect(config=config) as connection:
        seconds = timed(lambda: connection.execute(filled("cells_by_hand", path=log)))
        (found,) = connection.execute(filled("value_by_hand", run=run)).fetchone() or (0.0,)
        return seconds, float(found)


def ours(log: str, run: str) -> tuple[float, float]:
    """Seconds of the whole call, and the value."""
    rows = []

    def call() -> None:
        folder = str(Path(log).parent)
        with value(run, log, anyway=True, threads=THREADS, memory_limit=MEMORY, temp_dir=folder) as found:
            rows.extend(found.to_dicts())

    return timed(call), float(rows[0]["value"])


def main() -> None:
    """Print seconds, their ratio, and the memory at its highest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--impressions", type=int, default=5_000_000)
    parser.add_argument("--folder", type=Path, required=True)
    asked = parser.parse_args()
    log, run = made(asked.folder, asked.impressions)
    hand, wanted = by_hand(log, run)
    seconds, found = ours(log, run)
    if abs(found - wanted) > 1e-9 * max(1.0, wanted):
        raise AssertionError(f"{found} is not {wanted}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{asked.impressions:,} impressions: GROUP BY {hand:.1f} s, value {seconds:.1f} s ({seconds / hand:.1f} times),"
    )
    print(f"memory at most {memory:.1f} GB of {MEMORY}; value {found:.6f}")


if __name__ == "__main__":
    main()
