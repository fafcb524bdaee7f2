"""Templates of sql/ as macros of dbt, whose Jinja has no include, no import and none of our filters.

White space is settled by our own environment (its trim settings are not dbt's), so that both render the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath

from jinja2 import Environment, meta, nodes

from sqlrank.dialects import DIALECTS, DUCKDB
from sqlrank.statement.templates import environment

Token = tuple[str, str]
"""Kind and text, as Jinja's lexer gives them."""

PACKAGE = "sqlrank"
"""The name of the package, which stands before each of its macros where it is called."""

FOLDERS = {"": "template", "steps": "step", "metrics": "metric", "columns": "column", "overall": "metric", "macros": ""}
"""What the macro of a template is called after, by folder: `step_run` is steps/run.sql."""

QUOTED = re.compile(rf"--[^\n]*|\b({'|'.join(sorted({name for each in DIALECTS.values() for name in each.quoted}))})\b")
"""A comment, or a name that the templates write as it is and some engine refuses unless it is quoted."""

OPENING, CLOSING = "([", ")]"


@cache
def grammar() -> Environment:
    """Our environment without its words, which dbt does not have: they are variables there."""
    made = environment(DUCKDB).overlay()
    made.globals = {}
    return made


def macro_name(template: str, macro: str | None = None) -> str:
    """The name of the macro of a template, or of a macro that stands in it."""
    path = PurePosixPath(template)
    folder = "" if str(path.parent) == "." else str(path.parent)
    return "_".join(part for part in (FOLDERS[folder], path.stem, macro) if part)


def macros_of(template: str, source: str) -> dict[str, str]:
    """The macros of a file below sql/: its own, with the variables in one mapping, and those that stand in it."""
    tree = grammar().parse(source)
    calls = {name: macro_name(str(node.template.as_const()), name) for node, name in imported(tree)}
    calls |= {node.name: macro_name(template, node.name) for node in tree.find_all(nodes.Macro)}
    own = macro_name(template)
    bodies, current = {own: ""}, own
    for kind, tokens in pieces(source):
        word = tokens[0][1] if tokens else ""
        if kind == "block" and word == "macro":
            local = next(text for _, text in tokens[1:] if text.strip())
            current = calls[local]
            bodies[current] = opening(tokens, local, current) + words_of(tree, local, set(calls))
        elif kind == "block" and word == "endmacro":
            bodies[current] += "{% endmacro %}\n"
            current = own
        elif kind != "block" or word != "from":
            bodies[current] += written(kind, tokens, calls)
    body = bodies.pop(own)
    if body.strip():
        settings = variables(tree, "c['{}']")
        bodies[own] = f"{{% macro {own}(c) %}}{settings}{body}{{% endmacro %}}\n"
    return bodies


def imported(tree: nodes.Template) -> Iterator[tuple[nodes.FromImport, str]]:
    """Each macro that a template imports."""
    for node in tree.find_all(nodes.FromImport):
        for name in node.names:
            yield node, str(name)


def variables(tree: nodes.Template, where: str) -> str:
    """The settings at the head of a macro: each variable that its text reads."""
    return "".join(
        f"{{% set {name} = {where.format(name)} %}}" for name in sorted(meta.find_undeclared_variables(tree))
    )


def words_of(tree: nodes.Template, macro: str, macros: set[str]) -> str:
    """The same for a macro inside a template, whose free variables are words of the dialect."""
    node = next(node for node in tree.find_all(nodes.Macro) if node.name == macro)
    alone = nodes.Template([node], lineno=1)
    alone.set_environment(grammar())
    free = sorted(meta.find_undeclared_variables(alone) - macros)
    return "".join(f"{{% set {name} = {PACKAGE}.dialect()['{name}'] %}}" for name in free)


def pieces(source: str) -> Iterator[tuple[str, list[Token]]]:
    """The data, blocks and expressions of a template in order, without comments and signs that trim white space."""
    inside: list[Token] = []
    for _, kind, text in grammar().lex(source):
        if kind == "data":
            yield kind, [(kind, text)]
        elif kind in ("block_begin", "variable_begin"):
            inside = []
        elif kind in ("block_end", "variable_end"):
            yield kind.removesuffix("_end"), stripped(inside)
        elif not kind.startswith("comment"):
            inside.append((kind, text))


def stripped(tokens: list[Token]) -> list[Token]:
    """The tokens without white space at both ends."""
    kept = [number for number, (kind, _) in enumerate(tokens) if kind != "whitespace"]
    return tokens[kept[0] : kept[-1] + 1] if kept else []


def opening(tokens: list[Token], local: str, name: str) -> str:
    """The head of a macro, under its name in the package."""
    return "{% " + "".join(text for _, text in tokens).replace(local, name, 1) + " %}"


def written(kind: str, tokens: list[Token], calls: Mapping[str, str]) -> str:
    """One piece in dbt's Jinja."""
    if kind == "data":
        return QUOTED.sub(
            lambda found: f"{{{{ {PACKAGE}.ident('{found[1]}') }}}}" if found[1] else found[0], tokens[0][1]
        )
    if kind == "block" and tokens[0][1] == "include":
        name = macro_name(tokens[-1][1].strip("\"'"))
        return f"{{{{ {PACKAGE}.{name}(c) }}}}"
    text = "".join(text for _, text in renamed(applied(tokens), calls))
    return f"{{% {text} %}}" if kind == "block" else f"{{{{ {text} }}}}"


def applied(tokens: Iterable[Token]) -> list[Token]:
    """The tokens with each filter as a call: `x | ident` is `sqlrank.ident(x)`."""
    done: list[Token] = []
    filtering = False
    for kind, text in tokens:
        if (kind, text) == ("operator", "|"):
            filtering = True
            done = stripped(done)
        elif filtering and kind == "name":
            start = operand(done)
            done[start:] = [("name", f"{PACKAGE}.{text}"), ("operator", "("), *done[start:], ("operator", ")")]
            filtering = False
        elif not filtering:
            done.append((kind, text))
    return done


def operand(tokens: list[Token]) -> int:
    """Where what stands at the end begins: a name with its attributes, something in brackets, a call."""
    at = len(tokens) - 1
    while True:
        if tokens[at][1] in CLOSING:
            at = opening_bracket(tokens, at)
            if at > 0 and (tokens[at - 1][0] == "name" or tokens[at - 1][1] in CLOSING):
                at -= 1
                continue
        if at > 1 and tokens[at - 1][1] == ".":
            at -= 2
            continue
        return at


def opening_bracket(tokens: list[Token], at: int) -> int:
    """Where the bracket opens that closes here."""
    depth = 0
    for place in range(at, -1, -1):
        depth += (tokens[place][1] in CLOSING) - (tokens[place][1] in OPENING)
        if not depth:
            return place
    raise ValueError("a bracket is closed that nobody opened")


def renamed(tokens: list[Token], calls: Mapping[str, str]) -> Iterator[Token]:
    """The tokens with each call of a macro under its name in the package."""
    for number, (kind, text) in enumerate(tokens):
        called = kind == "name" and text in calls and tokens[number + 1 : number + 2] == [("operator", "(")]
        yield (kind, f"{PACKAGE}.{calls[text]}") if called else (kind, text)
