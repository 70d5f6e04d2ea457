"""Instruments beside the DAQ device: what they read stands in the record at its sample, and what does not come is told, once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.errors import NoReply, NotConnected, Refused
from drivers.instruments.force_gauge import Config as GaugeConfig
from drivers.simulated.instruments.force_gauge import Config as SideConfig
from drivers.simulated.serial.serial_side import Fault
from rig.config.bench import Bench as Config
from rig.config.bench import Instrument, SerialEntry
from rig.config.checks.rules import of_bench
from rig.config.virtual_ports import problems
from rig.errors import ConfigError
from rig.streaming.ring import RingReader
from rig.virtual.observed_plant import ObservedPlant
from rig.virtual.rig_plant import NothingWired
from rig.workers.bench.instruments import Instruments, Poll
from rig.workers.bench.sample_times import SampleTimes
from tests.tiers import quick
from tests.unit.rig.workers.bench.bench_worker import Rig, once, rig

RATE, PER_VOLT = 20.0, 2.0
SWIFT = ("trajectory.speed=1.4 rad/s", "command.rate_limit=2 rad/s", "acquisition.block=20 ms")  # near the most that the drive gives


def gauged(on_failure: str = "warn", name: str = "gauge", signal: str = "friction", timeout: float = 1.0) -> Callable[[Config], Config]:
    """A bench with a gauge at a signal of its plant."""

    def change(bench: Config) -> Config:
        gauge = Instrument(name, GaugeConfig("virtual:hand", timeout=timeout), RATE, on_failure)
        line = SerialEntry("hand", "instrument", signal=signal, per_volt=PER_VOLT, device=SideConfig(filter_time=1e-3))
        return replace(bench, instruments=(*bench.instruments, gauge), serial=(*bench.serial, line))

    return change


def spoil(kind: str, replies: int = 1) -> Callable[[Rig], None]:
    def fault(bench: Rig) -> None:
        bench.hardware.serial["hand"].fault = Fault(kind, replies)

    return once(lambda bench: bench.time > 1.0, fault)


def rows(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """(sample, value) of the gauge, and what the friction sensor told."""
    reader = RingReader.open(folder / "rings/instruments.ring", 0.0)
    assert (reader.names, reader.units) == (("sample", "gauge"), ("1", "N"))
    measured = RingReader.open(folder / "rings/measured.ring", 0.0)
    return reader.read(reader.capacity)[1], measured.read(measured.capacity)[1][:, measured.names.index("friction")]


@pytest.mark.parametrize("name", quick(["slider_bar_rig", "linkage_instron", "four_bar_rig"], ["four_bar_rig"]))
def test_it_reads_through_the_test_on_any_rig(tmp_path: Path, name: str) -> None:
    signal = {"slider_bar_rig": "friction", "linkage_instron": "force_monitor", "four_bar_rig": "tachometer"}[name]
    with rig(name, tmp_path, *(SWIFT if name == "slider_bar_rig" else ()), change=gauged(signal=signal)) as bench:
        figures = bench.run()
    assert figures["outcome"] == "done", figures
    told = figures["instruments"]["gauge"]
    seconds = figures["samples"] / figures["rate"]
    assert (told["unit"], told["failed"]) == ("N", 0)
    assert abs(told["readings"] - RATE * seconds) <= 2.0
    assert told["least"] <= told["mean"] <= told["most"] and told["most"] > told["least"]
    assert [text for text in bench.heard.of("instrument") if text.startswith("gauge: force gauge to 500 N, shows ")]


@pytest.mark.parametrize(("fault", "says"), quick([("silent", "no reply"), ("cut", "cut short"), ("garbled", "expected a reading")], 1))
def test_what_does_not_come_is_told_once_and_the_test_goes_on(tmp_path: Path, fault: str, says: str) -> None:
    with rig("slider_bar_rig", tmp_path, *SWIFT, change=gauged()) as bench:
        figures = bench.run(spoil(fault))
    assert figures["outcome"] == "done", figures
    failed, again = bench.heard.of("instrument")[1:]
    assert failed.startswith("gauge (force gauge) at socket://") and says in failed
    assert again.startswith("gauge: read again after ")
    assert figures["instruments"]["gauge"]["failed"] == 1


def test_a_cable_that_is_pulled_and_put_back(tmp_path: Path) -> None:
    with rig("slider_bar_rig", tmp_path, *SWIFT, change=gauged()) as bench:
        side = bench.hardware.serial["hand"]
        pulled, back = once(lambda b: b.time > 1.0, lambda b: side.unplug()), once(lambda b: b.time > 2.0, lambda b: side.plug())
        figures = bench.run(lambda b: (pulled(b), back(b)))  # type: ignore[func-returns-value]
    assert figures["outcome"] == "done", figures
    assert len(bench.heard.of("instrument")) == 3
    assert figures["instruments"]["gauge"]["failed"] >= 15


def test_one_that_is_needed_ends_the_test_at_rest(tmp_path: Path) -> None:
    with rig("slider_bar_rig", tmp_path, *SWIFT, change=gauged("stop", timeout=0.2)) as bench:
        figures = bench.run(spoil("silent", 5))
    assert (figures["outcome"], bench.heard.of("state")[-1]) == ("tripped", "stopped"), figures
    assert figures["reason"].startswith("gauge (force gauge) at socket://")
    assert any(text.startswith("stopping: gauge (force gauge)") for text in bench.heard.of("state")), "a ramped stop, no interlock"


def test_what_is_not_the_instrument_refuses_the_test(tmp_path: Path) -> None:
    with rig("slider_bar_rig", tmp_path, *SWIFT, change=gauged()) as bench:
        bench.hardware.serial["hand"].fault = Fault("silent", 1)
        with pytest.raises(Exception, match=r"^gauge \(force gauge\) at socket://.*no reply"):
            bench.run()


def test_names_are_their_own() -> None:
    from rig import config

    setup = config.load("configs/experiments/slider_bar_rig.toml")
    for name, said in (("sample", "'sample' is taken"), ("my gauge", "'my gauge' is none")):
        assert [said in str(problem) for problem in of_bench(gauged(name=name)(setup.bench))] == [True]
    twice = gauged(name="gauge")(setup.bench)
    twice = replace(twice, instruments=(*twice.instruments, twice.instruments[0]))
    assert ["'gauge' is taken" in str(problem) for problem in of_bench(twice)] == [True]
    channel = gauged(name="torque")(setup.bench)
    assert ["'torque' is taken" in str(problem) for problem in of_bench(channel)] == [True]
    drives = gauged()(setup.bench)
    wrong = replace(drives, instruments=(replace(drives.instruments[0], device=GaugeConfig("virtual:bar")),))
    assert ["expected a line with a force_gauge; at the end of 'bar' is a tmcl" in str(problem) for problem in problems(wrong)] == [True]
    lost = replace(twice, serial=setup.bench.serial, instruments=twice.instruments[:1])
    assert ["no serial line 'hand'" in str(problem) for problem in problems(lost)] == [True]


def test_a_signal_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"serial hand: signal: expected a signal of the plant, which has .*friction.*; got 'pressure'"):
        Rig("slider_bar_rig", tmp_path, change=gauged(signal="pressure"))


@pytest.mark.parametrize(
    "entry", [{"kind": "instrument"}, {"kind": "odrive", "shafts": ("a",), "device": SideConfig(), "signal": "x"},
              {"kind": "instrument", "device": SideConfig(), "signal": "x", "shafts": ("a",)},
              {"kind": "instrument", "device": SideConfig(), "signal": "x", "per_volt": 0.0}],
)  # fmt: skip
def test_entries_that_are_half_an_instrument(entry: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^(device|per_volt): "):
        SerialEntry("line", **entry)


class Device:
    """Reads 1, 2, 3, ...; fails as told."""

    name, unit = "balance", "kg"

    def __init__(self) -> None:
        self.value, self.raises = 0.0, None

    def read(self) -> float:
        if self.raises:
            raise self.raises
        self.value += 1.0
        return self.value

    def close(self) -> list[str]:
        return []


class Daq:
    def reset_watchdog(self) -> None:
        pass


def test_two_instruments_share_rows_and_early_readings_are_not_the_tests() -> None:
    config = Instrument("a", GaugeConfig("socket://127.0.0.1:1"))
    two = Instruments([config, replace(config, name="b")], Daq(), lockstep=True)
    for poll in two._polls:
        poll.device = Device()
    assert two.columns == (("sample", "1"), ("a", "kg"), ("b", "kg")) and two.readings == 20.0
    two._rate = 1000.0
    times = SampleTimes(1000.0)
    times.took(100, 10.0)
    found = np.concatenate([two.take(times, n) for n in (100, 150, 200)])
    assert found[:, 0].tolist() == [100.0, 100.0, 200.0, 200.0]
    assert [sum(not math.isnan(value) for value in row[1:]) for row in found] == [1] * 4
    real = Instruments([config], Daq(), lockstep=False)
    real._rate = 1000.0
    real._polls[0]._read.extend([(9.8, 5.0), (9.95, 6.0)])  # sample 0 was at 9.9 s
    assert real.take(times, 100) == pytest.approx(np.array([[50.0, 6.0]]))
    told = real.figures()["a"]
    assert (told["readings"], told["mean"], told["least"]) == (1, 6.0, 6.0), "figures are of what the record has"


def test_a_driver_with_a_fault_is_given_up_and_told() -> None:
    poll = Poll(Instrument("balance", GaugeConfig("socket://127.0.0.1:1"), on_failure="stop"))
    device = Device()
    device.raises = ZeroDivisionError("0/0")  # type: ignore[assignment]
    poll.device = device
    poll._run()
    assert poll.figures()["gave_up"] == "ZeroDivisionError: 0/0"
    assert poll.take_notes() == [("balance: given up, ZeroDivisionError: 0/0; this is a fault of its driver, report it", True)]


@pytest.mark.parametrize("value", [math.nan, math.inf, "12", None, True])
def test_what_is_no_number_is_no_reading(value: object) -> None:
    """NaN counted as a good one, and made the record say that nothing was read; a text was taken for the number that it spelt."""
    poll = Poll(Instrument("balance", GaugeConfig("socket://127.0.0.1:1")))
    device = Device()
    device.read = lambda: value  # type: ignore[assignment, method-assign, return-value]
    poll.device = device
    poll.look()
    assert poll.take() == [] and poll.figures()["failed"] == 1
    assert poll.take_notes() == [(f"balance: expected a finite number in kg, its driver gave {value!r}", False)]


def test_a_refused_reading_does_not_open_the_port_anew() -> None:
    opened: list[str] = []
    poll = Poll(Instrument("balance", GaugeConfig("socket://127.0.0.1:1")))
    device = Device()
    device.connect = lambda: opened.append("connect")  # type: ignore[attr-defined]
    poll.device = device
    for error, times in ((Refused("too heavy"), 0), (NoReply("silent"), 0), (NotConnected("pulled"), 1)):
        device.raises = error  # type: ignore[assignment]
        poll.look()
        assert len(opened) == times, error
    assert poll.take_notes() == [("too heavy", False)] and poll.figures()["failed"] == 3


@pytest.mark.parametrize(("rate", "blocks"), [(30.0, 1000), (20.0, 1000), (100.0, 1000), (1000.0, 1000)])
def test_in_lockstep_the_rate_holds_on_average(rate: float, blocks: int) -> None:
    """Blocks of 10 ms: 30 Hz are readings every three or four of them, and more than 100 Hz there cannot be."""
    instruments = Instruments([Instrument("a", GaugeConfig("socket://127.0.0.1:1"), rate)], Daq(), lockstep=True)
    instruments._polls[0].device = Device()
    instruments._rate = 10_000.0
    times = SampleTimes(10_000.0)
    found = sum(len(instruments.take(times, 100 * n)) for n in range(1, blocks + 1))
    assert abs(found - min(rate, 100.0) * 0.01 * blocks) <= 1.0


def test_a_plant_is_looked_at_and_stays_what_it_is() -> None:
    plant = ObservedPlant(NothingWired())
    assert plant.digital_inputs == () and plant.take_events() == []
    with pytest.raises(ValueError, match="which has none"):
        plant.look(None, "x", 1.0)  # type: ignore[arg-type]


def test_the_record_has_the_value_of_the_sample(tmp_path: Path) -> None:
    """A gauge whose filter is 1 ms shows what the signal is at the sample its row names."""
    with rig("slider_bar_rig", tmp_path, *SWIFT, change=gauged()) as bench:
        figures = bench.run()
    found, friction = rows(tmp_path)
    assert len(found) == figures["instruments"]["gauge"]["readings"]
    there = friction[np.minimum(found[:, 0].astype(int), len(friction)) - 1]
    shape = float(np.dot(there, found[:, 1]) / np.dot(there, there))
    assert np.corrcoef(there, found[:, 1])[0, 1] > 0.95
    assert shape > 0.0
