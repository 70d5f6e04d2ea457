"""Arguments that are empty or endless are told in a line that one can read."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.files.text_files import MOST, Unusable, read_text
from rig.command_line.result import Result
from rig.commands import _tell, main
from rig.commands.records import compare
from rig.config.tree import LONGEST_SAID, parse_override
from rig.console.plain_letters import in_visible_letters
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


def test_a_folder_that_takes_no_file_is_named_with_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """/proc is a folder, and may be written by its permissions."""
    with (
        pytest.raises(ConfigError, match=r"^--out /proc: nothing can be written in /proc \(.*\); give another place$"),
        compare._folder(tmp_path, "/proc"),
    ):
        pytest.fail("it was taken")


@pytest.mark.parametrize(("what", "said"), [("experiment", "expected an experiment file of"), ("bench", "expected a bench file of")])
def test_an_article_is_that_of_its_word(what: str, said: str, tmp_path: Path) -> None:
    (large := tmp_path / "large.toml").write_bytes(b"#" * (MOST + 1))
    with pytest.raises(Unusable, match=said):
        read_text(large, what)


def test_control_characters_are_spelt_out(capsys: pytest.CaptureFixture[str]) -> None:
    """They would move the cursor, colour the terminal, or turn the order of the letters round."""
    _tell(Result("done", 0, {}, "a\x1b[2J\x00b\tc\nd\r\u202ee\x9b", ["w\x07\x7f"]), "laws", as_json=False)
    said = capsys.readouterr()
    assert said.out == "a\\x1b[2J\\x00b\tc\nd\\r\\u202ee\\x9b\n"
    assert said.err == "warning: w\\x07\\x7f\n"


def test_letters_are_none_of_them() -> None:
    for text in ("µ ≤ ü 荷重 сила", "thin\u2009space\u00a0there", "a\tb\nc"):
        assert in_visible_letters(text) == text
