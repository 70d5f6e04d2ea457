"""JSON files that this program keeps, read within bounds: whatever stands in them by now, it is a value or one line that says why not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from drivers.files.plain_values import Json
from drivers.files.text_files import Unusable, read_text
from rig.errors import ConfigError

MOST = 2**24
"""Bytes: the history of years."""


class Damaged(Unusable):
    """A file that is there and is not what was written; `why` is the line without its name."""

    def __init__(self, path: Path, why: str) -> None:
        self.why = why
        super().__init__(f"{path}: damaged ({why})")


def read(path: Path, what: str) -> Json:
    """What a file holds. Raises drivers.files.text_files.Unusable (Damaged: not JSON), in one line that begins with its name."""
    text = read_text(path, what, MOST)
    try:
        found: Json = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        return found
    except RecursionError:
        raise Damaged(path, "nested too deep") from None
    except ValueError as error:
        raise Damaged(path, f"not JSON: {error}") from None


def read_history(path: Path, what: str, wrong: Callable[[Json], str], remedy: str) -> Json:
    """What a file holds to which this program adds. `wrong` says what in it is not as it was written, empty where all is.

    Raises ConfigError, with the `remedy` where the file is damaged.
    """
    try:
        found = read(path, what)
        why = wrong(found)
    except Damaged as error:
        why = error.why
    except Unusable as error:
        raise ConfigError(str(error)) from None
    if why:
        raise ConfigError(f"{path}: damaged; {remedy} ({why})")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _finite(digits: str) -> float:
    if not math.isfinite(value := float(digits)):
        raise ValueError(f"{digits[:40]} is too large a number")
    return value
