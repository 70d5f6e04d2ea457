"""A loader whose controller runs the waveform: started by an edge, kept going in chunks, held by a stop, without pressure after a trip."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.errors import DriverError, Refused
from drivers.protocols import instron_ascii
from drivers.simulated.axes.odrive import ODrive
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.plant.shaft import SmallShaft
from drivers.simulated.serial.serial_side import Fault, SerialSide
from rig.config.bench import Bench
from rig.streaming.ring import RingReader
from tests.tiers import quick
from tests.unit.rig.workers.bench.bench_worker import Rig, once, rig

NAME = "linkage_instron"
WHERE = "loader (Instron) at socket://"
AT = 1.0  # s of the test: it has run for some cycles
CYCLES, FREQUENCY = 6, 3.0
BLOCK = 0.01  # s


def controller(bench: Rig) -> Instron:
    device = bench.hardware.serial["controller"].device
    assert isinstance(device, Instron)
    return device


def time_of(bench: Rig, text: str) -> float:
    """Bench time of the last such event of the controller."""
    found = controller(bench).since(text)
    assert found is not None, f"it never said {text!r}"
    return found


def without_pressure(bench: Rig) -> bool:
    """A few milliseconds from now."""
    with bench.hardware.engine.lock:
        bench.hardware.engine.advance(bench.hardware.engine.time + 5e-3)
    return not controller(bench).actuator and not controller(bench).enable_input


def test_it_runs_every_cycle_and_is_extended_chunk_by_chunk(tmp_path: Path) -> None:
    """Six cycles are two chunks of three: what the controller may run for is never more than a chunk beyond what it has run."""
    most = []

    def look(bench: Rig) -> None:
        device = controller(bench)
        if device.wave_state == instron_ascii.RUNNING:
            most.append(device.limit - device.quarters)

    with rig(NAME, tmp_path, "bench.loader.chunk=1 s", "bench.loader.reply_timeout=0.2 s") as bench:
        figures = bench.run(look)
        assert (figures["outcome"], figures["reason"]) == ("done", "")
        device = controller(bench)
        assert device.quarters == 4 * CYCLES and max(most) <= 12
        assert time_of(bench, "waveform ended") - time_of(bench, "waveform started") == pytest.approx(CYCLES / FREQUENCY, abs=1e-3)
        assert without_pressure(bench)
        assert figures["ao"]["underflows"] == 0


def test_the_waveform_begins_at_the_sample_at_which_the_trajectory_does(tmp_path: Path) -> None:
    """What goes out on the run input comes back on a channel: high behind the very sample at which the first cycle begins."""
    with rig(NAME, tmp_path) as bench:
        readers: list[RingReader] = []

        def follow(bench: Rig) -> None:
            readers.extend(RingReader.open(tmp_path / f"rings/{name}.ring", 1.0) for name in ("command", "measured"))

        bench.run(once(lambda bench: bench.time > 0.0, follow))
        command, measured = (reader.latest(reader.capacity)[1] for reader in readers)
        cycle = command[:, readers[0].names.index("cycle")]
        run = measured[:, readers[1].names.index("run")]
        assert int((cycle >= 0.0).argmax()) + 1 == int((run > 2.5).argmax())


def stop(bench: Rig) -> None:
    bench.worker.command("stop", {"reason": "Ctrl-C"})


def test_a_stop_holds_the_waveform_and_ramps_to_no_force(tmp_path: Path) -> None:
    with rig(NAME, tmp_path) as bench:
        figures = bench.run(once(lambda bench: bench.time > AT, stop))
        assert (figures["outcome"], figures["reason"]) == ("stopped", "Ctrl-C")
        held, ramped, off = (time_of(bench, text) for text in ("waveform held", "ramp", "actuator off"))
        assert 0.0 < ramped - held < 0.3 and off - ramped > 0.3, "held by its input, then the controller's own ramp to its end"
        assert abs(controller(bench).setpoint) < 1e-3 and without_pressure(bench)


@pytest.mark.parametrize("verb", ["stop", "trip"])
def test_called_off_before_the_test_nothing_keeps_its_pressure(tmp_path: Path, verb: str) -> None:
    def call_off(bench: Rig) -> None:
        bench.worker.command(verb, {"reason": "Ctrl-C"})

    with rig(NAME, tmp_path) as bench:
        figures = bench.run(once(lambda bench: controller(bench).ramp_state == instron_ascii.START, call_off))
        assert (figures["outcome"], figures["samples"]) == ({"stop": "stopped", "trip": "tripped"}[verb], 0)
        assert without_pressure(bench) and controller(bench).since("waveform started") is None


def spoil(kind: str, replies: int) -> Any:
    def do(bench: Rig) -> None:
        side = bench.hardware.serial["controller"]
        if kind == "unplugged":
            side.unplug()
        else:
            side.fault = Fault(kind, replies, seconds=4.0)

    return once(lambda bench: bench.time > AT, do)


@pytest.mark.parametrize("kind", quick(["cut", "garbled", "delayed", "silent", "unplugged"], 2))
def test_a_line_that_fails_in_mid_test_trips_it(tmp_path: Path, kind: str) -> None:
    with rig(NAME, tmp_path, "bench.loader.reply_timeout=0.4 s") as bench:
        figures = bench.run(spoil(kind, 1000))
        assert figures["outcome"] == "tripped"
        assert figures["reason"].startswith(WHERE), figures["reason"]
        (told,) = [event for event in bench.heard.events if event["kind"] == "interlock"]
        assert told["text"] == figures["reason"] and 0.0 <= told["sample"] / figures["rate"] - AT < 0.25
        assert without_pressure(bench), "by the enable line: the serial line is lost"
        off = time_of(bench, "enable input low")
        assert off - time_of(bench, "waveform started") < AT + 0.25
        assert not [text for text in bench.heard.of("close") if "watchdog" in text], "the device was kept alive after the trip"


@pytest.mark.parametrize("kind", quick(["garbled", "doubled", "silent"], ["silent"]))
def test_one_bad_answer_is_no_trip(tmp_path: Path, kind: str) -> None:
    """Nor one that is lost: its time-out, and as long again for a late one, pass while the chunk lasts."""
    with rig(NAME, tmp_path, "trajectory.cycles=4") as bench:
        figures = bench.run(spoil(kind, 1))
        assert (figures["outcome"], figures["reason"]) == ("done", "")


def test_a_limit_of_the_controller_trips_the_test(tmp_path: Path) -> None:
    """It shuts its valve by itself; the test ends within the time between two questions, and says what to look at."""
    with rig(NAME, tmp_path, "bench.plant.panel.force_limit=8 kN") as bench:
        bench.ends("tripped", r"^loader \(Instron\) at socket://\S+: status 6656 \(bits 0x1a00, 0x1e00 is good\): see the panel")
        (noted,) = [text for text in bench.said("controller") if text.startswith("limit: ")]
        assert re.match(r"limit: force 8\.\d kN beyond the controller's limit 8 kN; pressure off", noted)
        (told,) = [event for event in bench.heard.events if event["kind"] == "interlock"]
        started = time_of(bench, noted)
        assert told["sample"] is not None and time_of(bench, "enable input low") - started < 0.2
        assert without_pressure(bench)


def test_pressure_that_somebody_takes_away_is_told(tmp_path: Path) -> None:
    def take(bench: Rig) -> None:
        with bench.hardware.serial["controller"].lock:
            controller(bench)._switch(False)

    with rig(NAME, tmp_path) as bench:
        words = rf"^{re.escape(WHERE)}.*the actuator is off: pressure lost or taken away$"
        bench.ends("tripped", words, once(lambda bench: bench.time > AT, take))


def test_another_controller_is_refused(tmp_path: Path) -> None:
    with rig(NAME, tmp_path, "bench.serial.controller.force_full_scale=100 kN") as bench:
        with pytest.raises(Refused, match=r"loader \(Instron\) at .* its force is 100000 \(N, m\), the bench file says 250000; set "):
            bench.run()
        assert "actuator on" not in bench.said("controller") and without_pressure(bench)


def test_another_device_on_its_port_is_told(tmp_path: Path) -> None:
    with SerialSide(ODrive(SmallShaft())) as side, rig(NAME, tmp_path, f"bench.loader.port={side.url}") as bench:
        with pytest.raises(DriverError, match=r"^loader \(Instron\) at socket://.*(expected a number, got|no reply)"):
            bench.run()
        assert without_pressure(bench)


def bridged(bench: Bench) -> Bench:
    """Without an enable line, and without a watchdog then."""
    wiring = tuple(wire for wire in bench.wiring if wire.signal != "loader_enable")
    loader, plant = replace(bench.loader, enable_line=None), replace(bench.plant, enable_input=False)
    return replace(bench, loader=loader, plant=plant, wiring=wiring, daq=replace(bench.daq, watchdog=None))


def tared(bench: Bench) -> Bench:
    """2 kN on the load cell that are no load."""
    channels = [replace(c, sensor=replace(c.sensor, tare=2e3)) if c.name == "transmitted_force" else c for c in bench.channels]
    return replace(bench, channels=tuple(channels))


@pytest.mark.parametrize("guarded", [True, False])
def test_the_program_falls_silent(tmp_path: Path, guarded: bool) -> None:
    """With an enable line the DAQ's watchdog takes the pressure; without one the waveform ends with its chunk."""
    change = (lambda bench: bench) if guarded else bridged
    quick = ("trajectory.cycles=60", "bench.loader.chunk=1 s", "bench.loader.reply_timeout=0.2 s")
    with rig(NAME, tmp_path, *quick, change=change) as bench:
        bench.worker.setup()
        bench.worker.command("start", {})
        while bench.time < AT:
            bench.step()
        last = bench.hardware.engine.time
        with bench.hardware.engine.lock:
            for _ in range(200):
                bench.hardware.engine.advance(bench.hardware.engine.time + BLOCK)
        if guarded:
            assert 0.0 < time_of(bench, "enable input low") - last < 0.25 + 2 * BLOCK
            assert not controller(bench).actuator
        else:
            assert 0.0 < time_of(bench, "waveform ended") - last < 1.0 + 2 * BLOCK
        assert controller(bench).wave_rests
        bench.worker.close()


def test_a_tared_force_begins_at_its_own_zero(tmp_path: Path) -> None:
    """What the load cell shows without load is no load: the controller, which shows it too, gets it added to its setpoints."""
    with rig(NAME, tmp_path) as bench:
        without = bench.run()["clocks"]["loader"]["following_error_rms"]
    with rig(NAME, tmp_path / "tared", "bench.plant.sensors.force_zero=2 kN", change=tared) as bench:
        seen: list[float] = []

        def look(bench: Rig) -> None:
            device = controller(bench)
            if device.wave_state == instron_ascii.HOLDING:
                seen.append(device.setpoint * 250e3)

        figures = bench.run(look)
        assert figures["outcome"] == "done" and seen[-1] == pytest.approx(2000.0, abs=1.0)
        assert figures["clocks"]["loader"]["following_error_rms"] == pytest.approx(without, rel=1e-3), "its readings are net as well"


def test_a_loader_that_stands_elsewhere_is_not_sent_across(tmp_path: Path) -> None:
    with rig(NAME, tmp_path, "bench.plant.sensors.force_zero=5 kN") as bench:
        words = r"^preparation: loader: loader \(Instron\) at \S+: before the test it stands at 50\d\d(\.\d)? N, it begins at 0 N; zero"
        bench.ends("failed", words)
        assert "ramp" not in bench.said("controller") and without_pressure(bench)


def test_in_stroke_mode(tmp_path: Path) -> None:
    with rig(
        NAME, tmp_path, "command.mode=stroke", "trajectory.amplitude=0.15 mm", "command.value_limit=1 mm", "command.rate_limit=10 mm/s",
        "trajectory.kind=triangle",
    ) as bench:  # fmt: skip
        figures = bench.run()
        assert (figures["outcome"], figures["reason"]) == ("done", "")
        assert "stroke control" in bench.said("controller") and controller(bench).quarters == 4 * CYCLES
        assert without_pressure(bench)


@pytest.mark.long
def test_a_controller_whose_clock_is_off_is_found_out(tmp_path: Path) -> None:
    """Without play; the impacts of the specimen as it is leave more scatter in a quarter of a minute than what is to be told."""
    with rig(NAME, tmp_path, "bench.serial.controller.skew_ppm=200", "trajectory.cycles=45", "bench.plant.clearance=0 mm") as bench:
        figures = bench.run()
        assert figures["outcome"] == "done", figures
        assert figures["clocks"]["loader"]["skew_ppm"] == pytest.approx(200.0, abs=20.0)


def habitual(*habits: str) -> Any:
    """A bench whose controller has these habits, and a chunk of three cycles."""

    def change(bench: Bench) -> Bench:
        (entry,) = bench.serial
        return replace(bench, serial=(replace(entry, habits=habits),), loader=replace(bench.loader, chunk=1.0, reply_timeout=0.2))

    return change


@pytest.mark.parametrize("action", quick(["hold", "stop"], 1))
def test_both_actions_of_the_event_end_a_waveform(tmp_path: Path, action: str) -> None:
    with rig(NAME, tmp_path, f"bench.loader.end_action={action}") as bench:
        figures = bench.run()
        assert (figures["outcome"], figures["reason"]) == ("done", "")
        assert controller(bench).action == {"hold": 3, "stop": 2}[action] and controller(bench).quarters == 4 * CYCLES


REFUSED = {
    "event action kept": r"C213,3 was written and Q213 reads 0, 3 times in a row; look at the line and the panel",
    "event action actuator off": r"C213,3 was written and Q213 reads 1, 3 times in a row; look at the line and the panel",
    "frequency as it likes": r"C202,2,3\.000000 was written and Q202,2 reads 2\.5, 3 times in a row",
    "generator disabled": r"the waveform did not start; its generator is disabled; look at the panel",
    "generator slaved": r"mode force was asked for while its waveform generator is slaved; stop it at the panel",
}


@pytest.mark.parametrize("habit", REFUSED)
def test_a_controller_that_would_not_end_its_waveform_is_refused_before_anything_runs(tmp_path: Path, habit: str) -> None:
    with rig(NAME, tmp_path, "bench.loader.settle=0.3 s", change=habitual(habit)) as bench:
        bench.ends("failed", r"loader \(Instron\) at socket://\S+: .*" + REFUSED[habit])
        assert controller(bench).since("waveform started") is None and without_pressure(bench)


def test_a_count_that_ends_nothing_is_noticed_and_is_an_interlock(tmp_path: Path) -> None:
    """Everything is read back as it was written, and at the end the waveform goes on."""
    with rig(NAME, tmp_path, change=habitual("goes on after its count")) as bench:
        words = r"the waveform goes on after 6(\.\d+)? cycles, though its controller was to end it after 6 .*does not obey its count"
        bench.ends("tripped", rf"^{re.escape(WHERE)}.*{words}")
        off = time_of(bench, "enable input low") - time_of(bench, "waveform started")
        assert CYCLES / FREQUENCY < off < CYCLES / FREQUENCY + 0.5 and without_pressure(bench)


@pytest.mark.parametrize(
    ("cycles", "words", "least", "most"),
    [
        (60, r"has counted 0 of the 3\.\d+ cycles that have gone by: it would not end its waveform", 1.0, 1.5),
        (2, r"was to end after 2 cycles, and goes on 1 s later \(counted: 0 cycles\); look at its event", 1.6, 2.5),
    ],
)
def test_a_counter_that_counts_nothing_is_noticed(tmp_path: Path, cycles: int, words: str, least: float, most: float) -> None:
    """Nothing would end it but this program: it is not let run on for minutes before that is known, but for a chunk or so. Two cycles
    are over before a chunk has gone by."""
    with rig(NAME, tmp_path, f"trajectory.cycles={cycles}", change=habitual("counts nothing")) as bench:
        bench.ends("tripped", words)
        off = time_of(bench, "enable input low") - time_of(bench, "waveform started")
        assert least < off < most and without_pressure(bench)


def test_a_run_input_that_holds_nothing_is_noticed_after_a_stop(tmp_path: Path) -> None:
    """The controller is not set up for it: the ramped stop is not left to wait for ever."""

    def deaf(bench: Rig) -> None:
        controller(bench).take_run = lambda high, at: None  # type: ignore[method-assign]
        stop(bench)

    with rig(NAME, tmp_path, "trajectory.cycles=60") as bench:
        words = "its waveform was to be held by its run/hold input, which is low, and goes on"
        bench.ends("tripped", words, once(lambda bench: bench.time > AT, deaf))
        assert time_of(bench, "enable input low") - time_of(bench, "waveform started") < AT + 0.05 + 0.4 + 0.3 + 1.5
        assert without_pressure(bench)


@pytest.mark.parametrize("at", [1.0, 1.0 + 0.5 / FREQUENCY])
def test_a_stop_in_stroke_mode_stays_where_its_run_input_holds_it(tmp_path: Path, at: float) -> None:
    """Zero stroke can crush a specimen, and so can the stroke of a moment ago: 50 ms behind the stop it is held, by then elsewhere."""
    with rig(
        NAME, tmp_path, "command.mode=stroke", "trajectory.amplitude=0.15 mm", "command.value_limit=1 mm", "command.rate_limit=10 mm/s",
        "trajectory.cycles=30",
    ) as bench:  # fmt: skip
        seen: list[float] = []

        def look(bench: Rig) -> None:
            once_at(bench)
            if controller(bench).since("waveform held") is not None and controller(bench).actuator:
                seen.append(controller(bench).setpoint * 50.0)  # mm

        once_at = once(lambda bench: bench.time > at, stop)
        figures = bench.run(look)
        assert (figures["outcome"], figures["reason"]) == ("stopped", "Ctrl-C")
        assert len(seen) > 10 and max(seen) - min(seen) < 1e-6, "it does not move on from there"
        assert 0.05 < abs(seen[-1]) < 0.1501, "nor is that its zero"
        assert [text for text in bench.said("controller") if text == "ramp"] == ["ramp"], "the one to where the test began"
        assert without_pressure(bench)


def ask(verb: str) -> Any:
    def do(bench: Rig) -> None:
        bench.worker.command(verb, {"asked": None, "reason": "by hand"})

    return do


@pytest.mark.parametrize("moments", [(0.83, 1.41), (0.5, 1.9)])
def test_a_hold_stands_at_once_by_the_run_input_and_goes_on_in_the_same_cycle(tmp_path: Path, moments: tuple[float, float]) -> None:
    """The controller's waveform and the command stand, and go on, in step: its setpoint is the command all the way."""
    with rig(NAME, tmp_path) as bench:
        readers: list[RingReader] = []
        hold, resume = moments

        def follow(bench: Rig) -> None:
            readers.extend(RingReader.open(tmp_path / f"rings/{name}.ring", 1.0) for name in ("command", "measured"))

        acts = [
            once(lambda bench: bench.time > hold, ask("hold")), once(lambda bench: bench.time > resume, ask("resume")),
            once(lambda bench: bench.time > 0.0, follow),
        ]  # fmt: skip
        figures = bench.run(lambda bench: [act(bench) for act in acts])  # type: ignore[func-returns-value]
        assert (figures["outcome"], figures["reason"]) == ("done", "")
        device = controller(bench)
        assert device.quarters == 4 * CYCLES
        lasted = time_of(bench, "waveform ended") - time_of(bench, "waveform started")
        command, measured = (reader.latest(reader.capacity)[1] for reader in readers)
        value, phase, cycle = command.T[:3]
        stood = int(np.count_nonzero((np.diff(phase) == 0.0) & (cycle[1:] >= 0.0)))
        assert stood > 0.3 * figures["rate"] and lasted == pytest.approx(CYCLES / FREQUENCY + stood / figures["rate"], abs=2e-3)
        assert sorted(set(cycle)) == [-1.0, *map(float, range(CYCLES))]
        force = measured[:, readers[1].names.index("transmitted_force")]
        after = [number for number in range(1, CYCLES) if not np.any(np.diff(phase[cycle == number]) == 0.0)]
        lags = [_lead(value[cycle == number], force[cycle == number]) for number in after]
        assert len(after) >= 3 and np.ptp(lags) < 0.05, "as late before as after"
        states = [text.split(":")[0] for text in bench.heard.of("state")]
        assert states[-7:] == ["running", "holding", "hold", "resuming", "running", "stopping", "stopped"]


def _lead(command: Any, force: Any) -> float:
    """By how much the fundamental of a whole cycle leads that of the command, rad."""
    turn = np.exp(-2j * np.pi * np.arange(len(command)) / len(command))
    return float(np.angle(np.sum(force * turn) / np.sum(command * turn)))


def test_held_at_a_peak_it_stands_at_the_very_sample(tmp_path: Path) -> None:
    with rig(NAME, tmp_path, "hold.at=peak") as bench:
        readers: list[RingReader] = []
        acts = [
            once(lambda bench: bench.time > 0.9, ask("hold")), once(lambda bench: bench.time > 1.6, ask("resume")),
            once(lambda bench: bench.time > 0.0, lambda bench: readers.append(RingReader.open(tmp_path / "rings/command.ring", 1.0))),
        ]  # fmt: skip
        figures = bench.run(lambda bench: [act(bench) for act in acts])  # type: ignore[func-returns-value]
        assert (figures["outcome"], figures["reason"]) == ("done", "") and controller(bench).quarters == 4 * CYCLES
        value, phase, cycle = readers[0].latest(readers[0].capacity)[1].T[:3]
        stands = value[1:][(np.diff(phase) == 0.0) & (cycle[:-1] >= 0.0) & (cycle[1:] >= 0.0)]
        assert np.ptp(stands) == 0.0 and abs(stands[0]) == pytest.approx(np.abs(value).max(), rel=1e-5)


def test_a_stop_in_a_hold_ramps_to_no_force(tmp_path: Path) -> None:
    with rig(NAME, tmp_path) as bench:
        acts = [once(lambda bench: bench.time > AT, ask("hold")), once(lambda bench: bench.time > AT + 0.5, stop)]
        figures = bench.run(lambda bench: [act(bench) for act in acts])  # type: ignore[func-returns-value]
        assert (figures["outcome"], figures["reason"]) == ("stopped", "Ctrl-C")
        assert abs(controller(bench).setpoint) < 1e-3 and without_pressure(bench)


def test_without_the_program_a_held_waveform_does_not_go_on(tmp_path: Path) -> None:
    """The input stays low, and the enable line falls."""
    with rig(NAME, tmp_path) as bench:
        bench.worker.setup()
        bench.worker.command("start", {})
        held = once(lambda bench: bench.time > AT, ask("hold"))
        while bench.time < AT + 0.4:
            held(bench)
            bench.step()
        done = controller(bench).quarters
        with bench.hardware.engine.lock:
            bench.hardware.engine.advance(bench.hardware.engine.time + 1.0)
        assert controller(bench).quarters == done and without_pressure(bench)
        bench.worker.close()
