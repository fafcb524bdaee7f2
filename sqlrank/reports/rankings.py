"""Rankings of a few queries next to one another, each document with how relevant it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlrank.comparison.result import Comparison
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.shown_rankings import ShownRankings
from sqlrank.metrics.measure import SIGNS, Measure
from sqlrank.output.tables import graded
from sqlrank.pages.html import Block, Rankings, Text
from sqlrank.pages.tables import Cell, Table, listed
from sqlrank.pages.words import Words

WORST = 5
"""How many queries of an evaluation are shown."""
MOVERS = 5
"""How many losses, and how many gains, of a comparison are shown."""
PLACES = 10
"""How many places of a ranking are shown."""
MOST_SYSTEMS = 3
"""The number of systems whose queries are shown."""

Places = list[dict[str, Any]]


class Shown:
    """Some queries with the rankings of some systems and with titles."""

    def __init__(self, result: Result, queries: Sequence[str], systems: Iterable[str], words: Words) -> None:
        self.words, self.rel, self.grades = words, result.language.rel, result.grades
        rankings: ShownRankings = result.shown_rankings(queries)
        self.places = {
            (query, system): rankings.ranking(query, system, PLACES)
            for query in dict.fromkeys(queries)
            for system in systems
        }
        rows = [row for places in self.places.values() for row in places]
        documents = {row[name] for row in rows for name in ("doc_id", "ideal_doc_id") if row[name] is not None}
        self.titles = rankings.titles("queries", queries)
        self.documents = rankings.titles("items", documents)
        rankings.close()

    def block(self, query: str, number: int, detail: str, tables: Sequence[Table]) -> Rankings:
        """The rankings of one query; `number` tells it from the others in links."""
        title = f"{self.titles[query]} ({query})" if query in self.titles else query
        return Rankings(f"query-{number}", title, detail, tables)

    def table(self, query: str, system: str) -> Table:
        """What a system returned."""
        places = [row for row in self.places[query, system] if row["doc_id"] is not None]
        rows = [self.row(row["rank"], row["doc_id"], row["relevance"]) for row in places]
        return self.made(system if rows else self.words("said-by", said=system, amount=self.words("no-results")), rows)

    def best(self, query: str, system: str) -> Table:
        """The best order of what was judged."""
        places = [row for row in self.places[query, system] if row["ideal_doc_id"] is not None]
        rows = [self.row(row["rank"], row["ideal_doc_id"], row["ideal_relevance"]) for row in places]
        return self.made(self.words("best-order"), rows)

    def made(self, caption: str, rows: Sequence[Sequence[Cell]]) -> Table:
        """A table of places."""
        names = [self.words(key) for key in ("rank", "document", "relevance")]
        return listed(names, rows, numbers=names[:1], caption=caption)

    def row(self, rank: int, document: str, relevance: float | None) -> list[Cell]:
        """One place."""
        title = self.documents.get(document, document)
        named = Cell(document) if title == document else Cell(title, detail=document)
        if relevance is None:
            return [Cell(str(rank)), named, Cell("", "unjudged", sign="?")]
        relevant = relevance >= self.rel
        tone, sign = ("relevant", "+") if relevant else ("not-relevant", "-")
        return [Cell(str(rank)), named, Cell(graded(relevance, self.grades), tone, sign=sign)]


def worst_blocks(result: Result, measure: Measure, system: str, words: Words) -> list[Block]:
    """The queries of a system with the lowest values, next to the best order."""
    context = {"column": measure.column, "shown_system": system, "most": WORST}
    rows = result.aggregates("charts/worst.sql", **context)
    shown = Shown(result, [row["query_id"] for row in rows], [system], words)
    blocks: list[Block] = [Text(words("worst", metric=measure.text, system=system))]
    for row in rows:
        query, value = row["query_id"], f"{row['value']:.4f}"
        tables = [shown.table(query, system), shown.best(query, system)]
        blocks.append(shown.block(query, len(blocks), words("of-query", metric=measure.text, value=value), tables))
    return blocks


def mover_blocks(comparison: Comparison, measure: Measure, candidates: Sequence[str], words: Words) -> list[Block]:
    """The queries of the first candidates with the largest losses and gains, next to the baseline."""
    result, baseline = comparison.evaluation, comparison.baseline
    if result is None or any(system not in result.systems for system in comparison.systems):
        return []
    blocks: list[Block] = []
    metric, way = measure.text, SIGNS[measure.metric.better] or 1
    moved = comparison.extremes(metric, MOVERS)
    for system in candidates[:MOST_SYSTEMS]:
        rows = sorted((row for row in moved if row["system"] == system), key=lambda row: way * row["difference"])
        blocks.append(Text(words("movers", metric=metric, system=system, baseline=baseline)))
        if not rows:
            blocks.append(Text(words("nothing-moved")))
        shown = Shown(result, [row["query_id"] for row in rows], [baseline, system], words)
        for row in rows:
            values = {name: f"{row[key]:.4f}" for name, key in (("before", "baseline_value"), ("after", "value"))}
            detail = words("moved-query", metric=metric, difference=f"{row['difference']:+.4f}", **values)
            tables = [shown.table(row["query_id"], name) for name in (baseline, system)]
            blocks.append(shown.block(row["query_id"], len(blocks), detail, tables))
    return blocks
