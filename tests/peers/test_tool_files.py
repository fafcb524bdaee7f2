"""Files that other tools write are read to what these tools say of them themselves."""

from __future__ import annotations

import filecmp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sqlrank
from tests import tool_samples
from tests.support.peers import package

pytestmark = [pytest.mark.filterwarnings("ignore")]
SIZES = [int(size) for size in np.random.default_rng(3).integers(1, 30, 100)]


def learned(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels of queries, written as lines of LETOR and as lines with sizes of groups beside them."""
    rng = np.random.default_rng(5)
    features = rng.normal(size=(sum(SIZES), 5)).round(6)
    labels = np.clip(np.round(features[:, 0] + rng.normal(size=len(features))), 0, 4).astype(int)
    queries = np.repeat(np.arange(len(SIZES)), SIZES)
    lines = [" ".join(f"{place}:{value:.6f}" for place, value in enumerate(row, 1)) for row in features]
    with_queries = (f"{label} qid:{query} {line}\n" for label, query, line in zip(labels, queries, lines, strict=True))
    (folder / "train.txt").write_text("".join(with_queries))
    bare = "".join(f"{label} {line}\n" for label, line in zip(labels, lines, strict=True))
    for suffix in ("group", "query"):
        (folder / f"{suffix}.txt").write_text(bare)
        (folder / f"{suffix}.txt.{suffix}").write_text("".join(f"{size}\n" for size in SIZES))
    return features, labels


def values(folder: Path, like: str, scores: Any) -> list[float]:
    """The metric of each of the files with these scores, in a file and from Python."""
    np.savetxt(folder / "scores.txt", scores, fmt="%.18g")
    found = []
    for name in ("train.txt", "group.txt", "query.txt"):
        for given in (folder / "scores.txt", scores):
            with sqlrank.evaluate(folder / name, metrics="ndcg@5", like=like, scores=given) as result:
                found += [row["value"] for row in result.to_dicts()]
    return found


@pytest.mark.needs("packages")
def test_scores_of_lightgbm_have_the_value_that_it_gives(tmp_path: Path) -> None:
    lightgbm = package("lightgbm")
    features, labels = learned(tmp_path)
    data = lightgbm.Dataset(features, labels, group=SIZES)
    said: dict[str, Any] = {}
    shape = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [5], "verbose": -1, "num_threads": 1}
    model = lightgbm.train(shape, data, 10, [data], ["train"], callbacks=[lightgbm.record_evaluation(said)])
    found = values(tmp_path, "lightgbm", model.predict(features))
    assert found == pytest.approx([said["train"]["ndcg@5"][-1]] * 6, abs=1e-12)


@pytest.mark.needs("packages")
def test_scores_of_xgboost_have_the_value_that_it_gives(tmp_path: Path) -> None:
    xgboost = package("xgboost")
    features, labels = learned(tmp_path)
    data = xgboost.DMatrix(features, labels)
    data.set_group(SIZES)
    said: dict[str, Any] = {}
    shape = {"objective": "rank:ndcg", "eval_metric": "ndcg@5", "nthread": 1}
    model = xgboost.train(shape, data, 10, evals=[(data, "train")], evals_result=said, verbose_eval=False)
    found = values(tmp_path, "xgboost", model.predict(data))
    assert found == pytest.approx([said["train"]["ndcg@5"][-1]] * 6, abs=1e-7)


@pytest.mark.needs("packages")
def test_the_samples_are_what_ranx_and_pandas_write(tmp_path: Path) -> None:
    package("ranx")
    tool_samples.ranx(tmp_path)
    tool_samples.pandas(tmp_path)
    texts = [path.name for path in tmp_path.iterdir() if path.suffix in (".json", ".trec", ".csv", ".tsv")]
    assert len(texts) == 7
    assert filecmp.cmpfiles(tool_samples.FOLDER, tmp_path, texts, shallow=False)[0] == texts


@pytest.mark.needs("packages")
@pytest.mark.parametrize("suffix", ["json", "lz4", "parq", "trec"])
def test_a_run_that_ranx_saves_has_its_values(suffix: str, tmp_path: Path) -> None:
    ranx = package("ranx")
    rng = np.random.default_rng(7)
    run = {f"q{query}": {f"d{doc} é": float(rng.normal()) for doc in rng.permutation(30)[:9]} for query in range(20)}
    qrels = {query: {doc: int(rng.integers(1, 4)) for doc in list(docs)[::2]} for query, docs in run.items()}
    if suffix == "trec":
        run = {query: {doc.replace(" ", "_"): score for doc, score in docs.items()} for query, docs in run.items()}
        qrels = {query: {doc.replace(" ", "_"): label for doc, label in docs.items()} for query, docs in qrels.items()}
    path = tmp_path / f"run.{suffix}"
    ranx.Run(run, name="r").save(str(path))
    wanted = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), ["ndcg@5", "map"])
    with sqlrank.evaluate(path, qrels, ["ndcg@5", "map"], like="ranx") as result:
        assert [row["value"] for row in result.to_dicts()] == pytest.approx([wanted["ndcg@5"], wanted["map"]])
