"""Keys that hold dots, as attributes of OpenTelemetry do, are named in paths as they are, or in double quotes."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from tests.inputs.test_nested_fields import FORMS, made
from tests.support.cli_helper import completed
from tests.support.tables import each, hold

QRELS = {"q1": {"b": 1}, "q2": {"b": 1}}
RIGHT = {"q1": {"rr": 0.5}, "q2": {"rr": 1.0}}


def span(query: str, **documents: float) -> dict[str, Any]:
    """A span of a retrieval."""
    found = [{"id": doc, "score": score, "meta": {"doc.key": doc}} for doc, score in documents.items()]
    named = {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": query}
    return {"name": "retrieval", "attributes": named | {"gen_ai.retrieval.documents": found}}


SPANS = [span("q1", a=0.9, b=0.8), span("q2", b=0.7)]
QUERY = ["attributes.gen_ai.retrieval.query.text", 'attributes."gen_ai.retrieval.query.text"']
LISTS = ["attributes.gen_ai.retrieval.documents[]", 'attributes."gen_ai.retrieval.documents"[]']
DOC = ["id", "meta.doc.key", 'meta."doc.key"']


FILES = [form for form in FORMS if form != "database"]


# The ways to write a path are taken by turns.
@each(zip([*FILES, *FILES], cycle(zip(QUERY, LISTS, strict=True)), cycle(DOC)))
def test_spans_of_retrievals_are_a_run(case: tuple[str, tuple[str, str], str]) -> None:
    form, (query, hits), doc = case
    columns = {"run.query_id": query, "run.doc_id": f"{hits}.{doc}", "run.score": f"{hits}.score"}
    with sqlrank.evaluate(**made(form, SPANS, Path.cwd()), metrics="rr", columns=columns) as result:
        assert result.to_dict() == RIGHT


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_command_takes_such_a_path() -> None:
    Path("spans.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in SPANS))
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,b,1\nq2,b,1\n")
    told = [f"--column=run.{role}={path}" for role, path in (("query_id", QUERY[0]), ("doc_id", f"{LISTS[1]}.id"))]
    words = ["eval", "spans.jsonl", "--qrels", "qrels.csv", *told, "-m", "rr", "--format", "csv"]
    assert completed(*words).table[0]["value"] == "0.75"


def test_objects_in_texts_have_keys_with_dots_too() -> None:
    rows = [("q1", "a", 2), ("q1", "b", 1), ("q2", "b", 1)]
    lines = [
        f'"{json.dumps({"app.query": query}).replace(chr(34), chr(34) * 2)}",{doc},{n}\n' for query, doc, n in rows
    ]
    Path("run.csv").write_text("attributes,doc_id,score\n" + "".join(lines))
    with sqlrank.evaluate("run.csv", QRELS, "rr", columns={"run.query_id": "attributes.app.query"}) as result:
        assert result.to_dict() == RIGHT


BOTH = {"doc_id": "d1", "score": 1, "attributes": {"app.query": "q1", "app": {"query": "q2"}}}
NAMED = {'attributes."app.query"': "q1", 'attributes."app"."query"': "q2", 'attributes."app".query': "q2"}


@each(["jsonl", "pandas"])
def test_a_path_that_leads_to_two_fields_is_refused_and_quotes_say_which(form: str) -> None:
    run = made(form, [BOTH], Path.cwd())["run"]
    with pytest.raises(sqlrank.DataError) as error:
        sqlrank.evaluate(run, {"q1": {"d1": 1}}, "rr", columns={"run.query_id": "attributes.app.query"})
    assert 'attributes.app.query may be attributes."app.query" and attributes."app"."query"' in str(error.value)

    def check(case: tuple[str, str]) -> None:
        path, query = case
        with sqlrank.evaluate(run, {query: {"d1": 1}}, "rr", columns={"run.query_id": path}) as result:
            assert result.to_dict() == {query: {"rr": 1.0}}

    hold(NAMED.items(), check)


def test_a_path_that_leads_nowhere_names_the_nearest_key() -> None:
    run = made("jsonl", SPANS, Path.cwd())["run"]
    with pytest.raises(sqlrank.DataError) as error:
        sqlrank.evaluate(run, QRELS, "rr", columns={"run.query_id": "attributes.gen_ai.retrieval.query"})
    said = "attributes has no field 'gen_ai.retrieval.query'; did you mean gen_ai.retrieval.query.text?"
    assert said in str(error.value)
