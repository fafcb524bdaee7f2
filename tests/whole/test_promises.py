"""What 0.2 promised is kept: its commands, options, columns, fields, metrics, macros, Python, numbers and stored rows.

`fixtures/releases/0.2` holds what 0.2.0 said of itself (promises.json), pages of its documentation, and files that it
wrote.
"""

from __future__ import annotations

import csv
import inspect
import io
import json
import math
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from sqlrank.choices import TOOLS
from sqlrank.cli import former
from sqlrank.cli.application import command_of
from sqlrank.metrics.catalogue import catalogue
from sqlrank.reference.metric_facts import parameters
from tests.pages.outputs import outputs
from tests.pages.run import run
from tests.support.cli_helper import FIXTURES, ROOT, completed
from tests.support.tables import each, hold

OLD = FIXTURES / "releases" / "0.2"
PROMISED: dict[str, Any] = json.loads((OLD / "promises.json").read_text(encoding="utf-8"))
COMMANDS: dict[str, str] = tomllib.loads((OLD / "commands.toml").read_text(encoding="utf-8"))["commands"]
FREE = {
    "compare": {"ci_low", "ci_high", "p_value", "p_adjusted"},  # of random draws, which are others for the same seed
    "gsb": {
        *("ci_low", "ci_high", "p_value", "p_adjusted", "judgments_needed", "judgments_needed_low"),
        *("judgments_needed_high", "agreement", "test"),
    },  # computed in another way, as the changelog says
}
"""Fields whose values may be others than then, by command."""
OF_EACH_VERSION = {"sqlrank", "notes", "remarks", "plan"}
"""Fields of JSON whose values a version may change."""
ANNOUNCED = {
    ("gsb", "p_delta"): "it was `p_delta`",
    ("Comparison", "ordered"): "`Comparison.ordered`",
    ("SideBySide", "sources"): "`SideBySide.sources`",
    ("SideBySide", "label"): "`SideBySide.label`",
}
"""What is no longer there, and the words by which the changelog says so."""
NOW_REFUSED = {
    "--like sklearn": ("--rel 1", "labels that\n  are not 0 or 1 in the areas of scikit-learn"),
    "--incremental ds": ("--query-set shared", "`--incremental` needs `--query-set`"),
}
"""What was taken and is refused now: the option that is to be given beside it, and the words of the changelog."""
SAID_MORE_EXACTLY = {
    "gsb": dict.fromkeys((f"rows[].{name}" for name in ("good", "same", "bad", "total")), "integer")
    | {"rows[].reading": "string?"}
}
"""Types of fields that were described loosely: counts as numbers, and a reading that a segment of no weight lacks."""
MADE_BY_CALLERS = {"Evaluator"}
"""Classes that callers make themselves; the others are what functions return."""


SUCCESSORS = {"power": ("compare",), "report": ("eval", "compare", "gsb")}
"""The commands that do what a former one did."""
RENAMED = {
    "sqlrank power ": "sqlrank compare --plan ",
    "sqlrank report ": "sqlrank compare ",
    "--movers ": "--show movers=",
}
"""What is written now in place of what was written then, where the error of the former words says so."""
RENAMED_OUTPUTS = {"power": "plan"}
"""Documents that are called otherwise now."""


@each(list(PROMISED["options"]))
def test_each_option_and_each_of_its_words_is_there_or_its_error_gives_the_new_one(command: str) -> None:
    now: dict[str, set[str]] = {}
    for successor in SUCCESSORS.get(command, (command,)):
        for parameter in command_of(successor).params:
            for name in (*parameter.opts, *parameter.secondary_opts):
                now.setdefault(name, set()).update(re.findall(r"[\w-]+", parameter.help or ""))
    promised = {
        name: set(words)
        for name, words in PROMISED["options"][command].items()
        if name.removeprefix("--") not in former.OPTIONS and (command, name) != ("report", "--gsb")
    }
    assert (command in SUCCESSORS) == (command in former.COMMANDS)
    assert promised.keys() <= now.keys()
    assert {name: words - now[name] for name, words in promised.items() if words - now[name]} == {}


def test_each_field_of_json_is_there_with_its_type() -> None:
    now = {
        name: {path.rstrip("?"): text.partition(":")[0] for path, text in fields.items()}
        for name, fields in outputs().items()
    }
    for name, fields in PROMISED["fields"].items():
        kept = {path.rstrip("?"): kind for path, kind in fields.items() if not gone(name, path.rpartition(".")[2])}
        known = kept | SAID_MORE_EXACTLY.get(name, {})
        assert known.items() <= now[RENAMED_OUTPUTS.get(name, name)].items(), name
        assert known.keys() == kept.keys(), name


def test_each_metric_has_its_parameters_and_their_defaults() -> None:
    now = {name: {one.name: str(one.default) for one in parameters(metric)} for name, metric in catalogue().items()}
    for name, promised in PROMISED["metrics"].items():
        assert promised.items() <= now[name].items() | {("@k", "required")}, name  # it may have become optional
    aliases = {alias: name for name, metric in catalogue().items() for alias in metric.aliases}
    assert PROMISED["aliases"].items() <= aliases.items()
    assert set(PROMISED["presets"]) <= set(TOOLS)


def test_each_macro_has_its_arguments() -> None:
    now = {
        found[1]: [argument.split(":=")[0].strip() for argument in found[2].split(",")]
        for found in re.finditer(
            r"(?im)^create (?:or replace )?(?:temp )?macro (\w+)\(([^)]*)\)", completed("macros").out
        )
    }
    for name, arguments in PROMISED["macros"].items():
        assert set(arguments) <= set(now[name]), name


EACH_BY_NAME = {"options"}
"""What signatures show as the options that it holds."""


def test_each_name_of_python_has_its_parameters_and_members() -> None:
    for name, promised in PROMISED["python"].items():
        found = getattr(sqlrank, name)
        if isinstance(promised, list):
            assert set(promised) - EACH_BY_NAME <= set(inspect.signature(found).parameters), name
        members = promised if isinstance(promised, dict) else {}
        for member, arguments in members.items():
            if gone(name, member) or (member == "__init__" and name not in MADE_BY_CALLERS):
                continue
            target = found if member == "__init__" else inspect.getattr_static(found, member)
            if callable(target):
                taken = set(inspect.signature(target).parameters)
                assert set(arguments) - EACH_BY_NAME <= taken, f"{name}.{member}"


def test_outputs_are_those_of_then_with_columns_and_fields_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(name: str) -> None:
        monkeypatch.chdir(FIXTURES / "search")
        then = (OLD / "outputs" / name).read_text(encoding="utf-8")
        now = completed(*shlex.split(as_taken_now(COMMANDS[name]))).out
        command, form = name.partition(".")[0], name.rpartition(".")[2]
        if form == "csv":
            (before, *rows), (after, *_) = ([*csv.reader(io.StringIO(text))] for text in (then, now))
            assert command == "gsb" or after[: len(before)] == before
            assert rows
        if form == "txt":
            assert now == then
        else:
            assert list(lost(read(then, form), read(now, form), command)) == []

    hold(list(COMMANDS), check)


def as_taken_now(text: str) -> str:
    """A command, or a page with commands, with the options that it needs now."""
    for then, (beside, _) in NOW_REFUSED.items():
        text = text.replace(then, f"{then} {beside}")
    for then, instead in RENAMED.items():
        text = text.replace(then, instead)
    return text


def gone(owner: str, name: str) -> bool:
    """Whether something is no longer there, as the changelog says."""
    return (owner, name) in ANNOUNCED


def read(text: str, form: str) -> Any:
    """What a command wrote, as lists and dictionaries."""
    if form == "csv":
        return list(csv.DictReader(io.StringIO(text)))
    return json.loads(text) if form == "json" else [json.loads(line) for line in text.splitlines()]


def lost(then: Any, now: Any, command: str, place: str = "") -> Iterator[str]:
    """Where a value of then is missing, or another where it may not be."""
    free = OF_EACH_VERSION | FREE.get(command, set())
    if isinstance(then, dict) and isinstance(now, dict):
        for name in (name for name in then if not gone(command, name)):
            if name not in now:
                yield f"{place}.{name} is missing"
            elif name not in free:
                yield from lost(then[name], now[name], command, f"{place}.{name}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, (value, other) in enumerate(zip(then, now, strict=True)):
            yield from lost(value, other, command, f"{place}[{number}]")
    elif not alike(then, now):
        yield f"{place}: {then!r}, now {now!r}"


def alike(then: Any, now: Any) -> bool:
    """Whether two values are the same, numbers to eleven digits."""
    try:
        return then == now or math.isclose(float(then), float(now), rel_tol=1e-11)
    except (TypeError, ValueError):
        return False


def test_rows_that_were_stored_are_compared(tmp_path: Path) -> None:
    stored = [OLD / f"{name}.per_query.parquet" for name in ("keyword", "semantic")]
    search = FIXTURES / "search"
    runs = [search / "keyword.parquet", search / "semantic.parquet", "--qrels", search / "qrels.parquet"]
    asked = ["-m", "ndcg@10", "-m", "rr", "--format", "csv"]
    of_segments = ["--by", "country", "--queries", search / "queries.parquet"]

    then = completed("compare", *stored, *asked, "--by", "country").table
    now = completed("compare", *runs, *asked, *of_segments).table
    assert [without_names(row) for row in then] == [without_names(row) for row in now]


def without_names(row: dict[str, str]) -> dict[str, str]:
    """A row without the names of its systems, which those of stored rows are of files."""
    return {name: value for name, value in row.items() if name not in ("system", "baseline")}


@pytest.mark.needs("pages")
@pytest.mark.parametrize("page", sorted((OLD / "pages").glob("*.md")), ids=lambda path: path.stem)
def test_the_steps_of_its_documentation_end_as_then(page: Path) -> None:
    then = page.read_text(encoding="utf-8")
    now = run(as_taken_now(then))
    asked = re.compile(r"^\$ echo \$\?\n(\d+)$", re.MULTILINE)
    assert asked.findall(now) == asked.findall(then)


def test_what_is_gone_is_announced() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("## [0.2.0]")[0]
    announced = [*ANNOUNCED.values(), *(words for _, words in NOW_REFUSED.values())]
    assert [words for words in announced if words not in changelog] == []
