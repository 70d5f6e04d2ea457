"""A TMCL module gets its power and loses it. What the words mean: `tmcl_words`."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from scripted_drives import TmclModule
from tmcl_words import FLAGS, MST, axis_of, enabled

from drivers.errors import NoReply, NotConnected, Refused


def test_it_is_stopped_before_its_line_rises(module: TmclModule) -> None:
    axis = axis_of(module)
    axis.prepare("position")
    module.log.clear()
    axis.enable()
    assert module.log == [(MST, 0, 0), "crank_enable high"]


@pytest.mark.parametrize(
    ("flag", "words"), [(2, "over-temperature shutdown"), (8, "short circuit of phase A"), (16, "short circuit of phase B")]
)
def test_a_fault_of_the_driver_chip_keeps_the_line_low(module: TmclModule, flag: int, words: str) -> None:
    axis = axis_of(module)
    axis.prepare("position")
    module.log.clear()
    module.parameters[FLAGS] = flag
    with pytest.raises(Refused, match=f"{words}; clear its cause and reset the fault"):
        axis.enable()
    assert module.log == [(MST, 0, 0)]
    assert axis.fault() == words
    with pytest.raises(Refused, match=f"{words} is still there; clear its cause and switch the module off and on"):
        axis.reset_fault()
    assert module.log[1:] == [(MST, 0, 0), "crank_enable low"]
    module.parameters[FLAGS] = 0
    axis.reset_fault()
    assert axis.fault() is None and axis.stopped_by == ""
    with pytest.raises(Refused, match="enable it first"):
        axis.command(0.0)


def test_warnings_are_no_faults(module: TmclModule) -> None:
    module.parameters[FLAGS] = 0xFF & ~(2 | 8 | 16)
    assert axis_of(module).fault() is None
    module.parameters[FLAGS] = 2 | 16
    assert axis_of(module).fault() == "over-temperature shutdown, short circuit of phase B"


@pytest.mark.parametrize("unplugged", [False, True])
def test_disable_takes_the_line_away_whatever_the_module_says(module: TmclModule, unplugged: bool) -> None:
    axis = enabled(module)
    module.unplugged = unplugged
    with pytest.raises(NotConnected) if unplugged else nullcontext():
        axis.disable()
    assert module.log == [*([] if unplugged else [(MST, 0, 0)]), "crank_enable low"]
    with pytest.raises(Refused, match="enable it first"):
        axis.command(0.0)


@pytest.mark.parametrize("before", [b"", b"\x02", bytes.fromhex("02 03 64 06 00 00 00 00 6f")])
def test_a_quick_stop_is_mst_and_its_answer_is_found_behind_others(module: TmclModule, before: bytes) -> None:
    axis = enabled(module)
    module.before = before
    axis.quick_stop()
    assert module.log == [(MST, 0, 0)] and len(module.urgent) == 1
    module.silent = True
    with pytest.raises(NoReply):
        axis.quick_stop()
    assert module.log[-1] == "crank_enable low"


@pytest.mark.parametrize(
    "answer",
    ["02 04 64 03 00 00 00 00 6d", "02 03 02 03 00 00 00 00 0a", "02 03 64 06 00 00 00 00 6f", "02 03 64 03 00 00 00 00 6d"],
)
def test_no_other_answer_confirms_a_stop(monkeypatch: pytest.MonkeyPatch, module: TmclModule, answer: str) -> None:
    """Another module's, a refusal, another command's, one whose sum is wrong."""
    axis = enabled(module)
    monkeypatch.setattr(module, "answer", lambda request: bytes.fromhex(answer))
    with pytest.raises(NoReply):
        axis.quick_stop()
