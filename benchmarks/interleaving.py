"""Times the votes of interleaved lists beside a GROUP BY by hand, with the answers compared.

python benchmarks/interleaving.py --impressions 5000000 --folder DIR
"""

from __future__ import annotations

import argparse
import re
import resource
from pathlib import Path
from typing import Any

import duckdb
from logs import MEMORY, THREADS, timed

from sqlrank.log import interleave

STATEMENTS = dict(
    re.findall(r"-- name: (\w+)\n(.*?)(?=\n-- name:|\Z)", Path(__file__).with_suffix(".sql").read_text(), re.S)
)
COUNTS = ("wins_a", "wins_b", "ties")


def by_hand(path: str) -> tuple[float, tuple[Any, ...]]:
    """Seconds of a plain GROUP BY, and the votes by it."""
    config = {"memory_limit": MEMORY, "threads": THREADS, "temp_directory": f"{path}.tmp"}
    with duckdb.connect(config=config) as connection:
        found: list[tuple[Any, ...]] = []
        statement = STATEMENTS["by_hand"].replace("$path", path)
        return timed(lambda: found.extend(connection.execute(statement).fetchall())), found[0]


def ours(path: str) -> tuple[float, tuple[Any, ...]]:
    """Seconds of the whole call, with all that is looked at, and the votes."""
    rows: list[dict[str, Any]] = []

    def call() -> None:
        with interleave(path, threads=THREADS, memory_limit=MEMORY, temp_dir=str(Path(path).parent)) as found:
            rows.extend(found.to_dicts())

    return timed(call), tuple(rows[0][name] for name in COUNTS)


def main() -> None:
    """Print seconds, their ratio, and the memory at its highest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--impressions", type=int, default=5_000_000)
    parser.add_argument("--folder", type=Path, required=True)
    asked = parser.parse_args()
    path = str(asked.folder / f"interleaved-{asked.impressions}.parquet")
    if not Path(path).exists():
        statement = STATEMENTS["log"].replace("$impressions", str(asked.impressions)).replace("$path", path)
        with duckdb.connect(config={"memory_limit": MEMORY, "threads": THREADS}) as connection:
            connection.execute(f"set temp_directory = '{path}.tmp'")
            connection.execute(statement)
    hand, wanted = by_hand(path)
    seconds, found = ours(path)
    if found != wanted:
        raise AssertionError(f"{found} is not {wanted}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{10 * asked.impressions:,} rows: GROUP BY {hand:.1f} s, interleave {seconds:.1f} s"
        f" ({seconds / hand:.1f} times),"
    )
    print(f"memory at most {memory:.1f} GB of {MEMORY}; votes {found}")


if __name__ == "__main__":
    main()
