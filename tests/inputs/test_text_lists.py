"""Lists in texts are read to the ids that were written, whoever wrote them, or refused with the row."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy
import pandas
import pytest

import sqlrank
from sqlrank.dialects import DUCKDB
from sqlrank.inputs.text_lists import PATTERNS, TextList
from sqlrank.statement.templates import render, sql_text
from tests.support.cli_helper import error_of, run_cli
from tests.support.tables import each

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


@pytest.fixture(name="in_an_empty_folder")
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


READ: dict[str, list[str] | None] = {
    '["a", "b,c", "d\\"e", "\\u00e9"]': ["a", "b,c", 'd"e', "é"],
    "[10, 11, 12]": ["10", "11", "12"],
    "['a', 'b', \"it's\"]": ["a", "b", "it's"],
    "['it\\'s', 'a,b', c d, 'e\"f', g]": ["it's", "a,b", "c d", 'e"f', "g"],
    "['a' 'b']": ["a", "b"],
    "[1 2\n 3]": ["1", "2", "3"],
    "{a,b}": ["a", "b"],
    '{a,"b c","d\\"e"}': ["a", "b c", 'd"e'],
    "('a', 'b')": ["a", "b"],
    "('a',)": ["a"],
    "[a, b c, d (e)]": ["a", "b c", "d (e)"],
    "[red shoes]": ["red shoes"],
    "[1,2, 3]": ["1", "2", "3"],
    "[]": [],
    "{}": [],
    "": [],
    "[[1, 2], [3]]": None,
    "[a,b, c]": None,
    "{'a', 'b'}": None,
    "[0 1 ... 8 9]": None,
    "['a', ..., 'b']": None,
    "['\\xe9']": None,
    "['a\\nb']": None,
    "[a, b": None,
    "a, b": None,
}
"""By text: the ids in it, or None where it is refused."""


def parts(texts: list[str]) -> list[list[str | None] | None]:
    """What texts are as lists."""
    with duckdb.connect() as connection:
        connection.execute("create table given as select unnest($1::varchar[]) as recs", [texts])
        columns = [TextList("recs", None)]
        reader = render("sources/text_lists.sql", DUCKDB, columns=columns, reader=sql_text("given"), patterns=PATTERNS)
        return [row[0] for row in connection.execute(f"select recs from {reader}").fetchall()]


def test_texts_are_read_to_their_ids_or_refused() -> None:
    found = dict(zip(READ, parts(list(READ)), strict=True))
    assert found == READ


ALPHABET = "ab1 .,;:'\"\\[]{}()é中-_/"


def ids(rng: random.Random) -> list[str]:
    """Some ids, most of them as people have them."""
    usual = [f"d{number}" for number in range(9)] + [str(number) for number in range(99)]
    odd = ["".join(rng.choices(ALPHABET, k=rng.randint(1, 6))).strip() or "x" for _ in range(4)]
    return [rng.choice(odd if rng.random() < 0.3 else usual) for _ in range(rng.randint(0, 5))]


def of_pandas(values: list[str]) -> str:
    """What pandas writes of a list into CSV."""
    file = io.StringIO()
    pandas.DataFrame({"recs": [values]}).to_csv(file, index=False)
    return str(pandas.read_csv(io.StringIO(file.getvalue()), dtype=str, keep_default_na=False)["recs"][0])


def of_numpy(values: list[str]) -> str:
    """What pandas writes of an array."""
    return str(numpy.array(values, dtype=object)) if values else "[]"


def of_duckdb(values: list[str]) -> str:
    """What DuckDB writes of a list into CSV."""
    return str(duckdb.execute("select $1::varchar[]::varchar", [values]).fetchall()[0][0])


def of_postgresql(values: list[str]) -> str:
    """What PostgreSQL writes of an array of texts: quotes where there is a mark, a blank, nothing, or NULL."""
    plain = re.compile(r"[^\s{}\",\\]+")
    quoted = (re.sub(r'(["\\])', r"\\\1", value) for value in values)
    elements = [
        value if plain.fullmatch(value) and value.upper() != "NULL" else f'"{marked}"'
        for value, marked in zip(values, quoted, strict=True)
    ]
    return f"{{{','.join(elements)}}}"


def of_spark(values: list[str]) -> str:
    """What Spark casts an array of texts to."""
    return f"[{', '.join(values)}]"


WRITERS: list[Callable[[list[str]], str]] = [json.dumps, of_pandas, of_numpy, of_duckdb, of_postgresql, of_spark, repr]


@each({writer.__name__: writer for writer in WRITERS})
def test_what_a_writer_makes_of_ids_is_read_to_the_same_ids_or_refused(writer: Callable[[list[str]], str]) -> None:
    rng = random.Random(writer.__name__)
    given = [ids(rng) for _ in range(300)]
    found = parts([writer(values) for values in given])
    # Spark writes ids with commas, and of quotes, so that nobody can tell them from several.
    clear = [values for values in given if writer is not of_spark or not re.search(r"[,'\"\[\]]", "".join(values))]
    wrong = [
        (writer(values), read)
        for values, read in zip(given, found, strict=True)
        if values in clear and read is not None and read != values
    ]
    assert wrong == []
    read = sum(each is not None for each in found)
    assert read > 100


TRUTH = {"1": {"11": 1}, "2": {"12": 1}}


@each({
    "pandas": ("[10, 11, 12]", "[12, 10, 13]", ()),
    "texts": ("['10', '11']", "['12']", ("--column", "run.doc_id=recs")),
    "told to be lists": ("{10,11}", "{12}", ("--column", "run.doc_id=recs[]")),
    "with a separator that is another's": ("[10, 11]", "[12]", ("--separator", "|")),
    "objects": ('[{"id": 10}, {"id": 11}]', '[{"id": "12"}]', ("--column", "run.doc_id=recs[].id")),
})  # fmt: skip
def test_rankings_of_texts_are_evaluated(case: tuple[str, str, tuple[str, ...]]) -> None:
    first, second, options = case
    run, qrels = Path("run.csv"), Path("qrels.json")
    qrels.write_text(json.dumps(TRUTH))
    with run.open("w", newline="") as file:
        csv.writer(file).writerows([("user_id", "recs"), ("1", first), ("2", second)])
    done = run_cli("eval", run, "--qrels", qrels, "-m", "rr", "--format", "csv", *options)
    assert done.table[0]["value"] == "0.75"


def test_a_text_that_is_no_list_is_refused_with_its_line() -> None:
    Path("qrels.json").write_text(json.dumps(TRUTH))
    for text in ("[[1, 2], [3]]", "[0 1 ... 8 9]", "1"):
        Path("run.csv").write_text(f'query_id,recs\n1,"[""a"", ""b""]"\n2,"{text}"\n')
        said = error_of(3, "eval", "run.csv", "--qrels", "qrels.json", "-m", "rr")
        assert f"run.csv, line 3: recs is not a list that can be read: {text}" in said


def test_positives_and_labels_may_be_lists_in_texts() -> None:
    run = pandas.DataFrame({"user_id": ["1", "2"], "recs": ["['a', 'b']", "['c']"], "labels": ["[0, 1]", "[2]"]})
    with sqlrank.evaluate(run, metrics=["rr", "ndcg@5"]) as found:
        assert found["rr"] == 0.75
    truth = pandas.DataFrame({"user_id": ["1", "2"], "item_id": ["{b}", "{c,d}"]})
    with sqlrank.evaluate(run.drop(columns="labels"), positives=truth, metrics=["recall@5"]) as found:
        assert found["recall@5"] == 0.75


def test_lists_of_lists_and_frames_by_name_are_told_apart() -> None:
    nested = pandas.DataFrame({"query_id": ["q"], "doc_id": [[["a"], ["b", "c"]]]})
    with pytest.raises(sqlrank.DataError, match="doc_id holds lists of lists"):
        sqlrank.evaluate(nested, {"q": {"a": 1}}, "rr")
    frame = pandas.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    runs = {"one": frame, "two": frame.assign(score=[1.0, 2.0])}
    with sqlrank.compare(runs, {"q": {"a": 1}}, "rr") as found:
        assert found["rr"]["difference"] == -0.5


def test_ids_in_brackets_of_a_table_with_scores_are_ids() -> None:
    run = pandas.DataFrame({"query_id": ["1"], "doc_id": ["[a, b]"], "score": [1.0]})
    with sqlrank.evaluate(run, {"1": {"[a, b]": 1}}, ["rr"]) as found:
        assert found["rr"] == 1
