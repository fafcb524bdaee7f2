"""Files as other tools write them are known by how they begin, and give what the same rows give as dictionaries."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

import sqlrank
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.components import package
from tests.support.small_data import write_csv
from tests.support.tables import each, hold
from tests.tool_samples import FOLDER, QRELS, RUN, VALUES

NUMBERED = {"1": {"1": 0.9, "2": 0.8, "3": 0.7}, "2": {"4": 5.0, "5": 1.0}}
"""The run with ids that are numbers, as those of MovieLens are."""


RUNS = (
    "ranx.run.json ranx.run.lz4 ranx.run.parq ranx.run.trec mteb_predictions.json rank_eval.answer.json"
    " quepid.snapshot.csv spark_run spark_run_parquet index.run.csv unnamed.run.csv"
).split()
JUDGMENTS = (
    "ranx.qrels.json ranx.qrels.parq ranx.qrels.trec beir.qrels.tsv mteb.qrels.parquet rank_eval.request.json"
    " opensearch.judgments.json opensearch.answer.json quepid.rre.json quepid.json index.qrels.parquet recbole.inter"
    " quepid.basic.csv quepid.basic_snapshot.csv quepid.detailed.csv spark_qrels"
).split()


def values(run: Any, qrels: Any, **options: Any) -> dict[str, float | None]:
    """The values that were worked out by hand."""
    with sqlrank.evaluate(run, qrels, list(VALUES), **options) as result:
        return {text: result[text] for text in VALUES}


PACKED: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".zst": zstd.compress}


def values_of(name: str, path: Path) -> dict[str, float | None]:
    """Those of a file, which is a run or judgments by its name."""
    return values(path, QRELS) if name in RUNS else values(RUN, path)


@each([*RUNS, *JUDGMENTS])
def test_a_file_of_a_tool_has_the_value_worked_out(name: str) -> None:
    package("lz4", "ranx")
    assert values_of(name, FOLDER / name) == pytest.approx(VALUES)


def test_a_packed_file_is_known_too_and_line_ends_and_blank_lines_of_json_do_not_matter(tmp_path: Path) -> None:
    def check(case: tuple[str, str, str]) -> None:
        name, suffix, end = case
        data = (FOLDER / name).read_bytes()
        changed = data.replace(b"\n", end.encode()) + end.encode() if end else b"\xef\xbb\xbf" + data
        path = tmp_path / f"{name}{suffix}"
        path.write_bytes(PACKED[suffix](changed))
        assert values_of(name, path) == pytest.approx(VALUES)

    texts = [name for name in [*RUNS, *JUDGMENTS] if name.endswith(("json", "tsv", "trec"))]
    documents = ["rank_eval.answer.json", "quepid.json", "opensearch.judgments.json", "ranx.run.json"]
    ends = [(name, "", end) for name, end in product(documents, ["\r\n", "\n\n"])]
    hold([*zip(texts, cycle([".gz", ".zst"]), cycle([""])), *ends], check)


@each(
    [
        ("mteb_predictions.json", "read as predictions of MTEB, the subset default, the split test"),
        ("rank_eval.answer.json", "read as an answer of _rank_eval: _id is doc_id, the order of the hits is the rank"),
        ("rank_eval.request.json", "read as a request of _rank_eval: id is query_id, _id is doc_id"),
        ("opensearch.judgments.json", "read as a judgment list of OpenSearch: query is query_id, docId is doc_id"),
        ("quepid.rre.json", "read as ratings of Quepid: the text of the query is query_id"),
        ("beir.qrels.tsv", "query_id is read from the column query-id, doc_id from corpus-id, relevance from score"),
        ("ranx.qrels.parq", "query_id is read from the column q_id"),
    ]
)
def test_what_a_file_was_read_as_is_said(case: tuple[str, str]) -> None:
    name, said = case
    run, qrels = ("ranx.run.json", name) if name in JUDGMENTS else (name, "ranx.qrels.json")
    done = run_cli("eval", FOLDER / run, "--qrels", FOLDER / qrels, "-m", "rr")
    assert f"{FOLDER / name}: {said}" in done.err


def test_an_answer_alone_is_an_export_whose_hits_are_ranked_as_they_stand() -> None:
    # d1 and d2 have one score and stand in this order; of d9, which was not found, the answer knows nothing:
    # (2/log2(3) + 1/2) / (2 + 1/log2(3)) for q1, and 1 for q2.
    with sqlrank.evaluate(FOLDER / "rank_eval.answer.json", metrics=["rr", "ndcg@10"]) as result:
        assert result["rr"] == 0.75
        assert result["ndcg@10"] == pytest.approx((1.7618595071429148 / 2.6309297535714573 + 1) / 2)
        assert result.inputs["qrels"].left_out == {"no_relevance": 2}
    with sqlrank.evaluate(RUN, FOLDER / "rank_eval.answer.json", "num_rel") as result:
        assert result["num_rel"] == 3
        assert any("2 hits without a rating are left out" in note for note in result.notes)


def test_the_scores_of_the_answer_are_those_of_its_ratings_and_its_request() -> None:
    answer = json.loads((FOLDER / "rank_eval.answer.json").read_text(encoding="utf-8"))
    run, qrels = FOLDER / "rank_eval.answer.json", FOLDER / "rank_eval.request.json"
    with sqlrank.evaluate(run, qrels, ["dcg@10", "ndcg@10"], like="elasticsearch") as result:
        for query, (dcg, ndcg) in ((query, found.values()) for query, found in result.to_dict().items()):
            theirs = answer["details"][query]["metric_details"]["dcg"]
            assert (dcg, ndcg) == pytest.approx((theirs["dcg"], theirs["normalized_dcg"]))
            assert answer["details"][query]["metric_score"] == pytest.approx(ndcg)
        assert result["ndcg(gain=exp2)@10"] == pytest.approx(answer["metric_score"])


def filtered(folder: Path, *kept: str) -> Path:
    """The answer as filter_path leaves it, with some members of its details."""
    answer = json.loads((FOLDER / "rank_eval.answer.json").read_text(encoding="utf-8"))
    left = {query: {key: detail[key] for key in kept} for query, detail in answer["details"].items()}
    path = folder / "answer.json"
    path.write_text(json.dumps({"details": left}), encoding="utf-8")
    return path


def test_an_answer_that_was_filtered_to_its_hits_is_one_and_a_query_may_be_called_details(tmp_path: Path) -> None:
    with sqlrank.evaluate(filtered(tmp_path, "hits"), QRELS, ["rr", "ndcg@10"]) as result:
        assert result.to_dict()["q1"]["rr"] == 0.5
        assert any("read as an answer of _rank_eval" in note for note in result.notes)
    path = tmp_path / "run.json"
    path.write_text('{"details": {"hits": 2, "metric_score": 1}}', encoding="utf-8")
    with sqlrank.evaluate(path, {"details": {"metric_score": 1}}, "rr") as result:
        assert result["rr"] == 0.5


def test_an_answer_without_hits_says_how_to_ask_for_them(tmp_path: Path) -> None:
    for kept in ("metric_score", "unrated_docs", "metric_details"):
        with pytest.raises(sqlrank.DataError, match=r"details.q1 has no hits; .* filter_path=details\.\*\.hits$"):
            sqlrank.evaluate(filtered(tmp_path, kept), QRELS, "rr")


def test_an_object_where_a_number_is_to_be_is_shown_in_short(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"q": {"a": {"scores": [{"x": {"y": 1}}] * 90}}}), encoding="utf-8")
    with pytest.raises(sqlrank.DataError) as raised:
        sqlrank.evaluate(path, QRELS, "rr")
    assert len(str(raised.value)) < len(str(path)) + 140
    assert "{'scores': [{'x': {'y': 1}}, " in str(raised.value)


def test_compare_and_inspect_know_them() -> None:
    answer, request = FOLDER / "rank_eval.answer.json", FOLDER / "rank_eval.request.json"
    done = completed("compare", f"a={answer}", f"b={answer}", "--qrels", request, "-m", "rr")
    assert "0.7500" in done.out
    assert f"{answer}: the column relevance is ignored" in completed("eval", answer, "--qrels", request, "-m", "rr").err
    looked = completed("inspect", answer, request).out
    assert "rankings with their judgments, an answer of _rank_eval" in looked
    assert f"sqlrank eval {answer} --qrels {request}" in looked


@each(["beir.qrels.tsv", "mteb.qrels.parquet", "index.qrels.parquet"])
def test_judgments_with_a_score_are_told_from_a_run(name: str) -> None:
    run, qrels = FOLDER / "ranx.run.json", FOLDER / name
    assert f"sqlrank eval {run} --qrels {qrels}\n" in completed("inspect", run, qrels).out
    with sqlrank.evaluate(qrels, QRELS, "rr") as result:
        assert f"{qrels}: read as a run, though judgments of BEIR have these columns: are they qrels=?" in result.notes


REQUEST = '{"requests": [{"id": "q1", "request": {}, "ratings": [%s]}]}'


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ('{"dcg": {"k": 3, "normalize": true}}', "-m ndcg@3 --like elasticsearch, of the first 3 hits"),
        ('{"dcg": {}}', "-m dcg@10 --like elasticsearch, of the first 10 hits"),
        (
            '{"precision": {"k": 5, "relevant_rating_threshold": 2, "ignore_unlabeled": true}}',
            "-m p@5 --rel 2 --unjudged remove --like elasticsearch, of the first 5 hits",
        ),
        (
            '{"expected_reciprocal_rank": {"maximum_relevance": 3, "k": 20, "unknown_doc_rating": 1}}',
            "-m 'err(max=3)@20' --unjudged 1 --like elasticsearch, of the first 20 hits",
        ),
        ('{"mean_reciprocal_rank": {"k": 4}}', "-m rr@4 --like elasticsearch, of the first 4 hits"),
        ('{"other": {"k": 4}}', None),
    ],
)
def test_the_metric_of_a_request_is_said(metric: str, said: str | None) -> None:
    request = f'{{"metric": {metric}, "requests": [{{"id": "q1", "ratings": [{{"_id": "a", "rating": 1}}]}}]}}'
    Path("request.json").write_text(request, encoding="utf-8")
    run = write_csv("run.csv", ("query_id", "doc_id", "score"), [("q1", "a", 1)])
    printed = completed("eval", run, "--qrels", "request.json", "-m", "rr").err.splitlines()
    note = next(line for line in printed if "a request of _rank_eval" in line)
    assert note.endswith("rating is relevance" + ("" if said is None else f"; its metric is {said}"))


ANSWER = '{"metric_score": 1, "details": {"q1": {"metric_score": 1, "hits": [%s]}}, "failures": {%s}}'
LIST = '{"judgmentRatings": [{"query": "q1", "ratings": [%s]}]}'
HITS = '{"hits": {"hits": [%s]}}'
QUEPID = '{"queries": [{"query": "q1", "ratings": {%s}}]}'
RRE = '{"queries": [{"placeholders": {%s}, "relevant_documents": {%s}}]}'
META = '{"mteb_model_meta": {"model_name": "m", "revision": null}, %s}'


def test_what_is_wrong_in_a_document_is_told_with_its_place(tmp_path: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        text, said = case
        path = tmp_path / "given.json"
        path.write_text(text)
        (tmp_path / "other.json").write_text(json.dumps({"q1": {"d2": 1}}))
        given = [path, "--qrels", tmp_path / "other.json"]
        given = given if text.startswith(('{"mteb', '{"metric')) else [tmp_path / "other.json", "--qrels", path]
        message = error_of(3, "eval", *given, "-m", "rr")
        assert str(path) in message
        assert said in message

    cases = [
        (REQUEST % '{"_id": "d2"}', "requests[0].ratings[0] has no rating"),
        (REQUEST % '{"rating": 1}', "requests[0].ratings[0] has no _id"),
        (REQUEST % '{"_id": "d2", "rating": "high"}', "requests[0].ratings[0].rating: expected a number, found 'high'"),
        (REQUEST % '{"_id": "d2", "rating": true}', "requests[0].ratings[0].rating: expected a number, found True"),
        (REQUEST % '{"_id": "d2", "rating": null}', "requests[0].ratings[0].rating: expected a number, found None"),
        (REQUEST % '{"_id": "", "rating": 1}', "requests[0].ratings[0]._id: expected an id, found ''"),
        (REQUEST % '{"_id": 1.5, "rating": 1}', "requests[0].ratings[0]._id: expected an id, found 1.5"),
        (REQUEST % '{"_id": "d\\u0000", "rating": 1}', "requests[0].ratings[0]._id holds a NUL character"),
        (REQUEST % '{"_id": "d2", "rating": 1, "rating": 2}', "'rating' appears twice in requests[0].ratings[0]"),
        (REQUEST % "7", "requests[0].ratings[0]: expected an object, found 7"),
        (REQUEST % '{"_id": "d2", "rating": 1}, {"_id": "d2", "rating": 2}', "'d2'"),
        (REQUEST % '{"_index": "a", "_id": "d2", "rating": 1}, {"_index": "b", "_id": "d2", "rating": 1}', "_index"),
        (REQUEST % '{"_id": "d2", "rating": NaN}', "nan"),
        (REQUEST.replace("]}]}", '], "x": 1}, {"id": "q1", "ratings": []}]}') % "", "the id 'q1' appears twice"),
        (REQUEST[:-1] % '{"_id": "d2", "rating": 1}', "line 1: cannot be read as JSON"),
        (f"{REQUEST} {{}}" % '{"_id": "d2", "rating": 1}', "the document has ended, and '{}' follows it"),
        (f"\n\n{REQUEST}" % '{"_id": "d2" "rating": 1}', "line 3: cannot be read as JSON"),
        (REQUEST % "", "there are no rows"),
        (ANSWER % ("", '"q2": {"error": {"type": "parsing"}}'), "the search of 1 request failed, such as that of 'q2'"),
        (ANSWER % ('{"rating": 1}', ""), "details.q1.hits[0] has no hit"),
        (
            ANSWER % ('{"hit": {"_id": "d2"}, "rating": [1]}', ""),
            "details.q1.hits[0].rating: expected a number, found [1]",
        ),
        (LIST % '{"docId": "d2", "rating": "A"}', "judgmentRatings[0].ratings[0].rating: expected a number, found 'A'"),
        (LIST % '{"doc": "d2", "rating": 1}', "judgmentRatings[0].ratings[0] has no docId"),
        (HITS % f'{{"_source": {LIST % ""}}}, {{"_source": {LIST % ""}}}', "holds 2 judgment lists"),
        (QUEPID % '"d2": "x"', "queries[0].ratings.d2: expected a number, found 'x'"),
        (QUEPID % '"d2": 1, "d2": 1', "the key 'd2' appears twice in queries[0].ratings"),
        (
            RRE % ('"$query": "q1"', '"high": ["d2"]'),
            "queries[0].relevant_documents.high: expected a number, found 'high'",
        ),
        (RRE % ('"$q": "q1"', '"1": ["d2"]'), "queries[0].placeholders has no $query"),
        (RRE % ('"$query": "q1"', '"1": ["d2"], "2": ["d2"]'), "'d2'"),
        (META % '"default": {"test": {"q1": {"d2": 1}}, "dev": {"q1": {"d2": 1}}}', "default test and default dev"),
        (META % '"default": {"test": {"q1": {"d2": 1}}}, "de": {"test": {"q1": {}}}', "default test and de test"),
        (META % '"default": {"test": {"q1": {"d2": "x"}}}', "document 'd2' of query 'q1' has 'x'"),
        (META % '"default": {"test": {"q1": {"d2": 1}}', "the end of the file, which is cut"),
    ]
    hold(cases, check)


IDS = ["a,b", "a\tb", '"q"', "it's", "a\nb", " x ", "é", "{}", "1", "null", "a;b", "x\\"]


def written(kind: str, folder: Path) -> Path:
    """Judgments with such ids of queries and documents, each relevant once."""
    frame = package("lz4.frame", "ranx")
    pairs = list(zip(IDS, reversed(IDS), strict=True))
    documents: dict[str, Any] = {
        "request": {"requests": [{"id": query, "ratings": [{"_id": doc, "rating": 1}]} for query, doc in pairs]},
        "list": {
            "judgmentRatings": [{"query": query, "ratings": [{"docId": doc, "rating": 1}]} for query, doc in pairs]
        },
        "rre": {
            "queries": [{"placeholders": {"$query": query}, "relevant_documents": {"1": [doc]}} for query, doc in pairs]
        },
        "quepid": {"queries": [{"query": query, "ratings": {doc: 1}} for query, doc in pairs]},
        "plain": {query: {doc: 1} for query, doc in pairs},
    }
    path = folder / f"given.{'lz4' if kind == 'ranx' else 'json'}"
    if kind == "ranx":
        path.write_bytes(frame.compress(frame.compress(package("cbor2", "ranx").dumps(documents["plain"]))))
    else:
        path.write_text(json.dumps(documents[kind]))
    return path


def test_ids_may_hold_anything(tmp_path: Path) -> None:
    def check(kind: str) -> None:
        run = {query: {doc: 1.0} for query, doc in zip(IDS, reversed(IDS), strict=True)}
        with sqlrank.evaluate(run, written(kind, tmp_path), "rr") as result:
            assert result.to_dict() == {query: {"rr": 1.0} for query in IDS}

    hold(["request", "list", "rre", "quepid", "plain", "ranx"], check)


def test_every_cut_of_a_run_of_ranx_is_refused(tmp_path: Path) -> None:
    package("lz4", "ranx")
    whole = (FOLDER / "ranx.run.lz4").read_bytes()
    for size in range(0, len(whole), 7):
        (tmp_path / "run.lz4").write_bytes(whole[:size])
        with pytest.raises(sqlrank.DataError, match=r"run\.lz4"):
            values(tmp_path / "run.lz4", QRELS)


def packed_twice(data: bytes) -> bytes:
    frame = package("lz4.frame", "ranx")
    return bytes(frame.compress(frame.compress(data)))


def test_what_is_wrong_in_a_run_of_ranx_is_told(tmp_path: Path) -> None:
    def check(case: tuple[bytes, str]) -> None:
        data, said = case
        (tmp_path / "run.lz4").write_bytes(packed_twice(data))
        with pytest.raises(sqlrank.DataError, match=said):
            values(tmp_path / "run.lz4", QRELS)

    cases = [
        (bytes.fromhex("a2 62 7131 a1 61 64 01 62 7131 a1 61 64 02"), "has a key twice"),
        (bytes.fromhex("a1 62 7131 a1 01 02"), "query 'q1' has the document 1, which is not a text"),
        (bytes.fromhex("a1 62 7131 02"), "query 'q1': expected its documents, found 2"),
        (bytes.fromhex("a1 62 7131 a1 61 64 61 78"), "document 'd' of query 'q1' has 'x'"),
        (bytes.fromhex("81 01"), "is not as ranx writes a run"),
        (b"\xa1", "cannot be read as CBOR"),
    ]
    hold(cases, check)


def test_other_files_of_lz4_are_refused_with_the_way_on_and_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = package("lz4.frame", "ranx")
    (tmp_path / "run.lz4").write_bytes(frame.compress(json.dumps(RUN).encode()))
    with pytest.raises(sqlrank.DataError, match="is not a run of ranx, which is packed twice; unpack it"):
        values(tmp_path / "run.lz4", QRELS)
    (tmp_path / "run.json").write_bytes((FOLDER / "ranx.run.lz4").read_bytes())
    with pytest.raises(sqlrank.DataError, match=r"is compressed by lz4; name it \.lz4 if ranx saved it"):
        values(tmp_path / "run.json", QRELS)
    monkeypatch.setitem(__import__("sys").modules, "cbor2", None)
    with pytest.raises(sqlrank.UsageError, match=r"needs lz4 and cbor2: pip install 'sqlrank\[ranx\]'"):
        values(FOLDER / "ranx.run.lz4", QRELS)


def test_documents_of_several_indices_have_their_index_in_their_ids(tmp_path: Path) -> None:
    def written(name: str, document: Any) -> Path:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.{name}"
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    def request(*rated: tuple[str, str]) -> Path:
        ratings = [{"_index": index, "_id": doc, "rating": 1} for index, doc in rated]
        return written("request.json", {"requests": [{"id": "q", "request": {}, "ratings": ratings}]})

    def answer(*found: tuple[str, str]) -> Path:
        hits = [{"hit": {"_index": index, "_id": doc, "_score": 1.0}, "rating": None} for index, doc in found]
        return written("answer.json", {"details": {"q": {"metric_score": 0, "hits": hits}}, "failures": {}})

    def check(case: tuple[Path, Path, dict[str, Any], float, str | None]) -> None:
        run, qrels, options, value, indices = case
        with sqlrank.evaluate(run, qrels, "rr", **options) as found:
            assert found["rr"] == value
            said = [note for note in found.notes if "indices" in note]
        assert [f"are of {indices}), so _index is part of doc_id" in note for note in said] == [True] * len(said)
        assert len(said) == (2 if indices else 0)

    mixed = [("shop", "1"), ("blog", "1"), ("shop", "2")]
    alone: dict[str, Any] = {"columns": {"doc_id": "doc_id"}}
    cases = {
        "rated in one, found in both": (mixed, [("blog", "1")], {}, 0.5, "2 indices (blog, shop"),
        "rated in both": (mixed[1:], [("shop", "2"), ("news", "1")], {}, 0.5, "3 indices (blog, news, shop"),
        "one index": ([("blog", "2"), ("blog", "1")], [("blog", "1")], {}, 0.5, None),
        "left out": ([("shop", "2"), ("shop", "1")], [("blog", "1")], alone, 0.5, None),
    }
    hold({name: (answer(*hits), request(*rated), *more) for name, (hits, rated, *more) in cases.items()}, check)
    with sqlrank.evaluate(answer(("shop", "1")), request(("blog", "1")), "rr") as result:
        assert result["rr"] == 0
        assert any("the run has 'shop,1' (varchar), the judgments have 'blog,1'" in note for note in result.notes)
