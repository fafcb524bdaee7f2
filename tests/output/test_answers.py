"""The sentences that end a result: what they claim is what its rows have, and what its report leads with."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

import sqlrank
from sqlrank.output.leaderboard import Leaderboard, sentences_of, verdicts_of
from sqlrank.output.writing import writing_of
from sqlrank.pages.words import ENGLISH, words_of
from tests.experiments.drawn import log_of
from tests.interleaving.drafted import drafted
from tests.support.cli_helper import FIXTURES, completed

SEARCH = FIXTURES / "search"
KEYWORD, SEMANTIC = (str(SEARCH / f"{name}.parquet") for name in ("keyword", "semantic"))
QRELS, QUERIES = str(SEARCH / "qrels.parquet"), str(SEARCH / "queries.parquet")
TWO, THREE = {"keyword": KEYWORD, "semantic": SEMANTIC}, {"keyword": KEYWORD, "semantic": SEMANTIC, "copy": KEYWORD}
HOSTILE = "a {metric} <b>\x1b[31m{0}"


@cache
def compared(systems: str, *metrics: str, **options: Any) -> sqlrank.Comparison:
    """A comparison of the example, which is made once."""
    named = {"two": TWO, "three": THREE, "turned": dict(reversed(TWO.items()))}[systems]
    return sqlrank.compare(systems=named, qrels=QRELS, metrics=list(metrics), **options)


@pytest.mark.parametrize(
    ("systems", "metrics", "options", "sentences"),
    [
        (
            "two",
            ("ndcg@10", "ap", "p@5", "rr"),
            {},
            ["semantic is better than keyword in ndcg@10; better in ap, p@5; no evidence of a difference in rr"],
        ),
        ("turned", ("ndcg@10",), {}, ["keyword is worse than semantic in ndcg@10"]),
        ("two", ("rr",), {}, ["no evidence of a difference between semantic and keyword in rr"]),
        (
            "two",
            ("ndcg@10", "ap", "rr"),
            {"queries": QUERIES, "by": "country"},
            [
                "semantic is better than keyword in ndcg@10 (worse in country=de); better in ap; no evidence of a"
                " difference in rr (worse in country=de)"
            ],
        ),
        (
            "three",
            ("ndcg@10", "rr"),
            {},
            [
                "better than keyword in ndcg@10: semantic",
                "no evidence of a difference from keyword in ndcg@10: copy",
            ],
        ),
        (
            "three",
            ("ndcg@10", "rr"),
            {"all_pairs": True},
            ["semantic is better than all others in ndcg@10; no two systems can be told apart in rr"],
        ),
        (
            "two",
            ("ndcg@10",),
            {"alternative": "less"},
            ["no evidence that semantic is worse than keyword in ndcg@10"],
        ),
        (
            "turned",
            ("ndcg@10", "ap", "rr"),
            {"alternative": "greater"},
            ["no evidence that keyword is better than semantic in ndcg@10; no evidence of a gain in ap, rr"],
        ),
        (
            "three",
            ("rr",),
            {"alternative": "greater"},
            ["no evidence of being better than keyword in rr: semantic, copy"],
        ),
    ],
)
def test_the_answer_says_what_is_better_worse_and_without_evidence_and_where(
    systems: str, metrics: tuple[str, ...], options: dict[str, Any], sentences: list[str]
) -> None:
    comparison = compared(systems, *metrics, **options)
    assert sentences_of(comparison) == sentences
    assert " ".join(str(comparison).rpartition("\n\n")[2].split()) == " ".join(sentences)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("systems", ["two", "three"])
@pytest.mark.parametrize("pairs", [False, True])
def test_a_report_leads_with_the_same_sentences(systems: str, pairs: bool, language: str) -> None:
    comparison, words = compared(systems, "ndcg@10", "rr", all_pairs=pairs), words_of(language)
    verdicts = verdicts_of(comparison, Leaderboard.of(comparison, words, 4))
    sentences = sentences_of(comparison, words)
    assert [verdict.text for verdict in verdicts] == [text.split(words("semicolon"))[0] for text in sentences]


def test_every_format_for_people_ends_with_it_and_json_has_it() -> None:
    request = ("compare", KEYWORD, SEMANTIC, "--qrels", QRELS, "-m", "ndcg@10", "--quiet")
    sentence = "semantic is better than keyword in ndcg@10"
    assert completed(*request).out.splitlines()[-2:] == ["", sentence]
    assert completed(*request, "--verbose").out.splitlines()[-2:] == ["", sentence]
    assert completed(*request, "--format", "markdown").out.splitlines()[-2:] == ["", f"{sentence}  "]
    assert json.loads(completed(*request, "--format", "json").out)["answer"] == [sentence]
    assert f"<strong>{sentence}</strong>" in compared("two", "ndcg@10")._repr_html_()


def test_names_are_text_however_they_read() -> None:
    systems = {HOSTILE: KEYWORD, "{baseline}": SEMANTIC}
    with sqlrank.compare(systems=systems, qrels=QRELS, metrics=["ndcg@10", "ap"]) as comparison:
        assert sentences_of(comparison, ENGLISH) == [
            r"{baseline} is better than a {metric} <b>\x1b[31m{0} in ndcg@10; better in ap"
        ]
        assert "<b>" not in comparison._repr_html_().replace("&lt;b&gt;", "")


@pytest.mark.parametrize(
    ("log", "options", "answer"),
    [
        (
            {"users": 300, "effect": 0.3},
            {"metrics": ["success", "abandonment", "impressions"]},
            ["B is better than A in success; better in abandonment; no evidence of a difference in impressions"],
        ),
        (
            {"users": 300, "effect": 0.3, "shares": (0.2, 0.8)},
            {"metrics": ["success"]},
            ["no verdict: the units were not split as planned (sample ratio mismatch)"],
        ),
        (
            {"users": 400, "effect": 0.3, "shares": (0.4, 0.3, 0.3)},
            {"metrics": ["success"], "shares": {"A": 0.4, "B": 0.3, "C": 0.3}},
            ["better than A in success: B", "no evidence of a difference from A in success: C"],
        ),
        (
            {"users": 400, "effect": 0.3, "shares": (0.4, 0.3, 0.3)},
            {"metrics": ["success"], "shares": {"A": 0.4, "B": 0.3, "C": 0.3}, "all_pairs": True},
            [
                "B is better than A in success",
                "no evidence of a difference between C and A in success",
                "C is worse than B in success",
            ],
        ),
    ],
)
def test_an_experiment_ends_with_what_it_found(log: dict[str, Any], options: dict[str, Any], answer: list[str]) -> None:
    asked: dict[str, Any] = {"baseline": None if "all_pairs" in options else "A"} | options
    with sqlrank.log.arms(log_of(**log), unit="user", **asked) as found:
        assert writing_of("ArmComparison").answers(found) == answer
        assert " ".join(str(found).rpartition("\n\n")[2].split()) == " ".join(answer)


@pytest.mark.parametrize(
    ("taste", "answer"),
    [
        (0.3, "users prefer A to B"),
        (-0.3, "users prefer B to A"),
        (0.0, "no evidence that users prefer either of A and B"),
    ],
)
def test_an_interleaving_experiment_ends_with_whom_users_prefer(taste: float, answer: str) -> None:
    with sqlrank.log.interleave(drafted(200, taste)) as found:
        assert str(found).splitlines()[-1] == answer
