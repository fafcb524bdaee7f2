"""Reports read back: the elements of a page, and the numbers in its tables."""

from __future__ import annotations

import csv
import random
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib

from tests.support.cli_helper import FIXTURES

SEARCH = FIXTURES / "search"
KEYWORD, SEMANTIC, QRELS = (SEARCH / f"{name}.parquet" for name in ("keyword", "semantic", "qrels"))
QUERIES, VERDICTS = SEARCH / "queries.parquet", SEARCH / "verdicts.csv"
HTML = "{http://www.w3.org/1999/xhtml}"

HOSTILE = [
    "<script>alert(1)</script>",
    "</svg><img src=x onerror=alert(2)>",
    "\"'`&amp;{{7*7}}${x}",
    "العربية אבג",
    "🔥👩‍👩‍👧",
    "‮evil‬",
    "a\tb\rc",
    "x" * 100_000,
    "$cutoff",
    "{value}",
    "</style><b>",
    "</title></head><script>alert(3)</script>",
]
"""Texts that must stay text wherever they are shown."""


def parsed(text: str) -> Element:
    """A page as a tree; html5lib's ParseError where it is not valid."""
    root: Element = html5lib.HTMLParser(strict=True).parse(text)
    return root


def every(root: Element, name: str) -> list[Element]:
    """All elements of a name."""
    return list(root.iter(f"{HTML}{name}"))


def text_of(element: Element) -> str:
    """The text of an element, blanks as one."""
    return " ".join("".join(element.itertext()).split())


def tables_of(root: Element) -> dict[str, list[dict[str, str]]]:
    """The rows of every table by its caption, each by the heads of its columns; a caption met twice has a number."""
    found: dict[str, list[dict[str, str]]] = {}
    for table in every(root, "table"):
        caption = text_of(every(table, "caption")[0])
        number = sum(name.partition("#")[0] == caption for name in found)
        head, *body = every(table, "tr")
        names = [text_of(cell) for cell in head]
        rows = [dict(zip(names, map(text_of, row), strict=True)) for row in body]
        found[f"{caption}#{number + 1}" if number else caption] = rows
    return found


def sections_of(root: Element) -> list[str]:
    """The sections in order, by their keys."""
    return [str(section.get("aria-labelledby")) for section in every(root, "section")]


def write_hostile(folder: Path) -> list[Path]:
    """Two runs, judgments, queries and items whose ids, titles and segments are hostile."""
    draw = random.Random(1)
    names = ("run_a", "run_b", "qrels", "queries", "items")
    paths = [folder / f"{name}.csv" for name in names]
    rows: dict[str, list[list[object]]] = {name: [] for name in names}
    for number, text in enumerate(HOSTILE):
        query = f"{text[:200]}{number}"
        rows["queries"].append([query, text, HOSTILE[number % 4]])
        for document in HOSTILE[:8]:
            rows["run_a"].append([query, document[:300], draw.random()])
            rows["run_b"].append([query, document[:300], draw.random()])
            rows["qrels"].append([query, document[:300], draw.choice([0, 0, 1, 2])])
    rows["items"] = [[document[:300], document] for document in HOSTILE[:8]]
    heads = {"qrels": ["query_id", "doc_id", "relevance"], "items": ["doc_id", "title"]}
    heads["queries"] = ["query_id", "title", "<b>segment\"'</b>"]
    for name, path in zip(names, paths, strict=True):
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL)
            writer.writerow(heads.get(name, ["query_id", "doc_id", "score"]))
            writer.writerows(rows[name])
    return paths


def write_systems(folder: Path, number: int) -> None:
    """So many systems between those of the example: each weighs the scores of both otherwise."""
    tables = []
    for path in (KEYWORD, SEMANTIC):
        with open(path.with_suffix(".csv"), encoding="utf-8", newline="") as file:
            rows = [(row["query_id"], row["doc_id"], float(row["score"])) for row in csv.DictReader(file)]
        most = max(score for *_, score in rows)
        tables.append({(query, document): score / most for query, document, score in rows})
    for place in range(number):
        share = place / (number - 1)
        with open(folder / f"system-{place}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["query_id", "doc_id", "score"])
            for key in sorted(tables[0].keys() | tables[1].keys()):
                score = (1 - share) * tables[0].get(key, 0.0) + share * tables[1].get(key, 0.0)
                writer.writerow([*key, round(score, 6)])


def write_long(folder: Path) -> None:
    """An export of three systems with names of 120 characters, long queries in several scripts, and fifty segments."""
    draw = random.Random(7)
    names = [
        f"{'a ranker of which somebody wrote down all that it does, ' * 3}"[:111] + f" number {n}" for n in range(3)
    ]
    said = ["كيفية إعداد الطابعة اللاسلكية", "🔥👩‍👩‍👧 shoes", "waterproof walking boots for wide feet " * 4, "跑步鞋"]
    segments = [f"{text[:60]} {number:02}" for number in range(13) for text in said]
    with open(folder / "long.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["query_id", "query_text", "category", "doc_id", "title", "score", "relevance", "system"])
        for query in range(200):
            text, segment = said[query % 4], segments[query % 50]
            for document in range(12):
                relevance = draw.choice([0, 0, 0, 1, 2])
                for place, name in enumerate(names):
                    score = round(draw.random() + 0.15 * place * relevance, 4)
                    title = f"{said[document % 4][:40]} {document}"
                    writer.writerow([f"q{query:03}", text, segment, f"d{document}", title, score, relevance, name])


def write_dated(folder: Path) -> Path:
    """The queries of the example with a date for each, two weeks in all."""
    path = folder / "dated.csv"
    with open(SEARCH / "queries.csv", encoding="utf-8", newline="") as file:
        queries = [row["query_id"] for row in csv.DictReader(file)]
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["query_id", "day"])
        writer.writerows([query, f"2026-11-{number % 14 + 1:02}"] for number, query in enumerate(queries))
    return path


def command_for(*arguments: object) -> list[str]:
    """The command that answers for such arguments, rankings or verdicts first: one run, two of them, or more."""
    words = [str(argument) for argument in arguments]
    runs = words[: next((place for place, word in enumerate(words) if word.startswith("-")), None)]
    if "verdicts" in Path(runs[0]).name:
        return ["gsb"]
    if {"--baseline", "--all-pairs"} & set(words) or len(runs) == 2:
        return ["compare"]
    return ["eval"] if len(runs) == 1 else ["compare", "--all-pairs"]
