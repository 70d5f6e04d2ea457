from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rig.config.bench import Bench, InputChannel, Sensor
from rig.config.experiment import Command, Comparison, Criterion, Experiment, Limit, Predictor
from rig.display.panels.loop import cycle_length, last_stretch
from rig.display.panels.timeplot import DASH, broken
from rig.display.sources.history import History
from rig.display.sources.live import BINS, LiveSource
from rig.display.sources.source import DIFFERENCE, MOST, Trace
from rig.display.sources.view_model import subject
from rig.streaming.ring import RingReader, RingWriter
from rig.trajectory import sine
from tests.unit.rig.display.display_rings import AMPLITUDE, FREQUENCY, RATE, SUBJECT, Rings

MEASURED = Trace("measured", "transmitted_force")
PREDICTED = Trace("predicted_as_measured", "transmitted_force")
STROKE = Trace("measured", "stroke")
TRACES = SUBJECT.traces(SUBJECT.force)
APART = Trace(DIFFERENCE, "transmitted_force")


def _source(rings: Rings, delay: float = 0.0) -> LiveSource:
    return LiveSource(rings.paths, TRACES, delay, RATE)


def test_the_source_gives_what_the_rings_hold(rings: Rings) -> None:
    source = _source(rings)
    blocks = []
    for count in (1, 700, 2048, 5000):
        blocks.append(rings.blocks(count)["measured"])
        rings.writers["measured"].append(blocks[-1])
        rings.n += count
        source.poll()
    written = np.concatenate(blocks)
    first, values = source.samples(MEASURED, 0, 10**9)
    assert first == 0
    assert np.array_equal(values, written[:, 0])
    assert source.end(MEASURED) == len(written)
    assert source.rate == RATE
    source.close()


def test_streams_may_come_later_and_lack_channels(tmp_path: Path) -> None:
    paths = {name: tmp_path / f"{name}.ring" for name in ("command", "measured", "predicted_as_measured")}
    source = LiveSource(paths, TRACES)
    source.poll()
    assert source.end(MEASURED) is None
    assert source.rate == 0.0
    assert len(source.bounds(MEASURED, 0, 100, 10)[2]) == 0
    with_force = RingWriter.create(paths["measured"], ["other", "transmitted_force"], ["V", "N"], 1000, RATE)
    with_force.append(np.array([[1.0, 2.0]] * 10))
    source.poll()
    assert source.end(MEASURED) == 10
    assert source.end(STROKE) is None
    assert source.end(APART) is None
    assert source.samples(MEASURED, 0, 10)[1].tolist() == [2.0] * 10
    source.close()


def test_what_was_lost_is_a_gap(tmp_path: Path) -> None:
    rings = Rings(tmp_path, seconds=0.1)
    source = _source(rings)
    rings.append(5000)
    source.poll()
    for _ in range(4):
        rings.append(5000)
    source.poll()
    first, values = source.samples(MEASURED, 0, rings.n)
    missing = np.flatnonzero(np.isnan(values)) + first
    assert (missing[0], missing[-1]) == (5000, 25000 - 5120 - 1)
    assert len(missing) == missing[-1] - missing[0] + 1
    source.close()
    rings.close()


def test_the_difference_waits_for_the_later_of_the_two(rings: Rings) -> None:
    source = _source(rings)
    rings.append(3000, without=("predicted_as_measured",))
    source.poll()
    assert source.end(APART) is None
    late = np.full((1000, 3), 5.0)
    rings.writers["predicted_as_measured"].append(late)
    source.poll()
    assert source.end(APART) == 1000
    measured = source.samples(MEASURED, 0, 1000)[1]
    assert np.allclose(source.samples(APART, 0, 1000)[1], 5.0 - measured, atol=1e-3)
    rings.writers["predicted_as_measured"].append(np.full((2000, 3), 7.0))
    source.poll()
    assert np.allclose(source.samples(APART, 1000, 3000)[1], 7.0 - source.samples(MEASURED, 1000, 3000)[1], atol=1e-3)
    source.close()


def test_a_known_delay_of_the_measured_channels_is_taken_out(rings: Rings) -> None:
    rings.append(4000)
    plain, shifted = _source(rings), _source(rings, delay=37 / RATE)
    for source in (plain, shifted):
        source.poll()
    assert shifted.end(MEASURED) == 4000 - 37
    assert shifted.end(PREDICTED) == 4000
    assert np.array_equal(shifted.samples(MEASURED, 0, 1000)[1], plain.samples(MEASURED, 37, 1037)[1])
    rings.append(1000)
    shifted.poll()
    assert shifted.end(MEASURED) == 5000 - 37
    assert not np.isnan(shifted.samples(MEASURED, 0, 5000)[1]).any()
    for source in (plain, shifted):
        source.close()


def _stores(history: History) -> list[int]:
    return [track._store.nbytes for track in (history._raw, history._low, history._high)]


def test_memory_is_all_there_from_the_start(rings: Rings) -> None:
    source = _source(rings)
    rings.append(100)
    source.poll()
    history = source._feeds["measured"].histories[SUBJECT.force]
    before = _stores(history)
    assert sum(before) == 2 * (8 * MOST + 4 * 2 * BINS)  # twice; samples as they came, bins in float32
    rings.append(200000)
    source.poll()
    assert _stores(history) == before
    source.close()


def test_a_channel_chosen_later_begins_with_what_the_ring_still_has(rings: Rings) -> None:
    source = _source(rings)
    written = []
    for _ in range(4):
        written.append(rings.blocks(30000)["measured"])
        for name, block in rings.blocks(30000).items():
            rings.writers[name].append(block if name != "measured" else written[-1])
        rings.n += 30000
        source.poll()
    piston = Trace("measured", "actuator_force")
    assert source.end(piston) is None
    source.watch(SUBJECT.traces("actuator_force"))
    source.poll()
    first, values = source.samples(piston, 0, rings.n)
    assert (first, len(values)) == (0, rings.n)
    assert np.array_equal(values, np.concatenate(written)[:, 2])
    assert source.end(APART) is None
    assert set(source._feeds["measured"].histories) == {"transmitted_force", "stroke", "actuator_force"}
    source.close()


def test_levels_are_of_every_measured_channel(rings: Rings) -> None:
    source = _source(rings)
    assert source.levels(0, 10)[0] == ()
    rings.append(5000)
    source.poll()
    names, block = source.levels(5000, 1000)
    assert names == rings.writers["measured"].names
    assert block.shape == (1000, len(names))
    source.close()


def test_a_cycle_is_one_turn_of_the_command(rings: Rings) -> None:
    source = _source(rings)
    rings.append(60000)
    source.poll()
    assert cycle_length(source, 60000) == pytest.approx(RATE / FREQUENCY, abs=2)
    stroke, load = last_stretch(source, (STROKE, MEASURED), 17067, 60000)
    assert len(stroke) == len(load) == 17067
    assert load.max() > 0.99 * AMPLITUDE
    source.close()


def test_a_command_that_does_not_turn_shows_one_second(tmp_path: Path) -> None:
    rings = Rings(tmp_path)
    rings.writers["command"].append(np.zeros((80000, 3)))
    source = _source(rings)
    source.poll()
    assert cycle_length(source, 80000) == RATE
    source.close()
    rings.close()


def test_the_predicted_curve_is_dashed_only_where_it_hides_the_measured_one() -> None:
    low, high = np.zeros(100, dtype=np.float32), np.ones(100, dtype=np.float32)
    high_predicted = high.copy()
    high_predicted[50:] += 1.0
    under = (640, 64, low, high)
    _, _, shown_low, shown_high = broken((640, 64, low, high_predicted), under, tolerance=0.1)
    hidden = np.isnan(shown_low)
    assert np.array_equal(hidden, np.isnan(shown_high))
    assert not hidden[50:].any()
    assert 0.3 < hidden[:50].mean() < 0.7
    assert {len(run) for run in "".join("x" if h else " " for h in hidden[:50]).split()} <= set(range(1, DASH + 1))
    # The same samples seen later are broken at the same places.
    _, _, later, _ = broken((1280, 64, low[10:], high_predicted[10:]), (1280, 64, low[10:], high[10:]), tolerance=0.1)
    assert np.array_equal(np.isnan(later), hidden[10:])


def test_curves_of_different_steps_are_left_as_they_are() -> None:
    ones = np.ones(10, dtype=np.float32)
    upper = (0, 64, ones, ones)
    assert broken(upper, (0, 128, ones, ones), 1.0) is upper
    assert broken(upper, (6400, 64, ones, ones), 1.0) is upper


def _channel(name: str, unit: str) -> InputChannel:
    return InputChannel(name=name, unit=unit, terminal=f"Dev1/{name}", sensor=Sensor(sensitivity=1.0, capacity=50e3))


def _experiment(mode: str, source: str, judged: str) -> Experiment:
    return Experiment(
        title="a test",
        mechanism=None,
        trajectory=sine.Config(amplitude=3.0, frequency=2.0, cycles=12),
        integrator=None,
        command=Command(mode=mode, value_limit=5.0),
        predictor=Predictor(source=source),
        comparison=Comparison(remove_delay=1e-3, criteria=(Criterion(judged, "nrms", 0.1),)),
    )


def test_what_is_shown_is_chosen_from_the_configuration() -> None:
    channels = (_channel("acceleration", "m/s^2"), _channel("stroke", "m"), _channel("piston", "N"), _channel("cell", "N"))
    bench = Bench(title="", daq=None, loader=None, channels=channels)
    judged = subject(_experiment("force", "command", "cell"), bench, "0001-a")
    assert (judged.force, judged.stroke, judged.command_unit, judged.scale("cell"), judged.cycles) == ("cell", "stroke", "N", 3.0, 12)
    assert judged.measured_delay == 1e-3
    first = subject(_experiment("stroke", "stroke", "acceleration"), bench, "0002-a")
    assert (first.force, first.command_unit, first.scale("piston"), first.stroke_predicted) == ("piston", "m", 50e3, False)
    bare = subject(_experiment("force", "command", "x"), Bench(title="", daq=None, loader=None, channels=channels[:1]), "0003-a")
    assert (bare.force, bare.channel("gone").unit, bare.stroke) == ("acceleration", "m/s^2", None)
    assert all(trace.channel != "stroke" for trace in bare.traces(bare.force))


def test_the_narrowest_limits_of_a_channel_are_shown() -> None:
    narrow = Limit("cell", maximum=5.0, rate=2.0, action="stop")
    limits = (Limit("cell", -9.0, 9.0, action="interlock"), narrow, Limit("command", maximum=1.0))
    bench = Bench(title="", daq=None, loader=None, channels=(_channel("cell", "N"), _channel("stroke", "m")))
    cell, stroke = subject(replace(_experiment("force", "command", "cell"), limits=limits), bench, "0001-a").channels
    assert (cell.minimum, cell.maximum) == (-9.0, 5.0)
    assert cell.limits == "at least -9 N, at most 9 N: interlock; at most 5 N, rate at most 2 N/s: stop"
    assert (stroke.minimum, stroke.maximum, stroke.limits) == (None, None, "")


def test_calculated_channels_stand_among_what_is_read_beside(rings: Rings, tmp_path: Path) -> None:
    path = tmp_path / "calculated.ring"
    writer = RingWriter.create(path, ["play", "extension"], ["m", "1"], 1000, RATE)
    source = LiveSource(rings.paths | {"calculated": path}, TRACES, 0.0, RATE)
    assert source.instruments(0) == {}
    writer.append(np.array([[np.nan, 1.0], [2e-3, 2.0], [1e-3, 3.0]]))
    assert source.instruments(0) == {"play": (1e-3, 1e-3, 2e-3), "extension": (3.0, 1.0, 3.0)}
    source.watch(SUBJECT.traces("play"))
    source.poll()
    writer.append(np.array([[3e-3, 4.0]]))
    source.poll()
    shown = Trace("measured", "play")
    first, values = source.samples(shown, 0, 10)
    assert (first, source.end(shown)) == (0, 4) and np.isnan(values[0])
    assert values[1:].tolist() == [2e-3, 1e-3, 3e-3]
    assert source.end(Trace("measured", "extension")) is None, "nobody looks at its curve"
    source.close()
    writer.close()


def test_what_is_written_while_the_source_looks_pushes_nothing_out(rings: Rings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block comes each time the head of the ring is looked at; what was there before stays."""
    source, writer = _source(rings), rings.writers["measured"]
    head = RingReader.head.fget
    assert head is not None

    def growing(reader: RingReader) -> int:
        found = head(reader)
        if "transmitted_force" in reader.names and reader.names == writer.names and found < 20_000:
            writer.append(rings.blocks(100)["measured"])
            rings.n += 100
        return head(reader)

    monkeypatch.setattr(RingReader, "head", property(growing))
    for _ in range(10):
        source.poll()
    assert source.unbroken(MEASURED) == 0 and (source.end(MEASURED) or 0) >= 1000
    source.close()
