"""Finding files: which ones an argument names, their format by name, and the tables of lakes, which are no files."""

from __future__ import annotations

import glob
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import IO, NamedTuple

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, ResourceError, without_credentials
from sqlrank.inputs.column_names import Heads
from sqlrank.inputs.job_parts import check_finished, filled, is_part
from sqlrank.process.remote import URL, WEB, fetch, list_files, path_of
from sqlrank.spelling import spelt

COMPRESSIONS = {".gz": "gzip", ".gzip": "gzip", ".zst": "zstd", ".zstd": "zstd"}
"""The suffixes of compressed files."""

DELTA_LOG = "_delta_log"
ICEBERG_METADATA = ".metadata.json"
ICEBERG_VERSION = re.compile(r"v?(\d+)(?:-.*)?(?:\.gz)?\.metadata\.json\Z")
"""The name of a file of Iceberg's metadata, with its version."""


class Format(NamedTuple):
    """How files of a format are told by their names, and what reads them."""

    suffixes: tuple[str, ...]
    reader: str
    """The module of `inputs` and its function, `(engine, files) -> Table`; loaded once there is such a file."""


FORMATS = {
    "parquet": Format((".parquet", ".pq", ".parq"), "parquet_files:read_parquet"),
    "csv": Format((".csv",), "csv_files:read_csv"),
    "tsv": Format((".tsv", ".tab"), "csv_files:read_csv"),
    "json": Format((".json", ".jsonl", ".ndjson"), "json_files:read_json"),
    "dictionaries": Format((), "nested_json:read_dictionaries"),
    "rank_eval_request": Format((), "json_documents:read_document"),
    "rank_eval_answer": Format((), "json_documents:read_document"),
    "judgment_list": Format((), "json_documents:read_document"),
    "quepid_json": Format((), "json_documents:read_document"),
    "mteb": Format((), "json_documents:read_predictions"),
    "letor": Format((".letor", ".svm", ".svmlight", ".libsvm"), "letor_files:read_letor"),
    "recbole": Format((".inter",), "csv_files:read_csv"),
    "movielens": Format((), "movielens_files:read_ratings"),
    "quepid": Format((), "quepid_files:read_export"),
    "ranx": Format((".lz4",), "ranx_files:read_ranx"),
    "excel": Format((".xlsx", ".xlsm"), "excel_files:read_sheets"),
    "trec": Format((".trec", ".run", ".qrels", ".qrel", ".res"), "trec_files:read_trec"),
}


class Files(NamedTuple):
    """Files of one format that are read as one table."""

    label: str
    """What they are called in messages."""
    kind: str
    """Their format."""
    pairs: Sequence[tuple[str, str]]
    """Each as it is to be read, and as it was named."""
    role: str
    hive: bool = False
    """Whether they are in a folder of hive partitions."""
    heads: Heads = Heads()

    @property
    def paths(self) -> list[str]:
        """The files as they are to be read."""
        return [read for read, _ in self.pairs]


def find_files(engine: DuckDBEngine, argument: str) -> tuple[list[str], bool]:
    """The files of an argument in order, and whether they are a folder of hive partitions."""
    if argument == "-":
        if sys.stdin is None:
            raise ResourceError("-: standard input is closed")
        return [spooled(engine, sys.stdin.buffer, "-", "standard input")], False
    if is_stream(argument):
        if argument not in engine.copies:
            with open(argument, "rb") as source:
                engine.copies[argument] = spooled(engine, source, argument, "the stream")
        return [engine.copies[argument]], False
    if URL.match(argument):
        return remote_files(engine, argument)
    if os.path.isfile(argument):
        files = [argument]
    elif os.path.isdir(argument):
        check_finished(argument)
        files = [str(path) for path in sorted(Path(argument).rglob("*")) if is_data(path, Path(argument))]
    else:
        files = sorted(file for file in glob.glob(argument, recursive=True) if os.path.isfile(file))
    if not files:
        folder = "the folder holds no data file" if os.path.isdir(argument) else "no such file, and no file matches"
        raise DataError(f"{argument}: {folder}")
    files = filled(files)
    return [rooted(file) for file in files], any("=" in part for part in Path(files[0]).parts[:-1])


def rooted(path: str) -> str:
    """A path of which DuckDB makes nothing else: from the root where it begins with ~ or file:, which it expands.

    It leaves out `./` before it looks.
    """
    return os.path.join(os.getcwd(), path) if os.path.normpath(path).startswith(("~", "file:")) else path


def is_data(path: Path, folder: Path) -> bool:
    """Whether a file below a folder is data: of a known suffix or a part of a job, and not hidden or a marker."""
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    return path.is_file() and not hidden and (is_part(str(path)) or told_by_suffix(str(path)) is not None)


def is_stream(path: str) -> bool:
    """Whether a path can be read once alone: a named pipe, or what a shell makes of <(...)."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def spooled(engine: DuckDBEngine, source: IO[bytes], label: str, what: str) -> str:
    """A stream as a file, since checks and statement both read it."""
    try:
        handle, path = tempfile.mkstemp(prefix="stream-", dir=engine.scratch)
        with os.fdopen(handle, "wb") as file:
            while block := source.read(1 << 20):
                file.write(block)
    except OSError as error:
        raise ResourceError(
            f"{label}: {what} cannot be kept in {engine.scratch}: {error.strerror or error}; name another folder"
            f" with {spelt('temp_dir')}"
        ) from error
    engine.origins[path] = label
    if os.path.getsize(path) == 0:
        raise DataError(f"{label}: {what} is empty")
    return path


def remote_files(engine: DuckDBEngine, argument: str) -> tuple[list[str], bool]:
    """The files behind a URL, and whether they are a folder of hive partitions; DuckDB reads them through fsspec."""
    protocol, system, files = list_files(argument)
    if protocol in WEB:
        path = fetch(argument, tempfile.mkdtemp(dir=engine.scratch))
        engine.origins[path] = argument
        return [path], False
    if any("/_delta_log/" in file for file in files):
        raise DataError(
            f"{without_credentials(argument)}: a Delta table, whose files hold rows that it has deleted; copy it here,"
            " or pass deltalake.DeltaTable(...).to_pyarrow_dataset() in Python"
        )
    if len(files) > 1:
        files = [file for file in files if not hidden(file) and told_by_suffix(file) is not None] or files
    engine.register_filesystem(protocol, system)
    return files, any("=" in part for part in files[0].split("/")[3:-1])


def hidden(url: str) -> bool:
    """Whether a file is a marker such as _SUCCESS."""
    return url.rpartition("/")[2].startswith((".", "_"))


def bare_suffix(path: str) -> str:
    """The suffix that tells the format: .csv of x.csv.gz."""
    stem, suffix = os.path.splitext(path_of(path).lower())
    return os.path.splitext(stem)[1] if suffix in COMPRESSIONS else suffix


def stem(name: str) -> str:
    """The name of a file without the suffixes that tell compression and format: a.b of a.b.csv.gz."""
    bare, suffix = os.path.splitext(name)
    if suffix.lower() in COMPRESSIONS:
        name, (bare, suffix) = bare, os.path.splitext(bare)
    known = {".txt", ".dat", ".out"}.union(*(known.suffixes for known in FORMATS.values()))
    return bare if suffix.lower() in known else name


def told_by_suffix(path: str) -> str | None:
    """The format by the suffix of a file name, or None."""
    suffix = bare_suffix(path)
    return next((name for name, known in FORMATS.items() if suffix in known.suffixes), None)


def partitions(path: str) -> list[str]:
    """The hive partitions of a file: the folders such as country=de that it is in."""
    return [part for part in path_of(path).split("/")[:-1] if "=" in part]


def partition_names(path: str) -> list[str]:
    """The columns that the hive partitions of a file add."""
    return [folder.partition("=")[0] for folder in partitions(path)]


def check_partitions(label: str, columns: Iterable[str], files: Iterable[str]) -> None:
    """Raise DataError if a hive partition of the files has the name of one of their own columns."""
    own = {name.lower(): name for name in columns}
    for folder in dict.fromkeys(folder for file in files for folder in partitions(file)):
        name = folder.partition("=")[0]
        if name.lower() in own:
            raise DataError(
                f"{label}: the folder {folder} and the column {own[name.lower()]} of its files may both be {name};"
                " rename one of them"
            )


def lake_of(argument: str) -> str | None:
    """Whether an argument is a table of a lake: `delta`, `iceberg`, or None."""
    if URL.match(argument):
        return "iceberg" if argument.endswith(ICEBERG_METADATA) else None
    if in_catalogue(argument):
        return "iceberg"
    if os.path.isdir(os.path.join(argument, DELTA_LOG)):
        return "delta"
    if argument.endswith(ICEBERG_METADATA) and os.path.isfile(argument):
        return "iceberg"
    return "iceberg" if any(versions_of(argument)) else None


def versions_of(folder: str) -> Iterator[tuple[int, str]]:
    """The versions of the metadata of an Iceberg table in a folder, each with its file."""
    for path in Path(folder, "metadata").glob(f"*{ICEBERG_METADATA}") if os.path.isdir(folder) else ():
        if found := ICEBERG_VERSION.match(path.name):
            yield int(found[1]), str(path)


def table_of(folder: str) -> str | None:
    """The table of a lake that a folder is, or is below; None if there is none."""
    every = (str(path) for path in (Path(folder), *Path(folder).parents))
    return next((path for path in every if lake_of(path) is not None), None)


def check_no_lake(label: str, files: Iterable[str]) -> None:
    """Raise DataError if files are those of a table of a lake: rows that were deleted would count."""
    paths = [path for file in files if not URL.match(file) for path in (os.path.abspath(file), os.path.realpath(file))]
    for folder in dict.fromkeys(map(os.path.dirname, paths)):
        if (table := table_of(folder)) is not None:
            raise DataError(
                f"{label}: the files of a {'Delta' if lake_of(table) == 'delta' else 'Iceberg'} table hold rows that it"
                f" has deleted; name the table, {table}"
            )


def in_catalogue(argument: str) -> bool:
    """Whether an argument names a table of a catalogue that pyiceberg knows, as in `prod.search.runs`."""
    if "/" in argument or "." not in argument or os.path.exists(argument) or not find_spec("pyiceberg"):
        return False
    from pyiceberg.utils.config import Config

    return argument.partition(".")[0] in Config().get_known_catalogs()
