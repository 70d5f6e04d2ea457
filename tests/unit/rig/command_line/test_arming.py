"""A bench that wants an operator moves nothing before one has said so."""

import io
from pathlib import Path

import pytest

from rig import config
from rig.command_line.arming import confirm
from rig.errors import ConfigError

EXPERIMENT = Path(__file__).parents[4] / "configs/experiments/linkage.toml"


class Terminal(io.StringIO):
    """Somebody sits there."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def bench():
    return config.load(EXPERIMENT, ["bench.arming=operator"]).bench


def test_nobody_at_the_terminal(bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("arm\n"))
    with pytest.raises(ConfigError, match=r"--arm; nothing was moved"):
        confirm(bench, armed=False)
    confirm(bench, armed=True)


@pytest.mark.parametrize("typed", ["", "\n", "y\n", "ARM\n", "disarm\n"])
def test_another_word_than_arm(bench, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    with pytest.raises(ConfigError, match=r"not armed .*nothing was moved"):
        confirm(bench, armed=False)


def test_the_word(bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("arm\n"))
    confirm(bench, armed=False)
    assert bench.title in capsys.readouterr().err


def test_an_automatic_bench_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    confirm(config.load(EXPERIMENT, []).bench, armed=False)
