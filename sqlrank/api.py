"""The Python interface of evaluation: a run, or many against the same judgments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, Self, Unpack

from sqlrank.arguments import public
from sqlrank.evaluation.flow import evaluated, kept_request, shown_statements
from sqlrank.evaluation.options import Checks, Engine, EvaluateOptions, Options
from sqlrank.evaluation.request import AS_THEY_ARE, as_systems, request_of
from sqlrank.evaluation.result import Result
from sqlrank.options.shared import Session, part_of

if TYPE_CHECKING:
    from sqlrank.evaluation.kept_judgments import KeptJudgments

inherited: list[KeptJudgments] = []
"""What a parent process kept: closing it would wait for threads that are not there."""


@public(record=EvaluateOptions)
def evaluate(
    run: Any = None,
    qrels: Any = None,
    metrics: str | Iterable[str] | None = None,
    *,
    systems: Mapping[str, Any] | None = None,
    **options: Unpack[EvaluateOptions],
) -> Result:
    """Score rankings.

    Args:
        run: rows of query_id, doc_id and score (or rank): a path, glob, folder or URL, a pandas, polars or Arrow table,
            a DuckDB relation, or `{query: {document: score}}`; on Spark a data frame or the name of a table too; a
            list of paths for several systems. A path of LETOR takes its scores from `scores`: a file with one a line, a
            list or an array of numbers, or several of these by the name of their system.
        qrels: rows of query_id, doc_id and relevance, likewise, a list of several too; None where the run has a
            relevance column, or no metric needs judgments.
        metrics: texts such as `ndcg@10` or `ap(rel=2)@100`; None for the default ones.
        systems: several runs by the name of their system, in place of `run`.
        **options: conventions and ways of reading, by the names of the command line.

    Returns:
        The values, with per-query rows and the statement that made them.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: an input is missing, unreadable or wrong.
        ResourceError: memory or disk ran out.
    """
    settings, told = part_of(options, Session, Checks, Engine), part_of(options, Options)
    request = kept_request(metrics, told, options["texts"])
    request = request.beside(options["judged"], options["bounds"], metrics is not None)
    return evaluated(request, run, qrels, systems=systems, **settings)


@public(record=Options)
def show_sql(
    run: Any, qrels: Any = None, metrics: str | Iterable[str] | None = None, **options: Unpack[Options]
) -> str:
    """The statements that `evaluate` would run for files, as text for a bare DuckDB.

    Args:
        run: as for `evaluate`.
        qrels: as for `evaluate`.
        metrics: as for `evaluate`.
        **options: conventions and ways of reading.
    """
    return shown_statements(request_of(metrics, AS_THEY_ARE | options), run, qrels)


@public(record=Options)
def columns_of(metrics: str | Iterable[str] | None = None, **options: Unpack[Options]) -> dict[str, str]:
    """The column of per-query rows that holds each metric, by the text that asks for it.

    Args:
        metrics: texts such as `ndcg@10`, or names of other tools such as `map_cut_5`; None for the default ones.
        **options: those that say what the texts mean, `rel`, `like` and `metrics_dir`; the others change no column.

    Returns:
        For example `{"map_cut_5": "ap_at_5"}`. A text that asks for several metrics, such as `ndcg@5,10`, is there as
        the text of each of them; a metric with one value for a whole system, such as `auc`, has no column.

    Raises:
        UsageError: a metric or an option is not known.
    """
    request = request_of(metrics, options)
    return request.columns


class Evaluator:
    """Evaluates run after run against the same judgments, as a training loop does; several threads may share one.

    The judgments are read once, when it is made, and checked with the first run: what is changed in them later is not
    seen.

    Args:
        qrels: the judgments, as `evaluate` takes them.
        metrics: texts such as `ndcg@10`.
        **options: the options of `evaluate`.
    """

    @public(record=EvaluateOptions)
    def __init__(
        self, qrels: Any = None, metrics: str | Iterable[str] | None = None, **options: Unpack[EvaluateOptions]
    ) -> None:
        from sqlrank.evaluation.kept_judgments import KeptJudgments, as_it_is, keeps

        self.settings, asked = part_of(options, Session, Checks, Engine), part_of(options, Options)
        made = request_of(metrics, asked, options["texts"])
        made = made.beside(options["judged"], options["bounds"], metrics is not None)
        made.judgments(qrels)
        self.qrels, self.request = as_it_is(qrels), made.with_positives(as_it_is(made.reading.positives))
        self.judgments = self.request.judgments(self.qrels)
        self.lock = Lock()
        kept = keeps(self.request, [self.judgments], self.settings)
        self.kept = KeptJudgments(self.request, self.judgments, self.keeping()) if kept else None

    def keeping(self) -> dict[str, Any]:
        """The settings of the instance that keeps the judgments."""
        return {name: self.settings[name] for name in ("threads", "memory_limit", "temp_dir") & self.settings.keys()}

    @public()
    def __call__(self, run: Any = None, *, systems: Mapping[str, Any] | None = None) -> Result:
        """The result of one run, or of several.

        Args:
            run: as for `evaluate`; a list holds several.
            systems: several runs by the name of their system, in place of `run`.
        """
        from sqlrank.evaluation.kept_judgments import KeptJudgments, keeps

        run, systems = as_systems(run, systems)
        if not keeps(self.request, [run, *(systems or {}).values(), self.judgments], self.settings):
            return evaluated(self.request, run, self.qrels, systems=systems, **self.settings)
        checks, progress = self.settings.get("checks", True), self.settings.get("progress", False)
        with self.lock:
            if self.kept is not None and self.kept.inherited:
                inherited.append(self.kept)
                self.kept = None
            if self.kept is None or not self.kept.usable:
                self.kept = KeptJudgments(self.request, self.judgments, self.keeping())
            kept = self.kept
        return kept.evaluated(run, systems, checks, progress)

    def close(self) -> None:
        """Let go of the judgments; results stay, and a further run reads them again."""
        with self.lock:
            self.kept = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
