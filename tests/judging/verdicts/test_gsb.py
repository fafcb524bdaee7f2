"""`sqlrank gsb`: verdicts read, checked, counted and shown."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest

import sqlrank
from sqlrank import __version__
from sqlrank.inputs.check_files import every_check
from tests.support.cli_helper import FIXTURES, Outcome, completed, error_of, run_cli, run_process
from tests.support.hostile import NAMES, VALUES, controls, write_csv, write_parquet
from tests.support.tables import hold

EXAMPLE = FIXTURES / "search" / "verdicts.csv"
W17 = ["good", "same", "bad", "bad"]
COLUMNS = (
    "good,same,bad,total,delta_gsb,stderr,ci_low,ci_high,p_value,p_adjusted,p_sign,reading,decision,"
    "judgments_needed,judgments_needed_low,judgments_needed_high"
)
FORMATS = ["table", "csv", "tsv", "json", "jsonl", "markdown", "latex"]


def write_verdicts(verdicts: Sequence[Any], path: str = "verdicts.csv") -> str:
    """One verdict for each query, as CSV."""
    return write_csv(path, ("query_id", "verdict"), [(f"q{number}", each) for number, each in enumerate(verdicts, 1)])


def in_csv(*arguments: object) -> Outcome:
    """The result as CSV, of a run that goes well."""
    return completed("gsb", *arguments, "--format", "csv")


W17_ROWS = (
    f"{COLUMNS}\n1,1,2,4,-0.25,0.478713553878,-1,0.999426386951,1,1,1,"
    "not better: do not ship,not enough evidence,99,8,\n"
)


def test_the_worked_example_reads_as_in_the_textbook_and_decides_nothing_however_it_is_written() -> None:
    written = {
        "words": W17,
        "Chinese": ["好", "平", "差", "差"],
        "other Chinese": ["好", "一样", "差", "差"],
        "numbers": ["1", "0", "-1", "-1"],
        "signed numbers": ["+1", "0.0", "-1.0", "-1.00"],
        "letters": ["g", "s", "b", "b"],
        "other cases and blanks": ["Better", "EQUAL", " worse", "Worse "],
        "tabs and ends of lines": ["win", "tie", "loss", "\tbad\n"],
    }

    def check(verdicts: list[str]) -> None:
        assert in_csv(write_verdicts(verdicts)).out == W17_ROWS

    hold(written, check)


@pytest.mark.parametrize("verdicts", [[1, 0, -1, -1], [1.0, -0.0, -1.0, -1.0], W17])
@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_verdicts_may_be_numbers_of_a_type(verdicts: list[Any], form: str) -> None:
    if form == "parquet":
        write_parquet("v.parquet", ("qid", "label"), [(number, each) for number, each in enumerate(verdicts)])
    else:
        rows = [{"qid": number, "label": each} for number, each in enumerate(verdicts)]
        Path("v.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    outcome = in_csv(f"v.{form}")

    assert outcome.out == W17_ROWS
    assert "query_id is read from the column qid" in outcome.err
    assert "verdict from label" in outcome.err


def test_the_table_is_printed_byte_for_byte() -> None:
    outcome = run_cli("gsb", EXAMPLE, "--by", "country")

    assert (outcome.code, outcome.err) == (0, "")
    rows, remarks, answer = outcome.out.split("\n\n")
    assert answer == "Not enough evidence to decide\n"
    assert [" | ".join(re.split(r"  +", row)) for row in rows.splitlines()] == [
        "country | good | same | bad | total | delta_gsb | 95 % interval | p | adjusted p | p (sign test) | reading"
        " | decision | judgments needed | disagreement",
        "de | 1 | 6 | 5 | 12 | -0.3333 | -1.0000 to 1.0000 | 0.5147 | 0.9087 | 0.2188 | not better: do not ship"
        " | not enough evidence | 123 (24 or more) | 0.7500",
        "fr | 6 | 0 | 0 | 6 | 1.0000 | -1.0000 to 1.0000 | 0.4544 | 0.9087 | 0.0312 | better so far"
        " | not enough evidence | 24 (24 or more) | 0.0000",
        "gb | 12 | 0 | 0 | 12 | 1.0000 | -0.9394 to 1.0000 | 0.2355 | 0.7840 | 0.0005 | better so far"
        " | not enough evidence | 32 (32 or more) | 0.0000",
        "us | 21 | 4 | 5 | 30 | 0.5333 | -0.5602 to 1.0000 | 0.1960 | 0.7840 | 0.0025 | better so far"
        " | not enough evidence | 102 (38 or more) | 0.3000",
        "(all) | 40 | 10 | 10 | 60 | 0.5000 | -0.2460 to 1.0000 | 0.1074 | 0.1074 | <0.0001 | better so far"
        " | not enough evidence | 97 (46 or more) | 0.3000",
    ]
    assert remarks == (
        "good: the candidate is better; delta_gsb = (good - bad) / (good + same + bad)\n"
        "95 % confidence interval: verdicts of one query, and of one rater, are one cluster; one good and one bad"
        " judgment are added (Bonett and Price), Student's t\n"
        "p tests delta_gsb and belongs to its interval, for a number of judgments fixed beforehand (to look while"
        " judging: --sequential); p (sign test) is the exact sign test, and p at least as large where each query has"
        " one verdict; the reading is by the sign of delta_gsb alone\n"
        "decision: better where the whole interval is above 0, worse where it is below 0, else not enough evidence; in"
        " a segment the adjusted p must be at most alpha too\n"
        "adjusted p: the segments are one family (4 p values, by Holm), the total is another; the intervals are not"
        " adjusted\n"
        "97 judgments would decide with a power of 0.8 if delta_gsb is 0.5, with queries and raters in proportion; by"
        " its interval, 46 or more, with no upper limit\n"
        "judgments needed is for planning: fix the number in advance, judge that many on new queries, and decide once"
        " at the end; do not stop early when the result turns significant\n"
        "the interval is wide because there are only 3 raters; more raters narrow it\n"
        "raters disagree on 6 of 20 items with several raters (30.0 %)\n"
        "Krippendorff's alpha of these items, with its 95 % interval: ordinal 0.829 (0.572 to 1.000), nominal 0.607"
        " (0.376 to 0.840), interval 0.831 (0.647 to 0.999)\n"
        "kappa of these items, with its 95 % interval: Fleiss' 0.600 (0.365 to 0.837)\n"
        "the intervals of alpha and kappa are of the jackknife over queries, by Student's t; where few queries show a"
        " disagreement, two more are added, one that agrees and one that does not\n"
        "verdicts of others that differ, most by rater: anna 25 %, bo 18 %, chen 18 %"
    )


def test_markdown_and_latex_are_written_byte_for_byte() -> None:
    remarks = run_cli("gsb", write_verdicts(W17)).out.split("\n\n")[1].splitlines()
    markdown = run_cli("gsb", "verdicts.csv", "--format", "markdown").out
    latex = run_cli("gsb", "verdicts.csv", "--format", "latex", "--digits", 2, "--alpha", 0.1).out

    assert remarks[4].startswith("99 judgments would decide with a power of 0.8 if delta_gsb is -0.25")
    assert markdown.split("\n\n")[0] == (
        "| good | same | bad | total | delta\\_gsb | 95 % interval | p | p (sign test) | reading | decision |"
        " judgments needed |\n"
        "| --: | --: | --: | --: | --: | --: | --: | --: | :-- | :-- | --: |\n"
        "| 1 | 1 | 2 | 4 | -0.2500 | -1.0000 to 0.9994 | 1.0000 | 1.0000 | not better: do not ship |"
        " not enough evidence | 99 (8 or more) |"
    )
    assert markdown.split("\n\n")[1] == "\n".join(line.replace("_", "\\_") + "  " for line in remarks)
    assert markdown.split("\n\n")[2] == "Not enough evidence to decide  \n"
    remarks = run_cli("gsb", "verdicts.csv", "--alpha", 0.1).out.split("\n\n")[1].splitlines()
    assert latex == "".join(f"% {line}\n" for line in remarks) + (
        "\\begin{tabular}{rrrrrrrrllr}\n"
        "\\toprule\n"
        "good & same & bad & total & delta\\_gsb & 90 \\% interval & p & p (sign test) & reading & decision &"
        " judgments needed \\\\\n"
        "\\midrule\n"
        "1 & 1 & 2 & 4 & -0.25 & -1.00 to 0.70 & 1.00 & 1.00 & not better: do not ship & not enough evidence &"
        " 80 (7 or more) \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


def test_json_is_written_byte_for_byte() -> None:
    row: dict[str, Any] = {"good": 1, "same": 1, "bad": 2, "total": 4, "delta_gsb": -0.25, "stderr": 0.478713553878}
    row |= {"ci_low": -1.0, "ci_high": 0.999426386951, "p_value": 1.0, "p_adjusted": 1.0}
    row |= {"p_sign": 1.0}
    row |= {"reading": "not better: do not ship", "decision": "not enough evidence"}
    row |= {"judgments_needed": 99, "judgments_needed_low": 8, "judgments_needed_high": None}
    conventions = {"good": "the candidate is better", "alpha": 0.05, "interval": "Bonett-Price, Student's t"}
    conventions |= {"test": "Student's t, exact sign test", "correction": "holm", "families": "segments, total"}
    conventions |= {"clustering": "query", "weight": None}
    document: dict[str, Any] = {"sqlrank": __version__, "rows": [row]}
    document |= {"inputs": {"verdicts": {"rows": 4, "left_out": {}, "used": 4}}}
    document |= {"conventions": conventions, "notes": []}

    assert run_cli("gsb", write_verdicts(W17), "--format", "json").out == json.dumps(document, indent=2) + "\n"


def test_every_tidy_format_holds_the_same_rows() -> None:
    arguments = ["gsb", EXAMPLE, "--by", "country"]
    rows = in_csv(*arguments[1:]).table
    lines = [json.loads(line) for line in run_cli(*arguments, "--format", "jsonl").out.splitlines()]
    assert run_cli(*arguments, "-o", "out.parquet").code == 0
    with duckdb.connect() as connection:
        relation = connection.sql("select * from 'out.parquet'")
        metadata = dict(
            connection.sql("select decode(key), decode(value) from parquet_kv_metadata('out.parquet')").fetchall()
        )
        written = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]

    assert lines == json.loads(run_cli(*arguments, "--format", "json").out)["rows"]
    assert run_cli(*arguments, "--format", "tsv").out == in_csv(*arguments[1:]).out.replace(",", "\t")
    assert ",".join(rows[0]) == f"country,is_total,{COLUMNS},items,conflicting,disagreement"
    assert json.loads(metadata["conventions"])["alpha"] == 0.05
    for row, line, saved in zip(rows, lines, written, strict=True):
        assert list(row) == list(line) == list(saved)
        for name, text in row.items():
            value = line[name]
            assert text == ("" if value is None else str(value).lower() if isinstance(value, bool) else text)
            assert saved[name] == (pytest.approx(value, rel=1e-11) if isinstance(value, float) else value)


def test_the_interval_and_its_name_follow_alpha() -> None:
    verdicts = write_verdicts(["good"] * 20 + ["same"] * 10 + ["bad"] * 10)

    assert "99 % interval" in run_cli("gsb", verdicts, "--alpha", "0.01").out
    assert "90 % interval" in run_cli("gsb", verdicts, "--alpha", "0.1").out
    assert "99.9 % interval" in run_cli("gsb", verdicts, "--alpha", "0.001").out
    assert in_csv(verdicts, "--alpha", "0.01").table[0]["decision"] == "not enough evidence"
    assert in_csv(verdicts, "--alpha", "0.1").table[0]["decision"] == "better: ship"


def test_what_would_decide_is_said() -> None:
    outcome = run_cli("gsb", write_verdicts(["good"] * 18 + ["same"] * 12 + ["bad"] * 10))

    assert "not enough evidence  144 (29 or more)" in outcome.out
    assert "144 judgments would decide with a power of 0.8 if delta_gsb is 0.2," in outcome.out
    assert "29 or more, with no upper limit" in outcome.out
    assert "fix the number in advance" in outcome.out
    assert "do not stop early when the result turns significant" in outcome.out


def test_one_query_has_no_interval_and_decides_nothing() -> None:
    rows = [("q", "good"), ("q", "good")]
    outcome = in_csv(write_csv("v.csv", ("query_id", "verdict"), rows))

    assert outcome.out.splitlines()[1] == "2,0,0,2,1,,,,,,0.5,better so far,not enough evidence,,,"
    assert "several verdicts on one query (cases: 1)" in outcome.err
    assert "no interval: one query tells nothing of others" in outcome.err
    write_csv("v.csv", ("query_id", "verdict"), [("q", "bad"), ("q", "same")])
    assert in_csv("v.csv").table[0]["reading"] == "not better: do not ship"
    assert re.search(
        r"-0.5000 +- +- +1.0000  not better: do not ship  not enough evidence", run_cli("gsb", "v.csv").out
    )
    assert json.loads(run_cli("gsb", "v.csv", "--format", "json").out)["notes"][-1] == (
        "no interval: one query tells nothing of others"
    )


def test_segments_have_a_row_for_each_combination_and_the_total_last() -> None:
    rows = [("1", "good", "us", "x"), ("2", "bad", "de", "x"), ("3", "same", "us", "y"), ("4", "good", "", "y")]
    write_csv("v.csv", ("query_id", "verdict", "Country", "device"), rows)

    one = in_csv("v.csv", "--by", "country").table
    assert [(row["country"], row["is_total"], row["good"], row["total"]) for row in one] == [
        ("de", "false", "0", "1"),
        ("us", "false", "1", "2"),
        ("", "false", "1", "1"),
        ("", "true", "2", "4"),
    ]
    assert "(null)" in run_cli("gsb", "v.csv", "--by", "country").out
    two = in_csv("v.csv", "--by", "country", "--by", "device").table
    assert [(row["country"], row["device"]) for row in two] == [
        ("de", "x"),
        ("us", "x"),
        ("us", "y"),
        ("", "y"),
        ("", ""),
    ]


def test_a_weight_weighs_and_is_said() -> None:
    rows = [("a", "good", 3), ("b", "same", 1), ("c", "bad", 2)]
    outcome = run_cli("gsb", write_csv("v.csv", ("query_id", "verdict", "weight"), rows), "--weight", "weight")

    assert "   1     1    1      3     0.1667" in outcome.out
    assert "weight verdicts by weight, the counts do not" in outcome.out
    assert in_csv("v.csv").table[0]["delta_gsb"] == "0"


def test_a_segment_without_weight_has_no_difference() -> None:
    rows = [("a", "good", 0, "x"), ("b", "good", 0, "x"), ("c", "good", 1, "y")]
    write_csv("v.csv", ("query_id", "verdict", "w", "part"), rows)
    table = in_csv("v.csv", "--weight", "w", "--by", "part").table

    assert [(row["delta_gsb"], row["decision"]) for row in table] == [
        ("", "not enough evidence"),
        ("1", "not enough evidence"),
        ("1", "not enough evidence"),
    ]
    assert run_cli("gsb", "v.csv", "--weight", "w", "--by", "part").code == 0


RATED = [
    ("q1", "d1", "r1", "good"),
    ("q1", "d1", "r2", "bad"),
    ("q1", "d2", "r1", "good"),
    ("q1", "d2", "r2", "win"),
    ("q2", "d1", "r1", "same"),
    ("q3", "d1", "r1", "good"),
    ("q3", "d1", "r2", "same"),
    ("q3", "d1", "r3", "same"),
]


def test_disagreement_is_the_share_of_items_with_conflicting_verdicts() -> None:
    write_csv("v.csv", ("query_id", "doc_id", "annotator", "verdict"), RATED)
    outcome = in_csv("v.csv")

    (row,) = outcome.table
    assert (row["items"], row["conflicting"], row["disagreement"]) == ("3", "2", "0.666666666667")
    assert "raters disagree on 2 of 3 items with several raters (66.7 %)" in outcome.err
    assert "rater is read from the column annotator" in outcome.err
    by_query = in_csv("v.csv", "--by", "query_id").table
    assert [(row["items"], row["conflicting"], row["disagreement"]) for row in by_query] == [
        ("2", "1", "0.5"),
        ("0", "0", ""),
        ("1", "1", "1"),
        ("3", "2", "0.666666666667"),
    ]


def test_without_documents_a_query_is_the_item() -> None:
    rows = [("q1", "a", "good"), ("q1", "b", "bad"), ("q2", "a", "bad")]
    (row,) = in_csv(write_csv("v.csv", ("query_id", "rater", "verdict"), rows)).table

    assert (row["items"], row["conflicting"], row["disagreement"]) == ("1", "1", "1")
    (row,) = in_csv("v.csv", "--where", "query_id = 'q2'").table
    assert (row["items"], row["conflicting"], row["disagreement"]) == ("0", "0", "")
    assert "no item has several raters" in run_cli("gsb", "v.csv", "--where", "query_id = 'q2'").out


def test_verdicts_without_raters_are_clustered_by_query_and_it_is_said() -> None:
    Path("verdicts.csv").write_text("query_id,verdict\nq1,good\nq2,bad\nq3,good\n")

    assert "interval: verdicts of one query are one cluster" in completed("gsb", "verdicts.csv").out


def test_several_verdicts_of_an_item_without_raters_are_told() -> None:
    rows = [(query, document, verdict) for query, document, _, verdict in RATED]
    outcome = in_csv(write_csv("v.csv", ("query_id", "doc_id", "verdict"), rows))

    assert "several verdicts on one document of one query (cases: 3)" in outcome.err
    assert "--column rater=NAME" in outcome.err
    assert "items" not in outcome.table[0]


def rows_of_csv(text: str) -> str:
    """A file of these lines, as they are."""
    Path("v.csv").write_text(text, encoding="utf-8")
    return "v.csv"


@pytest.mark.parametrize(
    ("text", "arguments", "code", "said", "check"),
    [
        ("query_id,verdict\na,good\nb,great\n", "", 3, "line 3 | 1 of 2 | 'b' | 'great' | 好, 平, 差", "bad_verdict"),
        ("query_id,verdict\na,\nb,good\n", "", 3, "line 2 | 1 of 2 | 'a' | null", "bad_verdict"),
        ("query_id,verdict\na,2\nb,nan\n", "", 3, "line 2 | 2 of 2 | '2'", "bad_verdict"),
        ("query_id,verdict\n,good\n", "", 3, "line 2 | query_id null", "null_id"),
        ("query_id,doc_id,verdict\na,,good\n", "", 3, "line 2 | 'a' | doc_id null", "null_id"),
        ("query_id,rater,verdict\na,,good\n", "", 3, "line 2 | no rater | 'a' | --where", "null_rater"),
        (
            "query_id,rater,verdict\na,x,good\na,x,bad\n",
            "",
            3,
            "cases: 1 | 'x' | query a | 2 times | doc_id=NAME",
            "rater_repeats",
        ),
        (
            "query_id,doc_id,rater,verdict\na,d,x,good\na,d,x,good\n",
            "",
            3,
            "'x' | document d of query a | 2 times",
            "rater_repeats",
        ),
        (
            "query_id,verdict,part\na,good,x\na,good,y\n",
            "--by part",
            3,
            "more than one value of part | 'a' | 'x' and 'y'",
            "segment_varies",
        ),
        ("query_id,verdict,w\na,good,heavy\n", "--weight w", 3, "line 2 | column w | 'a'", "bad_weight"),
        ("query_id,verdict,w\na,good,1\nb,good,\n", "--weight w", 3, "line 3 | column w | 'b'", "missing_weight"),
        ("query_id,verdict,w\na,good,-1\n", "--weight w", 3, "line 2 | negative | 0 or more", "missing_weight"),
        ("query_id,verdict,w\na,good,0\n", "--weight w", 3, "column w are all 0 | --weight", ""),
        ("query_id,verdict\n", "", 3, "there are no rows", ""),
        ("query_id,verdict\na,good\n", "--where verdict='bad'", 3, "no rows after --where", ""),
        ("", "", 3, "the file is empty", ""),
        ("query_id,doc_id\na,d\n", "", 3, "no column for the verdict | --column verdict=NAME", ""),
        ("verdict\ngood\n", "", 3, "no column for the query_id", ""),
        ("query_id,label,vote\na,good,bad\n", "", 3, "label and vote may both be the verdict", ""),
        ("query_id,judge,worker,verdict\na,x,y,good\n", "", 3, "judge and worker may both be the rater", ""),
        ("query_id,sku,asin,rater,verdict\na,1,2,x,good\n", "", 3, "sku and asin may both be the doc_id", ""),
        ("query_id,verdict\na,good\n", "--by country", 3, "no column 'country'", ""),
        ("query_id,verdict\na,good\n", "--weight w", 3, "no column 'w'", ""),
        ("query_id,verdict\na,good\n", "--column verdict=x", 3, "no column 'x'", ""),
        ("query_id,verdict\na,good\n", "--column score=verdict", 2, "no input has this role", ""),
        ("query_id,verdict\na,good\n", "--column colour=verdict", 2, "rater, verdict", ""),
        ("query_id,verdict\na,good\n", "--by decision", 2, "--by decision | rename", ""),
        ("query_id,verdict,x\na,good,1\n", "--by x --by X", 2, "twice", ""),
        ("query_id,verdict\na,good\n", "--alpha 0", 2, "--alpha 0 | 0.05", ""),
        ("query_id,verdict\na,good\n", "--alpha 0.6", 2, "--alpha 0.6", ""),
        ("query_id,verdict\na,good\n", "--alpha some", 2, "--alpha | 'some'", ""),
        ("query_id,verdict\na,good\n", "--where 1)--", 2, "--where | not one SQL expression", ""),
        ("query_id,verdict\na,good\n", "--format trec", 2, "trec_eval has no verdicts", ""),
        ("query_id,verdict\na,good\n", "--format parquet", 2, "-o", ""),
        ("query_id,verdict\na,good\n", "-o v.csv", 2, "is an input", ""),
        ("query_id,verdict\na,good\n", "-o none/x.csv", 5, "folder", ""),
        ("query_id,verdict\na,good\n", "--input-format trec", 2, "v.csv | TREC files hold runs", ""),
        ("a\n", "--no-header", 3, "query_id, verdict", ""),
    ],
)
def test_what_is_wrong_is_said_with_where_and_what_to_do(
    text: str, arguments: str, code: int, said: str, check: str
) -> None:
    found = error_of(code, "gsb", rows_of_csv(text), *arguments.split())

    assert found.count("\n") == 1
    for fragment in said.split(" | "):
        assert fragment in found
    if check:
        words = every_check()[check].message.split("{rows_read}")[-1].split("{")[0].strip(" :,")
        assert words[-15:] in found


def test_a_file_that_is_not_there_is_exit_3() -> None:
    assert "none.csv" in error_of(3, "gsb", "none.csv")


def test_two_columns_that_may_be_the_document_do_not_matter_without_raters() -> None:
    outcome = in_csv(rows_of_csv("query_id,sku,asin,verdict\na,1,2,good\n"))

    assert "sku and asin may both be the doc_id" in outcome.err
    assert "none is read" in outcome.err


def test_a_column_is_told_by_its_role() -> None:
    text = "topic,who,said,verdict,asin,sku\na,x,bad,good,1,2\na,y,bad,good,1,2\n"
    told = ["--column", "verdict=said", "--column", "rater=who", "--column", "verdicts.doc_id=sku"]
    (row,) = in_csv(rows_of_csv(text), *told).table

    assert (row["bad"], row["items"]) == ("2", "1")


def test_nothing_is_written_when_the_input_is_refused() -> None:
    error_of(3, "gsb", rows_of_csv("query_id,verdict\na,great\n"), "-o", "out.csv")

    assert [path.name for path in Path().iterdir()] == ["v.csv"]


def test_every_way_to_read_gives_the_same_bytes() -> None:
    rows = [(f"q{number}", each) for number, each in enumerate(W17)]
    names = ("query_id", "verdict")
    write_csv("one.csv", names, rows)
    Path("one.tsv").write_text(Path("one.csv").read_text().replace(",", "\t"))
    Path("bare.csv").write_text(Path("one.csv").read_text().partition("\n")[2])
    Path("one.json").write_text(json.dumps([dict(zip(names, row, strict=True)) for row in rows]))
    write_parquet("one.parquet", names, rows)
    Path("parts").mkdir()
    for number in (0, 2):
        write_csv(f"parts/{number}.csv", names, rows[number : number + 2])
    with duckdb.connect("all.duckdb") as connection:
        connection.execute("create table judged as from 'one.parquet'")
    ways = [
        ["one.csv"],
        ["one.tsv"],
        ["bare.csv", "--no-header"],
        ["one.json"],
        ["one.parquet"],
        ["parts"],
        ["parts/*.csv"],
        ["judged", "--database", "all.duckdb"],
        ["one.csv", "--where", "query_id like 'q%'"],
        ["one.parquet", "--threads", "1", "--memory-limit", "200MB", "--temp-dir", "."],
    ]

    assert {in_csv(*way).out for way in ways} == {W17_ROWS}
    assert completed("gsb", "-", "--format", "csv", stdin=Path("one.csv").read_bytes()).out == W17_ROWS


def test_a_condition_is_said_and_can_read_nothing_else() -> None:
    Path("secret.csv").write_text("x\n1\n")
    verdicts = write_verdicts(W17)

    assert "only rows where query_id <> 'q4'" in run_cli("gsb", verdicts, "--where", "query_id <> 'q4'").out
    error_of(2, "gsb", verdicts, "--where", "(select count(*) from read_csv('secret.csv')) > 0")
    for form in ("csv", "parquet", "json"):
        assert completed("gsb", verdicts, "--where", "verdict <> 'x'", "-o", f"out.{form}").out == ""
        assert Path(f"out.{form}").stat().st_size > 0


def test_a_column_may_have_any_name() -> None:
    def check(name: str) -> None:
        rows = [("1", "good", "x"), ("2", "bad", "x"), ("2", "bad", "x")]
        write_parquet("v.parquet", ("query_id", name, "other"), rows)
        write_parquet("s.parquet", ("query_id", "verdict", name), rows)
        assert in_csv("v.parquet", "--column", f"verdict={name}").table[0]["bad"] == "2"
        with sqlrank.gsb("s.parquet", by=name) as result:
            assert result.rows.columns[0] == name
            assert result.rows.fetchall()[0][0] == "x"

    hold({repr(name): name for name in NAMES}, check)


def hostile() -> str:
    """Every hostile value as query, rater and segment."""
    rows = [(value, value, value, "good", 1) for value in VALUES]
    return write_parquet("hostile.parquet", ("query_id", "rater", "country", "verdict", "weight"), rows)


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_values_are_themselves_in_data_and_harmless_before_people(form: str) -> None:
    outcome = completed("gsb", hostile(), "--by", "country", "--format", form)

    assert controls(outcome.err) == []
    if form in ("csv", "tsv"):
        read = csv.DictReader(io.StringIO(outcome.out, newline=""), delimiter="\t" if form == "tsv" else ",")
        assert {row["country"] for row in read} - {""} == set(VALUES)
    elif form in ("json", "jsonl"):
        lines = [json.loads(line) for line in outcome.out.split("\n") if line] if form == "jsonl" else None
        read_rows = lines or json.loads(outcome.out)["rows"]
        assert {row["country"] for row in read_rows} - {None} == set(VALUES)
    else:
        assert controls(outcome.out) == []
        body = outcome.out.split("\\midrule")[-1].split("\\bottomrule")[0] if form == "latex" else outcome.out
        rows = [line for line in body.strip("\n").split("\n\n")[0].splitlines() if line]
        assert len(rows) == len(VALUES) + {"table": 2, "markdown": 3, "latex": 1}[form]
        if form == "markdown":
            assert len({len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in rows}) == 1


def test_an_error_about_a_hostile_value_is_one_clean_line() -> None:
    def check(value: str) -> None:
        unknown, repeated = [(value, value, value)], [(value, value, "good"), (value, value, "bad")]
        rows = repeated if VALUES.index(value) % 2 else unknown
        said = error_of(3, "gsb", write_parquet("v.parquet", ("query_id", "rater", "verdict"), rows))
        assert said.count("\n") == 1
        assert controls(said) == []

    hold({repr(value): value for value in VALUES}, check)


def many() -> list[tuple[str, str, str, str, float]]:
    """Verdicts with awkward weights, in no order."""
    rng = random.Random(3)
    rows = [
        (f"q{query}", f"r{rater}", f"part {query % 7}", rng.choice(["good", "same", "bad"]), rng.random())
        for query in range(3_000)
        for rater in range(3)
    ]
    rng.shuffle(rows)
    return rows


def test_other_threads_and_another_order_give_the_same_bytes() -> None:
    names, rows = ("query_id", "rater", "part", "verdict", "w"), many()
    write_parquet("a.parquet", names, rows)
    write_parquet("b.parquet", names, sorted(rows))
    printed = {
        in_csv(file, "--by", "part", "--weight", "w", "--threads", threads).out
        for file in ("a.parquet", "b.parquet")
        for threads in (1, 2)
    }

    assert len(printed) == 1


def test_frames_and_relations_are_read() -> None:
    columns = {"query_id": ["1", "2", "3", "4"], "verdict": W17}
    reader = pyarrow.table(columns).to_reader()
    for data in (pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns), reader):
        with sqlrank.gsb(data) as result:
            assert (result.total["delta_gsb"], result.decision) == (-0.25, "not enough evidence")


def test_a_connection_is_left_as_it_was() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "create table verdicts as select * from (values (1, 'good'), (2, 'bad')) t(query_id, verdict)"
        )
        before = connection.sql("from duckdb_tables() select table_name").fetchall()
        for given in (connection.table("verdicts"), pandas.DataFrame({"query_id": [1], "verdict": ["good"]})):
            with sqlrank.gsb(given, connection=connection, by="query_id") as result:
                assert result.rows.fetchall()[-1][1] is True
        with pytest.raises(sqlrank.DataError, match="no column 'country'"):
            sqlrank.gsb(connection.table("verdicts"), by="country")
        connection.execute("insert into verdicts values (3, 'great')")
        with pytest.raises(sqlrank.DataError, match="'great'"):
            sqlrank.gsb(connection.table("verdicts"))
        assert connection.sql("from duckdb_tables() select table_name").fetchall() == before
        assert connection.sql("from duckdb_views() select view_name where not internal").fetchall() == []


def test_the_result_says_what_it_found() -> None:
    with sqlrank.gsb(EXAMPLE, by="country", weight=None, columns={"verdict": "verdict"}) as result:
        assert isinstance(result, sqlrank.SideBySide)
        assert result.total["delta_gsb"] == 0.5
        assert result.rows.columns[:3] == ["country", "is_total", "good"]
        assert "raters disagree on 6 of 20" in repr(result)
    result.close()


def test_the_statements_run_in_a_bare_duckdb() -> None:
    with sqlrank.gsb(EXAMPLE, by="country") as result, duckdb.connect() as bare:
        for statement in result.sources:
            bare.execute(statement)
        total, found, items = (bare.execute(statement).fetchall() for statement in result.statements)
        assert len(total) == 1
        assert len(total) + len(found) == len(result.rows.fetchall())
        assert sum(item[-1] for item in items) == result.total["items"]
        assert result.sql == ";\n\n".join(result.statements)
        for text in (*result.sources, *result.statements):
            assert "\n\n\n" not in text
            assert not re.search(r"[ \t]\n", text)


@pytest.mark.parametrize("data", [{"q": {"d": 1}}, 7])
def test_what_cannot_be_verdicts_is_a_usage_error(data: Any) -> None:
    with pytest.raises(sqlrank.UsageError):
        sqlrank.gsb(data)


def test_quiet_says_nothing() -> None:
    write_csv("v.csv", ("qid", "verdict"), [("1", "good"), ("1", "bad")])
    assert run_cli("gsb", "v.csv", "--format", "csv", "--quiet").err == ""


@pytest.mark.needs("process")
def test_a_process_ends_well() -> None:
    write_csv("v.csv", ("qid", "verdict"), [("1", "good"), ("1", "bad")])
    done = run_process("gsb", "v.csv", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert "0.0000" in done.out


def test_help_says_what_good_means() -> None:
    text = " ".join(run_cli("gsb", "--help-all").out.split())

    assert "good: the candidate is better" in text
    assert "Exit codes: 0 done" in text
