"""The jobs of calls on a session of Spark, which Ctrl-C and time limits cancel."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from sqlrank.engines.interrupt import interruptible, limited
from sqlrank.engines.spark_errors import quiet, translated

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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
