"""The program `rig`: finds the command, runs it, and turns what happens into one message and an exit code.

Each command is a module in one of this package's rooms, with `configure(parser)` and `execute(args) -> Result`; it is imported only
when it is chosen, so that `rig --help` costs nothing.

Imports everything below.
Imported by the entry of the program.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rig.command_line.names import of_a_name
from rig.command_line.result import EXIT_CODES, Result, envelope
from rig.command_line.table import COMMANDS, module
from rig.console.plain_letters import in_unicode, in_visible_letters, is_unicode
from rig.console.standard_streams import Unwritable
from rig.host.interruption import exit_code

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

OUTCOMES = {1: "tripped", 2: "bad_input", 3: "failed"}  # of an error, by its exit code


told = False
"""Whether the end of the command has been told, or is being told just now."""


class BadArguments(Exception):
    """Arguments that cannot be used; carries the usage line."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of ending the program: with --json the message belongs into the object."""

    def error(self, message: str) -> NoReturn:
        raise BadArguments(f"{self.prog}: {message}\n{self.format_usage().strip()}")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Help, or the version. What cannot be written is no success: argparse itself says nothing of it."""
        print(message, end="", file=file or sys.stderr)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()


def add_overrides(parser: argparse.ArgumentParser, text: str) -> None:
    """--set, which `text` explains."""
    parser.add_argument("--set", metavar="KEY=VALUE", dest="overrides", action="append", default=[], help=text)


def add_comparison_of(parser: argparse.ArgumentParser) -> None:
    """--experiment, for commands that work on a record."""
    text = "experiment file whose [comparison] takes the place of the one in the record"
    parser.add_argument("--experiment", metavar="FILE", type=Path, help=text)


def add_setup_arguments(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """EXPERIMENT, --set and --bench, for commands that work on an experiment."""
    parser.add_argument("experiment", metavar="EXPERIMENT", nargs="?" if optional else None, help="experiment file (.toml)")
    parser.add_argument("--bench", metavar="FILE", help="bench file instead of the one that the experiment names")
    add_overrides(parser, 'override a key, as mechanism.clearance="0.2 mm"; keys of the bench file begin with bench.')


def add_bench_arguments(parser: argparse.ArgumentParser, several: bool = True) -> None:
    """FILE, --channel (one or `several`), --set and --bench, for commands that work on a bench alone."""
    which = "which; may be given again" if several else "which one"
    parser.add_argument("file", metavar="BENCH|EXPERIMENT", help="bench file, or an experiment file that names one (.toml)")
    parser.add_argument("--channel", metavar="NAME", dest="channels", action="append", default=[], help=which)
    parser.add_argument("--bench", metavar="FILE", help="bench file instead of the one that the experiment names")
    add_overrides(parser, "override bench.KEY")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        _check_names(arguments)
        _need_names(arguments)
        result = _execute(arguments)
    except BadArguments as error:
        result = Result("bad_input", EXIT_CODES["bad_input"], {"error": str(error), "problems": [str(error)]}, str(error))
    except KeyboardInterrupt as error:
        return stopped(arguments, error)
    except Unwritable as error:
        return _unwritable(error, f"{_called(arguments)} has ended by that")
    except Exception as error:
        result = _explained(error)
    return _report(result, arguments)


def stopped(arguments: Sequence[str], by: KeyboardInterrupt) -> int:
    """Say that a command was broken off; returns the exit code, by the signal. A test that recorded something has told it by itself."""
    text = f"stopped ({str(by) or 'Ctrl-C'}) before its end"
    return _report(Result("stopped", exit_code(by), {"error": text}, text), arguments)


def _command(arguments: Sequence[str]) -> str | None:
    return next((word for word in arguments if word in COMMANDS), None)


def _report(result: Result, arguments: Sequence[str]) -> int:
    """Say how it ended; returns the exit code."""
    global told
    told, command = True, _command(arguments)
    try:
        _tell(result, command, "--json" in arguments)
    except BrokenPipeError:  # whoever read the output has gone, as `| head` does; what was done is done
        _leave_output()
    except OSError as error:  # a full disk: whoever reads the file must not take it for the whole
        how = "" if result.exit_code == EXIT_CODES["done"] else f", {result.outcome.replace('_', ' ')},"
        return _unwritable(error, f"the result of {_called(arguments)}{how} {_kept(result.data)}")
    return result.exit_code


def _kept(data: Mapping[str, object]) -> str:
    """What is left of a result that nobody could be told: the summary has all of it; other files are there, and the words are lost."""
    files = data.get("files")
    files = files if isinstance(files, Mapping) else {}
    if files.get("summary"):
        return f"stands in {files['summary']}"
    there = [str(path) for path in dict.fromkeys([data.get("file"), *files.values()]) if path]
    return f"is lost, but {', '.join(there)} {'stands' if len(there) == 1 else 'stand'}" if there else "is lost"


def _unwritable(error: OSError, what: str) -> int:
    """Say that standard output takes nothing, and what becomes of that; returns the exit code."""
    _leave_output()
    code = EXIT_CODES["failed"]
    print(f"standard output cannot be written: {error.strerror or error}; {what} (exit {code})", file=sys.stderr)
    return code


def _called(arguments: Sequence[str]) -> str:
    return f"rig {_command(arguments) or ''}".rstrip()


def _leave_output() -> None:
    """What is left in its buffer goes nowhere, instead of making Python complain as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _check_names(arguments: Sequence[str]) -> None:
    """Raise BadArguments for bytes that are no text: neither record nor picture nor JSON could hold such a name."""
    if strange := [in_unicode(one) for one in arguments if not is_unicode(one)]:
        encoding = sys.getfilesystemencoding().upper()
        raise BadArguments(f"{', '.join(strange)}: bytes in this name are no text in {encoding}; rename it, or give another")


def _need_names(arguments: Sequence[str]) -> None:
    """Raise BadArguments for a text that is empty, as of a variable that is not set: taken for a path it would be the folder one is in."""
    for before, word in zip(["", *arguments], arguments, strict=False):
        flag, equals, value = word.partition("=")
        if (equals and flag.startswith("--") and not value) or not word:
            called = flag if equals else before if before.startswith("--") else "an argument"
            raise BadArguments(f"{called}: expected a name or a value, got an empty text")


def _execute(arguments: list[str]) -> Result:
    if arguments[:1] == ["help"]:  # as other programs have it
        arguments = [*arguments[1:2], "--help"]
    name = next((word for word in arguments if not word.startswith("-")), None)
    parser = _Parser(prog="rig", description="Hardware-in-the-loop test rigs for mechanisms with clearance joints.")
    parser.add_argument("--version", action="version", version=f"clearance-rig {version()}")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", required=True, help="`rig help COMMAND` says what it takes")
    of: dict[str, argparse.ArgumentParser] = {}
    for command, text in COMMANDS.items():
        sub = of[command] = commands.add_parser(command, help=text, description=f"{text[0].upper()}{text[1:]}.")
        sub.add_argument("--json", action="store_true", help="print one JSON object on standard output")
        if command == name:
            importlib.import_module(module(command)).configure(sub)
    args, unknown = parser.parse_known_args(arguments)
    if unknown:  # the usage of the command helps, not that of the program
        of[args.command].error(f"unrecognized arguments: {' '.join(unknown)}")
    result: Result = importlib.import_module(module(args.command)).execute(args)
    return result


def _explained(error: Exception) -> Result:
    """What is said of an error. One that the program does not know is a fault of the program: its traceback is shown as well."""
    from drivers.errors import DriverError
    from model.errors import ModelError
    from rig.errors import ConfigError, RigError

    text, code = str(error), EXIT_CODES["failed"]
    if isinstance(error, (RigError, DriverError, ModelError)):
        code = getattr(error, "exit_code", code)
    elif (said := of_a_name(error)) is not None:
        text, code = said, EXIT_CODES["bad_input"]
    else:
        traceback.print_exception(error)
        text = f"fault of the program: {type(error).__name__}: {error}"
    problems = error.problems if isinstance(error, ConfigError) else [text]
    return Result(OUTCOMES[code], code, {"error": text, "problems": problems}, text)


def _tell(result: Result, command: str | None, as_json: bool) -> None:
    """Text on standard output, errors and warnings on standard error; with --json one object on standard output."""
    for warning in result.warnings:
        print(f"warning: {in_visible_letters(warning)}", file=sys.stderr)
    went_wrong = "error" in result.data
    if result.text and (went_wrong or not as_json):
        print(in_visible_letters(result.text), file=sys.stderr if went_wrong else sys.stdout)
    if as_json:
        print(envelope(command, version(), result))
    sys.stdout.flush()


def version() -> str:
    """Version of the program."""
    from importlib.metadata import version as installed

    return installed("clearance-rig")
