"""Jinja for user-defined metrics: a sandbox with a budget, from which a template cannot reach Python.

Every turn of a loop, call, filter and file counts as a step, and everything that is written or made is measured. There
is no other way in Jinja to go on or to grow, so that a template ends, whatever is in it.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from types import CodeType
from typing import Any

from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from sqlrank.metrics.catalogue import STEPS

SECONDS = 60
"""How long so many steps may last."""
LONGEST = 1_000_000
"""How many characters a template may write."""
LARGEST = 100_000
"""How long a text or list that it makes may be."""
BITS = 4096
"""How long a whole number may be."""

FILTERS = frozenset(
    """
    abs capitalize count d default dictsort e escape first float forceescape ident int items join last length list
    literal lower map max min reject rejectattr reverse round safe select selectattr sort string title trim unique upper
    """.split()
)
"""The filters that make nothing longer than what they are given."""
OF_TEXTS = frozenset(
    "capitalize count endswith find index isalnum isalpha isdigit lower lstrip partition removeprefix removesuffix "
    "rfind rpartition rstrip split startswith strip title upper".split()
)
"""The methods of texts that do."""


class Budget:
    """The steps and the time that a template may take, and the characters that it may write."""

    def __init__(self, steps: int) -> None:
        self.allowed, self.steps, self.characters = steps, steps, LONGEST
        self.end = time.monotonic() + SECONDS * max(1.0, steps / STEPS)

    def step(self, count: int = 1) -> None:
        """Count some steps; SecurityError if these are too many, or they last too long."""
        self.steps -= count
        if self.steps < 0 or time.monotonic() > self.end:
            raise SecurityError(
                f"it takes more than {self.allowed:,} steps; if it is to, raise the limit with steps = NUMBER in its"
                " entry"
            )

    def write(self, characters: int) -> None:
        """Count characters that are written; SecurityError if they are too many."""
        self.characters -= characters
        if self.characters < 0:
            raise SecurityError(f"it writes more than {LONGEST:,} characters of SQL")

    def made(self, value: Any) -> Any:
        """A value that was made, if it is of a bearable size."""
        if isinstance(value, Sized):
            self.step(len(value) // 64 if isinstance(value, str) else len(value))
            check_size(len(value))
        elif isinstance(value, int):
            check_size(LARGEST + 1 if value.bit_length() > BITS else 0)
        return value


def check_size(size: int) -> None:
    """Raise SecurityError if a value is too large."""
    if size > LARGEST:
        raise SecurityError(f"it makes a text, list or number that is too large (more than {LARGEST:,} long)")


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with a budget of steps that its templates may take together."""

    intercepted_binops = frozenset(("+", "*", "**", "%"))

    def __init__(self, steps: int, **options: Any) -> None:
        self.budget = Budget(steps)
        finalize = options.pop("finalize")
        super().__init__(**options, finalize=self.counting(finalize))
        self.globals = {"range": self.globals["range"], "dict": dict, "namespace": self.globals["namespace"]}

    def close(self) -> None:
        """Leave only filters that are known, each counted; called once all are there."""
        self.filters = {name: self.charged(function) for name, function in self.filters.items() if name in FILTERS}
        self.filters |= {"counted": self.counted, "opened": self.opened, "sized": self.budget.made}

    def counting(self, finalize: Callable[[object], object]) -> Callable[[object], object]:
        """The function that sees everything that is written, which counts it."""

        def counted(value: object) -> object:
            final = finalize(value)
            self.budget.write(len(str(final)))
            return final

        return counted

    def charged(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A filter that counts what it is given and what it makes."""

        @functools.wraps(function)
        def call(*given: Any, **options: Any) -> Any:
            for value in (*given, *options.values()):
                if isinstance(value, Sized) and not isinstance(value, Context):
                    self.budget.made(value)
            if function.__name__ == "do_join" or (function.__name__ == "sync_do_join"):
                check_size(joined(list(given)))
            if function.__name__ == "do_round" and any(
                isinstance(value, int) and abs(value) > BITS for value in given[1:]
            ):
                check_size(LARGEST + 1)
            return self.budget.made(function(*given, **options))

        return call

    def counted(self, values: Iterable[Any], size: int) -> Iterator[Any]:
        """What a loop goes over, each turn of which writes so many characters at most besides what is computed."""
        for value in values:
            self.budget.step()
            self.budget.write(size)
            yield value

    def opened(self, name: Any) -> Any:
        """The name of a template that is included or imported."""
        self.budget.step(100)
        return name

    def call(self, context: Context, obj: Any, *given: Any, **options: Any) -> Any:
        """Call a macro or function of a template."""
        self.budget.step()
        result = super().call(context, obj, *given, **options)
        if isinstance(result, str):
            self.budget.write(len(result) // 64)
        return self.budget.made(result)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Compute, unless the result would be too large."""
        if operator == "%" and isinstance(left, str):
            raise SecurityError("a text is formatted with %; write its parts next to one another")
        if operator == "**" and isinstance(left, int) and isinstance(right, int):
            check_size(LARGEST + 1 if abs(right) * left.bit_length() > BITS else 0)
        if operator == "*":
            for one, other in ((left, right), (right, left)):
                if isinstance(one, str | bytes | list | tuple) and isinstance(other, int):
                    check_size(len(one) * max(other, 0))
        return self.budget.made(super().call_binop(context, operator, left, right))

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may use an attribute: of texts and numbers only what makes nothing longer."""
        if isinstance(obj, str | bytes):
            return attr in OF_TEXTS
        if isinstance(obj, int | float):
            return attr == "is_integer"
        return bool(super().is_safe_attribute(obj, attr, value))

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """The method format of texts, which may make them as long as it is told, is refused."""
        return refused_format if super().wrap_str_format(value) is not None else None

    def compile(  # type: ignore[override]
        self,
        source: str | nodes.Template,
        name: str | None = None,
        filename: str | None = None,
        raw: bool = False,
        defer_init: bool = False,
    ) -> CodeType | str:
        """Compile a template in which loops and files are counted."""
        if isinstance(source, str):
            tree: nodes.Template = Bounding().visit(self.parse(source, name, filename))
            tree.set_environment(self)
            source = tree
        return super().compile(source, name, filename, raw, defer_init)  # type: ignore[call-overload, no-any-return]


def refused_format(*_given: Any, **_options: Any) -> str:
    """Stand in the place of the method format of texts, and raise SecurityError."""
    raise SecurityError("a text is formatted; write its parts next to one another")


def joined(given: list[Any]) -> int:
    """How long the text is at most that a list makes when it is joined."""
    values = next((value for value in given if isinstance(value, list | tuple)), [])
    mark = next((value for value in given if isinstance(value, str)), "")
    return sum(len(str(value)) + len(mark) for value in values)


class Bounding(NodeTransformer):
    """Puts the filters that count around what loops go over, files that are read, and texts that are put together."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 the name of the node
        """Count the turns of a loop."""
        self.generic_visit(node)
        size = sum(len(data.data) for data in node.find_all(nodes.TemplateData))
        node.iter = around(node.iter, "counted", nodes.Const(size, lineno=node.lineno))
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        """Measure a text that is put together."""
        self.generic_visit(node)
        return around(node, "sized")

    def file(self, node: Any) -> nodes.Node:
        """Count a file."""
        self.generic_visit(node)
        node.template = around(node.template, "opened")
        return node  # type: ignore[no-any-return]

    visit_Include = visit_Import = visit_FromImport = visit_Extends = file  # noqa: N815


def around(node: Any, name: str, *given: nodes.Expr) -> nodes.Filter:
    """A filter on an expression."""
    return nodes.Filter(node, name, list(given), [], None, None, lineno=node.lineno)
