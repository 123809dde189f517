"""Dispatch of the command line: loads and runs one command, prints its failure, and returns the exit code.

Every command has a separate typer program, so that a call loads only one command.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from repoquarry.client.errors import RequestFailure
from repoquarry.server.cli.commands import COMMANDS, GROUPS, load
from repoquarry.server.cli.output import (
    AMBIGUOUS_EXIT_CODE,
    drop_stdout,
    guarded_output,
    prepare_streams,
    translated,
)
from repoquarry.server.errors import EXIT_CODES, RequestError, ServerFailure, to_failure
from repoquarry.server.text_format import json_text, numbered

if TYPE_CHECKING:
    import typer

COMPLETION = {
    "--install-completion": "Install shell completion of commands, options, repositories and formats.",
    "--show-completion": "Print the completion script.",
}
VARIABLE = "_REPOQUARRY_COMPLETE"
"""Variable that the shell sets to request completion."""


def program(name: str) -> typer.Typer:
    import typer

    application = typer.Typer(add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})
    function = load(name)
    # Only the output of the command is guarded: its help is trusted and keeps its colors.
    application.command(name, help=function.__doc__)(guarded_output()(function))
    return application


def usage() -> str:
    """Return the help of the program without loading a command."""
    width = max(map(len, COMMANDS))
    lines = [
        "Usage: repoquarry COMMAND [OPTIONS] [ARGUMENTS]",
        "",
        "Repositories as a property graph.",
    ]
    for group, commands in GROUPS.items():
        lines += ["", f"{group}:", *(f"  {name:<{width}}  {one.summary}" for name, one in commands.items())]
    lines += ["", "Options:"]
    lines += [f"  {name}  {summary}" for name, summary in COMPLETION.items()]
    lines += ["", "`repoquarry COMMAND --help` lists the options of a command; see also docs/reference/cli.md."]
    return "\n".join(lines)


_PROXIES = ("http_proxy", "https_proxy", "all_proxy")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def run(arguments: Sequence[str]) -> int:
    """Run the program. Returns the exit code; raises no exception.

    Besides `EXIT_CODES`, 2 is also for wrong usage, 9 for an incomplete `provision`, 10 for an ambiguous name, 11 for a violated rule
    of `check`, and 130 for an interruption.
    """
    as_json = "--json" in arguments
    try:
        prepare_streams()
        _bypass_proxies()
        code = _dispatch(arguments)
        with translated("stdout"):
            sys.stdout.flush()
    except BrokenPipeError:
        drop_stdout()
        return 141
    except RequestError as exc:
        drop_stdout()
        return _report(exc, as_json=as_json)
    return code


def _bypass_proxies() -> None:
    """Let requests to this machine (chat models, embedding servers, registries) go around the proxies of the environment."""
    if not any(os.environ.get(name) or os.environ.get(name.upper()) for name in _PROXIES):
        return
    excepted = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    missing = [host for host in _LOOPBACK if host not in excepted.split(",")]
    if excepted != "*" and missing:
        os.environ["no_proxy"] = os.environ["NO_PROXY"] = ",".join(filter(None, (excepted, *missing)))


def _dispatch(arguments: Sequence[str]) -> int:
    if VARIABLE in os.environ or (arguments[:1] and arguments[0].partition("=")[0] in COMPLETION):
        from repoquarry.server.cli.session import complete

        return complete(arguments)
    if not arguments or arguments[0] in ("--help", "-h", "help"):
        with translated("the output"):
            print(usage())
        return 0 if arguments else 2
    name = "version" if arguments[0] == "--version" else arguments[0]
    if name not in COMMANDS:
        import difflib  # here because it is only needed for a mistake

        near = difflib.get_close_matches(name, COMMANDS, 1)
        hint = f"; did you mean {near[0]}?" if near else f"; commands: {', '.join(COMMANDS)}"
        print(f"error: {name!r} is not a command{hint}", file=sys.stderr)
        return 2
    return _run(name, arguments[1:])


def _run(name: str, arguments: Sequence[str]) -> int:
    import typer

    try:
        command = typer.main.get_command(program(name))
        if not {"--help", "-h"}.isdisjoint(arguments):
            _prepare_help(command, f"repoquarry {name} {COMMANDS[name].example}".rstrip())
        result = command(list(arguments), prog_name=f"repoquarry {name}", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except typer.Exit as exc:
        return exc.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        raise
    except Exception as exc:
        if hasattr(exc, "format_message"):  # wrong usage; in some versions typer has a copy of the class of click
            with guarded_output():
                print(f"error: {exc.format_message()} (try repoquarry {name} --help)", file=sys.stderr)
            return 2
        return _report(exc, as_json="--json" in arguments)


def _prepare_help(command: Any, example: str) -> None:
    """Escape the help texts of a command, because rich reads brackets as markup; end with an example and the common options."""
    from rich.markup import escape

    from repoquarry.server.cli.session import COMMON_OPTIONS

    command.help = escape(command.help or "")
    common = []
    for parameter in command.params:
        parameter.help = escape(parameter.help or "")
        if parameter.name in COMMON_OPTIONS:
            parameter.hidden = True
            common += parameter.opts
    notes = [f"Example: {escape(example)}"]
    if common:
        notes.append(f"Options of all commands (docs/reference/cli.md): {' '.join(common)}")
    command.epilog = "\n\n".join(notes)


def _report(error: Exception, *, as_json: bool) -> int:
    failure = _find_input_failure(error) or to_failure(error)
    if failure.reason == "INTERNAL" and not isinstance(error, RequestError):
        logging.getLogger(__name__).debug("command_failed", exc_info=error)
        text = " ".join(str(error).split())[:300]
        failure = ServerFailure("INTERNAL", f"internal error: {type(error).__name__}: {text}")
    print_failure(failure, as_json=as_json)
    return AMBIGUOUS_EXIT_CODE if failure.reason.endswith("_AMBIGUOUS") else EXIT_CODES.get(failure.status, 1)


def _find_input_failure(error: Exception) -> ServerFailure | None:
    """Translate invalid input: text that is not UTF-8, or a number out of range."""
    if isinstance(error, UnicodeEncodeError):
        return ServerFailure(
            "REQUEST_INVALID", f"input is not valid UTF-8: {error.reason} at character {error.start + 1}"
        )
    if isinstance(error, ValueError) and str(error).startswith("Value out of range"):
        return ServerFailure("REQUEST_INVALID", f"a number is too large or too small: {str(error).rpartition(' ')[2]}")
    return None


def print_failure(failure: RequestFailure, *, as_json: bool) -> None:
    """Print a failure as one line on stderr, and the candidates of an ambiguous name below."""
    text = f"error: {' '.join(failure.message.split())} ({failure.reason})"
    if as_json:
        body = {"reason": failure.reason, "message": failure.message, "metadata": dict(failure.metadata)}
        text = json_text({"error": body})
    elif "candidates" in failure.metadata:
        text = "\n".join((text, *numbered(json.loads(failure.metadata["candidates"]))))
    with guarded_output():
        print(text, file=sys.stderr)
