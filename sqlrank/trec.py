"""trec_eval's measures: their names, parameters and order of print, and what each is in our words."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
OWN_NAMES = frozenset(("iprec_at_recall", "rprec_mult", "ndcg_cut", "map_cut", "relative_p", "relstring", "unj"))
"""Names that only trec_eval has, which stand for all their default parameters where none is given."""

UTILITY = re.compile(r"utility[._](-?[\d.]+),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)\Z")
GAINS = re.compile(r"(ndcg|ndcg_rel|rndcg|g|dcg|ideal_dcg)[._](-?[\d.]+=-?[\d.]+(?:,-?[\d.]+=-?[\d.]+)*)\Z")
NAMED = re.compile(r"(rbp|rbp_resid)[._]p=([\d.]+)\Z")
DIGITS = re.compile(r"rbp\.(\d+)\Z")


def expand(text: str, version: int = 10, with_texts: bool = True) -> list[str]:
    """The texts that a name or parameter of trec_eval (or of ranx's rbp) stands for; any other text alone.

    Args:
        text: such as `official`, `ndcg_cut`, `utility.1,-1,0,0`, `ndcg.1=3.5,2=9`, `rbp.p=0.5`, or ranx's `rbp.95`.
        version: the version of trec_eval whose sets are meant.
        with_texts: whether its sets hold relstring too.
    """
    lower = text.strip().lower()
    if lower in SETS:
        members = (line for line in LINES if SETS[lower] in line.sets and line.since <= version)
        members = (line for line in members if with_texts or line.name != "relstring")
        return [single for line in members for single in texts_of(line)]
    if lower in OWN_NAMES:
        return [single for line in LINES if line.name.lower() == lower for single in texts_of(line)]
    if found := UTILITY.match(lower):
        return ["utility(tp={}, fp={}, fn={}, tn={})".format(*found.groups())]
    if found := GAINS.match(lower):
        return [f"{found[1]}(gain={found[2].replace('=', ':')})"]
    if found := NAMED.match(lower):
        return [f"{found[1]}(p={found[2]})"]
    if found := DIGITS.match(lower):
        return [f"rbp(p=0.{found[1]})"]
    return [text]


def texts_of(line: Line) -> list[str]:
    """The texts of a measure with its default parameters."""
    return [line.text.format(parameter) for parameter in line.parameters or ("",)]
