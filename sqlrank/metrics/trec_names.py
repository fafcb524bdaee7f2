"""trec_eval's measures: names, parameters, order of print, and the metric of sqlrank that each is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sqlrank.errors import UsageError
from sqlrank.spelling import spelt

CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
POINTS = ("0.00", "0.10", "0.20", "0.30", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90", "1.00")
MULTIPLES = ("0.20", "0.40", "0.60", "0.80", "1.00", "1.20", "1.40", "1.60", "1.80", "2.00")


@dataclass(frozen=True, slots=True)
class Line:
    """One measure of trec_eval."""

    name: str
    """Its name there."""
    text: str
    """The metric that it is, with `{}` where its parameter stands."""
    sets: str = ""
    """The sets that it belongs to: O(fficial), A(ll_trec), S(et)."""
    parameters: tuple[str, ...] = ()
    """The parameters for which it is printed by default."""
    shows: str = "both"
    """Where it is printed: `both`, `query` or `summary`."""
    whole: bool = False
    """Whether it is a count, printed without decimals."""
    since: int = 9
    """The first version that has it."""


LINES = (
    Line("num_q", "num_q", "OAS", shows="summary", whole=True),
    Line("num_ret", "num_ret", "OAS", whole=True),
    Line("num_rel", "num_rel", "OAS", whole=True),
    Line("num_rel_ret", "num_rel_ret", "OAS", whole=True),
    Line("map", "ap", "OA"),
    Line("gm_map", "ap(mean=geometric)", "OA", shows="summary"),
    Line("Rprec", "rprec", "OA"),
    Line("bpref", "bpref", "OA"),
    Line("recip_rank", "rr", "OA"),
    Line("iprec_at_recall", "iprec(recall={})", "OA", POINTS),
    Line("P", "p@{}", "OA", CUTOFFS),
    Line("relstring", "relstring@{}", "A", ("10",), shows="query"),
    Line("recall", "recall@{}", "A", CUTOFFS),
    Line("infAP", "infap", "A"),
    Line("gm_bpref", "bpref(mean=geometric)", "A", shows="summary"),
    Line("Rprec_mult", "rprec(mult={})", "A", MULTIPLES),
    Line("utility", "utility", "AS"),
    Line("11pt_avg", "ap_11pt", "A"),
    Line("binG", "bing", "A"),
    Line("G", "g", "A"),
    Line("dcg", "dcg", since=10),
    Line("ideal_dcg", "ideal_dcg", since=10),
    Line("ndcg", "ndcg", "A"),
    Line("ndcg_rel", "ndcg_rel", "A"),
    Line("Rndcg", "rndcg", "A"),
    Line("ndcg_cut", "ndcg@{}", "A", CUTOFFS),
    Line("map_cut", "ap@{}", "A", CUTOFFS),
    Line("relative_P", "recall(norm=min)@{}", "A", CUTOFFS),
    Line("success", "success@{}", "A", ("1", "5", "10")),
    Line("set_P", "set_p", "AS"),
    Line("set_relative_P", "set_p(norm=min)", "AS"),
    Line("set_recall", "set_recall", "AS"),
    Line("set_map", "set_ap", "AS"),
    Line("set_F", "set_f", "AS"),
    Line("num_nonrel_judged_ret", "num_nonrel_judged_ret", "A", whole=True),
    Line("yaap", "yaap"),
    Line("rbp", "rbp", "A", since=10),
    Line("rbp_resid", "rbp_resid(complete=zero)", "A", since=10),
    Line("unj", "unj@{}", "A", ("5", "10", "20"), since=10),
)
"""In trec_eval's order of print; runid, which comes first, is no number."""

SETS = {"official": "O", "all_trec": "A", "set": "S"}
RUN_ID = "runid"
"""What trec_eval prints as a measure though it is no number: the sets hold it."""

BY_NAME = {line.name.lower(): line for line in LINES}
BARE_NAMES = frozenset(line.name.lower() for line in LINES if line.parameters) - {"recall", "p"}
"""Names that stand for all their default parameters where none is given; others too have a `recall` and a `p`."""
WITH_GAINS = ("ndcg", "ndcg_rel", "rndcg", "g", "dcg", "ideal_dcg")

TAKING = frozenset(line.name.lower() for line in LINES if "{}" in line.text)
"""Names whose parameters are cutoffs, recalls or multiples of R."""

NOTATION = re.compile(r"(\w+?)[._]((?:p=)?-?[0-9.][-0-9.,=]*)\Z", re.IGNORECASE)
"""What may be a measure of trec_eval with its parameters, as `P.5,10` or `ndcg.1=3.5,2=9`."""
NUMBERS = re.compile(r"-?(\d+\.?\d*|\.\d+)(,-?(\d+\.?\d*|\.\d+))*\Z")
PAIRS = re.compile(r"-?\d+=-?(\d+\.?\d*|\.\d+)(,-?\d+=-?(\d+\.?\d*|\.\d+))*\Z")
DIGITS = re.compile(r"rbp\.(\d+)(-l\d+)?\Z")


@dataclass(frozen=True, slots=True)
class Asked:
    """One metric that a text asks for."""

    text: str
    """The metric of sqlrank."""
    line: str = ""
    """The measure of trec_eval whose name was used."""
    parameters: str = ""
    """Its parameters as they were written."""


def expand(text: str, version: int = 10, with_texts: bool = True, tool: str = "") -> list[Asked]:
    """What a name of trec_eval such as `official`, `utility.1,-1,0,0` or `rbp.p=0.5` stands for; other texts stay.

    `version` is the trec_eval whose sets are meant, which hold relstring if `with_texts`; where notations differ
    (ranx's `rbp.95`), that of `tool` wins. UsageError if a parameter is not of the kind that the measure takes.
    """
    lower = text.strip().lower()
    if lower in SETS:
        members = (line for line in LINES if SETS[lower] in line.sets and line.since <= version)
        members = (line for line in members if with_texts or line.name != "relstring")
        return [single for line in members for single in texts_of(line)]
    if lower == RUN_ID:
        if not with_texts:
            raise UsageError(f"{text!r} is a text, which only --format trec shows")
        return []
    if lower in BY_NAME and (lower in BARE_NAMES or text.strip() == "P" or tool.startswith("trec_eval")):
        return texts_of(BY_NAME[lower])
    if lower == "recall":
        if tool == "ranx":
            return [Asked("set_recall")]
        raise UsageError(
            f"{text!r}: recall needs a cutoff, for example recall@10; that of everything returned is set_recall, and "
            f"with {spelt('like', 'trec_eval')} it means trec_eval's nine cutoffs"
        )
    if found := DIGITS.match(lower):
        return [Asked(f"rbp(p=0.{found[1]}){found[2] or ''}")]
    if (found := NOTATION.match(text.strip())) and found[1].lower() in BY_NAME:
        line = BY_NAME[found[1].lower()]
        return [Asked(single, line.name, found[2]) for single in translated(line, found[2], text)]
    return [Asked(text)]


def translated(line: Line, parameters: str, text: str) -> list[str]:
    """The texts of a measure with these parameters; UsageError if they are not of the kind that it takes."""
    name, values = line.name.lower(), parameters.split(",")
    if name in WITH_GAINS and PAIRS.match(parameters):
        return [f"{line.text}(gain={parameters.replace('=', ':')})"]
    if name in ("rbp", "rbp_resid"):
        inside = line.text.partition("(")[2].rstrip(")")
        given = parameters if "=" in parameters else f"p={parameters}"
        return [f"{name}({', '.join(filter(None, (inside, given)))})"]
    if name not in (*TAKING, "11pt_avg", "utility", "set_f") or not NUMBERS.match(parameters):
        if text.strip()[len(name)] == "_":
            return [text]
        takes = "gains, such as 1=3,2=9" if name in WITH_GAINS else "numbers" if name in TAKING else "no parameter"
        raise UsageError(f"{text!r}: trec_eval's {line.name} takes {takes}; cutoffs are written as in ndcg@10")
    if name == "utility":
        if len(values) != 4:
            raise UsageError(f"{text!r}: utility has four parameters, such as utility.1,-1,0,0")
        return ["utility(tp={}, fp={}, fn={}, tn={})".format(*values)]
    if name == "11pt_avg":
        return [f"ap_11pt(recalls={'/'.join(values)})"]
    if "@{}" in line.text:
        return [line.text.format(value.partition(".")[0] or "0") for value in values]
    return [line.text.format(value) for value in values] if "{}" in line.text else [text]


def texts_of(line: Line) -> list[Asked]:
    """The texts of a measure with its default parameters."""
    return [Asked(line.text.format(parameter), line.name) for parameter in line.parameters or ("",)]


def asks_run_id(parts: Iterable[str]) -> bool:
    """Whether the line with the id of the run is asked for, by its name or in a set."""
    return any(part.strip().lower() in (RUN_ID, *SETS) for part in parts)
