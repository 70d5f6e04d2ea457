"""NI-DAQmx status codes that the simulated devices answer with, in the driver's own wording as far as it is published."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def messages() -> Mapping[int, str]:
    """Words by code, as `messages.toml` has them."""
    text = files(__package__).joinpath("messages.toml").read_text(encoding="utf-8")
    return {int(code): words for table in tomllib.loads(text).values() for code, words in table.items()}
