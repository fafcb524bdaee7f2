"""What metrics and options mean together, settled before anything is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypedDict

from sqlrank.conventions import Conventions
from sqlrank.errors import UsageError, nearest
from sqlrank.measures import Measure
from sqlrank.metrics import Language, default_texts, parse_measures
from sqlrank.observations import check_average
from sqlrank.presets import find_preset
from sqlrank.reading import Reading


class Options(TypedDict, total=False):
    """Everything that can be said of an evaluation besides its inputs and metrics; see `Conventions` and `Reading`."""

    like: str | None
    metrics_dir: str | None
    rel: float
    ties: str
    order: str
    score_type: str
    depth: int | None
    query_set: str
    empty: str
    unjudged: str
    duplicates: str
    judgments: str
    by: str | Sequence[str]
    weight: str | None
    queries: Any
    items: Any
    history: Any
    baseline: Any
    where: str | None
    columns: Mapping[str, str]
    relevance_map: Mapping[str, float]
    input_format: str | None
    header: bool
    database: str | None
    sql_time_limit: float


CONVENTIONS = frozenset(item.name for item in fields(Conventions))
READING = frozenset(item.name for item in fields(Reading))


LANGUAGE = frozenset(("like", "metrics_dir"))


@dataclass(frozen=True)
class Settled:
    """What metrics and options mean together."""

    measures: tuple[Measure, ...]
    language: Language
    conventions: Conventions
    reading: Reading


def language_of(options: Mapping[str, Any], texts: bool = False) -> Language:
    """What texts of metrics mean under these options."""
    preset = find_preset(options.get("like"))
    rel = options.get("rel", preset.conventions.get("rel", 1.0) if preset else 1.0)
    return Language(float(rel), options.get("metrics_dir"), preset, texts)


def texts_of(metrics: Iterable[str] | None, options: Mapping[str, Any]) -> list[str]:
    """The metrics asked for, or the default ones: trec_eval's own where its output is asked for."""
    if not metrics and options.get("texts"):
        return ["official"]
    return list(metrics) if metrics else default_texts(language_of(options))


def settle(metrics: str | Iterable[str] | None, options: Mapping[str, Any], texts: bool = False) -> Settled:
    """The measures, conventions and ways of reading that are asked for; single options win over `like`.

    Args:
        metrics: texts such as `ndcg@10`; None for the default ones.
        options: by name.
        texts: whether metrics that are texts may be asked for.

    Raises:
        UsageError: an option, its value or a metric is not known, or the tool of `like` has no such metric.
    """
    known = CONVENTIONS | READING | LANGUAGE
    for name in options:
        if name not in known:
            raise UsageError(f"there is no option {name!r}{nearest(name, sorted(known))}")
    language = language_of(options, texts)
    preset = language.preset
    measures = parse_measures(default_texts(language) if metrics is None else metrics, language)
    reading = {name: value for name, value in options.items() if name in READING}
    by = reading.get("by") or ()
    reading["by"] = (by,) if isinstance(by, str) else tuple(by)
    conventions = preset.settled(measures) if preset else {}
    conventions |= {name: value for name, value in options.items() if name in CONVENTIONS}
    settled = Settled(measures, language, Conventions(**conventions), Reading(**reading))
    if settled.conventions.ties == "average":
        check_average(measures)
    return settled
