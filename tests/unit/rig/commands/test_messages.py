"""Arguments that are empty or endless are told in a line that one can read."""

from __future__ import annotations

import pytest

from rig.commands import main
from rig.config.tree import LONGEST_SAID, parse_override
from rig.errors import ConfigError

LINKAGE = "configs/experiments/linkage.toml"


@pytest.mark.parametrize(
    ("words", "called"),
    [
        (["run", LINKAGE, "--out", ""], "--out"), (["simulate", LINKAGE, "--out", ""], "--out"), (["check", ""], "an argument"),
        (["check", LINKAGE, "--plot", ""], "--plot"), (["check", LINKAGE, "--bench", ""], "--bench"), (["compare", ""], "an argument"),
        (["view", "runs/0001", "--picture", ""], "--picture"), (["recover", ""], "an argument"), (["run", LINKAGE, "--out="], "--out"),
    ],
)  # fmt: skip
def test_an_empty_name_is_told_as_what_it_is(words: list[str], called: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And not as `.`, the folder one is in."""
    assert main(words) == 2
    assert capsys.readouterr().err == f"{called}: expected a name or a value, got an empty text\n"


@pytest.mark.parametrize("text", ["title=" + "A" * 100_000, "no.such=" + "A" * 100_000, "A" * 100_000])
def test_a_message_repeats_as_much_of_an_override_as_a_line_takes(text: str) -> None:
    try:
        said = parse_override(text).said
    except ConfigError as error:
        said = str(error)
    assert len(said) < LONGEST_SAID + 120 and f"({len(text)} characters)" in said


def test_an_ordinary_one_is_repeated_whole() -> None:
    assert parse_override("mechanism.clearance=0.4mm").said == "--set mechanism.clearance=0.4mm"


@pytest.mark.parametrize("rate", ["1 THz", "1e12 Hz", "20.1 MHz"])
def test_a_rate_that_no_device_has_is_bad_input(rate: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", LINKAGE, "--set", f"acquisition.rate={rate}"]) == 2
    assert "expected at most 2e+07 Hz" in capsys.readouterr().err
