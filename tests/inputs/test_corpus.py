"""A damaged file gives the value of what an independent reader reads in it, or is refused by name."""

from __future__ import annotations

import os
import random
from itertools import islice
from pathlib import Path

import pytest

from tests.support import lake_corpus
from tests.support.corpus import SPECIMENS, Specimen, evaluated, verdict

SAMPLE = 1
"""How many damages of each specimen are tried by default, other ones for each version of the specimens."""
STEP = int(os.environ.get("SQLRANK_DAMAGES", "5"))
"""The slow run tries each damage of so many; with SQLRANK_DAMAGES=1 it tries them all."""


def named(specimen: Specimen) -> str:
    """A specimen as a test is called."""
    return specimen.name


@pytest.mark.sampled(12)
@pytest.mark.parametrize("specimen", SPECIMENS, ids=named)
def test_a_file_as_it_should_be_has_the_value_worked_out(specimen: Specimen) -> None:
    found = {row["metric"]: float(row["value"]) for row in evaluated(specimen, specimen.data).table}

    # q1: b at 2 and c at 3; q2: d at 2 and e not found.
    assert found == {
        "dcg": pytest.approx((1 / 1.584962500721156 + 2 / 2 + 1 / 1.584962500721156) / 2),
        "recall@2": 0.5,
        "num_ret": 5,
        "num_rel": 4,
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("specimen", SPECIMENS, ids=named)
def test_a_sample_of_damages_is_noticed_or_harmless(specimen: Specimen) -> None:
    damages = random.Random(specimen.name).sample(list(specimen.damaged()), SAMPLE)
    found = {what: said for what, data in damages if (said := verdict(specimen, data))}

    assert not found


@pytest.mark.slow
@pytest.mark.parametrize("specimen", SPECIMENS, ids=named)
def test_damages_all_over_a_file_are_noticed_or_harmless(specimen: Specimen) -> None:
    damages = islice(specimen.damaged(), random.Random(specimen.data).randrange(STEP), None, STEP)
    found = {what: said for what, data in damages if (said := verdict(specimen, data))}

    assert not found


LAKES = ("delta", "iceberg")
LAKE_SAMPLE = 8
"""How many damages of the metadata of each table are tried by default."""


def of_lake(kind: str, folder: Path) -> tuple[lake_corpus.Lake, Path]:
    """A table and judgments of its documents."""
    qrels = folder / "qrels.csv"
    pairs = [(query, *pair) for query, found in lake_corpus.JUDGED.items() for pair in found.items()]
    lines = [f"{query},{doc},{grade:g}\n" for query, doc, grade in pairs]
    qrels.write_text("query_id,doc_id,relevance\n" + "".join(lines))
    return lake_corpus.made(kind, folder / "lake"), qrels


@pytest.mark.slow
@pytest.mark.parametrize("kind", LAKES)
def test_a_sample_of_damages_to_the_metadata_of_a_lake_is_noticed_or_harmless(kind: str, tmp_path: Path) -> None:
    lake, qrels = of_lake(kind, tmp_path)
    assert lake_corpus.verdict(lake, qrels) is None
    damages = random.Random(kind).sample(list(lake.damaged()), LAKE_SAMPLE)
    found = {what: said for path, what, data in damages if (said := lake_corpus.tried(lake, path, data, qrels))}

    assert not found


@pytest.mark.turns(7)
@pytest.mark.parametrize("kind", LAKES)
def test_damages_all_over_the_metadata_of_a_lake_are_noticed_or_harmless(kind: str, tmp_path: Path) -> None:
    lake, qrels = of_lake(kind, tmp_path)
    damages = islice(lake.damaged(), random.Random(kind).randrange(STEP), None, 4 * STEP)
    found = {what: said for path, what, data in damages if (said := lake_corpus.tried(lake, path, data, qrels))}

    assert not found
