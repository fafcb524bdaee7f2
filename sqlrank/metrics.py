"""Texts that ask for metrics: a `Measure` is a metric with its parameters and cutoff settled, as `ap(rel=2)@100`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from sqlrank.catalogue import DEFAULT_METRICS, NUMBER, Metric, Value, catalogue
from sqlrank.conventions import plain
from sqlrank.errors import UsageError, nearest
from sqlrank.presets import Preset
from sqlrank.trec import expand

TEXT = re.compile(
    r"(?P<name>[a-z0-9_.-]+?)\s*(?:\((?P<parameters>.*)\))?\s*(?:@\s*(?P<k>[0-9.][0-9., ]*))?(?:-l(?P<level>\d+))?\Z"
)
SUFFIX = re.compile(r"(?P<name>.+?)[._](?P<k>[0-9.]+(?:,[0-9.]+)*)\Z")
TABLE = re.compile(r"-?[0-9.]+:-?[0-9.]+(,-?[0-9.]+:-?[0-9.]+)*\Z")
CONTINUED = re.compile(r"-?[0-9.]+(=-?[0-9.]+)?\Z")


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric with every parameter and the cutoff settled."""

    metric: Metric
    values: tuple[tuple[str, Value], ...]
    k: int | None

    def __getitem__(self, parameter: str) -> Value:
        return dict(self.values)[parameter]

    @property
    def changed(self) -> list[tuple[str, Value]]:
        """The parameters that differ from the default of the product."""
        return [(name, value) for name, value in self.values if value != self.metric.parameters[name]]

    @property
    def text(self) -> str:
        """The canonical text, which parses back to this measure under the default relevance level."""
        inside = ", ".join(f"{name}={plain(value)}" for name, value in self.changed)
        return self.metric.name + (f"({inside})" if inside else "") + (f"@{self.k}" if self.k else "")

    @property
    def summary(self) -> str:
        """How queries become one value: `mean`, `geometric`, `sum` or `none`."""
        return "geometric" if dict(self.values).get("mean") == "geometric" else self.metric.summary

    @property
    def column(self) -> str:
        """The name of the column, such as `ap_rel2_at_100`; different measures have different names."""
        parts = [self.metric.name]
        for name, value in self.changed:
            parts.append(name + ("" if isinstance(value, float) else "_") + column_part(value))
        return "_".join(parts + ([f"at_{self.k}"] if self.k else []))

    @property
    def weight_column(self) -> str | None:
        """The column with the weight of each query in the mean, of a metric that brings its own."""
        return f"{self.column}_per_query" if dict(self.values).get("weight", "none") != "none" else None

    @property
    def counts(self) -> bool:
        """Whether the summary is a count rather than a mean."""
        return self.summary == "sum"


def column_part(value: Value) -> str:
    """A parameter's value as part of a column name: 0.5 is 0p5, a table 0:0,1:1 is 0x0_1x1."""
    return re.sub(r"[.\-+:,]", lambda found: {".": "p", "-": "m", "+": "", ":": "x", ",": "_"}[found[0]], plain(value))


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

    @property
    def metrics(self) -> dict[str, Metric]:
        """The metrics by name."""
        return catalogue(self.own)

    def named(self, name: str) -> tuple[Metric, Mapping[str, Value]] | None:
        """The metric of a name or alias, and the parameters that the alias sets."""
        for metric in self.metrics.values():
            if name == metric.name:
                return metric, {}
            if name in metric.aliases:
                return metric, metric.aliases[name]
        return None

    def names(self) -> list[str]:
        """Every name and alias."""
        return [name for metric in self.metrics.values() for name in (metric.name, *metric.aliases)]


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
        raise UsageError("no metric was asked for; for example ndcg@10")
    if language.preset is not None:
        language.preset.check(measures)
    return tuple(measures)


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


def of_queries(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures with a value for each query; where there is none, the number of queries."""
    return tuple(measure for measure in measures if measure.metric.grain == "query") or parse_measures("num_q")


def of_systems(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures with one value for a whole system."""
    return tuple(measure for measure in measures if measure.metric.grain == "system")


def check_average(measures: Iterable[Measure]) -> None:
    """Refuse metrics whose mean over the orders of ties has no closed form.

    Raises:
        UsageError: with the two bounds that there are instead.
    """
    for measure in measures:
        if not measure.metric.linear:
            raise UsageError(
                f"--ties average: {measure.text} has no closed form; --ties worst and --ties best give its two bounds"
            )


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
    found = TEXT.match(text.strip().lower().replace("α", "alpha"))
    if found is None:
        raise UsageError(f"{text!r} is not a metric; write name(parameter=value)@cutoff, for example ap(rel=2)@100")
    alias, numbers = find_name(found["name"], found["k"], language, text)
    metric, preset = language.named(alias) or (None, {})
    if metric is None:
        hint = nearest(alias, language.names())
        raise UsageError(f"there is no metric {alias!r} (in {text!r}); see: sqlrank metrics{hint}")
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
        settled = [(each, None) for each in wanted]
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
    if not numbers and (values.get("ideal") == "full" or values.get("norm") == "k" and metric.cutoff == "optional"):
        what = "ideal=full" if values.get("ideal") == "full" else "norm=k"
        raise UsageError(f"{text!r}: {what} needs a cutoff, for example {metric.name}({what})@10")
    return [int(number) for number in numbers] or [metric.whole]


def check_values(metric: Metric, values: Mapping[str, Value], text: str) -> None:
    """Refuse parameters that are missing, out of bounds, or make no sense together."""
    for name in metric.required:
        if values[name] == "required":
            example = f"{metric.name}({name}=0.5)"
            raise UsageError(f"{text!r}: {metric.name} needs the parameter {name}, for example {example}")
    for name, (low, *high) in metric.bounds.items():
        number = values[name]
        if isinstance(number, float) and not (low < number and all(number < most for most in high)):
            between = f"between {plain(low)} and {plain(high[0])}" if high else f"above {plain(low)}"
            raise UsageError(f"{text!r}: {name} must be {between}, not {plain(number)}")
    for name, (smallest, largest) in metric.within.items():
        number = values[name]
        if isinstance(number, float) and not smallest <= number <= largest:
            raise UsageError(
                f"{text!r}: {name} must be from {plain(smallest)} to {plain(largest)}, not {plain(number)}"
            )
    least, most = values.get("min"), values.get("max")
    if isinstance(least, float) and isinstance(most, float) and least >= most:
        raise UsageError(f"{text!r}: min must be below max")
    if values.get("tn") and not values.get("documents"):
        raise UsageError(f"{text!r}: tn counts what was not returned; say how many documents there are, documents=N")


def parameter_texts(inside: str, text: str) -> list[tuple[str, str]]:
    """Names and values between the brackets; the pairs of a gain table hold commas of their own."""
    pairs: list[tuple[str, str]] = []
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, equals, value = part.partition("=")
        if equals:
            pairs.append((name.strip(), value.strip().strip("'\"")))
        elif pairs and ":" in part:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]},{part}")
        else:
            raise UsageError(f"{text!r}: write parameters as name=value, not {part!r}")
    return pairs


def read_parameter(metric: Metric, name: str, value: str, text: str) -> Mapping[str, Value]:
    """One parameter as the values it sets."""
    if value in metric.spellings.get(name, {}):
        return metric.spellings[name][value]
    root = metric.squares.get(name)
    if name not in metric.parameters and root is None:
        hint = nearest(name, list(metric.parameters)) + f" (it takes {', '.join(metric.parameters) or 'none'})"
        raise UsageError(f"{text!r}: {metric.name} has no parameter {name!r}{hint}")
    if name == "gain" and TABLE.match(value):
        return {name: canonical_table(value, text)}
    words = [word for word in metric.choices.get(name, ()) if word != NUMBER]
    if value in words:
        return {name: value}
    if words and NUMBER not in metric.choices[name]:
        known = ", ".join(words) + (" or a table such as 0:0,1:1,2:4" if name == "gain" else "")
        raise UsageError(f"{text!r}: {name}={value} is not known (one of {known})")
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf") or (root and number <= 0):
        raise UsageError(f"{text!r}: {name} must be a number{' above 0' if root else ''}, not {value!r}")
    return {root: number**0.5} if root else {name: number}


def canonical_table(value: str, text: str) -> str:
    """A gain table in order of relevance, each relevance once.

    Raises:
        UsageError: a relevance stands twice, or a gain is negative.
    """
    try:
        pairs = [(float(left), float(right)) for left, right in (pair.split(":") for pair in value.split(","))]
    except ValueError:
        raise UsageError(f"{text!r}: {value!r} is not a gain table such as 0:0,1:1,2:4") from None
    if len(dict(pairs)) < len(pairs) or any(gain < 0 for _, gain in pairs):
        raise UsageError(f"{text!r}: a gain table names each relevance once, with gains of 0 or more")
    return ",".join(f"{plain(relevance)}:{plain(gain)}" for relevance, gain in sorted(pairs))
