"""The suite about itself: what says which tests to run, and which faults they notice, is as the code is."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from tests import affected
from tests.mutants.changes import mutants_of, sources_of
from tests.mutants.record import RECORD, WHOLE, digest, equal
from tests.support.lacking import none_lacks
from tests.support.needs import FILES

RENEW = "python -m tests.affected --renew {}"


def test_the_map_knows_every_source_and_every_file_of_tests() -> None:
    stored = json.loads(affected.RECORD.read_text(encoding="utf-8"))
    none_lacks(set(affected.test_files()) - set(stored["tests"]), f"tests/reached.json does not know {{}}: {RENEW}")
    none_lacks(
        set(stored["tests"]) - set(affected.test_files()), f"tests/reached.json knows {{}}, which is gone: {RENEW}"
    )
    none_lacks(set(affected.sources()) - set(stored["reach"]), "tests/reached.json does not know {}: renew it")


def test_a_change_reaches_the_tests_that_run_it() -> None:
    worked = "tests/whole/test_worked_rows.py"

    assert affected.reached_by(["sql/metrics/ndcg.sql"])[-1:] != []
    assert worked in affected.reached_by(["sql/metrics/ncu.sql"])
    assert affected.reached_by([worked]) == [worked]
    assert worked in affected.reached_by(["fixtures/worked/ndcg.csv"])
    assert affected.reached_by(["-".join(("a", "file", "nobody", "names"))]) == []


def test_templates_are_changed_in_their_expressions_alone() -> None:
    changes = {mutant.name for mutant in mutants_of("sql/metrics/ap.sql")}

    assert "/ nullif({{ of_query(relevant) }}, 0)  =>  / nullif({{ of_query(relevant) }}, 1)" in changes
    assert "/ nullif({{ of_query(relevant) }}, 0)  =>  * nullif({{ of_query(relevant) }}, 0)" in changes
    assert not any(change.startswith(("title", "{% from")) for change in changes)


def test_changes_of_a_module_leave_its_words_alone() -> None:
    changes = [mutant for mutant in mutants_of("sqlrank/statistics/hedges.py") if '"""' in mutant.line]
    assert changes == []


def test_every_change_of_metrics_and_columns_was_tried_as_they_stand() -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    stale = {
        path
        for folder in WHOLE
        for path in sources_of(folder)
        if mutants_of(path) and record.get(path, {}).get("digest") != digest(path)
    }
    none_lacks(stale, "{} has changed since its changes were tried: python -m tests.mutants {}")


def test_a_change_that_is_called_equal_is_still_possible() -> None:
    possible = {(mutant.path, mutant.name) for path, _ in equal() for mutant in mutants_of(path)}
    none_lacks({path for path, name in equal() if (path, name) not in possible}, "no such change in {}")


def test_paths_that_need_something_are_there() -> None:
    none_lacks(
        {beginning for beginning in FILES if not any(name.startswith(beginning) for name in affected.test_files())},
        "tests/support/needs.py names {}, and no file of tests begins so",
    )


def simulations() -> Iterator[tuple[str, str]]:
    """The name of each test that draws experiments, and its docstring."""
    for name in affected.test_files():
        for node in ast.walk(ast.parse((affected.ROOT / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any("'simulation'" in ast.unparse(d) for d in node.decorator_list):
                yield f"{name}::{node.name}", ast.get_docstring(node) or ""


def test_every_simulation_says_how_many_experiments_it_has_or_what_they_would_miss() -> None:
    said = dict(simulations())
    assert len(said) > 30
    none_lacks({name for name, words in said.items() if not re.search(r"\d", words)}, "{}: no number in its docstring")
