"""The catalogue of metrics: each is one file of sql/metrics, with its entry in the header comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.metrics.measure import SIGNS, Metric, Value
from sqlrank.presentation import PresentedCatalogue
from sqlrank.spelling import spelt
from sqlrank.sql_files import HEADER, Entries, read_entry, sql_folder

DEFAULT_METRICS = ("ndcg@10", "ap", "rr", "p@10", "recall@100")
STEPS = 1_000_000
"""How many steps the template of a metric of the user may take, unless its entry says otherwise."""
DEFAULT_LIKENESS = ("overlap@10", "jaccard@10", "rbo", "kendall_tau", "rank_change")

WORDS: dict[str, tuple[str, ...]] = {
    "gain": ("linear", "exp2", "binary"),
    "discount": ("log2", "ln", "letor", "reciprocal", "none"),
    "ideal": ("judged", "uncut", "retrieved", "full"),
}
"""Choices of the parameters that several metrics share; gain and discount may also be a table such as 0:0,1:1,2:4."""

HELP = {
    "k": "cutoff: only ranks 1 to k count",
    "rel": "smallest relevance that counts as relevant",
    "gain": "what a relevance is worth: linear (itself), exp2 (2^relevance - 1), binary (1 above 0) or a table such as "
    "0:0,1:1,2:4",
    "discount": "weight of a rank: log2 (1/log2(rank + 1)), ln, letor (1, 1, then 1/log2(rank)), another base as in "
    "log10 or letor10, reciprocal (1/rank), none, or a table such as 1:1,2:0.6,3:0.5, which weighs 0 beyond",
    "ideal": "the ranking compared with: judged (all judged documents), uncut (which no cutoff cuts), "
    "retrieved (the best order of what was returned) or full (k documents of the top gain)",
    "beta": "weight of recall against precision",
    "mean": "how queries become one value: arithmetic, or geometric with a floor of 0.00001",
    "p": "persistence: the probability of going on to the next document",
    "min": "relevance that is worth nothing",
    "max": "relevance that is worth everything: a number, or data (--top-relevance, or the largest of all judgments)",
    "t": "how much gain the user wants",
    "weight": "what weighs documents, and queries in the mean: none, item (the item_weight of each judgment, and for a "
    "query the mean of what counts in it) or within (documents alone)",
    "alpha": "how much less a subtopic counts each time it is seen again",
    "rule": "hits that reach a recall: round (as trec_eval 10), ceil (as trec_eval 9) or exact (as in the book)",
}

GRAIN = {"metrics": "query", "overall": "system", "likeness": "pair"}
"""The grain of the metrics of each folder of sql/ that has one file for each."""

NUMBER = "number"
"""The choice that stands for any number, in a parameter that takes words too."""

DOI = re.compile(r"10\.[0-9]{4,9}/\S+\Z")
OWN_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


def catalogue(own: str | None = None) -> Mapping[str, Metric]:
    """Every metric by name, the common ones first, those of the user's folder last; UsageError for a faulty entry."""
    if own is None:
        return built_in()
    stamps = tuple((path.name, path.stat().st_mtime_ns) for path in sorted(Path(own).glob("*.sql")))
    return with_own(own, stamps)


@cache
def built_in() -> Mapping[str, Metric]:
    """The metrics of sqlrank."""
    return entries(("metrics", "overall"), DEFAULT_METRICS)


@cache
def likeness_catalogue() -> Mapping[str, Metric]:
    """The metrics of two rankings that need no judgments, by name."""
    return entries(("likeness",), DEFAULT_LIKENESS)


class Metrics(Entries[Metric], PresentedCatalogue):
    """Metrics by name."""


def entries(folders: Iterable[str], common: Iterable[str]) -> Metrics:
    """The metrics of some folders of sql/, the most common ones first."""
    first = [text.partition("@")[0] for text in common]
    found = [path for folder in folders for path in (sql_folder() / folder).glob("*.sql")]
    found.sort(key=lambda path: (first.index(path.stem) if path.stem in first else len(first), path.stem))
    return Metrics(found, read_metric)


@lru_cache(maxsize=8)
def with_own(folder: str, stamps: tuple[tuple[str, int], ...]) -> dict[str, Metric]:
    """The metrics of sqlrank and those of a folder whose files are these, last changed then."""
    return dict(built_in()) | own_metrics(folder, built_in())


def own_metrics(folder: str, taken: Mapping[str, Metric]) -> dict[str, Metric]:
    """The metrics of a folder of the user; UsageError if there are none, or sqlrank has one of the name or alias."""
    paths = sorted(Path(folder).glob("*.sql"))
    if not paths:
        raise UsageError(f"{spelt('metrics_dir', folder)}: there is no file *.sql")
    aliases = {alias for metric in taken.values() for alias in metric.aliases}
    found: dict[str, Metric] = {}
    for path in paths:
        metric = read_metric(path, folder)
        for name in (metric.name, *metric.aliases):
            if name in taken or name in aliases:
                raise UsageError(f"{path}: {name} is a metric of sqlrank; give yours another name")
            if not OWN_NAME.match(name):
                raise UsageError(f"{path}: a metric's name is made of a-z, 0-9 and _, and begins with a letter")
        aliases |= {metric.name, *metric.aliases}
        found[metric.name] = metric
    return found


def read_metric(path: Path, folder: str | None = None) -> Metric:
    """The metric in one file, of a folder of the user or (None) of sqlrank; UsageError if its header is incomplete."""
    try:
        entry = read_entry(path)
        given = dict(entry["params"])
        k = given.pop("k", None)
        whole = k if isinstance(k, int) else None
        cutoff = "optional" if whole else {"cutoff": "optional", "cutoff required": "required", None: "none"}[k]
        required = tuple(name for name, value in given.items() if value == "required")
        choices = {name: tuple(map(str, value)) for name, value in given.items() if isinstance(value, list)}
        choices |= {name: WORDS[name] for name, value in given.items() if name in WORDS}
        return Metric(
            name=path.stem,
            title=entry["title"],
            title_zh=entry.get("title_zh"),
            family=entry.get("family"),
            latex=entry.get("latex"),
            parameters={name: default_of(value) for name, value in given.items()},
            choices=choices,
            cutoff=cutoff,
            whole=whole,
            required=required,
            bounds={name: tuple(map(float, value)) for name, value in entry.get("bounds", {}).items()},
            within={name: (float(low), float(high)) for name, (low, high) in entry.get("within", {}).items()},
            trailing=entry.get("trailing"),
            squares=entry.get("squares", {}),
            renames=entry.get("renames", {}),
            uncut=entry.get("uncut", {}),
            turns=entry.get("turns", {}),
            mistaken=entry.get("mistaken"),
            vanishes=entry.get("vanishes", folder is None),
            undefined=entry.get("undefined"),
            linear=entry.get("linear", False),
            monotone=entry.get("monotone", True),
            rises=entry.get("rises", False),
            rises_with=words_by_name(entry.get("rises_with", {})),
            effect=entry.get("effect"),
            effect_with=words_by_name(entry.get("effect_with", {})),
            reads=tuple(entry.get("reads", ())),
            reads_with={name: words_by_name(values) for name, values in entry.get("reads_with", {}).items()},
            range=tuple(entry["range"]) if "range" in entry else None,
            empty=tuple(entry.get("empty", ())),
            summary=entry["summary"],
            better=better_of(entry),
            weighed_with=words_by_name(entry.get("weighed_with", {})),
            weighs=entry.get("weighs", False),
            parts=parts_of(entry),
            aliases={name: typed_values(values) for name, values in entry.get("aliases", {}).items()},
            offered_for=tuple(entry.get("offered_for", ())),
            spellings=entry.get("spellings", {}),
            help=entry.get("help", {}),
            formula=entry["formula"],
            in_words=entry.get("in_words", False),
            citation=entry["citation"],
            doi=doi_of(entry),
            agrees=tuple(entry.get("agrees", ())),
            folder=folder,
            grain="query" if folder else GRAIN[path.parent.name],
            inputs=tuple(entry.get("inputs", ())),
            spares={name: typed_values(values) for name, values in entry.get("spares", {}).items()},
            steps=steps_of(entry),
            template=path.name if folder else f"{path.parent.name}/{path.name}",
            sql=HEADER.sub("", path.read_text(encoding="utf-8")).rstrip(),
        )
    except (KeyError, ValueError) as error:
        raise UsageError(f"the entry at the head of {path} is not complete: {error}") from error


def better_of(entry: Mapping[str, Any]) -> str:
    """What a metric does where a ranking is better; ValueError for a word that says nothing of that."""
    word = str(entry.get("better", "higher"))
    if word not in SIGNS:
        raise ValueError(f"better = {word!r} is none of {', '.join(SIGNS)}")
    return word


def words_by_name(entry: Mapping[str, str | Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """The words of each parameter of an entry, which may be one."""
    return {name: (words,) if isinstance(words, str) else tuple(words) for name, words in entry.items()}


def parts_of(entry: Mapping[str, Any]) -> str | None:
    """What of the value is a document's; ValueError for a word that is not known, or where the effect says it."""
    parts = entry.get("parts")
    if parts not in (None, "sum", "first"):
        raise ValueError(f"parts = {parts!r} is neither 'sum' nor 'first'")
    if "effect" not in entry:
        return parts
    if parts is not None:
        raise ValueError(f"effect = {entry['effect']!r} says already that the value is a sum over documents; no parts")
    return "sum"


def doi_of(entry: Mapping[str, Any]) -> str | None:
    """The DOI of what the entry cites; ValueError if it is of another form, such as a link."""
    doi = entry.get("doi")
    if doi is not None and not DOI.match(str(doi)):
        raise ValueError(f"doi = {doi!r} is not of the form 10.1000/182")
    return doi


def steps_of(entry: Mapping[str, Any]) -> int:
    """How many steps a template may take; ValueError if the entry gives no whole number above 0."""
    steps = entry.get("steps", STEPS)
    if type(steps) is not int or steps < 1:
        raise ValueError(f"steps = {steps!r} is not a whole number above 0")
    return steps


def default_of(value: Any) -> Value:
    """The default that an entry declares: a number, a word, or the first of a list of words."""
    if isinstance(value, list):
        return str(value[0])
    return value if isinstance(value, str) else float(value)


def typed_values(values: Mapping[str, Any]) -> dict[str, Value]:
    """Values of an entry in the types that `Measure` compares: numbers as float."""
    return {name: value if isinstance(value, str) else float(value) for name, value in values.items()}
