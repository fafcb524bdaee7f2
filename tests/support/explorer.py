"""The page of all queries read back, and what it says of one query in plain Python."""

from __future__ import annotations

import csv
import json
import random
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

Data = dict[str, Any]


def data_of(path: Path) -> Data:
    """The data that the script of a page reads."""
    packed = re.search(r'<script type="text/plain" id="data">([A-Za-z0-9+/=]*)</script>', path.read_text("utf-8"))
    assert packed is not None
    data: Data = json.loads(zlib.decompress(b64decode(packed[1])))
    return data


def metric_place(data: Data, text: str) -> int:
    """The place of a metric."""
    return [each["text"] for each in data["metrics"]].index(text)


def keys_of(data: Data) -> list[str]:
    """The ids of the queries as links have them."""
    return [data["queries"]["keys"].get(str(place), one) for place, one in enumerate(data["queries"]["ids"])]


def values_of(data: Data, system: str, metric: str) -> dict[str, float | None]:
    """The values of a metric by query."""
    values = data["values"][data["systems"].index(system)][metric_place(data, metric)]
    return dict(zip(data["queries"]["ids"], values, strict=True))


def differences_of(data: Data, metric: str, baseline: str, candidate: str) -> dict[str, float]:
    """The differences of a metric by query, for those with both values."""
    before, after = (values_of(data, system, metric) for system in (baseline, candidate))
    return {
        query: second - first
        for query, first in before.items()
        if first is not None and (second := after[query]) is not None
    }


def rows_of(data: Data, query: str, table: str = "places") -> list[Data]:
    """The documents of a query, with rank, score and part by system."""
    held, at = data[table], data["queries"]["ids"].index(query)
    systems = data["systems"]
    return [
        {"doc_id": data["documents"]["ids"][held["document"][row]], "relevance": held["relevance"][row]}
        | {
            name: dict(zip(systems, (each[row] for each in held[name]), strict=True))
            for name in held.keys() & OF_SYSTEM
        }
        for row in range(held["starts"][at], held["starts"][at + 1])
    ]


OF_SYSTEM = {"rank", "score", "part"}
"""The columns that each system has of its own."""


def write_large(folder: Path, queries: int, depth: int = 20) -> list[str]:
    """Two runs, judgments, queries and items of so many queries; the arguments that report on them."""
    draw = random.Random(5)
    rows: dict[str, list[list[object]]] = {name: [] for name in ("a", "b", "qrels", "queries", "items")}
    words = "linen oak wool red blue dress shelf lamp socks phone bottle garden kids hiking winter".split()
    for number in range(queries):
        query = f"q{number:06}"
        rows["queries"].append([query, f"{' '.join(draw.choices(words, k=3))}", draw.choice(["de", "fr", "us"])])
        documents = [f"sku-{draw.randrange(queries * 8):07}" for _ in range(depth + 10)]
        documents = list(dict.fromkeys(documents))
        rows["qrels"] += [[query, document, draw.randrange(4)] for document in documents[::2]]
        for system in ("a", "b"):
            found = draw.sample(documents, min(depth, len(documents)))
            rows[system] += [[query, document, round(20 * draw.random(), 4)] for document in found]
    rows["items"] = [
        [f"sku-{number:07}", " ".join(draw.choices(words, k=6)) + f" {number}"] for number in range(queries * 8)
    ]
    heads = {"qrels": ["query_id", "doc_id", "relevance"], "items": ["doc_id", "title"]}
    heads["queries"] = ["query_id", "title", "country"]
    for name, lines in rows.items():
        with open(folder / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(heads.get(name, ["query_id", "doc_id", "score"]))
            writer.writerows(lines)
    files = ["a.csv", "b.csv", "--qrels", "qrels.csv", "--queries", "queries.csv", "--items", "items.csv"]
    return [*files, "--by", "country", *"-m ndcg@10 -m rr -m ap -m p@10 -m recall@100".split(), "--explore"]
