"""Tables of a lake with damaged metadata, and what the libraries of the lakes make of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

import sqlrank
from sqlrank.errors import SqlrankError
from tests.support.cli_helper import run_cli
from tests.support.components import package
from tests.support.corpus import FLIPS, METRICS, QRELS, RUN, digits

JUDGED = {query: {doc: grade for one, doc, grade in QRELS if one == query} for query in ("q1", "q2")}


def frame() -> pa.Table:
    """The run, and a column that divides it."""
    columns = {name: [row[place] for row in RUN] for place, name in enumerate(("query_id", "doc_id", "score"))}
    return pa.table(columns | {"day": [f"2026-01-0{row[0][1]}" for row in RUN]})


@dataclass(frozen=True, slots=True)
class Lake:
    """A table of a lake."""

    kind: str
    folder: Path
    """The table."""

    def metadata(self) -> list[Path]:
        """The files that say which rows it has."""
        patterns = {"delta": ["_delta_log/*.json"], "iceberg": ["metadata/*.metadata.json", "metadata/*.avro"]}
        return sorted(path for pattern in patterns[self.kind] for path in self.folder.glob(pattern))

    def damaged(self) -> Iterator[tuple[Path, str, bytes]]:
        """Each file of metadata cut at every place and with each byte changed, and what was done."""
        for path in self.metadata():
            data = path.read_bytes()
            for place in range(len(data)):
                yield path, f"{path.name} cut at {place}", data[:place]
                flip = FLIPS[place % len(FLIPS)]
                changed = data[:place] + bytes([data[place] ^ flip]) + data[place + 1 :]
                yield path, f"{path.name}, byte {place} xor {flip:#x}", changed


def made(kind: str, folder: Path) -> Lake:
    """A table with the run in two files."""
    if kind == "delta":
        package("deltalake", "lake").write_deltalake(folder / "runs", frame(), partition_by=["day"])
        return Lake(kind, folder / "runs")
    folder.mkdir(exist_ok=True)
    known = {"type": "sql", "uri": f"sqlite:///{folder}/catalogue.db", "warehouse": f"file://{folder}"}
    with package("pyiceberg.catalog", "lake").load_catalog("lab", **known) as catalogue:
        catalogue.create_namespace("search")
        table = catalogue.create_table("search.runs", schema=frame().schema)
        with table.update_spec() as spec:
            spec.add_identity("day")
        table.append(frame())
        for old in sorted(Path(folder / "search" / "runs" / "metadata").glob("*.metadata.json"))[:-1]:
            old.unlink()
    return Lake(kind, folder / "search" / "runs")


def values(data: object) -> dict[str, float] | None:
    """The values of a run; None where it is refused."""
    try:
        with sqlrank.evaluate(data, JUDGED, METRICS) as result:
            return {text: digits(value) for text in METRICS if (value := result[text]) is not None}
    except SqlrankError:
        return None


def read(lake: Lake) -> pa.Table | None:
    """The rows as the library of the lake has them; None where it refuses the table."""
    try:
        if lake.kind == "delta":
            return package("deltalake", "lake").DeltaTable(lake.folder).to_pyarrow_table()
        (path,) = lake.folder.glob("metadata/*.metadata.json")
        return package("pyiceberg.table", "lake").StaticTable.from_metadata(str(path)).scan().to_arrow()
    except Exception:  # whatever the library raises
        return None


def verdict(lake: Lake, qrels: Path) -> str | None:
    """What is wrong with how a table was taken; None where nothing is."""
    metrics = [word for text in METRICS for word in ("-m", text)]
    outcome = run_cli("eval", lake.folder, "--qrels", qrels, *metrics, "--format", "csv")
    if outcome.code == 3:
        lines = outcome.err.splitlines()
        named = str(lake.folder) in lines[-1] and "run_lake" not in outcome.err and len(lines) == 1
        return None if named and not outcome.out else f"the table is not named: {outcome.err}"
    if outcome.code != 0:
        return f"exit {outcome.code}: {outcome.err}"
    found = {row["metric"]: digits(float(row["value"])) for row in outcome.table}
    if found == values(frame()):
        return None
    rows = read(lake)
    expected = None if rows is None else values(rows)
    return None if found == expected else f"{found}, where the library has {expected}"


def tried(lake: Lake, path: Path, data: bytes, qrels: Path) -> str | None:
    """What is wrong with how the table was taken with one file of it damaged; the file is mended after that."""
    kept = path.with_suffix(".kept")
    shutil.copy(path, kept)
    try:
        path.write_bytes(data)
        return verdict(lake, qrels)
    finally:
        shutil.move(kept, path)
