"""Errors of the application.

RigError
├── ConfigError    a file, key or argument that cannot be used           exit 2
├── BenchRefused   the preparation found something that no test may run with   exit 3
├── LimitTripped   a limit or an interlock ended the test                 exit 1
├── OverrunError   a strict reader lost samples                           exit 3
├── StaleStream    a stream stopped growing without being closed          exit 3
└── WorkerDied     a process ended that the test cannot do without        exit 3
"""

from drivers.files.text_files import in_one_line

SHOWN = 50  # problems in a message


class RigError(Exception):
    """Root of the application's errors; `exit_code` is what the program ends with."""

    exit_code = 3


class ConfigError(RigError):
    """Bad input. `problems` holds one line for each thing that is wrong, `in_one_line`; the message shows the first of very many."""

    exit_code = 2

    def __init__(self, problems: list[str] | str) -> None:
        self.problems = [in_one_line(problem) for problem in ([problems] if isinstance(problems, str) else problems)]
        more = len(self.problems) - SHOWN
        super().__init__("\n".join([*self.problems[:SHOWN], *([f"... and {more} more of these"] if more > 0 else [])]))


class BenchRefused(RigError):
    """The preparation of a bench found something; `name` says what in a word or two, `text` with figures."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        super().__init__(f"{name}: {text}")


class LimitTripped(RigError):
    """A limit with a stop or interlock action was passed."""

    exit_code = 1


class OverrunError(RigError):
    """A strict reader was overtaken by its writer."""


class StaleStream(RigError):
    """A stream's writer stopped writing without closing the stream."""


class WorkerDied(RigError):
    """A worker process ended that the test cannot do without."""
