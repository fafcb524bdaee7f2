"""Texts that ask for metrics, such as `ndcg@5,10` or `ap(rel=2)@100`, and the names of other tools for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from sqlrank.catalogue import DEFAULT_METRICS, Metric, Value, catalogue, likeness_catalogue
from sqlrank.errors import UsageError, nearest
from sqlrank.measures import Measure, of_queries
from sqlrank.parameters import check_values, parameter_texts, read_parameter
from sqlrank.presets import Preset
from sqlrank.trec import expand

TEXT = re.compile(
    r"(?P<name>[a-z0-9_.,-]+?)\s*(?:\((?P<parameters>.*)\))?\s*(?:@\s*(?P<k>[0-9.][0-9., ]*))?(?:-l(?P<level>\d+))?\Z"
)
SUFFIX = re.compile(r"(?P<name>.+?)[._](?P<k>[0-9.]+(?:,[0-9.]+)*)\Z")
CONTINUED = re.compile(r"-?[0-9.]+(=-?[0-9.]+)?\Z")


@dataclass(frozen=True)
class Language:
    """What texts mean in one call: the metrics there are, and the parameters of metrics that do not name them."""

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
        if other.named(find_name(alias, None, other, text)[0]) is None:
            hint = nearest(alias, self.names())
            return UsageError(f"there is no metric {alias!r} (in {text!r}); see: sqlrank metrics{hint}")
        if self.pairs:
            return UsageError(f"{text!r} needs judgments; give them with --qrels, or ask for {', '.join(self.metrics)}")
        return UsageError(
            f"{text!r} is about two rankings, without judgments; ask for it in: sqlrank compare without --qrels"
        )


PLAIN = Language()


def parse_measures(texts: str | Iterable[str], language: Language = PLAIN) -> tuple[Measure, ...]:
    """The measures that one text or several ask for, each once, in order of first mention.

    Args:
        texts: such as `"ndcg@5,10"` or `["ap(rel=2)@100", "rr"]`.
        language: what names and defaults mean.

    Raises:
        UsageError: a name, parameter or cutoff is not known, with the nearest that is.
    """
    measures: dict[Measure, None] = {}
    version = language.preset.trec_version if language.preset else 10
    for text in [texts] if isinstance(texts, str) else texts:
        for part in split_texts(text):
            for single in expand(part, version, language.texts):
                measures |= dict.fromkeys(parse_measure(single, language))
    if not measures:
        raise UsageError(f"no metric was asked for; for example {'overlap@10' if language.pairs else 'ndcg@10'}")
    if language.preset is not None:
        language.preset.check(measures)
    return tuple(measures)


def columns_of(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures that are columns of the per-query rows; with the number of queries where none has a summary."""
    found = of_queries(measures)
    return found if any(measure.summary != "none" for measure in found) else (*found, *parse_measures("num_q"))


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
    """The one measure that a text asks for.

    Raises:
        UsageError: it asks for several, or for none that is known.
    """
    measures = parse_measures(text, language)
    if len(measures) > 1:
        raise UsageError(f"{text!r} is {len(measures)} metrics; name one, for example {measures[0].text}")
    return measures[0]


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
    alias, numbers = find_name(found["name"], found["k"], language, text)
    metric, preset = language.named(alias) or (None, {})
    if metric is None:
        raise language.unknown(alias, text)
    if not numbers and alias in metric.uncut:
        alias = metric.uncut[alias]
        metric, preset = language.metrics[alias], {}
    if metric.summary == "none" and not language.texts:
        raise UsageError(f"{text!r}: {metric.name} is a text, which only --format trec shows")
    values: dict[str, Value] = dict(metric.parameters)
    if "rel" in values:
        values["rel"] = float(found["level"] or language.rel)
    elif found["level"]:
        raise UsageError(f"{text!r}: {metric.name} has no relevance level")
    if language.preset is not None:
        values |= language.preset.parameters(metric, bool(numbers), text)
    values |= preset
    for name, value in parameter_texts(found["parameters"] or "", text):
        values |= read_parameter(metric, metric.renames.get(alias, {}).get(name, name), value, text)
    if metric.trailing and numbers:
        wanted = [values | dict(read_parameter(metric, metric.trailing, number, text)) for number in numbers]
        settled: list[tuple[dict[str, Value], int | None]] = [(each, None) for each in wanted]
    else:
        settled = [(values, k) for k in cutoffs(metric, numbers, values, text)]
    for each, _ in settled:
        check_values(metric, each, text)
    return [Measure(metric, tuple(each.items()), k) for each, k in settled]


def find_name(name: str, numbers: str | None, language: Language, text: str) -> tuple[str, list[str]]:
    """The name or alias in a text, and the numbers behind it (`@5,10`, or `_5` and `.5,10` as in trec_eval)."""
    suffix = SUFFIX.match(name)
    if numbers is None and suffix and language.named(name) is None and language.named(suffix["name"]):
        name, numbers = suffix["name"], suffix["k"]
    return name, [number.strip() for number in (numbers or "").split(",") if number.strip()]


def cutoffs(metric: Metric, numbers: list[str], values: Mapping[str, Value], text: str) -> list[int | None]:
    """The cutoffs of a metric.

    Raises:
        UsageError: one is missing, not allowed, or not a whole number above 0.
    """
    for number in numbers:
        if not number.isdigit() or int(number) < 1:
            raise UsageError(f"{text!r}: a cutoff is a whole number, 1 or more, not {number}")
    if not numbers and metric.cutoff == "required":
        raise UsageError(f"{text!r}: {metric.name} needs a cutoff, for example {metric.name}@10")
    if numbers and metric.cutoff == "none":
        raise UsageError(f"{text!r}: {metric.name} looks at the whole ranking and takes no cutoff")
    if not numbers and (values.get("ideal") == "full" or (values.get("norm") == "k" and metric.cutoff == "optional")):
        what = "ideal=full" if values.get("ideal") == "full" else "norm=k"
        raise UsageError(f"{text!r}: {what} needs a cutoff, for example {metric.name}({what})@10")
    return [int(number) for number in numbers] or [metric.whole]
