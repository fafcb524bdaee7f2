"""The rows that are read are those of an independent reader; every check holds for every form of an input."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

import sqlrank
from sqlrank.errors import SqlrankError
from sqlrank.evaluation.evaluate import open_request
from sqlrank.evaluation.flow import connect
from sqlrank.evaluation.request import list_runs, request_of
from tests.inputs.test_checks import BAD, FINDINGS, Case, own_words
from tests.support.examples import examples
from tests.support.parquet_writers import WRITERS as WRITERS_OF_PARQUET
from tests.support.tables import hold

IDS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=6)
NUMBERS = st.one_of(st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False, width=64))
ROWS = st.lists(st.tuples(IDS, IDS, NUMBERS), min_size=1, max_size=8)
PLAIN = st.text("abcxyz0123456789.:-_/#", min_size=1, max_size=6)
NAMES = ("query_id", "doc_id", "score")

Row = tuple[str, str, float]


def read(path: str) -> list[Row]:
    """The rows that sqlrank reads of a run."""
    request = request_of("num_ret", {})
    engine = connect(request, [path])
    try:
        inputs = open_request(engine, request, list_runs(path, None), {"q": {"d": 1}})
        return [(str(q), str(d), float(s)) for q, d, s, *_ in engine.execute(f"from {inputs.relations.run.relation}")]
    finally:
        engine.close()


def as_csv(rows: list[Any], delimiter: str = ",", quoting: Any = csv.QUOTE_MINIMAL, end: str = "\n") -> str:
    """Rows as Python's writer has them."""
    file = io.StringIO(newline="")
    # A lone carriage return needs quotes, and Python's writer does not see it.
    quoting = csv.QUOTE_ALL if any("\r" in str(cell) for row in rows for cell in row) else quoting
    csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows([NAMES, *rows])
    return file.getvalue()


def as_json(rows: list[Any]) -> list[dict[str, Any]]:
    """Rows as records."""
    return [dict(zip(NAMES, row, strict=True)) for row in rows]


WRITERS: dict[str, Callable[[list[Any]], bytes]] = {
    "run.csv": lambda rows: as_csv(rows).encode(),
    "quoted.csv": lambda rows: as_csv(rows, quoting=csv.QUOTE_ALL).encode(),
    "windows.csv": lambda rows: as_csv(rows, end="\r\n").encode(),
    "marked.csv": lambda rows: as_csv(rows).encode("utf-8-sig"),
    "run.tsv": lambda rows: as_csv(rows, "\t").encode(),
    "run.json": lambda rows: json.dumps(as_json(rows)).encode(),
    "run.jsonl": lambda rows: "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in as_json(rows)).encode(),
}
PACKERS: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".zst": zstd.compress}


@examples(8)
@given(rows=ROWS, name=st.sampled_from(sorted(WRITERS)), packer=st.sampled_from(sorted(PACKERS)))
def test_rows_of_text_are_read_as_they_were_written(rows: list[Any], name: str, packer: str) -> None:
    Path(name + packer).write_bytes(PACKERS[packer](WRITERS[name](rows)))
    assert read(name + packer) == [(query, document, float(score)) for query, document, score in rows]


@examples(8)
@given(
    rows=st.lists(st.tuples(PLAIN, PLAIN, NUMBERS), min_size=1, max_size=8),
    blank=st.sampled_from([" ", "\t", "  ", " \t "]),
    packer=st.sampled_from(sorted(PACKERS)),
)
def test_lines_of_trec_are_read_as_they_were_written(rows: list[Any], blank: str, packer: str) -> None:
    lines = [blank.join(map(str, (query, "Q0", document, 1, score, "r"))) for query, document, score in rows]
    Path(f"run.trec{packer}").write_bytes(PACKERS[packer]("\n".join(lines).encode()))
    expected = [(query, document, float(score)) for query, document, score in rows if not query.startswith("#")]
    try:
        found = read(f"run.trec{packer}")
    except SqlrankError:
        assert not expected
    else:
        assert found == expected


@examples(8)
@given(rows=ROWS, writer=st.sampled_from(["pyarrow", "polars", "duckdb"]), groups=st.sampled_from([1, 2, 1000]))
def test_rows_of_parquet_are_read_as_pyarrow_reads_them(rows: list[Any], writer: str, groups: int) -> None:
    table = pa.table({name: [row[place] for row in rows] for place, name in enumerate(NAMES[:2])})
    table = table.append_column("score", pa.array([float(row[2]) for row in rows]))
    if writer == "pyarrow":
        pq.write_table(table, "run.parquet", row_group_size=groups)
    elif writer == "polars":
        polars.DataFrame(table).write_parquet("run.parquet", row_group_size=groups)
    else:
        WRITERS_OF_PARQUET[writer](table, "run.parquet")
    assert read("run.parquet") == [tuple(row.values()) for row in pq.read_table("run.parquet").to_pylist()]


def typed(path: str) -> pa.Table:
    """A CSV file of the fixtures as a table of typed columns, ids as text."""
    texts = dict.fromkeys(("query_id", "doc_id"), pa.string())
    options = pyarrow.csv.ConvertOptions(column_types=texts, strings_can_be_null=True)
    return pyarrow.csv.read_csv(BAD / path, convert_options=options)


def as_parquet(writer: str, path: str) -> str:
    """The same as Parquet, as one of these writers has it."""
    name = path.replace(".csv", ".parquet")
    WRITERS_OF_PARQUET[writer](typed(path), name)
    return name


def as_lines(path: str) -> str:
    """The same as JSON lines."""
    name = path.replace(".csv", ".jsonl")
    Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in typed(path).to_pylist()))
    return name


FORMS: dict[str, Callable[[str], Any]] = {
    **{writer: partial(as_parquet, writer) for writer in WRITERS_OF_PARQUET if writer != "polars without statistics"},
    "json lines": as_lines,
    "arrow": typed,
    "pandas": lambda path: typed(path).to_pandas(),
    "polars frame": lambda path: polars.DataFrame(typed(path)),
}


FILES = {"--qrels", "--queries", "--items", "--history", "--baseline-run"}
OF_TEXT = {"shard_1.csv shard_2.csv --qrels qrels.csv"}
"""What only the names of files tell."""


def python_of(case: Case, form: str) -> dict[str, Any]:
    """The arguments of a case as those of `evaluate`, with its files in a form."""
    make, (run, *words) = FORMS[form], case.arguments.split()
    given: dict[str, Any] = {"run": make(run), "metrics": []}
    for option, value in zip(words[::2], words[1::2], strict=True):
        if option in FILES:
            given[option.removeprefix("--").replace("-", "_")] = make(value)
        elif option == "-m":
            given["metrics"].append(value)
        else:
            number = re.fullmatch(r"\d+(\.\d+)?", value)
            name = option.removeprefix("--").replace("-", "_")
            given[name] = (float if number[1] else int)(value) if number else value
    return given | {"metrics": given["metrics"] or None}


CASES = [
    case
    for case in FINDINGS
    if case.check and case.arguments not in OF_TEXT and not re.search(r"\.(trec|jsonl)\b", case.arguments)
]


HOLDS = [
    (case, form)
    for case, form in product(CASES, FORMS)
    if form != "json lines" or "--separator" not in case.arguments  # a list of JSON is an array
]


OF_CASES = [[held for held in HOLDS if held[0] is case] for case in CASES]
ONCE = [forms[number % len(forms)] for number, forms in enumerate(OF_CASES)]
"""Each case in one form, by turns."""
OTHERS = [held for held in HOLDS if held not in ONCE]


@pytest.mark.parametrize("held", [ONCE, pytest.param(OTHERS, marks=pytest.mark.needs("random"))], ids=["once", "all"])
def test_a_check_holds_on_values_whatever_wrote_them(held: list[tuple[Case, str]]) -> None:
    def check(case: tuple[Case, str]) -> None:
        with pytest.raises(SqlrankError) as raised:
            sqlrank.evaluate(**python_of(*case)).close()
        assert own_words(case[0].check) in str(raised.value), raised.value

    hold({f"{case}, {form}": (case, form) for case, form in held}, check)
