"""What is told of files and settings that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rig.errors import ConfigError


def problems_of(read: Callable[..., object], *args: Any, **kwargs: Any) -> list[str]:
    """Of what has to be refused, a line for each."""
    with pytest.raises(ConfigError) as caught:
        read(*args, **kwargs)
    return caught.value.problems


def problem_of(read: Callable[..., object], *args: Any, **kwargs: Any) -> str:
    """The only one there is."""
    (problem,) = problems_of(read, *args, **kwargs)
    return problem
