"""One of a thing is not several."""

import pytest

from rig.console.counted import counted


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [(0, ("sample",), "0 samples"), (1, ("sample",), "1 sample"), (2, ("sample",), "2 samples"),
     (1, ("criterion", "criteria"), "1 criterion"), (3, ("criterion", "criteria"), "3 criteria")],
)  # fmt: skip
def test_counted(number: int, words: tuple[str, ...], said: str) -> None:
    assert counted(number, *words) == said
