"""The README and the documentation say what the code does."""

from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path

import pytest

import sqlrank
from sqlrank import log
from sqlrank.choices import TOOLS
from sqlrank.cli.commands import COMMANDS
from sqlrank.conventions import Conventions
from sqlrank.metrics.catalogue import catalogue
from sqlrank.metrics.tools import presets
from tests.pages.blocks import DOCS, READMES, ROOT, Block, commands, pages, steps
from tests.pages.generated import README, WHOLE, renewed
from tests.pages.run import run
from tests.support.components import absent

RENEW = "run: python -m tests.pages"
WRITTEN = [path for path in pages() if path not in WHOLE]
TRANSLATED = {path: DOCS / path.relative_to(DOCS / "zh") for path in (DOCS / "zh").rglob("*.md")}
CHINESE = TRANSLATED | {path: README for path in READMES[1:] if path.exists()}
"""Each Chinese page, and the English one of the same name."""
RUN = [path for path in WRITTEN if not (path in CHINESE and CHINESE[path].exists())]
"""The pages that are run; a translation shows what its English page shows."""


DOORS = (
    "start.md",
    "tutorials/search-team.md",
    "tutorials/recommender-team.md",
    "recipes/duckdb.md",
    "explanation/one-ranking-every-preset.md",
)
"""Where each door of the first page leads first: search, recommendation, data and research."""


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", list(WHOLE), ids=name_of)
def test_generated_pages_are_what_the_code_gives(path: Path) -> None:
    assert text_of(path) == WHOLE[path](), RENEW


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_generated_parts_are_what_the_code_gives(path: Path) -> None:
    assert text_of(path) == renewed(text_of(path)), RENEW


@pytest.mark.parametrize("path", RUN, ids=name_of)
def test_what_a_page_shows_is_what_its_steps_print(path: Path) -> None:
    assert text_of(path) == run(text_of(path)), RENEW


@pytest.mark.parametrize("name", DOORS)
def test_a_newcomer_takes_the_same_steps_with_the_wheel_alone(name: str) -> None:
    python = os.environ.get("SQLRANK_WHEEL") or absent("an environment with the wheel alone", "name it: SQLRANK_WHEEL")
    text = text_of(DOCS / name)
    assert text == run(text, python)


@pytest.mark.parametrize("path", [path for path in CHINESE if CHINESE[path].exists()], ids=name_of)
def test_pages_in_both_languages_take_the_same_steps_and_show_the_same(path: Path) -> None:
    assert taken(path) == taken(CHINESE[path])
    assert shown(path) == shown(CHINESE[path])


@pytest.mark.parametrize("path", [path for path in CHINESE if path in WRITTEN and CHINESE[path].exists()], ids=name_of)
def test_rows_of_figures_in_chinese_are_those_of_the_english_page(path: Path) -> None:
    assert [row for row in figures(path) if row not in figures(CHINESE[path])] == []


def figures(path: Path) -> list[list[str]]:
    """The numbers of each row of a table that has two decimal ones or more."""
    lines = [line for line in without_code(text_of(path)).splitlines() if line.startswith("|")]
    rows = [re.findall(r"\d[\d,]*(?:\.\d+)?", line) for line in lines]
    return [row for row in rows if sum("." in number for number in row) > 1]


@pytest.mark.parametrize("path", pages(), ids=name_of)
def test_each_row_of_a_table_has_as_many_cells_as_its_head(path: Path) -> None:
    for table in re.findall(r"(?:^\|.*\n)+", without_code(text_of(path)), re.MULTILINE):
        head, *rows = (line.replace(r"\|", "").count("|") for line in table.splitlines())
        assert set(rows) == {head}, table.splitlines()[0]


def taken(path: Path) -> list[tuple[str, list[str]]]:
    """The steps of a page without comments, whose language is that of the page."""
    found = []
    for step in steps(text_of(path)):
        if isinstance(step, Block):
            lines = commands(step) if step.language == "console" else step.body.splitlines()
            if step.language in ("console", "python", "sql", "sh"):
                bare = [re.sub(r"\s*(#|--) .*", "", line.replace(" --lang zh", "")) for line in lines]
                found.append((step.language, [line for line in bare if line]))
    return found


def shown(path: Path) -> list[str]:
    """What the steps of a page print, without the commands."""
    found = []
    for step in steps(text_of(path)):
        if isinstance(step, Block) and step.language == "console":
            lines = [line for line in step.body.splitlines() if not line.startswith(("$ ", "> "))]
            found.append("\n".join(lines))
        elif isinstance(step, Block) and step.printed:
            found.append(step.printed.body)
    return found


def test_the_readme_counts_the_metrics_and_the_tools() -> None:
    english, chinese = map(text_of, READMES)
    assert 80 <= len(catalogue()) - 4 < 90
    assert "nDCG, MAP, P@k, MRR and eighty more metrics" in english
    assert "nDCG、MAP、P@k、MRR 等八十多个指标" in chinese
    named = ("trec_eval", "ranx", "scikit-learn")

    assert f"with {len(TOOLS)} presets" in english
    assert f"{', '.join(named)} and {len(TOOLS) - len(named)} more tools" in english
    assert f"共 {len(TOOLS)} 个预设" in chinese


def test_the_chinese_page_of_conventions_has_every_option_choice_and_preset() -> None:
    rows = dict(
        re.findall(r"^\| `([\w-]+)` \|(.*)$", text_of(DOCS / "zh" / "reference" / "conventions.md"), re.MULTILINE)
    )
    for field in fields(Conventions):
        row = rows[f"--{field.name.replace('_', '-')}"]
        assert set(re.findall("`([\\w-]+)`\N{FULLWIDTH LEFT PARENTHESIS}", row)) == set(field.metadata["choices"] or ())
    assert rows.keys() >= presets().keys()


@pytest.mark.parametrize("path", pages(), ids=name_of)
def test_commands_that_are_not_run_have_options_that_exist(path: Path) -> None:
    reference = text_of(DOCS / "reference" / "command-line.md")
    sections = dict(re.findall(r"^## sqlrank ([\w ]+)\n(.*?)(?=^## |\Z)", reference, re.MULTILINE | re.DOTALL))
    for step in steps(text_of(path)):
        if isinstance(step, Block) and step.language in ("sh", "yaml", "bash", "console"):
            for name, rest in re.findall(r"\bsqlrank ((?:log )?\w+) ((?:[^\n|;&>]|\\\n)*)", step.body):
                assert name in COMMANDS or name in ("runs",), (name, rest)
                for option in re.findall(r"(?<![\w-])(--?[a-z][\w-]*)", rest):
                    assert re.search(rf"`(-\w, )?{option}\b", sections[name]), (name, option)


def test_links_lead_to_pages_and_headings_that_exist() -> None:
    for path in pages():
        for target in re.findall(r"\]\(((?!https?:|mailto:)[^)\s]+)\)", without_code(text_of(path))):
            file, _, anchor = target.partition("#")
            found = (path.parent / file).resolve() if file else path
            assert found.exists(), f"{name_of(path)}: {target}"
            if anchor:
                assert anchor in anchors(found), f"{name_of(path)}: {target}"


def without_code(text: str) -> str:
    return re.sub(r"^ *```.*?^ *```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(path: Path) -> set[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^ *```.*?^ *```$", "", text_of(path), flags=re.M | re.S), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_the_reference_of_python_has_every_public_name() -> None:
    page = text_of(DOCS / "reference" / "python.md")
    names = set(re.findall(r"^::: sqlrank\.(\w+)\n", page, re.MULTILINE))
    assert names | {"METRICS", "__version__", "log"} == set(sqlrank.__all__)


def test_the_reference_of_python_has_every_name_of_logs() -> None:
    page = text_of(DOCS / "reference" / "python.md")
    names = set(re.findall(r"^::: sqlrank\.log\.(\w+)\n", page, re.MULTILINE))
    assert names == set(log.__all__)
