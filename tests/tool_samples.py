"""The files in fixtures/exports/tools that other tools write, written anew by those that are installed.

Run as `python -m tests.tool_samples NAME...` in an environment with the tool: ranx, pandas, spark, lightgbm or xgboost.
The other files are written by hand, as the source or the documentation of their tool has them.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "exports" / "tools"
RUN = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}, "q2": {"d4": 5.0, "d5": 1.0}}
QRELS = {"q1": {"d2": 2, "d3": 1, "d9": 1}, "q2": {"d4": 1}}
# rr: 1/2 at d2 and 1 at d4; ndcg@10: (2/log2(3) + 1/2) / (2 + 1/log2(3) + 1/2) and 1.
VALUES = {"rr": 0.75, "ndcg@10": 0.7813636003028695}


def ranx(folder: Path) -> None:
    """Runs and judgments of ranx in each of its formats."""
    from ranx import Qrels, Run

    run, qrels = Run(RUN, name="bm25"), Qrels(QRELS)
    for suffix in ("json", "lz4", "parq", "trec"):
        run.save(str(folder / f"ranx.run.{suffix}"))
    for suffix in ("json", "parq", "trec"):
        qrels.save(str(folder / f"ranx.qrels.{suffix}"))


def pandas(folder: Path) -> None:
    """Judgments of MTEB in Parquet, and frames whose index has no name."""
    import pandas as pd

    pairs = [(query, doc, grade) for query, found in QRELS.items() for doc, grade in found.items()]
    judged = pd.DataFrame(pairs, columns=["query-id", "corpus-id", "score"])
    judged.to_parquet(folder / "mteb.qrels.parquet", index=False)
    judged.to_csv(folder / "beir.qrels.tsv", sep="\t", index=False)
    judged.sort_values("corpus-id", ascending=False).to_parquet(folder / "index.qrels.parquet")
    rows = [(query, doc, score) for query, found in RUN.items() for doc, score in found.items()]
    run = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    run.to_csv(folder / "index.run.csv")
    pd.read_csv(folder / "index.run.csv").to_csv(folder / "unnamed.run.csv", index=False)


def spark(folder: Path) -> None:
    """A run in parts of CSV with names, and judgments in parts of text without."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").getOrCreate()
    rows = [(query, doc, score) for query, found in RUN.items() for doc, score in found.items()]
    pairs = [(query, doc, grade) for query, found in QRELS.items() for doc, grade in found.items()]
    run = session.createDataFrame(rows, ["query_id", "doc_id", "score"]).repartition(2, "query_id")
    run.write.mode("overwrite").option("header", True).csv(str(folder / "spark_run"))
    run.write.mode("overwrite").parquet(str(folder / "spark_run_parquet"))
    lines = session.sparkContext.parallelize([f"{query}\t0\t{doc}\t{grade}" for query, doc, grade in pairs], 6)
    shutil.rmtree(folder / "spark_qrels", ignore_errors=True)
    lines.saveAsTextFile(str(folder / "spark_qrels"))
    session.stop()


def letor(folder: Path) -> tuple[Any, Any, list[int]]:
    """The features, labels and sizes of groups of the sample of LETOR."""
    import numpy as np
    from sklearn.datasets import load_svmlight_file

    features, labels, queries = load_svmlight_file(str(folder / "letor.txt"), query_id=True)
    return features, labels, [int((queries == query).sum()) for query in dict.fromkeys(np.asarray(queries).tolist())]


def lightgbm(folder: Path) -> None:
    """The scores of a model for the lines of LETOR."""
    import lightgbm as gbm
    import numpy as np

    features, labels, sizes = letor(folder)
    ranker = gbm.LGBMRanker(n_estimators=3, min_child_samples=1, verbose=-1).fit(features, labels, group=sizes)
    np.savetxt(folder / "letor.lightgbm.scores", ranker.predict(features))


def xgboost(folder: Path) -> None:
    """The same of another model, and the sizes of groups beside lines without queries, as both tools read them."""
    import numpy as np
    import xgboost as xgb

    features, labels, sizes = letor(folder)
    data = xgb.DMatrix(features, labels)
    data.set_group(sizes)
    model = xgb.train({"objective": "rank:pairwise", "min_child_weight": 0}, data, num_boost_round=3)
    np.savetxt(folder / "letor.xgboost.scores", model.predict(data), fmt="%.9g")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:]:
        globals()[name](FOLDER)
