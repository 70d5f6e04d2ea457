"""What docs/daqmx_sim.md shows is run as it stands there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from drivers.simulated.command.main import SUBCOMMANDS

pytest_plugins = ["pytester"]

PAGE = (Path(__file__).parents[4] / "docs" / "daqmx_sim.md").read_text(encoding="utf-8")
TESTS = [block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "def test_" in block]
LAB = """
import nidaqmx
import pytest

def my_measurement():
    with nidaqmx.Task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=2000)
        return task.read(2000)

"""


@pytest.mark.parametrize("block", TESTS, ids=[re.findall(r"def (test_\w+)", block)[0] for block in TESTS])
def test_its_tests_are_green(pytester: pytest.Pytester, block: str) -> None:
    pytester.makeconftest('pytest_plugins = ["drivers.simulated.pytest_plugin"]\n')
    pytester.makepyfile(LAB + block if "my_measurement" in block else block)
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_there_are_tests_on_it() -> None:
    assert len(TESTS) == 3


def test_its_subcommands_are_those_that_there_are() -> None:
    shown = {shlex.split(words)[1] for words in re.findall(r"`(daqmx-sim [a-z]+[^`]*)`", PAGE)}
    assert shown == {*SUBCOMMANDS}
