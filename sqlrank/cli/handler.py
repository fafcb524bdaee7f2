"""The one handler of the command line: every exception becomes one line on stderr and a documented exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from errno import EISDIR, ELOOP, ENOENT, ENOTDIR
from typing import Any

from sqlrank.errors import ExitCode, SqlrankError, on_the_command_line
from sqlrank.process import signals, streams

TRACEBACK = "SQLRANK_TRACEBACK"
"""The environment variable that asks for a traceback besides the line."""
CUTOFFS = ("-k", "--k", "--cutoff", "--at", "--top-k")
"""How other tools call the option of a cutoff."""
OF_INPUTS = (ENOENT, ENOTDIR, EISDIR, ELOOP)
"""What the system says of a file that is not there or is none; all else is of a resource."""


def exit_code_of(command: Callable[[], Any]) -> int:
    """Run a command, report what went wrong, and return the exit code, which is 0 if the command returns None."""
    streams.show_all()
    try:
        with on_the_command_line():
            code: Any = command()
        streams.flush()
        code = ExitCode.DONE if code is None else int(code)
    except BaseException as error:
        if signals.State.first is None:
            with on_the_command_line():
                return reported(error)
        code = ExitCode.INTERRUPTED
    if signals.State.first is None and code != ExitCode.INTERRUPTED:
        return int(code)
    say("error", signals.told())
    return signals.exit_code()


def reported(error: BaseException) -> int:
    """Say what went wrong, and give the exit code for it."""
    if isinstance(error, KeyboardInterrupt):
        say("error", signals.told())
        return ExitCode.INTERRUPTED
    if isinstance(error, SystemExit):
        return int(error.code or ExitCode.DONE)
    if isinstance(error, BrokenPipeError):
        streams.abandon(sys.stdout)
        return ExitCode.DONE
    code, text = judged(of_standard_output(error))
    if os.environ.get(TRACEBACK):
        import traceback

        streams.say("".join(traceback.format_exception(error)).rstrip())
    say("error", text)
    return code


def of_standard_output(error: BaseException) -> BaseException:
    """What standard output raises when what it still holds is written again; without that, the error itself."""
    if isinstance(error, OSError) and error.filename is None:
        try:
            streams.flush()
        except SqlrankError as full:
            return full
    return error


def judged(error: BaseException) -> tuple[ExitCode, str]:
    """The exit code for an exception and the line that says what it is."""
    if isinstance(error, SqlrankError):
        return ExitCode(error.exit_code), str(error)
    if hasattr(error, "format_message"):  # of the parser of arguments
        return ExitCode.USAGE, of_the_parser(error)
    if isinstance(error, MemoryError):
        return ExitCode.RESOURCE, "memory ran out; see --memory-limit and --threads"
    if isinstance(error, OSError):
        named = "an output or a temporary file: " if error.filename is None else f"{error.filename}: "
        code = ExitCode.DATA if error.errno in OF_INPUTS else ExitCode.RESOURCE
        return code, f"{named}{error.strerror or error}"
    if isinstance(error, UnicodeEncodeError):
        return ExitCode.USAGE, f"an argument or a file name is not valid UTF-8: {error.object!r:.100}"
    if isinstance(error, UnicodeDecodeError):
        return ExitCode.DATA, f"an input is not valid UTF-8: {error}"
    if type(error).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
        from sqlrank.engines.duckdb_errors import translated

        found = translated(error)  # type: ignore[arg-type]
        if type(found) in SqlrankError.__subclasses__():
            return judged(found)
    what = f"{type(error).__name__}: {str(error)[:300]}"
    return ExitCode.INTERNAL, (
        f"internal error: {what}; please report it with the command, and with what {TRACEBACK}=1 in the environment"
        " adds to this line"
    )


def of_the_parser(error: Any) -> str:
    """What the parser of arguments says, begun small as all messages are, and where to read on."""
    text, context = str(error.format_message()).rstrip("."), getattr(error, "ctx", None)
    if getattr(error, "option_name", None) in CUTOFFS:
        text += "; a cutoff is part of its metric: -m ndcg@10"
    return f"{text[:1].lower()}{text[1:]}" + (f" (see {context.command_path} --help)" if context else "")


def say(kind: str, text: str) -> None:
    """One line on stderr, after everything that stdout has."""
    from sqlrank.dialects import visible  # not before it is needed

    streams.say(f"sqlrank: {kind}: {visible(' '.join(text.split()))}")
