"""Calls on a session of Spark, which Ctrl-C and time limits cancel, and its errors without the stack of the JVM."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from sqlrank.engines.interrupt import interruptible, limited
from sqlrank.errors import DataError, ResourceError, SqlrankError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*)\]\s*(.*)", re.DOTALL)
"""A condition of Spark and what it says."""
CAUSE = re.compile(r"^Caused by: [\w.$]+: (.*)$", re.MULTILINE)
END = re.compile(r"\s*(?:SQLSTATE: \w+|\n\s*at |\n== SQL|\n\nJVM stacktrace|\n\nDriver stacktrace|\n'?[A-Z]\w+ \[)")
"""Where the message of Spark ends and its internals begin."""
FULL = ("No space left on device", "Disk quota exceeded")
EXHAUSTED = ("OutOfMemoryError", "Java heap space", "UNABLE_TO_ACQUIRE_MEMORY", "SparkOutOfMemoryError", "GC overhead")
LOST = (
    "stopped SparkContext",
    "SparkContext was shut down",
    "Connection refused",
    "StatusCode.UNAVAILABLE",
    "Answer from Java side is empty",
    "JVM_ATTRIBUTE_NOT_SUPPORTED",
)
OURS = ("pyspark.", "py4j.", "grpc.")
"""The packages whose errors are Spark's."""
REQUEST = ("ParseException", "AnalysisException", "UNRESOLVED", "DATATYPE_MISMATCH", "PARSE_SYNTAX_ERROR")


def translated(error: BaseException) -> SqlrankError | KeyboardInterrupt | None:
    """Translate an error of Spark; None where it is another's."""
    if not any(kind.__module__.startswith(OURS) for kind in type(error).__mro__):
        return None
    whole = str(error)
    text = said(whole)
    if "CANCELLED" in whole or "OPERATION_CANCELED" in whole:
        return ResourceError(f"the job was cancelled in Spark: {text}")
    if any(sign in whole for sign in FULL):
        return ResourceError(f"a disk of Spark is full: {text}; see spark.local.dir")
    if any(sign in whole for sign in EXHAUSTED):
        return ResourceError(f"memory of Spark ran out: {text}; see spark.executor.memory and spark.driver.memory")
    if any(sign in whole for sign in LOST):
        return ResourceError(f"Spark is gone or does not answer: {text}")
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if kinds & set(REQUEST) and not {"PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA"} & set(conditions(whole)):
        unreadable = "FAILED_TO_CREATE_PLAN" in whole or "FAILED_READ_FILE" in whole
        return DataError(text) if unreadable else UsageError(text)
    return DataError(text)


def conditions(text: str) -> list[str]:
    """The conditions that Spark names, the outermost first."""
    return [name.partition(".")[0] for name in re.findall(r"\[([A-Z][A-Z0-9_.]+)\]", text)]


def said(text: str) -> str:
    """The message of Spark on one line: of the innermost cause where a file could not be read."""
    causes = CAUSE.findall(text)
    found = [CONDITION.search(part) for part in (text, *causes)]
    named = [match for match in found if match]
    parts = [first_of(match[2]) for match in named[:1]]
    if named and named[0][1].startswith(("FAILED_READ_FILE", "FAILED_TO_CREATE_PLAN")) and causes:
        parts.append(first_of(causes[-1]))
    return "; ".join(filter(None, parts)) or first_of(text.partition("\n: ")[2] or text)


def first_of(text: str) -> str:
    """The part of a message that is meant for people."""
    message = END.split(text, maxsplit=1)[0]
    found = CONDITION.match(message)
    return " ".join((found[2] if found else message).split()).removesuffix(".")[:500]


@contextmanager
def quiet() -> Iterator[None]:
    """Keep PySpark from logging the errors of the calls inside, which are translated."""
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        yield
        return
    logger = PySparkLogger.getLogger("SQLQueryContextLogger")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


T = TypeVar("T")

GROUP = ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel")
"""The properties of a thread that a job group sets."""


class Jobs:
    """Calls functions on a session, the jobs of each in a group of their own."""

    def __init__(self, session: SparkSession, remote: bool) -> None:
        self.session, self.remote = session, remote

    def call(self, group: str, work: Callable[[], T], limit: tuple[float, str] | None) -> T:
        """Call a function, with errors translated; Ctrl-C cancels its jobs, as a time limit does."""
        try:
            with quiet(), limited(limit, partial(self.interrupt, group)):
                return interruptible(partial(self.interrupt, group), self.prepared(group, work))
        except Exception as error:
            ours = translated(error)
            if ours is None:
                raise
            raise ours from None

    def interrupt(self, group: str) -> None:
        """Cancel what a group runs; the first to end may close the session before we get here."""
        with suppress(Exception):
            if self.remote:
                self.session.interruptTag(group)
            else:
                self.session.sparkContext.cancelJobGroup(group)

    def prepared(self, group: str, work: Callable[[], T]) -> Callable[[], T]:
        """A call whose jobs belong to a group, so that they can be cancelled from another thread."""

        def tagged() -> T:
            self.session.addTag(group)
            try:
                return work()
            finally:
                self.session.removeTag(group)

        def grouped() -> T:
            context = self.session.sparkContext
            before: dict[str, Any] = {name: context.getLocalProperty(name) for name in GROUP}
            context.setJobGroup(group, "sqlrank", interruptOnCancel=True)
            try:
                return work()
            finally:
                for name, value in before.items():
                    context.setLocalProperty(name, value)

        if self.remote:
            return tagged
        if threading.current_thread() is not threading.main_thread():
            return grouped
        from pyspark.util import inheritable_thread_target

        inheriting: Callable[[], T] = inheritable_thread_target(self.session)(grouped)
        return inheriting
