"""Runs of ranx in .lz4: a dictionary of dictionaries in CBOR, in a frame of lz4 that is in another one."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.compression import LZ4, unpacked
from sqlrank.inputs.csv_files import table_of_rows
from sqlrank.inputs.files import Files
from sqlrank.inputs.nested_json import Pairs, checked, shown
from sqlrank.inputs.plain_text import opened
from sqlrank.inputs.table import Table


def read_ranx(engine: DuckDBEngine, given: Files) -> Table:
    """Such runs as a table."""
    value = "score" if given.role == "run" else "relevance"

    def rows_of(file: str) -> Iterator[tuple[str, str, Any]]:
        label = engine.called(file)
        for query, pairs in dictionaries_of(file, label).items():
            if not isinstance(query, str) or not isinstance(pairs, dict):
                raise DataError(f"{label}: query {shown(query)}: expected its documents, found {shown(pairs)}")
            if texts := [document for document in pairs if not isinstance(document, str)]:
                raise DataError(
                    f"{label}: query {shown(query)} has the document {shown(texts[0])}, which is not a text"
                )
            yield from checked(Pairs(pairs.items()), query, label)

    table = table_of_rows(engine, given, ("query_id", "doc_id", value), rows_of)
    foreign = f"a run of ranx in lz4; write CSV or Parquet of query_id, doc_id and {value}"
    return replace(table, canonical=True, nested=True, foreign=foreign)


def dictionaries_of(file: str, label: str) -> dict[Any, Any]:
    """The dictionary of a file; DataError if it is not whole, or none that ranx writes."""
    try:
        import cbor2
        import lz4.frame  # noqa: F401 it unpacks
    except ImportError as error:
        raise UsageError(
            f"{label}: reading .lz4 of ranx needs lz4 and cbor2: pip install 'sqlrank[ranx]' ({error}); or save the run"
            " as .json or .parquet"
        ) from None
    with opened(file) as source:
        inner = b"".join(unpacked(source, "lz4", label))
    if not inner.startswith(LZ4):
        raise DataError(f"{label}: is not a run of ranx, which is packed twice; unpack it, and name it by its content")
    data = b"".join(unpacked(io.BytesIO(inner), "lz4", label))
    try:
        found = cbor2.loads(data)
    except (cbor2.CBORDecodeError, ValueError, RecursionError) as error:
        raise DataError(f"{label}: cannot be read as CBOR ({error}); save the run again") from None
    if not isinstance(found, dict) or cbor2.dumps(found) != data:  # the last of a key that appears twice would count
        raise DataError(f"{label}: is not as ranx writes a run, or has a key twice; save the run again")
    return found
