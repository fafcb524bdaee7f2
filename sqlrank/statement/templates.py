"""Rendering templates, in a Jinja environment in which no raw text can reach the SQL."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    ModuleLoader,
    StrictUndefined,
)
from jinja2.bccache import Bucket
from markupsafe import Markup

from sqlrank.dialects import DUCKDB, Dialect, comment_text
from sqlrank.sql_files import sql_folder
from sqlrank.statement.lines import indented
from sqlrank.version import __version__

Made = TypeVar("Made", bound=Environment)

COMPILED = Path(__file__).parents[1] / "compiled"
"""The templates as modules of Python, for DuckDB; a wheel has them, a checkout has not."""
OTHERS = ("dbt/", "parts/", "spark/", "sqlite/")
"""The folders whose templates are not rendered for DuckDB under their own names."""


WORDS = (
    "text",
    "bytewise",
    "double",
    "one",
    "unsigned_zero",
    "single",
    "nth",
    "nth_of_text",
    "nth_end",
    "unnesting",
    "split",
    "exact_sum",
    "sample_deviation",
    "weekday",
    "broadcast",
)
"""The words of a dialect that the templates write."""


def only_sql(value: object) -> object:
    """Raise TypeError if a value reaches the SQL without the filter ident or literal."""
    if isinstance(value, Markup) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise TypeError(f"{value!r} reaches SQL without the filter ident or literal")


def marked(quote: Callable[[Any], str]) -> Callable[[Any], Markup]:
    """A quoting function as a filter whose result may reach the SQL."""
    return lambda value: Markup(quote(value))  # noqa: S704 the text is quoted


class NativeId(str):
    """The name of a column whose ids are told apart as they are, not by their texts; equal to no other name."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NativeId) and str.__eq__(self, other)

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        return f"NativeId({str.__repr__(self)})"


def name_or_column(dialect: Dialect, named: Any) -> str:
    """A name as an identifier, or what a column holds in a row."""
    return dialect.ident(named) if isinstance(named, str) else f"case when {named.when} then {named.value} else 0 end"


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in the user's own temporary folder: compiling them is half of a small evaluation."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled; a full disk is no reason to stop."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_templates(dialect: Dialect) -> CompiledTemplates | None:
    """Where the compiled templates of a dialect are kept, or None where there is no safe place."""
    try:
        return CompiledTemplates(pattern=f"sqlrank-{__version__}-{dialect.name}-%s.cache")
    except (OSError, RuntimeError):
        return None


@cache
def environment(dialect: Dialect) -> Environment:
    """The environment of one dialect; with autoescape, markup is what the filters and templates made."""
    files = FileSystemLoader(folders(dialect))
    if dialect is DUCKDB and COMPILED.is_dir():
        return furnished(Environment, ChoiceLoader([ModuleLoader(COMPILED), files]), dialect, None)
    return furnished(Environment, files, dialect, compiled_templates(dialect))


@cache
def overlaid(dialect: Dialect, folder: str) -> Environment:
    """The same with the templates of a folder of sql/ in place of their namesakes."""
    files = FileSystemLoader([sql_folder() / folder, *folders(dialect)])
    return furnished(Environment, files, dialect, compiled_templates(dialect))


def compile_templates(target: str) -> None:
    """Write the templates into a folder as modules of Python, as they are rendered for DuckDB."""
    made = furnished(Environment, FileSystemLoader(folders(DUCKDB)), DUCKDB, None)
    made.compile_templates(target, zip=None, ignore_errors=False, filter_func=is_rendered)


def is_rendered(template: str) -> bool:
    """Whether DuckDB renders a file of sql/."""
    return template.endswith(".sql") and not template.startswith(OTHERS)


def folders(dialect: Dialect) -> list[Path]:
    """Where the templates of a dialect are: in a folder of its name those that differ, below sql/ all others."""
    own = sql_folder() / dialect.name
    return [own, sql_folder()] if own.is_dir() else [sql_folder()]


def own_environment(dialect: Dialect, folder: str, steps: int, overlay: str | None = None) -> Environment:
    """The environment of one metric of the user: a sandbox that ends, with the same rules.

    The templates of the `overlay`, a folder of sql/, stand in place of their namesakes.
    """
    from sqlrank.statement.sandbox import BoundedEnvironment

    below = [sql_folder()] if overlay is None else [sql_folder() / overlay, sql_folder()]
    loader = ChoiceLoader([FileSystemLoader(folder), FileSystemLoader(below)])
    made = furnished(partial(BoundedEnvironment, steps), loader, dialect, None)
    made.close()
    return made


def furnished(
    kind: Callable[..., Made], loader: BaseLoader, dialect: Dialect, compiled: CompiledTemplates | None
) -> Made:
    """An environment with the filters and words of a dialect."""
    made = kind(
        loader=loader,
        extensions=["sqlrank.statement.quoted_names.QuotedNames"] if dialect.quoted else [],
        autoescape=True,
        finalize=only_sql,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=compiled,
    )
    made.quoted, made.quote = dialect.quoted, dialect.quote  # type: ignore[attr-defined]
    made.filters["ident"] = marked(partial(name_or_column, dialect))
    made.tests["native"] = lambda column: isinstance(column, NativeId)
    made.filters["indent"] = partial(indented, dialect)
    made.filters["literal"] = marked(dialect.literal)
    made.globals |= {name: Markup(getattr(dialect, name) or "") for name in WORDS}  # noqa: S704 our own words
    made.globals |= {
        "inline": inlined(dialect.inline),
        "rankings": None,
        "checked": False,
        "testing": False,
        "reach": None,
        "typed": dialect.typed,
    }
    return made


def render(template: str, dialect: Dialect, **context: Any) -> str:
    """The text of a template of sql/ for one engine."""
    return str(environment(dialect).get_template(template).render(**context))


def render_over(overlay: str, template: str, dialect: Dialect, **context: Any) -> str:
    """The same with the templates of a folder of sql/ in place of their namesakes."""
    return str(overlaid(dialect, overlay).get_template(template).render(**context))


def sql_text(text: str) -> Markup:
    """Text that is SQL already: rendered by a template, or written by the user where SQL is accepted."""
    return Markup(text)  # noqa: S704


def inlined(word: str | None) -> Markup:
    """The word of an engine before a step that it computes wherever it is read, with the space after it."""
    return sql_text(f"{word} " if word else "")


def comment(text: str) -> Markup:
    """Text that may stand in a `--` comment."""
    return Markup(comment_text(text))  # noqa: S704 cannot end the comment
