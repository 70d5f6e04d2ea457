"""Where a test comes to rest: force goes to zero, a stroke stays where it is. Zero stroke is anywhere, and crushes a specimen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.loaders.servo_loader import Preparation
from rig import config
from rig.config.plan import Plan
from rig.workers.bench.actuation.loader import LoaderActuation
from rig.workers.bench.output import Output
from rig.workers.bench.preparation import Preparing
from rig.workers.bench.unloading import Unloading

EXPERIMENT = Path(__file__).parents[5] / "configs/experiments/linkage.toml"
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


def test_a_preparation_is_one_of_this_bench_and_leaves_it_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its decisions are 10 ms apart, 100 samples at 10 kHz; the test begins at the feedback that it ended with."""
    own, _ = made("force")
    own.open(RATE)
    monkeypatch.setattr(own.loader, "prepare", lambda **how: pytest.fail("it stands under pressure already"))
    ring: Any = []
    session = own.session(ring, BLOCK, lambda text: None)
    assert isinstance(session, Preparing) and session._settings.block == pytest.approx(0.01)
    session.feedback = 123.0
    assert own.prepare({"transmitted_force": 99.0, "stroke": 99.0}, session) == 123.0


def test_it_has_nothing_to_tell_but_what_its_lines_say() -> None:
    own, _ = made("force")
    times: Any = None
    assert (own.cause(), own.close(), own.figures(times), own.take_feedback(), own.open(RATE)) == ("", [], {}, None, [])


def unloading(force: float, **changes: Any) -> tuple[Unloading, list[float]]:
    """With what is put out by hand; NaN: where it was held."""
    own, _ = made("stroke")
    held: list[float] = []

    class Hand:
        def hold(self) -> float:
            held.append(float("nan"))
            return 0.0123

        def put(self, value: float) -> None:
            held.append(value)

    hand: Any = Hand()
    config = replace(own.loader.config, **changes)
    return Unloading(config, hand, BLOCK, RATE, np.full(BLOCK, force), np.full(BLOCK, 0.0123)), held


@pytest.mark.parametrize(
    ("force", "needed"),
    [(999.0, False), (-999.0, False), (1000.0, True), (-1000.0, True), (1001.0, True), (-1001.0, True), (float("nan"), True)],
)
def test_it_is_unloaded_where_there_is_force_to_speak_of(force: float, needed: bool) -> None:
    """0.4 % of full scale, 1 kN, from which on the way out goes on; one that cannot be read is no small one."""
    if np.isnan(force):
        with pytest.raises(Exception, match="unloading"):
            unloading(force)[0].take(np.full(BLOCK, force), np.full(BLOCK, 0.0123))
        return
    own, held = unloading(force)
    assert own.needed == needed and len(held) == needed, "the output is taken by hand only where it is"


@pytest.mark.parametrize(("preparation", "needed"), [(None, True), (Preparation(touch=0.01), False)])
def test_what_force_is_spoken_of_is_the_preparations_or_its_default(preparation: Preparation | None, needed: bool) -> None:
    """2 kN: of 250 kN more than 0.4 %, and less than 1 %."""
    assert unloading(2e3, preparation=preparation)[0].needed == needed


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_out_of_a_force_it_goes_from_the_stroke_that_is_held_against_the_force(side: float) -> None:
    """1 mm/s, 10 um a block."""
    own, held = unloading(side * 8e3)
    held.clear()
    stroke = np.full(BLOCK, 0.0123)
    for n in range(1, 4):
        assert not own.take(np.full(BLOCK, side * 8e3), stroke - side * n * 1e-5)
        assert held[-1] == pytest.approx(0.0123 - side * n * 1e-5)
    assert own.take(np.full(BLOCK, side * 500.0), stroke - side * 5e-4)
    assert len(held) == 3
    assert own.figures() == f"unloaded to {side * 0.5:.2f} kN within 0.500 mm"
