"""Where a test comes to rest: force goes to zero, a stroke stays where it is: zero stroke is anywhere, and crushes a specimen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rig import config
from rig.plan import Plan
from rig.workers.loader_actuation import LoaderActuation
from rig.workers.output import Output
from rig.workers.unloading import Unloading

EXPERIMENT = Path(__file__).parents[4] / "configs/experiments/linkage.toml"
BLOCK, RATE = 100, 10_000.0


class Daq:
    """An output that takes volts by hand, `out` of them are out there."""

    def __init__(self, out: float = 0.0) -> None:
        self.out, self.volts = out, [float("nan")]
        self.wiring = type("Wiring", (), {"outputs": ("Dev1/ao0",)})

    def abort_output(self) -> float:
        return self.out

    def set_output(self, volts: float) -> None:
        self.volts.append(volts)


class Setpoint:
    """Notes where it is to stop."""

    stopped: tuple[float, float] | None = None

    def stop(self, target: float, duration: float) -> None:
        self.stopped = (target, duration)

    def standing(self, values: np.ndarray, rate: float) -> np.ndarray:
        return values[:, np.newaxis]


def made(mode: str, daq: Daq | None = None) -> tuple[LoaderActuation, list[str]]:
    setup = config.load(EXPERIMENT)
    experiment = replace(setup.experiment, command=replace(setup.experiment.command, mode=mode))
    plan = Plan("0001", Path(), Path(), experiment, setup.bench, "", "")
    return LoaderActuation(plan, daq or Daq(), lambda: None), [channel.name for channel in setup.bench.channels]


def block(names: list[str], force: float, stroke: float) -> np.ndarray:
    """The last block: its mean is what counts."""
    measured = np.full((BLOCK, len(names)), 99.0)
    swing = np.linspace(-1.0, 1.0, BLOCK)
    measured[:, names.index("transmitted_force")] = force + 100.0 * swing
    measured[:, names.index("stroke")] = stroke + 1e-3 * swing
    return measured


@pytest.mark.parametrize(("mode", "target"), [("force", 0.0), ("stroke", 0.0123)])
def test_a_ramped_stop_ends_at_zero_force_or_where_the_stroke_is(mode: str, target: float) -> None:
    own, names = made(mode)
    setpoint: Any = Setpoint()
    own.rest(setpoint, block(names, 8e3, 0.0123), 0.7)
    assert setpoint.stopped == (pytest.approx(target), 0.7)
    assert own.ends_loaded == (mode == "stroke"), "and there it may still carry load"


@pytest.mark.parametrize(("mode", "volts", "rest"), [("force", 3.2, 0.0), ("stroke", 2.46, 2.46), ("stroke", -4.0, -4.0)])
def test_after_an_interlock_the_output_goes_to_zero_force_or_stays_at_its_stroke(mode: str, volts: float, rest: float) -> None:
    """Whoever closes the interlock again finds the command where the specimen is."""
    daq = Daq(volts)
    own, _ = made(mode, daq)
    output = Output(daq, own, Setpoint(), BLOCK)  # type: ignore[arg-type]
    output.abort(0.5)
    for elapsed in (0.0, 0.25, 0.5, 1.0):
        output.lower(elapsed)
    assert daq.volts[1] == pytest.approx(volts), "from what is really out there"
    assert daq.volts[2] == pytest.approx(0.5 * (volts + rest))
    assert daq.volts[-2:] == pytest.approx([rest, rest])
    assert output.take()[:, 0] == pytest.approx(np.full(BLOCK, own.loader.setpoint(rest)))


def unloading(force: float) -> tuple[Unloading, list[float]]:
    own, _ = made("stroke")
    held: list[float] = []

    class Hand:
        def hold(self) -> float:
            return 0.0123

        def put(self, value: float) -> None:
            held.append(value)

    hand: Any = Hand()
    return Unloading(own.loader.config, hand, BLOCK, RATE, np.full(BLOCK, force), np.full(BLOCK, 0.0123)), held


@pytest.mark.parametrize(("force", "needed"), [(999.0, False), (-999.0, False), (1001.0, True), (-1001.0, True), (float("nan"), True)])
def test_it_is_unloaded_where_there_is_force_to_speak_of(force: float, needed: bool) -> None:
    """0.4 % of full scale, 1 kN; one that cannot be read is no small one."""
    if np.isnan(force):
        with pytest.raises(Exception, match="unloading"):
            unloading(force)[0].take(np.full(BLOCK, force), np.full(BLOCK, 0.0123))
        return
    assert unloading(force)[0].needed == needed


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_out_of_a_force_it_goes_from_the_stroke_that_is_held_against_the_force(side: float) -> None:
    """1 mm/s, 10 um a block."""
    own, held = unloading(side * 8e3)
    stroke = np.full(BLOCK, 0.0123)
    for n in range(1, 4):
        assert not own.take(np.full(BLOCK, side * 8e3), stroke - side * n * 1e-5)
        assert held[-1] == pytest.approx(0.0123 - side * n * 1e-5)
    assert own.take(np.full(BLOCK, side * 500.0), stroke - side * 5e-4)
    assert len(held) == 3
    assert own.figures() == f"unloaded to {side * 0.5:.2f} kN within 0.500 mm"
