"""Results as cells of a notebook show them."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import Any

from sqlrank.behaviour.inspected import LogInspection
from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.propensities import Propensities
from sqlrank.comparison.notes import legend
from sqlrank.comparison.result import Comparison
from sqlrank.counterfactual.values import Values
from sqlrank.errors import UsageError
from sqlrank.evaluation.explanation import ExplainedDifference, Explanation
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.experiments.result import ArmComparison
from sqlrank.interleaving.interleaved import Interleaved
from sqlrank.judging.pooling.pool import Pool
from sqlrank.judging.raters.rater_agreement import RaterAgreement
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.judgment_sets.compared import JudgmentSets
from sqlrank.monitoring.monitored import Monitored
from sqlrank.output.agreement import agreement_table, reference_tables
from sqlrank.output.behaviour import judgments_table, propensities_tables
from sqlrank.output.experiments import arms_table
from sqlrank.output.explanation import both_values_table, documents_table, explained, places_table
from sqlrank.output.interleaving import preference_table
from sqlrank.output.judgment_sets import judgment_sets_table
from sqlrank.output.monitoring import charts_table
from sqlrank.output.pool import pool_table
from sqlrank.output.summary import summary_table
from sqlrank.output.tables import DIGITS
from sqlrank.output.values import values_tables
from sqlrank.pages.html import fragment_html
from sqlrank.pages.line_tables import lines_table
from sqlrank.pages.tables import Table, listed
from sqlrank.pages.words import words_of
from sqlrank.reports.tables import comparison_page_table, parts_page_table, verdict_page_table
from sqlrank.statistics.student import CONFIDENCE

WORDS = words_of("en")


def result_html(result: Any) -> str:
    """A result with its notes and remarks; UsageError if there are no tables of its kind."""
    if isinstance(result, Explanation):
        return fragment_html([places_table(result, DIGITS), metrics_table(result)])
    tables, remarks = tables_of(result), result.remarks()
    if isinstance(result, Comparison | ArmComparison):
        remarks.append(legend(result.questions))
    return fragment_html(tables, result.notes, WORDS("method"), remarks)


def log_html(found: LogInspection) -> str:
    """What a log is: its roles, the command to go on with, what was settled and what was noticed."""
    roles = lines_table(takewhile(bool, found.lines()))
    tables = [roles, listed(["command"], [[found.command]], caption="to go on with")]
    return fragment_html(tables, [*found.settled, *found.notes])


def tables_of(result: Any) -> list[Table]:
    """The tables of a result; UsageError if there are none of its kind."""
    match result:
        case MetricResult():
            caption = WORDS("summary-table", confidence=CONFIDENCE)
            return [replace(summary_table(result, DIGITS), caption=caption)]
        case Comparison():
            parts = [parts_page_table(result, WORDS)] if result.all_parts else []
            return [comparison_page_table(result, WORDS, result.all_rows), *parts]
        case SideBySide():
            return [verdict_page_table(result, WORDS)]
        case Pool():
            return [pool_table(result, DIGITS)]
        case Judgments():
            return [judgments_table(result, DIGITS)]
        case Propensities():
            return propensities_tables(result, DIGITS)
        case Interleaved():
            return [preference_table(result, DIGITS).without("drawn")]
        case ArmComparison():
            return [arms_table(result, DIGITS).without("drawn")]
        case Values():
            return values_tables(result, DIGITS)
        case Monitored():
            return [charts_table(result, DIGITS)]
        case JudgmentSets():
            return [judgment_sets_table(result, DIGITS)]
        case RaterAgreement():
            return [agreement_table(result, DIGITS).without("drawn"), *reference_tables(result, DIGITS)]
        case ExplainedDifference():
            return [documents_table(result, DIGITS).toneless(), both_values_table(result, DIGITS).toneless()]
    raise UsageError(f"there are no tables of a {type(result).__name__}")


def metrics_table(explanation: Explanation) -> Table:
    """The values of the metrics of one ranking."""
    values = [(text, explained("value", value, DIGITS)) for text, value in explanation.values.items()]
    return listed([WORDS("metric"), WORDS("value")], values, numbers=[WORDS("value")])
