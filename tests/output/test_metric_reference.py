"""The reference of metrics: every metric in its family, with its formulas and its example, in both languages."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from sqlrank.metrics.catalogue import catalogue, likeness_catalogue
from sqlrank.reference.metric_reference import MOST_USED, chinese_page, families, texts
from tests.pages.blocks import DOCS
from tests.pages.command_line import chinese
from tests.support.lacking import none_lacks
from tests.support.tables import each

METRICS = {**catalogue(), **likeness_catalogue()}
RENEW = "run python -m tests.pages docs/reference/metrics.md docs/zh/reference/metrics.md"


@cache
def page() -> str:
    """The stored page, which tests/pages holds to be what the code gives: to make it takes seconds."""
    return (DOCS / "reference" / "metrics.md").read_text(encoding="utf-8")


@cache
def sections() -> dict[str, str]:
    """What the page says below each heading of a metric."""
    parts = re.split(r"^### (.*)\n", page(), flags=re.MULTILINE)
    assert len(parts[1::2]) == len(set(parts[1::2]))
    return dict(zip(parts[1::2], (part.partition("\n## ")[0] for part in parts[2::2]), strict=True))


def test_every_metric_is_in_one_family_and_every_family_has_metrics() -> None:
    names = Counter(metric.name for _, metrics in families() for metric in metrics)
    assert names == Counter(METRICS.keys())
    assert all(metrics for _, metrics in families())
    for family, _ in families():
        assert all(family[name] for name in ("key", "title", "title_zh", "about", "about_zh"))


def test_every_metric_has_a_section() -> None:
    none_lacks(METRICS.keys() - sections().keys(), f"docs/reference/metrics.md has no section of {{}}: {RENEW}")
    none_lacks(
        sections().keys() - METRICS.keys(), f"docs/reference/metrics.md has a section of {{}}, no metric: {RENEW}"
    )


@each(list(METRICS))
def test_a_section_has_the_formulas_and_the_parameters(name: str) -> None:
    metric, section = METRICS[name], sections()[name]
    for formula in metric.formulas:
        assert f"```math\n{formula}\n```" in section
    assert (f"In words: {metric.formula}." in section) is metric.in_words
    assert all(f"| `{parameter}` |" in section for parameter in metric.parameters)
    assert (f"(https://doi.org/{metric.doi})" in section) is (metric.doi is not None)


def test_the_contents_lead_to_every_metric() -> None:
    contents = page().partition("## Notation")[0]
    missing = [name for name in METRICS if f"[{name}](#{name})" not in contents]
    none_lacks(missing, f"the contents of docs/reference/metrics.md have no {{}}: {RENEW}")


def test_every_sign_of_a_formula_is_told() -> None:
    told = page().partition("## Notation")[2].partition("\n## ")[0]
    known = re.sub(r"</?sub>|[*\\]", "", told)
    signs = {f"{sign}_i": f"{sign}i" for sign in "gdhuVmU"} | {"H_": "Hi"}
    for metric in METRICS.values():
        for sign, shown in signs.items():
            if sign in (metric.latex or ""):
                assert re.search(rf"\b{shown}\b", known), (metric.name, sign)


def test_the_chinese_page_has_every_metric_by_its_title_and_the_formulas_of_the_most_used_alone() -> None:
    page = chinese_page(chinese("parameters"))
    assert all(f"| {metric.title_zh} |" in page for metric in METRICS.values())
    assert all(f"## {family['title_zh']}\n" in page for family in texts()["families"])
    assert re.findall(r"^### (.*)$", page, flags=re.MULTILINE) == [
        metric.name for _, metrics in families() for metric in metrics if metric.name in MOST_USED
    ]
    assert all(f"```math\n{formula}\n```" in page for name in MOST_USED for formula in METRICS[name].formulas)


@each(MOST_USED)
def test_the_formulas_on_the_chinese_page_have_no_english_words(name: str) -> None:
    words = {
        word
        for formula in METRICS[name].formulas
        for text in re.findall(r"\\text\{([^}]*)\}", formula)
        for word in text.split()
    }
    assert not {word for word in words if word.islower() and "=" not in word} - {"max", "score", "top"}
