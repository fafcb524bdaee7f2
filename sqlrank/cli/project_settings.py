"""Settings of a project: defaults of options and named evaluations, in sqlrank.toml or pyproject.toml."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrank.choices import SETTINGS
from sqlrank.cli.former import fitting, instead_of, instead_of_value
from sqlrank.errors import UsageError, nearest

FILE, PROJECT = SETTINGS
EVALUATIONS = "evaluations"
"""The key of the named evaluations."""
PATHS = frozenset(
    "runs verdicts qrels positives scores queries items history baseline_run database metrics_dir temp_dir output"
    " per_query store junit".split()
)
"""The parameters that are paths, relative to the file of the settings."""
OF_SESSIONS = ("sql", "macros", "dbt")
"""The commands whose inputs are relations of another session."""
TABLES = frozenset("runs verdicts qrels positives scores queries items history baseline_run".split())
"""The inputs that are tables where there is a database."""
COMMAND_LINE = "the command line"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file says, by its keys."""

    file: str
    defaults: Mapping[str, Any]
    evaluations: Mapping[str, Mapping[str, Any]]

    @property
    def folder(self) -> str:
        """What its paths are relative to."""
        return os.path.dirname(self.file)

    def source(self, name: str | None = None) -> str:
        """The table of the file that holds the defaults, or an evaluation."""
        parts = ["tool.sqlrank"] if self.file.endswith(PROJECT) else []
        parts += [EVALUATIONS, name] if name else []
        return os.path.relpath(self.file) + (f" [{'.'.join(parts)}]" if parts else "")


def find_settings(folder: Path) -> Settings | None:
    """The settings of the nearest folder, from this one up, that has any; UsageError if they cannot be read."""
    for place in (folder, *folder.parents):
        for name in (FILE, PROJECT):
            if (place / name).is_file() and (found := settings_in(place / name)) is not None:
                return found
    return None


def settings_in(file: Path) -> Settings | None:
    """The settings in a file; None for a project that has none."""
    import tomllib

    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        if file.name == PROJECT:
            return None  # of another tool's making, which that tool will complain about
        raise UsageError(f"{file}: cannot be read as TOML: {error}") from None
    if file.name == PROJECT:
        tools = content.get("tool")
        if not isinstance(tools, dict) or "sqlrank" not in tools:
            return None
        content = tools["sqlrank"]
    elif "tool" in content:
        raise UsageError(
            f"{file}: {FILE} has the options without [tool.sqlrank]: write [{EVALUATIONS}.search] rather than"
            f" [tool.sqlrank.{EVALUATIONS}.search], or keep that table in {PROJECT}"
        )
    if not isinstance(content, dict):
        raise UsageError(f"{file}: [tool.sqlrank] is a table, not {content!r:.60}")
    tables = content.pop(EVALUATIONS, {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise UsageError(f"{file}: {EVALUATIONS} are tables, such as [{EVALUATIONS}.search]")
    return Settings(str(file), content, tables)


class Settled:
    """The values of a command: those of the command line, then those of an evaluation, then those of the project."""

    def __init__(
        self,
        command: str,
        parameters: Sequence[Any],
        given: dict[str, Any],
        every_parameter: Callable[[], Iterable[Any]],
    ) -> None:
        self.command, self.values, self.every_parameter = command, given, every_parameter
        self.named = {alias: each for each in parameters for alias in aliases_of(each)}
        self.sources = {name: COMMAND_LINE for name, value in given.items() if value not in (None, False, (), [])}

    def settle(self, evaluation: str | None) -> None:
        """Take what is not on the command line from the settings; UsageError for a name that is not known."""
        settings = find_settings(Path.cwd())
        if evaluation is not None:
            if settings is None:
                raise UsageError(f"--config {evaluation}: neither {FILE} nor {PROJECT} holds settings, here or above")
            if evaluation not in settings.evaluations:
                known = list(settings.evaluations)
                hint = nearest(evaluation, known) + (f" (it has {', '.join(known)})" if known else "")
                raise UsageError(f"--config {evaluation}: {settings.source()} has no such evaluation{hint}")
            self.take(settings, settings.evaluations[evaluation], settings.source(evaluation), whole=True)
            if "model" in self.named and "model" not in self.sources:
                self.values["model"] = evaluation  # what is made of an evaluation is called as it is
        if settings is not None:
            self.take(settings, settings.defaults, settings.source(), whole=False)

    def take(self, settings: Settings, table: Mapping[str, Any], source: str, whole: bool) -> None:
        """Take values that are not there yet; if `whole`, each has to be one of this command."""
        for key, value in table.items():
            parameter = self.named.get(normal(key))
            if parameter is None:
                self.check(key, value, source, whole)
            elif parameter.name not in self.sources:
                self.values[parameter.name] = self.value(parameter, key, value, settings, source)
                self.sources[parameter.name] = source

    def check(self, key: str, value: Any, source: str, whole: bool) -> None:
        """Raise UsageError for a key that is no option of this command, or of none."""
        known = set(self.named) if whole else {alias for each in self.every_parameter() for alias in aliases_of(each)}
        text, elsewhere = str(value) if isinstance(value, str | int) else "", not whole and normal(key) in known
        told = fitting(normal(key), text, self.named) if elsewhere else instead_of(normal(key), text, known)
        if elsewhere and not told:
            return
        what = f"{key} is not an option of {self.command}" if whole or elsewhere else f"there is no option {key}"
        raise UsageError(f"{source}: {what}" + (f": write {told}" if told else nearest(key, sorted(known))))

    def value(self, parameter: Any, key: str, value: Any, settings: Settings, source: str) -> Any:
        """A value as the command line would give it; UsageError for one of another kind."""
        where = f"{source}: {key}"
        if getattr(parameter, "is_flag", False):
            if not isinstance(value, bool):
                raise UsageError(f"{where} is true or false, not {value!r}")
            return value == (normal(key) in spellings(parameter))
        several = parameter.nargs == -1 or getattr(parameter, "multiple", False)
        texts = list(texts_of(value, where))
        if told := " ".join(filter(None, (instead_of_value(self.command, parameter.name, text) for text in texts))):
            raise UsageError(f"{where}: write {told}")
        if isinstance(value, dict) and not several:
            texts = [",".join(texts)]
        if not several and len(texts) != 1:
            raise UsageError(f"{where} is one value, not {value!r}")
        if self.is_path(parameter.name):
            texts = [beside(text, settings.folder) for text in texts]
        return texts if several else texts[0]

    def is_path(self, name: str) -> bool:
        """Whether the values of a parameter are paths here."""
        tables = self.command in OF_SESSIONS or self.values.get("database")
        return name in PATHS and not (name in TABLES and tables)

    def lines(self) -> Iterator[str]:
        """Every value with where it comes from, as TOML."""
        for parameter in dict.fromkeys(self.named.values()):
            if parameter.name in self.sources:
                value = json.dumps(self.shown_value(parameter), ensure_ascii=False)
                yield f"{shown_key(parameter)} = {value}  # {self.sources[parameter.name]}"

    def shown_value(self, parameter: Any) -> Any:
        """What a file would say: one text for a file that may be several."""
        value = self.values[parameter.name]
        several = parameter.name in (*PATHS, "where") and getattr(parameter, "multiple", False)
        return value[0] if several and len(value) == 1 else value


def shown_key(parameter: Any) -> str:
    """What a file would call a parameter."""
    if parameter.param_type_name == "argument":
        return "run" if parameter.name == "runs" else str(parameter.name)
    return spellings(parameter)[0].replace("_", "-")


def aliases_of(parameter: Any) -> set[str]:
    """The keys that mean a parameter: its name here and in Python, and `run` for `runs`."""
    return {parameter.name, *spellings(parameter), *(["run"] if parameter.name == "runs" else [])}


def spellings(parameter: Any) -> list[str]:
    """The long names of an option as keys."""
    options = parameter.opts if parameter.param_type_name == "option" else []
    return [normal(text[2:]) for text in options if text.startswith("--")]


def normal(key: str) -> str:
    """A key with underscores."""
    return key.replace("-", "_")


def texts_of(value: Any, where: str) -> Iterator[str]:
    """The texts of a value, of each of several, or of a table as NAME=VALUE; UsageError for what is neither."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield f"{name}={','.join(texts_of(part, where))}"
    elif isinstance(value, list):
        for part in value:
            yield from texts_of(part, where)
    elif isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UsageError(f"{where} is a text, a number, or several, not {value!r}")
    else:
        yield str(value)


def beside(text: str, folder: str) -> str:
    """A path that is relative to the folder of the settings; also after the name of a system."""
    from sqlrank.inputs.databases import extension_of
    from sqlrank.inputs.files import in_catalogue
    from sqlrank.inputs.reading import SYSTEM_NAME
    from sqlrank.process.remote import URL

    if extension_of(text) == "ducklake":
        scheme, _, file = text.partition(":")
        return text if ":" in file else f"{scheme}:{beside(file, folder)}"
    if extension_of(text) is not None:
        return text
    name, equals, path = text.partition("=")
    prefix, path = (f"{name}=", path) if equals and SYSTEM_NAME.match(name) else ("", text)
    if path == "-" or URL.match(path) or os.path.isabs(path) or in_catalogue(path):
        return text
    return prefix + os.path.relpath(os.path.join(folder, path))
