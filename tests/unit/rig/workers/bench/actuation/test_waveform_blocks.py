"""A loader whose controller runs the waveform, block by block: its run input, what is told of it, and what is noticed.

The controller is a short one, that notes what it is told. It is asked every 0.095 s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from drivers.errors import NoReply
from rig.config.resumption import Resumption
from rig.trajectory import sine
from rig.workers.bench.actuation.serial_axis import Told
from rig.workers.bench.actuation.waveform_loader import WaveformActuation
from rig.workers.bench.sample_times import SampleTimes
from rig.workers.bench.setpoints.setpoint import NOT_COUNTED
from tests.unit.rig.workers.bench import noted_axes

RATE, BLOCK, FREQUENCY, ZERO = 1000.0, 0.010, 4.0, 2e3
REST = NOT_COUNTED


@dataclass
class Loader:
    feedback_channel: str = "force"
    name: str = "loader (short)"
    where: str = "loader (short) at COM1"
    full_scale: float = 250e3
    stops_within: float = 1.25
    counted: int = 0
    calls: list[Any] = field(default_factory=list)
    fails: Exception | None = None

    def create(self, mode: str) -> Loader:
        self.calls.append(mode)
        return self

    def wait_by(self, clock: object) -> None:
        pass

    @property
    def line(self) -> Any:
        return SimpleNamespace(limit=lambda allowance: self.calls.append(allowance.doing))

    def connect(self) -> None:
        self.calls.append("connect")

    def identity(self) -> str:
        return "8800, three"

    def release(self) -> None:
        self.calls.append("release")
        if self.fails is not None:
            raise self.fails

    def close(self) -> list[str]:
        self.calls.append("close")
        return ["loader (short): it still holds"]

    def safe_setpoint(self, held: float) -> float:
        return 0.25 * held


@dataclass
class Daq(noted_axes.Daq):
    lines: tuple[str, ...] = ("loader_enable",)

    def hold_output(self, volts: float) -> None:
        self.done.append(("hold", volts))

    def release_output(self) -> None:
        self.done.append("released")


def made(
    mode: str = "force", pace: str = "lockstep", daq: Daq | None = None, loader: Loader | None = None, block: float = BLOCK,
    run_before: int | None = None,
) -> WaveformActuation:  # fmt: skip
    channels = [SimpleNamespace(name=name) for name in ("other", "force")]
    bench = SimpleNamespace(
        serial_loader=loader or Loader(), pace=pace, channels=channels, daq=SimpleNamespace(watchdog=0.25), loader_zero=lambda mode: ZERO
    )
    experiment = SimpleNamespace(
        command=SimpleNamespace(mode=mode), trajectory=sine.Config(5e3, FREQUENCY, 12), acquisition=SimpleNamespace(block=block)
    )  # fmt: skip
    resumption = None if run_before is None else Resumption(2, run_before, 2, 0, 0)
    plan: Any = SimpleNamespace(bench=bench, experiment=experiment, resumption=resumption)
    own = WaveformActuation(plan, daq or Daq())
    own.open(RATE)
    return own


def blocks(own: WaveformActuation, *cycles: list[float]) -> list[float]:
    """Volts of the run input, for the cycle that each sample belongs to."""
    return [float(v) for part in cycles for v in own.volts(np.column_stack([np.zeros(len(part)), np.zeros(len(part)), part]))]


def test_a_session_that_goes_on_asks_for_the_cycles_that_are_left() -> None:
    assert [made(run_before=before)._wave.cycles for before in (None, 0, 5, 11)] == [12, 12, 7, 1]


def test_the_run_input_rises_with_the_first_sample_that_is_counted_and_falls_with_a_stop() -> None:
    own = made()
    assert blocks(own, [REST, REST], [REST, 0.0, 0.0], [0.0, 1.0]) == [0.0, 0.0, 0.0, 5.0, 5.0, 5.0, 5.0]
    assert own._ran == (3, 6)
    assert blocks(own, [1.0, REST, REST], [REST]) == [5.0] * 4, "its controller ends it by itself"
    assert own._ran == (3, 7)
    stops: list[Any] = []
    setpoint: Any = SimpleNamespace(halt=lambda *how: stops.append(how), stand=lambda *how: stops.append(how))
    own.rest(setpoint, np.zeros((1, 2)), 0.5)
    assert blocks(own, [1.0, 1.0]) == [0.0, 0.0] and own._ran == (3, 7)


@pytest.mark.parametrize(("mode", "how", "to"), [("force", (0.0, 0.9), ZERO), ("stroke", (0.9,), None)])
def test_a_stop_has_time_for_its_hand_over(mode: str, how: tuple[float, ...], to: float | None) -> None:
    """0.4 s more than the ramp, which is the controller's: to no force, as the controller reads that, or nowhere."""
    own, stops = made(mode), list[Any]()
    setpoint: Any = SimpleNamespace(halt=lambda *how: stops.append(how), stand=lambda *how: stops.append(how))
    own.rest(setpoint, np.zeros((1, 2)), 0.5)
    assert stops == [pytest.approx(how)] and own._drive._rest == (to, 0.5)


def test_before_the_test_the_run_input_is_low_and_the_pressure_is_allowed() -> None:
    daq = Daq()
    own = made(daq=daq)
    session: Any = own.session(None, 10, lambda text: None)
    assert daq.done == [("hold", 0.0), {"loader_enable": True}]
    ((axis, begin),) = session._axes
    assert (begin, axis._within) == (ZERO, 2500.0), "what the controller reads at no force, to a hundredth of full scale"
    assert own.attend() is None
    assert own.prepare({}, session) == 0.0 and daq.done[-1] == "released"
    bare = Daq(lines=())
    made(daq=bare).session(None, 10, lambda text: None)
    assert bare.done == [("hold", 0.0)]


@pytest.mark.parametrize(("lines", "more"), [(("loader_enable",), ", and without pressure within 0.25 s"), ((), "")])
def test_what_happens_without_this_program_is_told(lines: tuple[str, ...], more: str) -> None:
    own = made(daq=Daq(lines))
    assert own.open(RATE) == [f"loader (short): 8800, three; without this program its waveform ends within 1.25 s{more}"]
    assert own.controlled == 1


def test_an_abort_lets_the_run_input_fall() -> None:
    daq = Daq()
    own = made(daq=daq)
    assert own.abort(123.0) == 123.0 and daq.done == ["abort", 0.0]
    assert own.safe_value(8.0) == 2.0, "where the loader says"


def test_before_there_is_anything_to_attend_to_it_can_be_tripped_and_closed() -> None:
    own = made()
    assert own.attend() is None and own.cause() == "" and own.rests()
    own.trip()
    own.release()
    assert own.close() == ["loader (short): it still holds"]


def test_its_thread_ends_before_the_controller_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    loader = Loader()
    own = made(loader=loader)
    own.session(None, 10, lambda text: None)
    monkeypatch.setattr(own._axis, "end", lambda: loader.calls.append("end"))
    loader.calls.clear()
    own.release()
    own.close()
    assert loader.calls == ["end", "release", "end", "letting go of it", "close"]


def test_a_trip_takes_the_line_and_then_the_pressure_within_a_bounded_time() -> None:
    daq, loader = Daq(), Loader()
    own = made(daq=daq, loader=loader)
    own.session(None, 10, lambda text: None)
    daq.done.clear()
    own.trip()
    assert daq.done == [{"loader_enable": False}] and loader.calls[-1] == "stopping it"
    assert own._axis is not None and own._axis._quick_stop


@pytest.mark.parametrize("tripped", [False, True])
def test_why_it_was_given_up_is_told_once(tripped: bool) -> None:
    loader = Loader()
    own = made(loader=loader)
    own.session(None, 10, lambda text: None)
    assert own._axis is not None
    own._axis.failed = "loader (short): no reply"
    assert own.attend() == "loader (short): no reply"
    if tripped:
        own.trip()
    assert own.close() == [*(["loader (short): no reply"] if tripped else []), "loader (short): it still holds"]
    assert loader.calls[-2:] == ["letting go of it", "close"]


def test_a_release_ends_everything_and_the_pressure_goes_whatever_it_says() -> None:
    daq = Daq()
    own = made(daq=daq, loader=Loader(fails=NoReply("loader (short): no reply")))
    with pytest.raises(NoReply):
        own.release()
    assert daq.done == [{"loader_enable": False}]


def test_in_lockstep_it_is_asked_every_so_many_blocks() -> None:
    """A golden section of 0.25 s is 0.095 s: ten blocks of 10 ms, or each of 0.2 s; at real pace its thread sees to that."""
    made().stream(0, 0.0, np.zeros((10, 3)))  # nobody to tell yet
    for pace, block, often in (("lockstep", BLOCK, 4), ("lockstep", 0.2, 40), ("real", BLOCK, 40)):
        own, jobs, waits = made(pace=pace, block=block), list[Any](), list[int]()
        own.session(None, 10, lambda text: None)
        own._axis = SimpleNamespace(hand=jobs.append, wait=lambda waits=waits: waits.append(1))  # type: ignore[assignment]
        for n in range(40):
            own.stream(10 * n, 1.0, np.column_stack([np.full(10, 7.0), np.zeros((10, 2))]))
        assert len(jobs) == often and len(waits) == (len(jobs) if pace == "lockstep" else 0)
        assert jobs[0].first == 0 and set(jobs[0].setpoint) == {7.0} and set(jobs[0].rate) == set(jobs[0].acceleration) == {0.0}


def running(own: WaveformActuation, ran: tuple[int, int], rows: Callable[[np.ndarray], np.ndarray], until: int) -> np.ndarray:
    """It has run from sample to sample, and was asked every 95 ms, `until` a sample; returns what it told. At real pace stamps are off by
    up to 5 samples, and moments are right; in lockstep moments mean nothing."""
    own.session(None, 10, lambda text: None)
    own._runs, own._ran, own._drive.runs = True, ran, True
    n = np.arange(0.0, until + 1, 95.0)
    assert own._axis is not None
    off, clock = (0.0, np.nan) if own._lockstep else (5.0, 100.0)
    stamps = n + off * np.linspace(0.0, 1.0, len(n))
    told_ = zip(stamps, rows(n), clock + n / RATE, strict=True)
    own._axis._told.extend(Told(at, 0.0, value, 0.0, 0.0, moment=moment) for at, value, moment in told_)
    told = own.take_feedback()
    assert told is not None
    return told


@pytest.mark.parametrize("pace", ["lockstep", "real"])
def test_what_it_tells_is_net_and_its_clock_is_that_of_its_wave(pace: str) -> None:
    """Half a second in which the loop settles is left out, and so is what comes after the end."""
    own = made(pace=pace)

    def wave(n: np.ndarray) -> np.ndarray:
        settled = 5e3 * np.sin(2.0 * np.pi * FREQUENCY * (1.0 + 200e-6) * n / RATE)
        return ZERO + np.where((n > 1500.0) & (n < 21_000.0), settled, 40e3)

    told = running(own, (1000, 21_000), wave, 25_000)
    assert told.shape[1] == 3 and told[0].tolist() == [0.0, 0.0, 40e3]
    times = SampleTimes(RATE)
    times.took(30_000, 130.0)
    found = own.figures(times)["loader (short)"]
    assert found["skew_ppm"] == pytest.approx(200.0, abs=0.5)
    assert found["following_error_rms"] == pytest.approx(np.sqrt(np.mean(told[:, 2] ** 2)))
    assert made(pace=pace).figures(times) == {}
    assert np.shape(made().take_feedback()) == (0, 3)


def test_a_short_wave_tells_no_clock() -> None:
    own = made()
    running(own, (0, 2000), lambda n: ZERO + np.sin(n), 2000)
    times = SampleTimes(RATE)
    assert own.figures(times)["loader (short)"]["skew_ppm"] is None


@pytest.mark.parametrize(("behind", "noticed"), [(20.0, False), (21.0, False), (21.5, True)])
def test_a_count_that_stays_behind_by_more_than_a_chunk_is_told(behind: float, noticed: bool) -> None:
    """A chunk of 1.25 s are 20 quarter cycles of 4 Hz; a hundredth of those that have gone by is its clock's."""
    own = made()
    running(own, (1000, 90_000), lambda n: n, 10_500)  # 9.5 s of the wave
    gone = 16.0 * 9.45  # at the last answer, at sample 10450
    own._drive.counted = int(gone - behind)
    said = own.attend()
    assert (said is not None) == noticed
    if said is not None:
        counted = f"{own._drive.counted / 4:g} of the {gone / 4:.4g} cycles that have gone by"
        assert said.startswith(f"loader (short) at COM1: its controller has counted {counted}: it would not end its waveform by itself")


def test_what_is_not_running_or_has_been_stopped_need_not_count() -> None:
    for changes in ({"_runs": False}, {"_stopped": True}, {"_history": []}):
        own = made()
        running(own, (1000, 90_000), lambda n: n, 10_500)
        assert own.attend() is not None
        vars(own).update(changes)
        assert own.attend() is None, changes
    own = made()
    running(own, (1000, 90_000), lambda n: n, 10_500)
    own._drive.runs = False
    assert own.attend() is None
    short = made()
    running(short, (1000, 1900), lambda n: n, 10_500)
    assert short.attend() is None, "less than a chunk in all"


@pytest.mark.parametrize("stopped", [False, True])
def test_a_waveform_that_goes_on_a_second_after_its_end_is_told(stopped: bool) -> None:
    """And a hundredth of its 20 s more, for its clock."""
    own = made()
    own.session(None, 10, lambda text: None)
    own._ran, own._stopped, own._drive.runs, own._drive.counted = (1000, 21_000), stopped, True, 10
    for _ in range(119):
        assert not own.rests() and own.attend() is None
    for _ in range(2):
        assert not own.rests()
    was_to = "be held by its run/hold input, which is low" if stopped else "end after 12 cycles"
    words = f"its waveform was to {was_to}, and goes on 1.2 s later (counted: 2.5 cycles); look at its event and run/hold settings"
    assert own.attend() == f"loader (short) at COM1: {words}"
    own._drive.runs = False
    assert own.rests()
