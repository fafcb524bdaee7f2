"""The reference of Python with every option of a call, which its signature and its documentation hold at run time."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

import griffe


class DeclaredOptions(griffe.Extension):
    """Gives functions that take a record of options the parameters and the docstring that `help()` shows."""

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Replace `**options` by the options of its record."""
        if not any("record=" in str(each.value) for each in func.decorators):
            return
        found: Any = import_module(func.module.path)
        for name in func.path.removeprefix(f"{func.module.path}.").split("."):
            found = getattr(found, name)
        kind = griffe.ParameterKind.keyword_only
        told = inspect.signature(found).parameters
        plain = [each for each in func.parameters if each.kind is not griffe.ParameterKind.var_keyword]
        taken = [name for name in told if name not in {each.name for each in plain}]
        func.parameters = griffe.Parameters(
            *plain,
            *(
                griffe.Parameter(name, annotation=annotated(told[name]), kind=kind, default=usual(told[name]))
                for name in taken
            ),
        )
        if func.docstring is not None:
            func.docstring.value = inspect.getdoc(found) or ""


def annotated(parameter: inspect.Parameter) -> str:
    """The type of an option as it is written."""
    text = inspect.formatannotation(parameter.annotation)
    return text.replace("collections.abc.", "").replace("datetime.", "")


def usual(parameter: inspect.Parameter) -> str:
    """The default of an option as it is written."""
    return "..." if parameter.default is ... else repr(parameter.default)
