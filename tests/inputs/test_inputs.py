"""Inputs that must not be misread: cut or damaged streams, mixed types, look-alike names, other encodings, ranks."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, product
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from backports import zstd

import sqlrank
from tests.support.cli_helper import error_of, run_cli
from tests.support.parquet_writers import WRITERS
from tests.support.small_data import (
    QRELS_NAMES,
    RUN,
    RUN_NAMES,
    ap_and_rr,
    assert_right,
    frame,
    json_lines,
    separated,
    write_csv,
    write_query,
)
from tests.support.tables import each, hold

NAN, INF = float("nan"), float("inf")


pytestmark = pytest.mark.usefixtures("run_and_qrels")


def refused(*arguments: object) -> str:
    """What is said of an input that is refused."""
    return error_of(3, "eval", *arguments, "-m", "rr")


def test_a_number_that_is_none_is_found_in_every_parquet_file() -> None:
    def check(case: tuple[str, float | None, str]) -> None:
        writer, bad, column = case
        rows = [("q1", "a", 3.0, 1.0, 1.0), ("q1", "b", 1.0, 0.0, 1.0), ("q2", "c", 5.0, 1.0, 2.0)]
        data = frame(["query_id", "doc_id", "score", "relevance", "weight"], rows)
        data[column][1:2] = [bad] if column != "weight" else [1.0]
        data[column][2:] = [bad] if column == "weight" else data[column][2:]
        table = pa.table(data)
        WRITERS[writer](table.select(["query_id", "doc_id", "score", "weight"]), "run.parquet")
        WRITERS[writer](table.select(["query_id", "doc_id", "relevance"]), "qrels.parquet")

        said = refused("run.parquet", "--qrels", "qrels.parquet", "--weight", "weight")
        assert ("qrels.parquet" if column == "relevance" else "run.parquet") in said
        assert column in said

    # Each pair of a writer, a number and a column: whoever wrote it, a number is read from a column in one way.
    columns = cycle(["score", "relevance", "weight"])
    hold([(*pair, next(columns)) for pair in product(WRITERS, [NAN, INF, -INF, None])], check)


def text_of(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> bytes:
    """Rows as CSV."""
    return separated(",")(names, rows).encode()


CSV = text_of(RUN_NAMES, RUN)
SUFFIX = {"gzip": "gz", "zstd": "zst"}


def compressed(data: bytes, kind: str) -> bytes:
    """Bytes as gzip, or as zstd with a checksum."""
    if kind == "gzip":
        return gzip.compress(data, mtime=0)
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


def flipped(data: bytes, place: int) -> bytes:
    """Bytes with a wrong one."""
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


@each(list(SUFFIX))
def test_a_compressed_file_that_is_cut_anywhere_is_refused(kind: str) -> None:
    data = compressed(CSV, kind)
    path = f"run.csv.{SUFFIX[kind]}"
    for length in range(1, len(data), 7):
        Path(path).write_bytes(data[:length])
        assert path in refused(path, "--qrels", "qrels.csv")


RECORD = '{"query_id": "q1", "doc_id": "d2", "score": 1}'
TEXT = "query_id,doc_id,score\n查询,文档,2\n查询,別,1\n"
LATIN = {"csv": "query_id,doc_id,score\nq1,café,1\n", "trec": "q1 Q0 x 1 1 r\nq1 Q0 café 2 1 r\n"}
WRONG_BYTES = [(kind, place) for kind in SUFFIX for place in (-1, -4, -6, -9)]
STORED = gzip.compress(CSV, compresslevel=0).replace(b"0.7", b"0.9")
LONG = b"query_id," + b"x" * 131_073 + b",score\nq,d,1\n"
OPEN = "run.json: the list of records is not closed"
REFUSED: dict[str, tuple[str, bytes, str]] = {
    **{f"{k} {at}": (f"run.csv.{SUFFIX[k]}", flipped(compressed(CSV, k), at), "damaged") for k, at in WRONG_BYTES},
    **{f"more than {k}": (f"run.csv.{SUFFIX[k]}", compressed(CSV, k) + b"q2,d9,1\n", "damaged") for k in SUFFIX},
    "a digit flipped in a stored block": ("run.csv.gz", STORED, "incorrect data check"),
    "no gzip, whatever its name says": ("run.csv.gz", CSV, "does not begin like one"),
    **{
        f"a list cut before {end!r}": ("run.json", f"[{RECORD}, {RECORD.replace('d2', 'd3')}{end}".encode(), OPEN)
        for end in ("", ",", ", ", "\n")
    },
    # Text that is not UTF-8 is refused with the encoding to name.
    **{
        f"{encoding} as {suffix}": (f"run.{suffix}", text.encode(encoding), named)
        for suffix, latin in LATIN.items()
        for encoding, text, named in (
            ("utf-16", "a,b\n", "--encoding utf-16"),
            ("utf-16-le", "a,b\n", "--encoding utf-16-le"),
            ("gbk", TEXT.replace("別", "别"), "--encoding gb18030"),
            ("latin-1", latin, "line 2"),
            ("cp1252", latin, "--encoding cp1252"),
        )
    },
    "zip": ("run.csv", b"PK\x03\x04\x14\x00\x00\x00", "a zip archive"),
    "bzip2": ("run.csv", b"BZh91AY&SY\x00\x00", "bzip2"),
    "xz": ("run.csv", b"\xfd7zXZ\x00\x00", "xz"),
    "NUL": ("run.csv", b"query_id,doc\x00_id,score\nq,d,1\n", "NUL bytes"),
    "a name that is too long": ("run.csv", LONG, "cannot be read as CSV"),
    "a quote that is not closed": ("run.csv", b'query_id,"doc_id,score\nq,d,1\n', "run.csv"),
    "a line without an end": ("run.csv", b"x" * (1 << 23), "the first line has no end"),
    "no lines": ("run.csv", b"\n\n \n", "no lines"),
}


@each(REFUSED)
def test_a_file_that_is_damaged_or_something_else_is_refused_with_what_it_is(case: tuple[str, bytes, str]) -> None:
    path, content, words = case
    Path(path).write_bytes(content)
    assert words in refused(path, "--qrels", "qrels.csv")


@each(list(SUFFIX))
def test_several_streams_in_one_file_are_one_text(kind: str) -> None:
    parts = [compressed(part, kind) for part in (CSV[:30], b"", CSV[30:])]
    Path(f"run.csv.{SUFFIX[kind]}").write_bytes(b"".join(parts) + (b"\x00" * 512 if kind == "gzip" else b""))
    assert_right(ap_and_rr(f"run.csv.{SUFFIX[kind]}", "--qrels", "qrels.csv"))


def test_a_large_text_is_unpacked_in_pieces_and_a_cut_in_it_found() -> None:
    rows = [(f"q{number // 50}", f"d{number}", 1000 - number % 50) for number in range(100_000)]
    write_csv("qrels.csv", QRELS_NAMES, [(f"q{number}", f"d{number * 50}", 1) for number in range(2000)])
    whole = zstd.compress(text_of(RUN_NAMES, rows))
    Path("run.csv.zst").write_bytes(whole)
    assert sqlrank.evaluate("run.csv.zst", "qrels.csv", "rr")["rr"] == 1
    Path("run.csv.zst").write_bytes(whole[: len(whole) * 6 // 10])
    assert "cut short" in refused("run.csv.zst", "--qrels", "qrels.csv")


def test_compressed_standard_input_and_globs_are_verified_and_statements_name_the_files() -> None:
    data = gzip.compress(text_of(RUN_NAMES, RUN))
    assert "error: -: the gzip stream is cut short" in error_of(3, "eval", "-", "--qrels", "qrels.csv", stdin=data[:-3])
    Path("part-1.csv.gz").write_bytes(data)
    Path("part-2.csv.gz").write_bytes(gzip.compress(text_of(RUN_NAMES, [("q9", "d", 1)]))[:-1])
    assert "part-2.csv.gz: the gzip stream is cut short" in refused("part-*.gz", "--qrels", "qrels.csv")
    Path("run.csv.gz").write_bytes(gzip.compress(text_of(RUN_NAMES, RUN)))
    shown = run_cli("eval", "run.csv.gz", "--qrels", "qrels.csv", "-m", "rr", "--show-sql").out
    assert "'run.csv.gz'" in shown
    with duckdb.connect() as connection:
        assert len(connection.execute(shown).fetchall()) == 3


def write_parts(parts: Mapping[str, pa.Array], column: str) -> None:
    """A run in files that differ in the type of one column."""
    Path("parts").mkdir(exist_ok=True)
    for number, (name, values) in enumerate(parts.items()):
        rows = {"query_id": ["q"] * len(values), "doc_id": [f"{name}{place}" for place in range(len(values))]}
        data = rows | ({"score": [float(9 - number)] * len(values)} if column != "score" else {}) | {column: values}
        pq.write_table(pa.table(data), f"parts/{name}.parquet")


def test_numbers_of_two_types_in_two_files_stay_what_they_are() -> None:
    for name, value in (("a", pa.array([1], pa.int32())), ("b", pa.array([0.6]))):
        pq.write_table(pa.table({"query_id": ["q"], "doc_id": [name], "relevance": value}), f"{name}.parquet")
    assert sqlrank.evaluate({"q": {"b": 1.0}}, "?.parquet", "dcg")["dcg"] == 0.6
    write_parts({"a": pa.array([3], pa.int64()), "b": pa.array([0.9, 0.6])}, "score")
    assert sqlrank.evaluate("parts", {"q": {"b0": 1}}, "rr")["rr"] == 0.5
    assert sqlrank.evaluate("parts/*.parquet", {"q": {"b0": 1}}, "rr", ties="input")["rr"] == 0.5
    write_parts({"a": pa.array([0.5], pa.float32()), "b": pa.array([1.0, 1.0 + 1e-12])}, "score")
    assert sqlrank.evaluate("parts", {"q": {"b0": 1}}, "rr")["rr"] == 0.5


@each(["score", "query_id"])
def test_text_beside_numbers_is_refused_with_both_files(column: str) -> None:
    write_parts({"a": pa.array(["3"]), "b": pa.array([0.9])}, column)
    said = refused("parts", "--qrels", "qrels.csv")
    assert all(word in said for word in (column, "parts/a.parquet", "parts/b.parquet", "VARCHAR", "DOUBLE"))


def test_ids_of_whole_numbers_of_any_width_are_alike() -> None:
    write_parts({"a": pa.array([7], pa.int32()), "b": pa.array([7, 7], pa.uint64())}, "query_id")
    assert sqlrank.evaluate("parts", {"7": {"b1": 1}}, "rr")["rr"] == pytest.approx(1 / 2)


def test_a_column_that_one_file_lacks_is_refused_where_it_is_read_and_nowhere_else() -> None:
    write_parts({"a": pa.array([1.0]), "b": pa.array([2.0])}, "score")
    pq.write_table(pq.read_table("parts/a.parquet").append_column("more", pa.array(["x"])), "parts/a.parquet")
    assert sqlrank.evaluate("parts", {"q": {"b0": 1}}, "rr")["rr"] == 1
    with pytest.raises(sqlrank.DataError, match=r"b\.parquet has no column 'more', which .*a\.parquet has"):
        sqlrank.evaluate("parts", {"q": {"b0": 1}}, "rr", by="more")


LOOKALIKE = ["parquet", "jsonl", "csv", "arrow", "pandas", "polars", "reader"]


def lookalike(form: str) -> Any:
    """A run with the columns score and SCORE, which rank two documents in opposite orders."""
    rows = [("q", "a", 1.0, 2.0), ("q", "b", 2.0, 1.0)]
    names = ["query_id", "doc_id", "score", "SCORE"]
    table = pa.table(frame(names, rows))
    frames: dict[str, Callable[[], Any]] = {
        "arrow": lambda: table,
        "pandas": table.to_pandas,
        "polars": lambda: polars.DataFrame(table),
        "reader": table.to_reader,
    }
    if form in frames:
        return frames[form]()
    if form == "parquet":
        pq.write_table(table, "run.parquet")
    else:
        Path(f"run.{form}").write_text((json_lines if form == "jsonl" else separated(","))(names, rows))
    return f"run.{form}"


@each(LOOKALIKE)
def test_of_two_columns_that_differ_in_case_the_one_named_is_read_and_none_where_none_is(form: str) -> None:
    for column, value in (("score", 0.5), ("SCORE", 1.0)):
        assert sqlrank.evaluate(lookalike(form), {"q": {"a": 1}}, "rr", columns={"score": column})["rr"] == value
    with pytest.raises(sqlrank.DataError, match="score and SCORE may both be the score"):
        sqlrank.evaluate(lookalike(form), {"q": {"a": 1}}, "rr")


# A folder is refused by its name, and a file is read by its form: each by turns.
@each(
    [
        ("Score=9", "csv", "format csv, header"),
        ("query_id=q1", "parquet", "format parquet"),
        ("doc_id=x", "jsonl", "format json"),
    ]
)
def test_a_partition_that_is_called_as_a_column_is_refused(case: tuple[str, str, str]) -> None:
    folder, form, options = case
    Path(f"{form}/{folder}").mkdir(parents=True)
    write_query(f"{form}/{folder}/a.{form}", "select 'q1' as query_id, 'd2' as doc_id, 1.0 as score", options)
    assert f"the folder {folder}" in refused(form, "--qrels", "qrels.csv")


@each({"plain": "", "gzip": ".gz"}.items())
def test_partitions_of_compressed_text_are_columns_that_stay_text(case: tuple[str, str]) -> None:
    folder, suffix = case
    for market in ("007", "7"):
        data = text_of(RUN_NAMES, [(f"q{market}", "a", 1)])
        path = Path(f"{folder}/market={market}/a.csv{suffix}")
        path.parent.mkdir(parents=True)
        path.write_bytes(gzip.compress(data) if suffix else data)
    with sqlrank.evaluate(folder, {"q007": {"a": 1}, "q7": {"b": 1}}, "rr", by="market", checks=False) as result:
        assert (result.value("rr", market="007"), result.value("rr", market="7")) == (1, 0)


@each(
    [
        ("# made by hand\nq1 Q0 d2 1 2.0 r\n#q1 Q0 d1 2 3.0 r\n", "3 rows read, 2 left out: 2 comments"),
        ("# made by hand\n" * 1200 + "q1 Q0 d2 1 2.0 r\n", "1,201 rows read, 1,200 left out: 1,200 comments"),
    ]
)
def test_comments_of_trec_files_are_left_out_and_counted(case: tuple[str, str]) -> None:
    text, said = case
    Path("run.trec").write_text(text)
    Path("qrels.trec").write_text("q1 0 d2 1\n")
    outcome = run_cli("eval", "run.trec", "--qrels", "qrels.trec", "-m", "rr", "--format", "csv")
    assert outcome.values == {("run", "rr"): "1"}
    assert f"note: run.trec: {said}" in outcome.err


@each(["\n", "\n\n", " \n\t\n", "\r\n"])
def test_blank_lines_before_a_header_are_passed_over(blank: str) -> None:
    end = "\r\n" if "\r" in blank else "\n"
    Path("items.csv").write_text(f"{blank}doc_id{end}d1{end}d2{end}", newline="")
    Path("run.csv").write_text(blank + separated(",")(RUN_NAMES, [("q1", "d1", 1)]).replace("\n", end), newline="")
    run = {"q1": {"d1": 1.0}}
    assert sqlrank.evaluate(run, {"q1": {"d1": 1}}, "coverage@1", items="items.csv")["coverage@1"] == 0.5
    assert sqlrank.evaluate("run.csv", {"q1": {"d1": 1}}, "rr")["rr"] == 1


@each(["qrels.csv", "qrels.jsonl", {"q1": {"a": None, "b": 1}}])
def test_judgments_without_relevance_are_refused(qrels: Any) -> None:
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,a,\nq1,b,1\n")
    Path("qrels.jsonl").write_text('{"query_id":"q1","doc_id":"a","relevance":null}\n{"query_id":"q1","doc_id":"b"}\n')
    with pytest.raises(sqlrank.DataError, match="document 'a' of query 'q1' has null"):
        sqlrank.evaluate({"q1": {"a": 1.0}}, qrels, "rr")


def test_rows_of_an_export_without_relevance_are_unjudged_and_counted() -> None:
    write_csv("export.csv", (*RUN_NAMES, "relevance"), [("q1", "d1", 3, ""), ("q1", "d2", 2, 1), ("q2", "d1", 1, 1)])
    outcome = run_cli("eval", "export.csv", "-m", "rr", "--format", "csv")
    assert outcome.values == {("export", "rr"): "0.75"}
    assert "export.csv as judgments: 3 rows read, 1 left out: 1 without relevance" in outcome.err


MARCO = "q1\tp1\t1\nq1\tp2\t2\nq2\tp9\t1\nq2\tp1\t2\n"


def test_a_third_column_of_ranks_is_not_taken_for_scores() -> None:
    def rr(*judged: tuple[str, str], **columns: str) -> float | None:
        qrels = {query: {doc: 1} for query, doc in judged}
        return sqlrank.evaluate("run.tsv", qrels, "rr", header=False, columns=columns)["rr"]

    Path("run.tsv").write_text(MARCO)
    both = ("q1", "p1"), ("q2", "p1")
    with pytest.raises(sqlrank.DataError, match=r"counts 1, 2, .* columns=.*rank.*columns=.*score"):
        rr(*both)
    assert (rr(*both, rank="3"), rr(*both, score="3"), rr(both[0], score="3")) == (0.75, 0.75, 0.5)
    # Those that do not count within every query are scores.
    Path("run.tsv").write_text(MARCO.replace("p1\t2", "p1\t3"))
    assert rr(("q2", "p9")) == 0.5


def test_columns_of_a_file_without_header_are_named_by_position() -> None:
    Path("run.csv").write_text("1,d1,x,q1\n2,d2,x,q1\n")
    Path("qrels.csv").write_text("q1,0,d1,1\n")
    places = {"run.query_id": "4", "run.score": "1", "qrels.doc_id": "3", "qrels.relevance": "4"}
    assert sqlrank.evaluate("run.csv", "qrels.csv", "rr", header=False, columns=places)["rr"] == 0.5
    with pytest.raises(sqlrank.DataError, match=r"columns=.*score.*7.*: the first line has 4 columns"):
        sqlrank.evaluate("run.csv", "qrels.csv", "rr", header=False, columns={"score": "7"})


def test_inputs_that_seem_to_be_swapped_and_scores_beyond_32_bits_are_a_note() -> None:
    run, qrels = {"q": {"a": 12.7, "b": 3.2}}, {"q": {"a": 1, "b": 0}}
    assert any("the run comes first" in note for note in sqlrank.evaluate(qrels, run, "dcg").notes)
    assert not any("the run comes first" in note for note in sqlrank.evaluate(run, qrels, "dcg").notes)
    assert not any("the run comes first" in note for note in sqlrank.evaluate(qrels, qrels, "dcg").notes)
    run = {"q": {"a": 1e300, "b": 2e300, "c": 3.0, "d": -1e300}}
    with sqlrank.evaluate(run, {"q": {"c": 1}}, "rr", like="trec_eval-9") as result:
        assert result["rr"] == pytest.approx(1 / 3)
        assert any("3 of 4 scores are beyond 32-bit numbers" in note for note in result.notes)
    assert sqlrank.evaluate(run, {"q": {"a": 1}}, "rr", score_type="float")["rr"] == 0.5  # a tie: the larger id first


@each(
    [
        ("A7", "a7", "if case did not matter"),
        (" a", "a", "without the blanks around them"),
        ("007", "7", "without leading zeros"),
        ("doc-07", "doc-7", "without leading zeros"),
        ("7.0", "7", "without a trailing .0"),
        ("doc_7", "7", "without the prefix 'doc_'"),
        ("https://shop/7", "7", "without the prefix 'https://shop/'"),
        ("7.html", "7", "without the suffix '.html'"),
        ("u\u0308ber", "\u00fcber", "in one normal form of Unicode"),
        (" X07.0", "x7.0", "without blanks, case, leading zeros, a trailing .0 and forms of characters"),
    ]
)
def test_ids_that_would_match_in_another_form_are_refused_with_the_form(case: tuple[str, str, str]) -> None:
    found, judged, words = case
    queries, documents = ({found: {"x": 1.0}}, {judged: {"x": 1}}), ({"q": {found: 1.0}}, {"q": {judged: 1}})
    for given in (queries, documents):
        with pytest.raises(sqlrank.DataError) as raised:
            sqlrank.evaluate(*given, "p@5")
        assert all(word in str(raised.value) for word in (words, repr(found), repr(judged)))


@each([("a", "b"), ("12", "2"), ("a1", "b1"), ("12", "120"), ("d1", "e2")])
def test_ids_that_are_simply_disjoint_are_worth_0_with_a_note(case: tuple[str, str]) -> None:
    found, judged = case
    with sqlrank.evaluate({"q": {found: 1.0}}, {"q": {judged: 1}}, "p@5") as result:
        assert result["p@5"] == 0
        assert any("no judged document is in the ranking of its query" in note for note in result.notes)
    with pytest.raises(sqlrank.DataError, match="no query has both results and judgments"):
        sqlrank.evaluate({found: {"x": 1.0}}, {judged: {"x": 1}}, "p@5")


@each(zip(["utf-16", "utf-16-le", "gbk", "gb18030", "utf-8-sig"], cycle([bytes, gzip.compress])))
def test_text_in_another_encoding_is_read_where_it_is_named(case: tuple[str, Callable[[bytes], bytes]]) -> None:
    encoding, packed = case
    Path("run.csv").write_bytes(packed(TEXT.replace("別", "别").encode(encoding)))
    assert sqlrank.evaluate("run.csv", {"查询": {"别": 1}}, "rr", encoding=encoding)["rr"] == 0.5


def test_an_encoding_that_does_not_fit_or_does_not_exist_is_refused() -> None:
    Path("run.csv").write_bytes(TEXT.encode("latin-1", "replace") + b"\xff,d,1\n")
    assert "is not gbk" in refused("run.csv", "--qrels", "qrels.csv", "--encoding", "gbk")
    outcome = run_cli("eval", "run.csv", "--qrels", "qrels.csv", "--encoding", "klingon")
    assert (outcome.code, "--encoding klingon is not known" in outcome.err) == (2, True)


def test_a_message_lists_no_more_than_some_of_ten_thousand_columns() -> None:
    Path("run.csv").write_text(",".join(f"column{number}" for number in range(10_000)) + "\n")
    said = refused("run.csv", "--qrels", "qrels.csv")
    assert "and 9980 more" in said
    assert len(said) < 1000


def test_the_rows_of_every_input_are_accounted_for() -> None:
    Path("run.trec").write_text("# c\nq1 Q0 a 1 3 r\nq1 Q0 b 2 2 r\nq2 Q0 a 1 1 r\nq3 Q0 a 1 1 r\n")
    Path("qrels.trec").write_text("q1 0 a 1\nq3 0 b 1\nq4 0 a 1\n# end\n")
    write_csv("queries.csv", ("query_id", "market"), [("q1", "de"), ("q3", "fr"), ("q4", "de")])
    asked: dict[str, Any] = {"where": "doc_id <> 'b'", "query_set": "shared", "queries": "queries.csv", "by": "market"}
    with sqlrank.evaluate("run.trec", "qrels.trec", "rr", **asked) as result:
        shown = {kind: found.to_dict() for kind, found in result.inputs.items()}
    assert shown == {
        "run": {"rows": 5, "left_out": {"comments": 1, "where": 1, "unjudged_queries": 1}, "used": 2},
        "qrels": {"rows": 4, "left_out": {"comments": 1, "missing_queries": 1}, "used": 2},
        "queries": {"rows": 3, "left_out": {}, "used": 3},
    }


@each(zip(product(["judged", "shared", "run"], ["separate", "labelled", "systems"]), cycle([True, False])))
def test_rows_read_are_those_used_and_those_left_out(case: tuple[tuple[str, str], bool]) -> None:
    (query_set, form), checks = case
    rows = [(f"q{n % 5}", f"d{n}", n, n % 3 if n % 5 and n % 4 else None, "ab"[n % 2]) for n in range(40)]
    table = pa.table(frame([*RUN_NAMES, "relevance", "system"], rows))
    run = table.drop_columns(["system"]) if form != "systems" else table
    qrels = None
    if form == "separate":
        run, qrels = run.drop_columns(["relevance"]), {"q1": {"d1": 1}, "q9": {"d2": 1, "d3": 0}}
    with sqlrank.evaluate(run, qrels, "rr", query_set=query_set, checks=checks) as result:
        found = result.inputs

    unjudged = {"separate": 32, "labelled": 8, "systems": 8}[form] if query_set != "run" else 0
    without = sum(row[3] is None for row in rows)
    assert (found["run"].rows, found["run"].used) == (40, 40 - unjudged)
    if form == "separate":
        assert (found["qrels"].rows, found["qrels"].used) == (3, 3 if query_set == "judged" else 1)
    else:
        assert (found["qrels"].rows, found["qrels"].used) == (40, 40 - without)


def test_a_condition_on_one_of_two_columns_that_differ_in_case_is_refused() -> None:
    with pytest.raises(sqlrank.UsageError, match="score and SCORE, which a condition cannot tell apart"):
        sqlrank.evaluate(lookalike("parquet"), {"q": {"a": 1}}, "rr", columns={"score": "SCORE"}, where="SCORE > 1")


@each(["eval", "compare"])
def test_a_row_that_is_wrong_is_pointed_at_in_its_own_file_among_several_runs(command: str) -> None:
    for name, score in (("one", "2.5"), ("two", "nan"), ("three", "x")):
        Path(f"{name}.csv").write_text(f"query_id,doc_id,score\nq,a,3\nq,b,{score}\n")
    write_csv("qrels.csv", QRELS_NAMES, [("q", "b", 1)])
    said = error_of(3, command, "one.csv", "two.csv", "three.csv", "--qrels", "qrels.csv")
    assert said.startswith("sqlrank: error: two.csv, line 3: 2 of 6 scores are null, not numbers, or infinite")
