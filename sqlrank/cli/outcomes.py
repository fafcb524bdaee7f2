"""What came of gates: the exit code where one failed, and a report for CI systems."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlrank.errors import GateError, Outcome

if TYPE_CHECKING:
    from sqlrank.process.output_files import Target

NOT_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def conclude(outcomes: Sequence[Outcome], command: str, junit: Target | None) -> None:
    """Write the JUnit report, if one is wanted, and raise GateError with every failure."""
    if junit is not None:
        from sqlrank.output.formats import write_text

        text = report(outcomes, command)
        write_text(junit, lambda file: file.writelines([text]))
    failures = [outcome.failure for outcome in outcomes if outcome.failure is not None]
    if failures:
        raise GateError("; ".join(failures))


def report(outcomes: Sequence[Outcome], command: str) -> str:
    """The outcomes in the XML of JUnit, which CI systems show."""
    from xml.etree import ElementTree

    failed = sum(outcome.failure is not None for outcome in outcomes)
    counts = {"tests": str(len(outcomes)), "failures": str(failed), "errors": "0", "skipped": "0"}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": f"sqlrank {command}"} | counts)
    for outcome in outcomes:
        named = {"classname": f"sqlrank.{command}", "name": in_xml(outcome.name)}
        case = ElementTree.SubElement(suite, "testcase", named)
        if outcome.failure is not None:
            failure = in_xml(outcome.failure)
            ElementTree.SubElement(case, "failure", {"type": "gate", "message": failure}).text = failure
        if outcome.power is not None:
            ElementTree.SubElement(case, "system-out").text = in_xml(outcome.power)
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n'


def in_xml(text: str) -> str:
    """Text without what XML cannot hold."""
    from sqlrank.dialects import visible

    return re.sub(NOT_XML, "\ufffd", visible(text))
