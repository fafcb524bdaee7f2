"""A damaged file gives the value of what an independent reader reads in it, or is refused by name."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.support import lake_corpus
from tests.support.corpus import (
    BINARY,
    FLAGS,
    FORMS,
    LOG_FORMS,
    SHOWN,
    SIDES,
    SPECIMENS,
    Specimen,
    damaged,
    evaluated,
    taken_as_a_log_alone,
    verdict,
)
from tests.support.tables import hold

STEPS = {"plain": 48, "gzip": 24, "zstd": 24}
"""Each damage of so many is tried: four of five bytes are those of sheets and Parquet, whose parts are long."""


OF_FORMS = [
    [one for one in SPECIMENS if (one.form, one.side) == pair]
    for pair in dict.fromkeys((one.form, one.side) for one in SPECIMENS)
]
ONCE = [specimens[number % len(specimens)] for number, specimens in enumerate(OF_FORMS)]
"""Each form of each input, compressed in one way by turns."""
OTHERS = [specimen for specimen in SPECIMENS if specimen not in ONCE]


@pytest.mark.parametrize(
    "specimens", [ONCE, pytest.param(OTHERS, marks=pytest.mark.needs("random"))], ids=["once", "all"]
)
def test_a_file_as_it_should_be_has_the_value_worked_out(specimens: list[Specimen]) -> None:
    def check(specimen: Specimen) -> None:
        found = {row["metric"]: float(row["value"]) for row in evaluated(specimen, specimen.data).table}

        # q1: b at 2 and c at 3; q2: d at 2 and e not found.
        assert found == {
            "dcg": pytest.approx((1 / 1.584962500721156 + 2 / 2 + 1 / 1.584962500721156) / 2),
            "recall@2": 0.5,
            "num_ret": 5,
            "num_rel": 4,
        }

    hold({specimen.name: specimen for specimen in specimens}, check)


@pytest.mark.needs("random")
@pytest.mark.parametrize("specimens", [SPECIMENS[part::7] for part in range(7)])
def test_damages_all_over_a_file_are_noticed_or_harmless(specimens: list[Specimen]) -> None:
    def check(specimen: Specimen) -> None:
        damages = islice(specimen.damaged(), None, None, STEPS[specimen.compression])
        found = {what: said for what, data in damages if (said := verdict(specimen, data))}
        assert not found

    hold({specimen.name: specimen for specimen in specimens}, check)


@pytest.mark.parametrize(
    "step", [80, pytest.param(5, marks=pytest.mark.needs("random"))], ids=["some damages", "all damages"]
)
def test_a_damaged_file_that_is_refused_as_a_run_is_refused_as_a_log(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def check(form: str) -> None:
        specimen = Specimen(form, "plain", "qrels")
        data = FORMS[form](FLAGS if form.startswith("lists") else SHOWN, SIDES["qrels"][1])
        assert taken_as_a_log_alone(specimen, data, as_run=False) is not None
        damages = islice(damaged(data), None, None, step * STEPS["plain"] if form in BINARY else step)
        found = {what: said for what, each in damages if (said := taken_as_a_log_alone(specimen, each))}
        assert not found

    hold(LOG_FORMS, check)


LAKES = ("delta", "iceberg")
LAKE_STEP = 150
"""Each damage of so many is tried of the metadata, which is read by DuckDB's extensions."""


def of_lake(kind: str, folder: Path) -> tuple[lake_corpus.Lake, Path]:
    """A table and judgments of its documents."""
    qrels = folder / "qrels.csv"
    pairs = [(query, *pair) for query, found in lake_corpus.JUDGED.items() for pair in found.items()]
    lines = [f"{query},{doc},{grade:g}\n" for query, doc, grade in pairs]
    qrels.write_text("query_id,doc_id,relevance\n" + "".join(lines))
    return lake_corpus.made(kind, folder / "lake"), qrels


@pytest.mark.needs("random")
@pytest.mark.parametrize("kind", LAKES)
def test_damages_all_over_the_metadata_of_a_lake_are_noticed_or_harmless(kind: str, tmp_path: Path) -> None:
    lake, qrels = of_lake(kind, tmp_path)
    assert lake_corpus.verdict(lake, qrels) is None
    damages = islice(lake.damaged(), None, None, LAKE_STEP)
    found = {what: said for path, what, data in damages if (said := lake_corpus.tried(lake, path, data, qrels))}
    assert not found
