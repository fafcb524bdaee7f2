"""What the header of every metric has for its reference: LaTeX, a title in Chinese, a family and a DOI."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sqlrank.errors import UsageError
from sqlrank.metrics.catalogue import catalogue, likeness_catalogue, read_metric
from sqlrank.metrics.measure import Metric
from tests.support.tables import each

METRICS = [*catalogue().values(), *likeness_catalogue().values()]
EVERY = each({metric.name: metric for metric in METRICS})
ENTRY = """{#
title = "rank of the first hit"
params = {}
summary = "mean"
formula = "smallest rank of a hit"
citation = "ours"
#}
1
"""


@EVERY
def test_every_metric_has_a_formula_a_title_in_chinese_and_a_family(metric: Metric) -> None:
    assert metric.latex
    assert metric.title_zh
    assert re.search("[\u4e00-\u9fff]", metric.title_zh)
    assert not metric.title_zh.endswith("。")
    assert metric.family


@EVERY
def test_the_braces_of_a_formula_are_balanced(metric: Metric) -> None:
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", metric.latex or ""):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"\\left\b", metric.latex or "")) == len(re.findall(r"\\right\b", metric.latex or ""))


@EVERY
def test_the_formulas_of_a_metric_become_mathml(metric: Metric) -> None:
    pytest.importorskip("latex2mathml")
    from tests.pages.mathml import fence

    for formula in metric.formulas:
        found = fence(formula)
        assert found.count("<math ") == 1
        assert "\\" not in found
        assert "\n" not in formula


@EVERY
def test_a_parameter_with_a_sign_of_its_own_is_in_the_formula(metric: Metric) -> None:
    signs = {"alpha": r"\\alpha", "beta": r"\\beta", "p": r"\bp\b", "t": r"(?<![a-z\\])t\b", "mult": r"\{mult\}"}
    for name in signs.keys() & set(metric.parameters):
        assert re.search(signs[name], metric.latex or ""), name


def test_every_doi_has_the_form_of_one() -> None:
    for metric in METRICS:
        assert metric.doi is None or re.fullmatch(r"10\.\d{4,9}/\S+", metric.doi), metric.name


def test_one_citation_has_one_doi() -> None:
    works = {metric.name: re.split(r", (?:section|chapter|equation) ", metric.citation)[0] for metric in METRICS}
    pairs = {(works[metric.name], metric.doi) for metric in METRICS}
    assert len(pairs) == len({work for work, _ in pairs}), "one work is cited with two DOIs"
    dois = [doi for _, doi in pairs if doi is not None]
    assert len(dois) == len(set(dois)), "two works are cited with one DOI"


def test_a_metric_of_the_user_does_without_them(tmp_path: Path) -> None:
    path = tmp_path / "first_hit.sql"
    path.write_text(ENTRY, encoding="utf-8")
    metric = read_metric(path, str(tmp_path))
    assert (metric.latex, metric.title_zh, metric.family, metric.doi, metric.formulas) == (None, None, None, None, ())


def test_a_metric_of_the_user_may_have_them(tmp_path: Path) -> None:
    path = tmp_path / "first_hit.sql"
    more = "latex = '''\na^{b}\n\nc\n'''\ntitle_zh = \"首个命中\"\ndoi = \"10.1000/182\"\n"
    path.write_text(ENTRY.replace("citation", more + "citation"), encoding="utf-8")
    metric = read_metric(path, str(tmp_path))
    assert (metric.formulas, metric.title_zh, metric.doi) == (("a^{b}", "c"), "首个命中", "10.1000/182")


def test_a_doi_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "first_hit.sql"
    path.write_text(ENTRY.replace("citation", 'doi = "https://doi.org/10.1000/182"\ncitation'), encoding="utf-8")
    with pytest.raises(UsageError, match="is not of the form 10\\.1000/182"):
        read_metric(path, str(tmp_path))
