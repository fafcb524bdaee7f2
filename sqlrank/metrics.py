"""Texts that ask for metrics: a `Measure` is a metric with its parameters and cutoff settled, as `ap(rel=2)@100`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlrank.catalogue import Metric, Value, catalogue
from sqlrank.conventions import plain
from sqlrank.errors import UsageError, nearest

TEXT = re.compile(
    r"(?P<name>[a-z0-9_.-]+?)\s*(?:\((?P<parameters>.*)\))?\s*(?:@\s*(?P<k>[0-9][0-9, ]*))?(?:-l(?P<level>\d+))?\Z"
)
TREC_CUTOFF = re.compile(r"(?P<name>.+?)[._](?P<k>[0-9]+(?:,[0-9]+)*)\Z")
TABLE = re.compile(r"-?[0-9.]+:-?[0-9.]+(,-?[0-9.]+:-?[0-9.]+)*\Z")


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
    def column(self) -> str:
        """The name of the column, such as `ap_rel2_at_100`; different measures have different names."""
        parts = [self.metric.name]
        for name, value in self.changed:
            parts.append(name + ("" if isinstance(value, float) else "_") + column_part(value))
        return "_".join(parts + ([f"at_{self.k}"] if self.k else []))

    @property
    def counts(self) -> bool:
        """Whether the summary is a count rather than a mean."""
        return self.metric.summary == "sum"


def column_part(value: Value) -> str:
    """A parameter's value as part of a column name: 0.5 is 0p5, a table 0:0,1:1 is 0x0_1x1."""
    return re.sub(r"[.\-+:,]", lambda found: {".": "p", "-": "m", "+": "", ":": "x", ",": "_"}[found[0]], plain(value))


def parse_measures(texts: str | Iterable[str], rel: float = 1.0) -> tuple[Measure, ...]:
    """The measures that one text or several ask for, each once, in order of first mention.

    Args:
        texts: such as `"ndcg@5,10"` or `["ap(rel=2)@100", "rr"]`.
        rel: the relevance level of metrics that do not name one.

    Raises:
        UsageError: a name, parameter or cutoff is not known, with the nearest that is.
    """
    measures: dict[Measure, None] = {}
    for text in [texts] if isinstance(texts, str) else texts:
        for single in split_texts(text):
            measures |= dict.fromkeys(parse_measure(single, rel))
    if not measures:
        raise UsageError("no metric was asked for; for example ndcg@10")
    return tuple(measures)


def single_measure(text: str, rel: float = 1.0) -> Measure:
    """The one measure that a text asks for.

    Raises:
        UsageError: it asks for several, or for none that is known.
    """
    measures = parse_measures(text, rel)
    if len(measures) > 1:
        raise UsageError(f"{text!r} is {len(measures)} metrics; name one, for example {measures[0].text}")
    return measures[0]


def split_texts(text: str) -> list[str]:
    """Split at the commas outside brackets; a bare number continues the cutoffs before it."""
    parts = [part.strip() for part in re.split(r",(?![^(]*\))", text) if part.strip()]
    joined: list[str] = []
    for part in parts:
        if joined and part.isdigit():
            joined[-1] += f",{part}"
        else:
            joined.append(part)
    return joined


def parse_measure(text: str, rel: float) -> list[Measure]:
    """The measures of one name with its parameters and cutoffs."""
    found = TEXT.match(text.strip().lower())
    if found is None:
        raise UsageError(f"{text!r} is not a metric; write name(parameter=value)@cutoff, for example ap(rel=2)@100")
    metric, preset, cutoffs = find_metric(found["name"], found["k"], text)
    values: dict[str, Value] = dict(metric.parameters)
    if "rel" in values:
        values["rel"] = float(found["level"] or rel)
    elif found["level"]:
        raise UsageError(f"{text!r}: {metric.name} has no relevance level")
    values |= preset
    for name, value in parameter_texts(found["parameters"] or "", text):
        values |= read_parameter(metric, name, value, text)
    settled = tuple(values.items())
    if not cutoffs and metric.cutoff == "required":
        raise UsageError(f"{text!r}: {metric.name} needs a cutoff, for example {metric.name}@10")
    if cutoffs and metric.cutoff == "none":
        raise UsageError(f"{text!r}: {metric.name} looks at the whole ranking and takes no cutoff")
    if not cutoffs and values.get("ideal") == "full":
        raise UsageError(f"{text!r}: ideal=full needs a cutoff, for example {metric.name}(ideal=full)@10")
    wanted: list[int | None] = [*cutoffs] or [None]
    return [Measure(metric, settled, k) for k in wanted]


def find_metric(name: str, cutoffs: str | None, text: str) -> tuple[Metric, Mapping[str, Value], list[int]]:
    """The metric of a name or alias, what the alias sets, and the cutoffs (trec_eval's `p_10` and `p.5,10` too)."""
    known: dict[str, tuple[Metric, Mapping[str, Value]]] = {}
    for metric in catalogue().values():
        known |= {alias: (metric, preset) for alias, preset in metric.aliases.items()} | {metric.name: (metric, {})}
    trec = TREC_CUTOFF.match(name)
    if name not in known and cutoffs is None and trec and trec["name"] in known:
        name, cutoffs = trec["name"], trec["k"]
    if name not in known:
        raise UsageError(f"there is no metric {name!r} (in {text!r}); see: sqlrank metrics{nearest(name, list(known))}")
    numbers = [int(cutoff) for cutoff in (cutoffs or "").split(",") if cutoff.strip()]
    if 0 in numbers:
        raise UsageError(f"{text!r}: a cutoff is 1 or more")
    return *known[name], numbers


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
    if name not in metric.parameters:
        hint = nearest(name, list(metric.parameters)) + f" (it takes {', '.join(metric.parameters) or 'none'})"
        raise UsageError(f"{text!r}: {metric.name} has no parameter {name!r}{hint}")
    if name == "gain" and TABLE.match(value):
        return {name: canonical_table(value, text)}
    if name in metric.choices:
        if value not in metric.choices[name]:
            words = ", ".join(metric.choices[name]) + (" or a table such as 0:0,1:1,2:4" if name == "gain" else "")
            raise UsageError(f"{text!r}: {name}={value} is not known (one of {words})")
        return {name: value}
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf") or (name == "beta" and number <= 0):
        raise UsageError(f"{text!r}: {name} must be a number{' above 0' if name == 'beta' else ''}, not {value!r}")
    return {name: number}


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
