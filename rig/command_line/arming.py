"""A real bench is armed by a person, and with sensors that somebody vouches for."""

from __future__ import annotations

import sys

from rig.config.bench import Bench
from rig.config.checks import calibration
from rig.errors import ConfigError

WORD = "arm"


def confirm(bench: Bench, armed: bool) -> None:
    """Ask for a typed word where the bench file wants an operator.

    Raises ConfigError when nobody gives it, and for a calibration that has run out where the bench does not take that.
    """
    if bench.refuses_expired and (lines := calibration.expired(bench)):
        how = 'a test may go on with it after --set bench.expired="warn"; the record then says so. Nothing was moved'
        raise ConfigError([*lines, how])
    if bench.arming != "operator" or armed:
        return
    if not sys.stdin.isatty():
        raise ConfigError(f'{bench.title}: arming = "operator": expected a person at the terminal, or --arm; nothing was moved')
    print(f"{bench.title}: this moves a real machine. People clear, limits set at the controller? Type '{WORD}': ", end="", file=sys.stderr)
    if sys.stdin.readline().strip() != WORD:
        raise ConfigError(f"{bench.title}: not armed (expected the word '{WORD}'); nothing was moved")
