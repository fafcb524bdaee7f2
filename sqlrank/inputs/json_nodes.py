"""A document of JSON that is read whole: its values, and where each stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlrank.errors import DataError
from sqlrank.inputs.column_names import is_number
from sqlrank.inputs.nested_json import Pairs, shown

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a document, and where it is; its methods raise DataError for a value of another kind."""

    value: Any
    file: str
    path: str = ""

    def members(self) -> dict[str, Node]:
        """The members of an object by key."""
        if not isinstance(self.value, Pairs):
            raise self.wrong("an object")
        found = {str(key): Node(one, self.file, f"{self.path}.{key}".lstrip(".")) for key, one in self.value}
        if len(found) < len(self.value):
            keys = [key for key, _ in self.value]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise DataError(f"{self.file}: the key {shown(twice)} appears twice in {self.path or 'the document'}")
        return found

    def elements(self) -> list[Node]:
        """The values of a list."""
        if isinstance(self.value, Pairs) or not isinstance(self.value, list):
            raise self.wrong("a list")
        return [Node(one, self.file, f"{self.path}[{place}]") for place, one in enumerate(self.value)]

    def get(self, key: str, advice: str = "") -> Node:
        """A member that has to be there; the error of one that is not ends in the advice."""
        members = self.members()
        if key not in members:
            raise DataError(f"{self.file}: {self.path or 'the document'} has no {key}{advice}")
        return members[key]

    def id(self) -> str:
        """A text, or a whole number, that is no empty text."""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int) or self.value == "":
            raise self.wrong("an id")
        if "\x00" in str(self.value):
            raise DataError(f"{self.file}: {self.path} holds a NUL character: {shown(self.value)}")
        return str(self.value)

    def number(self) -> Any:
        """A number, or a text of one."""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            raise self.wrong("a number")
        if not is_number(str(self.value)):
            raise self.wrong("a number")
        return self.value

    def wrong(self, what: str) -> DataError:
        """The error of a value that is no such thing."""
        return DataError(f"{self.file}: {self.path or 'the document'}: expected {what}, found {shown(self.value)}")
