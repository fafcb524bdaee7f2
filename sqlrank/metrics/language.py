"""Parsing texts that ask for metrics, such as `ndcg@5,10` or `ap(rel=2)@100`, and names of other tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlrank.errors import UsageError, nearest
from sqlrank.metrics.catalogue import DEFAULT_METRICS, catalogue, likeness_catalogue
from sqlrank.metrics.measure import Measure, Metric, Value, ends_with_data, of_queries
from sqlrank.metrics.parameters import check_values, cutoff_apart, given_values, level_values, parameter_texts
from sqlrank.metrics.trec_names import Asked, asks_run_id, expand
from sqlrank.spelling import spelt

TEXT = re.compile(
    r"(?P<name>[a-z0-9_.,-]+?)\s*(?:\((?P<parameters>.*)\))?\s*"
    r"(?:@\s*(?P<k>[0-9.][0-9., ]*))?(?:-l(?P<level>[0-9]+))?\Z"
)

if TYPE_CHECKING:
    from sqlrank.metrics.tools import Preset

SUFFIX = re.compile(r"(?P<name>.+?)[._](?P<k>[0-9.]+(?:,[0-9.]+)*)\Z")
JUDGED_ONLY = re.compile(r"\bjudged_only\s*=\s*['\"]?(true|false)\b", re.IGNORECASE)
WHOLE = re.compile(r"0*[1-9][0-9]{0,8}\Z")
CONTINUED = re.compile(r"-?[0-9.]+(=-?[0-9.]+)?\Z")


@dataclass(frozen=True)
class Language:
    """What texts mean in one call: the metrics known, and the defaults of their parameters."""

    rel: float = 1.0
    """The relevance level."""
    own: str | None = None
    """A folder with metrics of the user."""
    preset: Preset | None = None
    """The tool whose definitions are meant."""
    texts: bool = False
    """Whether metrics that are texts may be asked for."""
    pairs: bool = False
    """Whether the metrics are those of two rankings, which need no judgments."""
    top: float | None = None
    """The top of the scale of relevance, in place of the largest of the judgments."""

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """The metrics by name."""
        return likeness_catalogue() if self.pairs else catalogue(self.own)

    def named(self, name: str) -> tuple[Metric, Mapping[str, Value]] | None:
        """The metric of a name or alias, and the parameters that the alias sets."""
        if name in self.metrics:
            return self.metrics[name], {}
        for metric in self.metrics.values():
            if name in metric.aliases:
                return metric, metric.aliases[name]
        return None

    def names(self) -> list[str]:
        """Every name and alias."""
        return [name for metric in self.metrics.values() for name in (metric.name, *metric.aliases)]

    def unknown(self, alias: str, text: str) -> UsageError:
        """The error of a name that no metric has: one of the other kind, or none at all."""
        other = Language(pairs=not self.pairs)
        if other.named(find_name(alias, None, other)[0]) is None:
            offered = next((known.name for known in self.metrics.values() if alias in known.offered_for), None)
            hint = (
                f"; did you mean {text.lower().replace(alias, offered, 1)}?"
                if offered
                else nearest(alias, self.names())
            )
            return UsageError(f"there is no metric {alias!r} (in {text!r}); see: sqlrank metrics{hint}")
        if self.pairs:
            return UsageError(
                f"{text!r} needs judgments; give them with {spelt('qrels')}, or ask for {', '.join(self.metrics)}"
            )
        return UsageError(
            f"{text!r} is about two rankings, without judgments; ask for it in: sqlrank compare without"
            f" {spelt('qrels')}"
        )


PLAIN = Language()


def parse_measures(texts: str | Iterable[str], language: Language = PLAIN) -> tuple[Measure, ...]:
    """The measures that texts such as `ndcg@5,10` ask for, each once, by first mention; UsageError if unknown."""
    parts = parts_of(texts)
    measures = tuple(dict.fromkeys(measure for _, measure in asked_measures(parts, language)))
    if not measures and not asks_run_id(parts):
        raise UsageError(f"no metric was asked for; for example {'overlap@10' if language.pairs else 'ndcg@10'}")
    if language.preset is not None:
        language.preset.check(measures)
    return measures


def parts_of(texts: str | Iterable[str]) -> list[str]:
    """The texts of single names with their parameters and cutoffs; UsageError if one is no text."""
    parts = []
    for text in [texts] if isinstance(texts, str) else texts:
        if not isinstance(text, str):
            raise UsageError(f"a metric is a text such as 'ndcg@10', not {text!r}")
        parts += split_texts(text)
    return parts


def asked_measures(parts: Iterable[str], language: Language) -> list[tuple[Asked, Measure]]:
    """The measures of some texts in order, each with how it was asked for.

    Where trec_eval's output is wanted, a measure with parameters takes the place of its default ones, as there.
    """
    preset = language.preset
    version, tool = (preset.trec_version, preset.name) if preset else (10, "")
    asked = [single for part in parts for single in expand(part, version, language.texts, tool)]
    given = {single.line for single in asked if single.parameters} if language.texts else set()
    kept = [single for single in asked if single.parameters or single.line not in given]
    return [(single, measure) for single in kept for measure in parse_measure(single.text, language)]


def asked_levels(parts: Iterable[str], language: Language) -> frozenset[float]:
    """The relevance levels that texts name themselves, rather than take from the language."""
    parts = list(parts)
    measures = {measure for _, measure in asked_measures(parts, language)}
    elsewhere = {measure for _, measure in asked_measures(parts, replace(language, rel=language.rel + 1))}
    return frozenset(float(one["rel"]) for one in measures & elsewhere if "rel" in one.metric.parameters)


def judged_only(parts: Iterable[str]) -> bool | None:
    """Whether texts ask for judged documents alone, None if they do not say; UsageError if only some of them do."""
    flags = [JUDGED_ONLY.search(part) for part in parts]
    said = {None if flag is None else flag[1].lower() for flag in flags}
    if "true" in said and len(said) > 1:
        raise UsageError(
            "judged_only=True holds for all metrics of a call here; ask for the others apart, or choose "
            f"{spelt('unjudged', 'remove')}"
        )
    return None if said <= {None} else "true" in said


def column_measures(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures that are columns of the per-query rows; with the number of queries where none has a summary."""
    found = of_queries(measures)
    return found if any(measure.summary != "none" for measure in found) else (*found, *parse_measures("num_q"))


def columns_by_text(texts: str | Iterable[str], language: Language = PLAIN) -> dict[str, str]:
    """The column of per-query rows that holds each metric, by the text that asked for it; `ndcg@5,10` is two texts."""
    found: dict[str, str] = {}
    for part in parts_of(texts):
        measures = tuple(dict.fromkeys(measure for _, measure in asked_measures([part], language)))
        names = [part] if len(measures) == 1 else [measure.text for measure in measures]
        kept = of_queries(measures)
        found |= {name: each.column for name, each in zip(names, measures, strict=True) if each in kept}
    return found


def default_texts(language: Language) -> list[str]:
    """The default metrics, as far as the tool of the language has them and computes them alike."""
    if language.preset is None:
        return list(DEFAULT_METRICS)
    kept: list[str] = []
    for text in DEFAULT_METRICS:
        with suppress(UsageError):
            parse_measures([*kept, text], language)
            kept.append(text)
    return kept


def single_measure(text: str, language: Language = PLAIN) -> Measure:
    """The one measure that a text asks for; UsageError if it asks for several, or for none that is known."""
    measures = parse_measures(text, language)
    if len(measures) > 1:
        raise UsageError(f"{text!r} is {len(measures)} metrics; name one, for example {measures[0].text}")
    return measures[0]


def gated_measure(text: str, option: str, language: Language = PLAIN) -> Measure:
    """The one measure that an option holds to a least value or a drop; UsageError if less of it is better."""
    measure = single_measure(text, language)
    if measure.metric.better != "higher":
        raise UsageError(
            f"{spelt(option, text)}: {measure.metric.better} {measure.metric.name} is better, and gates and margins are"
            " for metrics of which higher is better; choose another one, such as ndcg@10"
        )
    return measure


def split_texts(text: str) -> list[str]:
    """Split at the commas outside brackets; a bare number continues the cutoffs before it."""
    parts = [part.strip() for part in re.split(r",(?![^(]*\))", text) if part.strip()]
    joined: list[str] = []
    for part in parts:
        if joined and CONTINUED.match(part):
            joined[-1] += f",{part}"
        else:
            joined.append(part)
    return joined


def parse_measure(text: str, language: Language) -> list[Measure]:
    """The measures of one name with its parameters and cutoffs."""
    found = TEXT.match(text.strip().lower().replace("\N{GREEK SMALL LETTER ALPHA}", "alpha"))
    if found is None:
        raise UsageError(f"{text!r} is not a metric; write name(parameter=value)@cutoff, for example ap(rel=2)@100")
    alias, numbers = find_name(found["name"], found["k"], language)
    pairs, numbers = cutoff_apart(parameter_texts(found["parameters"] or "", text), numbers, text)
    metric, preset = language.named(alias) or (None, {})
    if metric is None:
        raise language.unknown(alias, text)
    if not numbers and alias in metric.uncut:
        alias = metric.uncut[alias]
        metric, preset = language.metrics[alias], {}
    turns = metric.turns.get(alias, {})
    for other in (turns.get(name, turns.get(f"{name}={value}")) for name, value in pairs):
        metric = language.metrics[other] if other else metric
    if metric.summary == "none" and not language.texts:
        raise UsageError(f"{text!r}: {metric.name} is a text, which only --format trec shows")
    values: dict[str, Value] = dict(metric.parameters)
    if values.get("rel") or ("rel" in values and language.rel != PLAIN.rel):
        values["rel"] = language.rel
    if language.preset is not None:
        values |= language.preset.parameters(metric, bool(numbers), text)
    said = dict(preset) | level_values(metric, found["level"], {**values, **preset}, text)
    given = given_values(metric, alias, pairs, said, text)
    if metric.trailing and numbers:
        wanted = [given_values(metric, alias, [*pairs, (metric.trailing, number)], said, text) for number in numbers]
        settled: list[tuple[dict[str, Value], int | None]] = [(values | each, None) for each in wanted]
    else:
        values |= given
        settled = [(values, k) for k in cutoffs(metric, numbers, values, text)]
    for each, _ in settled:
        if language.top is not None and ends_with_data(each):
            each["max"] = language.top
        check_values(metric, each, text)
    return [Measure(metric, tuple(each.items()), k) for each, k in settled]


def find_name(name: str, numbers: str | None, language: Language) -> tuple[str, list[str]]:
    """The name or alias in a text, and the numbers behind it (`@5,10`, or `_5` and `.5,10` as in trec_eval)."""
    suffix = SUFFIX.match(name)
    if numbers is None and suffix and language.named(name) is None and language.named(suffix["name"]):
        name, numbers = suffix["name"], suffix["k"]
    return name, [number.strip() for number in (numbers or "").split(",") if number.strip()]


def cutoffs(metric: Metric, numbers: list[str], values: Mapping[str, Value], text: str) -> list[int | None]:
    """The cutoffs of a metric; UsageError if one is missing, not allowed, or not a whole number above 0."""
    for number in numbers:
        if not WHOLE.match(number):
            raise UsageError(f"{text!r}: a cutoff is a whole number, 1 or more and below a billion, not {number}")
    if not numbers and metric.cutoff == "required":
        raise UsageError(f"{text!r}: {metric.name} needs a cutoff, for example {metric.name}@10")
    if numbers and metric.cutoff == "none":
        raise UsageError(f"{text!r}: {metric.name} looks at the whole ranking and takes no cutoff")
    if not numbers and (values.get("ideal") == "full" or (values.get("norm") == "k" and metric.cutoff == "optional")):
        what = "ideal=full" if values.get("ideal") == "full" else "norm=k"
        raise UsageError(f"{text!r}: {what} needs a cutoff, for example {metric.name}({what})@10")
    return [int(number) for number in numbers] or [metric.whole]
