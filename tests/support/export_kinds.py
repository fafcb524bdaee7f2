"""The table of exports that a look is tried on."""

from __future__ import annotations

import json
from functools import partial
from typing import Any
from zlib import crc32

from tests.support import export_forms as f
from tests.support.export_data import Columns, long, nested
from tests.support.export_forms import LABELLED, POSITIVES, QRELS, QUERIES, RUN, UNKNOWN, Export

FLAGS: Columns = {"clicked": lambda row: int(row.grade > 0)}
BOOLS: Columns = {"is_relevant": lambda row: row.grade > 0}
STARS: Columns = {"rating": lambda row: row.grade + 1}
FLOATS: Columns = {"grade": lambda row: float(row.grade)}
HALVES: Columns = {"gain": lambda row: row.grade / 2}
COUNTRY: Columns = {"country": lambda row: f"c{crc32(str(row.query).encode()) % 3}"}
SYSTEMS: Columns = {"system": lambda row: row.system}
TWO = {"systems": 2}
DAYS: Columns = {"ds": lambda row: f"2026-01-0{1 + crc32(str(row.query).encode()) % 3}"}
TIMES: Columns = {"timestamp": lambda row: f"2026-01-01T00:00:{row.place:02}Z"}
NAMES = {
    "search": f.called("search_term", "sku"),
    "users": f.called("user_id", "item_id"),
    "questions": f.called("question_id", "passage_id"),
    "topics": f.called("topic", "docno"),
    "blanks and capitals": f.called("Query ID", "DOC-ID"),
    "urls": f.called("query", "url"),
    "sessions": f.called("session_id", "product_id"),
    "movies": f.called("userId", "movieId"),
    "requests": f.called("request_id", "ad_id"),
}
OWN = f.called("who", "what it was")
TOLD = ("--column", "query_id=who", "--column", "doc_id=what it was")

LONG: dict[str, Export] = {
    **{
        f"labels in {form}": f.labelled(form)
        for form in "csv semicolon.csv tsv csv.gz bom.csv jsonl json parquet xlsx".split()
    },
    **{f"clicks in {form}": f.labelled(form, FLAGS, worth=f.binary) for form in ("csv", "jsonl", "parquet")},
    **{f"booleans in {form}": f.labelled(form, BOOLS, worth=f.binary) for form in ("csv", "jsonl", "parquet", "json")},
    **{f"stars in {form}": f.labelled(form, STARS, worth=lambda grade: grade + 1) for form in ("csv", "parquet")},
    **{f"floats in {form}": f.labelled(form, FLOATS) for form in ("tsv", "parquet")},
    "halves": f.labelled("csv", HALVES, worth=lambda grade: grade / 2),
    **{f"words in {form}": f.labelled(form, f.WORDS, options=f.MAP) for form in ("csv", "parquet")},
    "words without a map": f.labelled("csv", f.WORDS, says="--relevance-map"),
    **{f"empty labels in {form}": f.labelled(form, drawn={"partly": True}) for form in ("csv", "jsonl", "parquet")},
    **{f"places in {form}": f.labelled(form, order=f.PLACED) for form in ("csv", "parquet", "jsonl")},
    "ranks": f.labelled(order={"rank": lambda row: row.place}),
    "similarities": f.labelled(order={"cosine": f.SCORES}),
    "predictions": f.labelled("parquet", order={"y_pred": f.SCORES}, label={"y_true": f.GRADES}),
    "scores and ranks": f.labelled(others=f.PLACED),
    **{f"names of {name}": f.labelled(ids=ids) for name, ids in NAMES.items()},
    "names of one's own": f.labelled(ids=OWN, options=TOLD),
    "names of one's own that nobody told": f.labelled(ids=OWN, kinds=(UNKNOWN,), says="--column query_id=NAME"),
    **{
        f"ids {style} in {form}": f.labelled(form, drawn={"style": style})
        for style, form in (
            ("zeros", "csv"),
            ("numbers", "parquet"),
            ("numbers", "jsonl"),
            ("uuid", "parquet"),
            ("words", "csv"),
            ("words", "jsonl"),
            ("urls", "tsv"),
            ("large", "jsonl"),
            ("large", "csv"),
            ("exponents", "csv"),
            ("zeros", "xlsx"),
        )
    },
    "a segment": f.labelled(others=COUNTRY),
    "what was typed and what the engine was asked": f.labelled(
        ids={"user_query": f.QUERY["query_id"], "query": lambda row: '{"match": 1}', "doc_id": f.DOCS}
    ),
    "a weight": f.labelled(others={"weight": lambda row: 1.5}),
    "times": f.labelled("parquet", others=TIMES),
    **{
        f"days in folders of {form}": Export(partial(f.in_folders, form=form), given=("log",))
        for form in ("csv", "parquet")
    },
    "days of queries": f.labelled("csv", others=DAYS),
    **{f"two systems in {form}": f.labelled(form, others=SYSTEMS, drawn=TWO) for form in ("csv", "parquet")},
    "models": f.labelled(others={"model": lambda row: row.system}, drawn={"systems": 3}),
    "variants": f.labelled("jsonl", others={"variant": lambda row: row.system}, drawn=TWO),
}
PAIRS: dict[str, Export] = {
    **{
        f"a run and judgments in {form}": f.beside(f.run_as(form), f.qrels_as(form), f"run.{form} qrels.{form}")
        for form in ("csv", "tsv", "jsonl", "json", "parquet", "csv.gz", "xlsx")
    },
    "TREC": f.beside(f.trec, f.trec_qrels, "run.txt qrels.txt"),
    "TREC by its suffix": f.beside(f.trec, f.trec_qrels, "run.trec qrels.trec"),
    "TREC and CSV": f.beside(f.trec, f.qrels_as(), "run.trec qrels.csv"),
    "Parquet and TREC": f.beside(f.run_as("parquet"), f.trec_qrels, "run.parquet judged.qrels"),
    "dictionaries": f.beside(
        lambda data: nested(data.rows, f.SCORES), lambda data: nested(data.judged, f.GRADES), "run.json qrels.json"
    ),
    "MS MARCO": f.beside(
        lambda data: f.nameless((f.QUERY["query_id"], f.DOCS, f.PLACED["position"]), data.rows),
        f.trec_qrels,
        "run.tsv qrels.dev.tsv",
    ),
    "BEIR": f.beside(
        f.run_as(),
        f.qrels_as("tsv", ids=f.called("query-id", "corpus-id"), label={"score": f.GRADES}),
        "run.csv qrels.tsv",
    ),
    "clicks beside": f.beside(f.run_as(), f.qrels_as(label=FLAGS), "run.csv clicks.csv", worth=f.binary),
    "words beside": f.beside(f.run_as(), f.qrels_as(label=f.WORDS), options=f.MAP),
    "words beside without a map": f.beside(f.run_as(), f.qrels_as(label=f.WORDS), says="--relevance-map"),
    "booleans beside": f.beside(
        f.run_as("parquet"), f.qrels_as("parquet", label=BOOLS), "run.parquet qrels.parquet", worth=f.binary
    ),
    "stars beside": f.beside(f.run_as(), f.qrels_as(label=STARS), worth=lambda grade: grade + 1),
    **{
        f"ids {style} beside": f.beside(
            f.run_as("parquet"), f.qrels_as("csv"), "run.parquet qrels.csv", drawn={"style": style}
        )
        for style in ("zeros", "numbers", "uuid", "words", "large")
    },
    "positives": f.beside(
        f.run_as(),
        lambda data: long("csv", f.IDS, f.relevant(data)),
        "run.csv bought.csv",
        worth=f.binary,
        kinds=(RUN, POSITIVES),
    ),
    "positives in Parquet": f.beside(
        f.run_as("parquet"),
        lambda data: long("parquet", f.called("user_id", "item_id"), f.relevant(data)),
        "run.parquet bought.parquet",
        worth=f.binary,
        kinds=(RUN, POSITIVES),
    ),
    "other names for judgments": f.beside(
        f.run_as(),
        f.qrels_as(ids=f.called("q", "d"), label={"r": f.GRADES}),
        names="run.csv truth.csv",
        options=("--column", "qrels.query_id=q", "--column", "qrels.doc_id=d", "--column", "qrels.relevance=r"),
    ),
    "other names for a run": f.beside(
        f.run_as(ids=f.called("q", "d"), order={"s": f.SCORES}),
        f.qrels_as(),
        "run.csv truth.csv",
        options=("--column", "run.query_id=q", "--column", "run.doc_id=d", "--column", "run.score=s"),
    ),
    "other names for positives": f.beside(
        f.run_as(),
        lambda data: long("csv", f.called("q", "d"), f.relevant(data)),
        "run.csv bought.csv",
        worth=f.binary,
        kinds=(RUN, POSITIVES),
        options=("--column", "positives.query_id=q", "--column", "positives.doc_id=d"),
    ),
    "systems in a file": f.beside(f.run_as(system=lambda row: row.system), f.qrels_as(), drawn=TWO),
    "algorithms in a file": f.beside(
        f.run_as("parquet", Algorithm=lambda row: row.system),
        f.qrels_as("parquet"),
        "run.parquet qrels.parquet",
        drawn=TWO,
    ),
    "a run without judgments": Export(lambda data: {"run.csv": f.run_as()(data)}, (RUN,), None, says="no judgments"),
    "judgments alone": Export(lambda data: {"qrels.csv": f.qrels_as()(data)}, (QRELS,), says="no rankings"),
    "a file of each system": Export(
        lambda data: f.of_systems(data, "qrels.csv"), (RUN, RUN, QRELS), drawn=TWO | {"shown": False}
    ),
    "a table of queries": Export(
        lambda data: {"run.csv": f.run_as()(data), "qrels.csv": f.qrels_as()(data), "queries.csv": f.countries(data)},
        (RUN, QRELS, QUERIES),
    ),
    "a labelled export beside a run": Export(
        lambda data: {
            "run.csv": f.run_as()(data),
            "labelled.csv": long("csv", {**f.IDS, **f.SCORE, **f.LABEL}, data.rows),
        },
        (RUN, LABELLED),
    ),
    "a labelled export of some labels beside a run": Export(
        lambda data: {
            "run.csv": f.run_as()(data),
            "labelled.csv": long("csv", {**f.IDS, **f.SCORE, **f.LABEL}, data.rows),
        },
        (RUN, LABELLED),
        drawn={"partly": True},
        says="judge every document",
    ),
    "MovieLens": f.beside(
        f.run_as(ids=f.called("user", "item")), f.movielens, "run.csv ratings.dat", drawn={"style": "numbers"}
    ),
    "LETOR": f.beside(f.run_as(), f.letor, "run.csv test.txt"),
    "a request of _rank_eval": f.beside(f.run_as(), f.requests, "run.csv request.json"),
    "an answer of _rank_eval": f.beside(f.answer, f.qrels_as(), "answer.json qrels.csv", kinds=(LABELLED, QRELS)),
    "an answer of _rank_eval with its ratings": Export(
        lambda data: {"answer.json": f.answer(data)}, drawn={"partly": True}
    ),
    "a judgment list": f.beside(f.run_as(), f.judgment_list, "run.csv list.json"),
    "ratings for RRE": f.beside(f.run_as(), f.rated, "run.csv rre.json"),
    "Quepid": f.beside(
        f.run_as(), f.qrels_as(ids=f.called("query", "docid"), label={"rating": f.GRADES}), "run.csv quepid.csv"
    ),
    "RecBole": f.beside(
        f.run_as(ids=f.called("user_id", "item_id")),
        f.qrels_as("tsv", ids=f.called("user_id:token", "item_id:token"), label={"rating:float": f.GRADES}),
        "run.csv data.inter",
    ),
}


def listed(form: str, names: tuple[str, ...] = f.LISTED, write: Any = list, **more: Any) -> Export:
    """An export with lists of documents and labels in its rows."""
    made = f.in_lists(names, f.DOCS, f.GRADES, write=write)
    return Export(
        lambda data: {f"lists.{form}": f.lines(made(data)) if form == "jsonl" else f.table(made(data), form)}, **more
    )


def of_structs(form: str, name: str, *fields: str) -> Export:
    return Export(
        lambda data: {
            f"hits.{form}": f.lines(f.structs(data, name, *fields))
            if form == "jsonl"
            else f.table(f.structs(data, name, *fields), form)
        }
    )


def bars(values: list[Any]) -> str:
    return "|".join(map(str, values))


LISTS: dict[str, Export] = {
    **{f"lists in {form}": listed(form) for form in ("jsonl", "parquet")},
    "lists as JSON in CSV": listed("csv", write=json.dumps),
    "lists as JSON in TSV": listed("tsv", write=json.dumps),
    "lists as Python": listed("csv", write=repr),
    "lists with bars": listed("csv", write=bars, options=("--separator", "|")),
    "lists under other names": listed("jsonl", ("user_id", "recommendations", "labels")),
    "hits and grades": listed("parquet", ("query", "hits", "grades")),
    "lists of numbers": listed("parquet", drawn={"style": "numbers"}),
    "lists of numbers as text": listed("csv", write=repr, drawn={"style": "numbers"}),
    "lists of ids with zeros": listed("csv", write=json.dumps, drawn={"style": "zeros"}),
    **{f"structs in {form}": of_structs(form, "hits", "doc_id", "score", "relevance") for form in ("jsonl", "parquet")},
    "structs in order": of_structs("parquet", "results", "doc_id", "relevance"),
    "lists beside judgments": f.beside(
        lambda data: f.lines(f.in_lists(("query_id", "doc_ids"), f.DOCS)(data)), f.qrels_as(), "run.jsonl qrels.csv"
    ),
    "lists and purchases": f.beside(
        lambda data: f.table(f.in_lists(("user_id", "recommended"), f.DOCS)(data), "parquet"),
        lambda data: long("parquet", f.called("user_id", "item_id"), f.relevant(data)),
        "recs.parquet bought.parquet",
        worth=f.binary,
        kinds=(RUN, POSITIVES),
    ),
    **{
        f"{first} and {second} in {form}": f.wanted(form, "query_id", first, second)
        for first, second, form in (
            ("retrieved", "relevant", "jsonl"),
            ("relevant", "retrieved", "parquet"),
            ("ground_truth", "recommendations", "jsonl"),
        )
    },
    **{
        f"Ragas in {form}": f.wanted(form, "user_input", "retrieved_context_ids", "reference_context_ids")
        for form in ("jsonl", "parquet")
    },
}


EXPORTS = LONG | PAIRS | LISTS
"""Each kind by its name, which is the seed of its data."""
