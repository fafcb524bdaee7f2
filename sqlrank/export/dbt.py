"""The dbt package: the templates of sql/ as macros, the catalogue as data, and the planning written in dbt's Jinja."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.dialects import CONTROL, DIALECTS, ESCAPES, PLAIN_NAME, Dialect
from sqlrank.errors import ResourceError, UsageError
from sqlrank.export import relation_names
from sqlrank.export.dbt_templates import FOLDERS, PACKAGE, macro_name, macros_of
from sqlrank.export.statement import ASSUMPTIONS, UNREAD
from sqlrank.inputs.reading import OUTPUT_NAMES, SEGMENTED
from sqlrank.inputs.roles import ROLES, TIERS
from sqlrank.metrics import language, parameters
from sqlrank.metrics.catalogue import DEFAULT_METRICS, Metric, catalogue
from sqlrank.metrics.trec_names import BARE_NAMES, FOREIGN, SETS, expand
from sqlrank.signals import put_off, remains, remove
from sqlrank.sql_files import HEADER, sql_folder
from sqlrank.statement import step_names
from sqlrank.statement.column_texts import AVERAGED
from sqlrank.statement.columns import APART, BARE, COLUMNS, DEFAULTS, RANKED_KINDS
from sqlrank.statement.lexers import BEGINS_QUERY, JOINS, NO_OPERAND, functions, token_pattern
from sqlrank.version import __version__

STATEMENTS = ("evaluate.sql", "overall.sql", "means.sql")
"""The templates that macros are made of, besides those in folders."""

ENTRY = (
    "name parameters choices cutoff whole required bounds within trailing squares renames uncut reads empty undefined "
    "linear summary spellings grain inputs spares reads_with vanishes"
).split()
"""The fields of a metric that the macros read."""

READING = ("by", "weight", "queries", "items", "history", "baseline", "where", "columns")
"""The options that a statement takes besides the conventions."""

PATTERNS = {
    "plain_name": PLAIN_NAME,
    "control": CONTROL,
    "text": language.TEXT,
    "suffix": language.SUFFIX,
    "continued": language.CONTINUED,
    "table": parameters.TABLE,
    "gain_from": parameters.GAIN_FROM,
    "foreign": FOREIGN,
    "part": relation_names.PART,
    "project": relation_names.PROJECT,
    "step": re.compile(f"(?m){step_names.STEP.pattern}"),
}


MARK = "# Written by sqlrank dbt"
"""How the project file of a package of ours begins, which may be written over."""


def write_package(folder: str) -> list[str]:
    """Write the dbt package whole into a new or empty folder, or over an older one; returns the files written."""
    target = Path(folder).absolute()
    check_package(target)
    files = package_files()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with put_off():
            made = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
            remains.add(str(made))
        try:
            made.chmod(0o777 & ~umask())
            for name, text in files.items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            with put_off():
                replace(made, target)
        finally:
            remove(str(made))
    except OSError as error:
        raise ResourceError(f"{folder} cannot be written: {error.strerror or error}") from error
    return sorted(files)


def check_package(target: Path) -> None:
    """Raise UsageError if a folder holds files that would be lost."""
    if not target.exists():
        return
    if not target.is_dir() or target.is_symlink():
        raise UsageError(f"{target} is not a folder; name a new one for the dbt package")
    if Path.cwd().is_relative_to(target.resolve()):
        raise UsageError(f"{target} is the folder you are in; name a folder inside it for the dbt package")
    project = target / "dbt_project.yml"
    ours = project.is_file() and project.read_text(encoding="utf-8", errors="replace").startswith(MARK)
    if any(target.iterdir()) and not ours:
        raise UsageError(f"{target} is not empty and holds no dbt package of sqlrank; name a new folder")


def replace(made: Path, target: Path) -> None:
    """Put a folder in the place of another one, which comes back if that fails."""
    old = made.with_name(f"{made.name}-old")
    if target.exists():
        target.rename(old)
    try:
        made.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def umask() -> int:
    """The permissions that new files of this process do not get."""
    current = os.umask(0)
    os.umask(current)
    return current


def package_files() -> dict[str, str]:
    """The text of every file of the package, by its path."""
    own = sql_folder() / "dbt"
    files = {
        path.relative_to(own).as_posix(): filled(path.read_text(encoding="utf-8"))
        for path in sorted(own.rglob("*"))
        if path.is_file()
    }
    for folder in FOLDERS:
        for path in sorted((sql_folder() / folder).glob("*.sql")):
            if folder or path.name in STATEMENTS:
                name = path.relative_to(sql_folder()).as_posix()
                texts = macros_of(name, path.read_text(encoding="utf-8")).values()
                files[f"macros/templates/{name}"] = "\n".join([f"{{# sql/{name} #}}\n", *texts])
    return files | {f"macros/data/{name}.sql": text for name, text in data_macros().items()}


def filled(text: str) -> str:
    """A text of the package with the version and what the conventions decide."""
    options = {item.name: (item.metadata["help"], item.metadata["choices"] or {}) for item in fields(Conventions)}
    described = {
        name: f"{text}: {', '.join(choices)}" if choices else text for name, (text, choices) in options.items()
    }
    arguments = [f"      - name: {name}\n        description: {json.dumps(text)}" for name, text in described.items()]
    conventions = [f"- `{name}`: {text}" for name, text in described.items()]
    text = text.replace("{version}", __version__).replace("{arguments}", "\n".join(arguments))
    return text.replace("{conventions}", "\n".join(conventions))


def data_macros() -> dict[str, str]:
    """The data of the macros, each as a macro that returns it."""
    entries = catalogue()
    made = {
        "catalogue": {name: entry_of(metric) for name, metric in entries.items()},
        "metric_names": {
            name: {"metric": metric.name, "values": preset}
            for metric in entries.values()
            for name, preset in {metric.name: {}, **metric.aliases}.items()
        },
        "columns": {
            name: {part: getattr(column, part) for part in ("depends", "rows", "needs", "input", "step")}
            for name, column in COLUMNS.items()
        },
        "dialects": {name: words(dialect) for name, dialect in DIALECTS.items()},
        "patterns": {name: pattern.pattern for name, pattern in PATTERNS.items()},
        "escapes": ESCAPES,
        "tokens": {name: token_pattern(dialect) for name, dialect in DIALECTS.items()},
        "condition_words": {
            "begins_query": BEGINS_QUERY,
            "joins": JOINS,
            "no_operand": NO_OPERAND,
            "functions": functions(aggregates=False),
        },
        "facts": facts(),
    }
    return {name: returning(name, value) for name, value in made.items()} | {
        "metric_text": dispatching("metric_text", {metric.name: metric.template for metric in entries.values()}),
        "column_text": dispatching("column_text", {name: f"columns/{name}.sql" for name in written_columns()}),
    }


def written_columns() -> list[str]:
    """The columns whose files hold an expression."""
    folder = sql_folder() / "columns"
    return [name for name in COLUMNS if HEADER.sub("", (folder / f"{name}.sql").read_text(encoding="utf-8")).strip()]


def entry_of(metric: Metric) -> dict[str, Any]:
    """The entry of one metric for the macros."""
    return {name: getattr(metric, name) for name in ENTRY}


def words(dialect: Dialect) -> dict[str, Any]:
    """A dialect as the templates read it: a word that the engine does not have is empty."""
    values = {item.name: getattr(dialect, item.name) for item in fields(dialect)}
    return {name: "" if value is None else value for name, value in values.items()}


def facts() -> dict[str, Any]:
    """The small tables that the macros read."""
    return {
        "version": __version__,
        "assumptions": ASSUMPTIONS,
        "unread": UNREAD,
        "default_metrics": DEFAULT_METRICS,
        "sets": {
            name: [asked.text for asked in expand(name, with_texts=False)] for name in sorted({*SETS, *BARE_NAMES})
        },
        "defaults": DEFAULTS,
        "bare": BARE,
        "ranked_kinds": RANKED_KINDS,
        "apart": APART,
        "averaged": AVERAGED,
        "conventions": {
            item.name: {"default": item.default, "choices": list(item.metadata["choices"] or ())}
            for item in fields(Conventions)
        },
        "options": READING,
        "inputs": list(TIERS),
        "roles": {role: role for role in ROLES},
        "output_names": OUTPUT_NAMES,
        "segmented": list(SEGMENTED),
    }


def dispatching(name: str, templates: Mapping[str, str]) -> str:
    """The macro that renders the template of a name; dbt finds what a test needs only where calls are written out."""
    branches = [
        f"{{% {word} name == '{each}' %}}{{{{ {PACKAGE}.{macro_name(template)}(c) }}}}"
        for word, (each, template) in zip(chain(["if"], repeat("elif")), templates.items(), strict=False)
    ]
    return f"{{% macro {name}(name, c) %}}" + "\n".join(branches) + "{% endif %}{% endmacro %}\n"


def returning(name: str, value: Any) -> str:
    """A macro that returns a value, with a line for each of its parts."""
    if isinstance(value, Mapping):
        lines = [f"    {jinja(key)}: {jinja(part)},\n" for key, part in value.items()]
        text = "{\n" + "".join(lines) + "}"
    else:
        text = jinja(value)
    return f"{{% macro {name}() %}}\n{{% do return({text}) %}}\n{{% endmacro %}}\n"


def jinja(value: Any) -> str:
    """A value as it is written in Jinja, which reads Python's texts and numbers."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{jinja(key)}: {jinja(part)}" for key, part in value.items()) + "}"
    if isinstance(value, Set):
        return jinja(sorted(value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(jinja, value)) + "]"
    if value is None or isinstance(value, bool | str | int | float):
        return repr(value).lower() if value is None or isinstance(value, bool) else repr(value)
    raise TypeError(f"{value!r} cannot be written in Jinja")
