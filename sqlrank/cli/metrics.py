"""The command that shows the catalogue of metrics."""

from __future__ import annotations

from sqlrank.cli import options as o
from sqlrank.cli.completion import metric_names
from sqlrank.cli.groups import Group, argument
from sqlrank.cli.terminal import show


class MetricName(Group, heading="Metrics"):
    """The metric that is shown."""

    name: str | None = argument("NAME", "Metric to show, or words to search for", required=False, complete=metric_names)


def metrics_command(metric: MetricName, own: o.OwnMetrics) -> None:
    """List the metrics, show one (formula, parameters and SQL), or search for words.

    Words are searched in the names, in the titles (English and Chinese) and in the names that other tools use.

    Examples:
        sqlrank metrics
        sqlrank metrics ndcg
        sqlrank metrics 'hit rate'
        sqlrank metrics 'ap(rel=2)@100'
    """
    import sys

    from sqlrank.errors import UsageError
    from sqlrank.pages.terminal_tables import shows_marks
    from sqlrank.reference.metric_pages import catalogue_page, metric_page, search_page

    folder = own.given().get("metrics_dir")
    if metric.name is None:
        show(catalogue_page(folder))
        return
    try:
        page = metric_page(metric.name, folder, pretty=sys.stdout.isatty() and shows_marks())
    except UsageError:
        found = search_page(metric.name, folder)
        if found is None:
            raise
        page = found
    show(page)
