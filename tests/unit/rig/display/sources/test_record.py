import re
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from rig.display.sources import pyramid, record
from rig.display.sources.cycles import CycleErrors
from rig.display.sources.pyramid import Pyramid
from rig.display.sources.recorded import doubt, events, lost, recorded_subject
from rig.display.sources.source import DIFFERENCE, MOST, Trace
from rig.display.sources.tracking import CycleTracker
from rig.errors import ConfigError
from rig.recorder.description import Description, StreamShape
from rig.recorder.reading import read_run
from rig.recorder.record import Record
from tests.tiers import quick
from tests.unit.rig.display.display_records import made_up, source_of, write_record
from tests.unit.rig.display.display_rings import FREQUENCY, RATE, SUBJECT

MEASURED = Trace("measured", "transmitted_force")
PREDICTED = Trace("predicted_as_measured", "transmitted_force")
APART = Trace(DIFFERENCE, "transmitted_force")
COUNT = 300_000


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    return made_up(COUNT, tmp_path_factory.mktemp("blocks"))


@pytest.fixture(scope="module")
def path(blocks: dict[str, np.ndarray], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("0007-linkage") / "run.h5"
    write_record(file, blocks)
    return file


def test_samples_are_those_of_the_record(path: Path, blocks: dict[str, np.ndarray]) -> None:
    source = source_of(path)
    first, values = source.samples(MEASURED, 100, 5000)
    assert first == 100
    assert np.array_equal(values, blocks["measured"][100:5000, 0])
    assert len(source.samples(MEASURED, 0, 10**9)[1]) == min(COUNT, MOST)
    assert len(source.samples(MEASURED, COUNT + 5, COUNT + 50)[1]) == 0
    assert source.samples(MEASURED, -500, 10)[0] == 0
    assert source.end(MEASURED) == COUNT
    assert source.end(Trace("measured", "not there")) is None
    names, levels = source.levels(COUNT, 1000)
    assert np.array_equal(levels[:, names.index("stroke")], blocks["measured"][-1000:, 1])
    source.close()


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("step", quick([1, 7, 64, 200, 5000], [7, 5000]))
def test_bounds_hold_every_sample_before_and_after_the_pyramid_is_there(
    path: Path, blocks: dict[str, np.ndarray], complete: bool, step: int
) -> None:
    source = source_of(path)
    if complete:
        source.advance(time.monotonic() + 60.0)
        assert source.progress == 1.0
    values = (blocks["measured"][:, 0].astype(np.float32), blocks["predicted_as_measured"][:, 0].astype(np.float32))
    for trace, expected in ((MEASURED, values[0]), (APART, values[1] - values[0])):
        begin, used, low, high = source.bounds(trace, 50_000, 150_000, step)
        assert begin <= 50_000
        assert begin + used * len(low) >= 150_000
        for place in range(0, len(low) - 1, max(1, len(low) // 50)):
            part = expected[begin + place * used : begin + (place + 1) * used]
            assert (low[place], high[place]) == (part.min(), part.max())
    source.close()


def test_what_is_looked_at_is_worked_out_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "AT_ONCE", 1000)
    source = source_of(path)
    asked = (200_000, 250_000)
    assert np.isnan(source.bounds(MEASURED, *asked, 64)[2]).all()
    while np.isnan(source.bounds(MEASURED, *asked, 64)[2]).any():
        assert source.advance(time.monotonic())
    assert 0.0 < source.progress < 0.5
    source.close()


def test_a_pyramid_of_any_length_has_a_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyramid, "MOST_BINS", 1000)
    made = Pyramid(10_000_000)
    assert len(made._low) <= 1000
    values = np.random.default_rng(0).normal(size=10_000_000).astype(np.float32)
    while (first := made.missing(0, made.length)) is not None:
        made.put(first, values[first : first + made.piece])
    begin, used, low, _ = made.bounds(1_000_000, 9_000_000, 20_000)
    assert low[3] == values[begin + 3 * used : begin + 4 * used].min()


def test_a_known_delay_is_taken_out(path: Path, blocks: dict[str, np.ndarray]) -> None:
    source = source_of(path, delay=37 / RATE)
    assert np.array_equal(source.samples(MEASURED, 0, 1000)[1], blocks["measured"][37:1037, 0])
    assert np.array_equal(source.samples(PREDICTED, 0, 1000)[1], blocks["predicted_as_measured"][:1000, 0])
    assert source.end(MEASURED) == COUNT - 37
    source.close()


@pytest.mark.parametrize("here", [0.0, 3.0, 5.5])
def test_errors_by_cycle_do_not_depend_on_where_one_looks_first(
    path: Path, blocks: dict[str, np.ndarray], here: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.display.sources.tracking.BACK", 1.0)
    monkeypatch.setattr("rig.display.sources.tracking.OVERLAP", 2.0 / FREQUENCY)
    expected = CycleErrors()
    expected.append(blocks["command"][:, 2], *(blocks[name][:, 0] for name in ("measured", "predicted_as_measured")))
    source, tracker = source_of(path), CycleTracker(SUBJECT.force, round(here * RATE), RATE)
    while tracker.advance(source) or tracker.turn_back(COUNT):
        pass
    assert len(expected.rows) > 10
    assert np.allclose(tracker.errors.rows, expected.rows, rtol=1e-6)
    source.close()


def test_a_record_alone_tells_what_is_to_be_shown(path: Path) -> None:
    run = read_run(path)
    what = recorded_subject(run)
    assert (what.force, what.stroke, what.command_unit, what.run) == ("transmitted_force", "stroke", "N", "0007-linkage")
    assert [channel.name for channel in what.channels] == list(run.streams["measured"])
    assert lost(run) == 3
    assert [event.text for event in events(run)] == ["running", "stroke 0.3 mm exceeds maximum"]
    assert doubt(run) == ""


LIMITS = """
[[limits]]
channel = "transmitted_force"
maximum = "12 kN"
rate = "2 MN/s"
action = "stop"

[[limits]]
channel = "transmitted_force"
minimum = "-13 kN"

[[limits]]
channel = "stroke"
maximum = "0.3 mm"

[[limits]]
channel = "an_instrument"
maximum = "80 degC"
"""


@pytest.mark.parametrize(
    ("text", "force", "stroke"),
    [(LIMITS, (-13e3, 12e3), (None, 0.3e-3)), ("", (None, None), (None, None)), (LIMITS[:50], (None, None), (None, None))],
)
def test_a_record_alone_knows_the_limits_that_it_ran_with(
    tmp_path: Path, blocks: dict[str, np.ndarray], text: str, force: tuple[float | None, ...], stroke: tuple[float | None, ...]
) -> None:
    """Whoever was sent run.h5 alone has the text of the experiment in it; where that is damaged the samples are shown all the same."""
    write_record(tmp_path / "run.h5", {name: block[:30_000] for name, block in blocks.items()}, experiment=text)
    what = recorded_subject(read_run(tmp_path / "run.h5"))
    found = {name: (what.channel(name).minimum, what.channel(name).maximum) for name in ("transmitted_force", "stroke")}
    assert found == {"transmitted_force": force, "stroke": stroke}
    if text == LIMITS:
        assert "at most 12000 N, rate at most 2e+06 N/s: stop" in what.channel("transmitted_force").limits


# Of a file that a disk has damaged: not a number that fits float32, infinite, and beyond what float64 squares hold.
@pytest.mark.parametrize("value", quick([1e39, -np.inf, 1e300], 1))
@pytest.mark.parametrize(("stream", "trace"), [("measured", MEASURED), ("predicted_as_measured", APART)])
def test_a_damaged_sample_is_told_where_it_is_read(
    tmp_path: Path, blocks: dict[str, np.ndarray], value: float, stream: str, trace: Trace
) -> None:
    changed = {name: block[:30_000].copy() for name, block in blocks.items()}
    changed[stream][20_000, 0] = value
    write_record(tmp_path / "run.h5", changed)
    source, told = source_of(tmp_path / "run.h5"), f"{stream}/transmitted_force is {value:g} at sample 20000: the record is damaged there"
    assert len(source.samples(trace, 0, 20_000)[1]) == 20_000
    for ask in (lambda: source.samples(trace, 0, 20_001), lambda: source.bounds(trace, 19_000, 21_000, 10), lambda: source.advance(np.inf)):
        with pytest.raises(ConfigError, match=re.escape(told)):
            ask()
    source.close()


def test_a_record_that_was_cut_short_is_shown_and_said_to_be(tmp_path: Path, blocks: dict[str, np.ndarray]) -> None:
    write_record(tmp_path / "run.h5", {name: block[:30_000] for name, block in blocks.items()}, complete=False)
    run = read_run(tmp_path / "run.h5")
    assert "cut short" in doubt(run) and "there is no journal.bin" in doubt(run)
    (tmp_path / "journal.bin").touch()
    assert f"cut short; rig recover {tmp_path} puts it together" in doubt(run)
    source = source_of(tmp_path / "run.h5")
    source.advance(time.monotonic() + 60.0)
    assert np.isfinite(source.bounds(MEASURED, 0, 20_000, 64)[2]).all()
    source.close()


def test_an_empty_record_is_one_clear_message(tmp_path: Path, blocks: dict[str, np.ndarray]) -> None:
    write_record(tmp_path / "run.h5", {name: block[:0] for name, block in blocks.items()}, gap=False)
    with pytest.raises(ConfigError, match="nothing was measured in this run"):
        recorded_subject(read_run(tmp_path / "run.h5"))


def test_memory_does_not_follow_the_length_of_the_record(path: Path) -> None:
    """Everything that is kept of a record: eight bytes a bin and trace, and what the file's own caches hold."""
    source = source_of(path)
    before = psutil.Process().memory_info().rss
    source.advance(time.monotonic() + 60.0)
    kept = sum(p._low.nbytes + p._high.nbytes for p in source._pyramids.values())
    assert kept < 8 * len(source._pyramids) * (COUNT / 64 + 1)
    grown = psutil.Process().memory_info().rss - before
    print(f"memory grown by {grown / 1e6:.1f} MB while {9 * 8 * COUNT / 1e6:.0f} MB were looked through")
    assert grown < 40e6
    source.close()


def test_asking_whether_a_channel_is_there_reads_nothing(path: Path) -> None:
    run = read_run(path)
    source_of(path).close()
    assert "stroke" in run.streams["measured"]
    assert "nothing" not in run.streams["measured"]
    run.channel("measured", "stroke", 5, 10)
    assert run.streams["measured"]._loaded == {}


def test_calculated_channels_are_shown_as_measured_ones(tmp_path: Path) -> None:
    """A curve each, and the newest value in the table; one that leans on a prediction has none at the end."""
    rng, count = np.random.default_rng(4), 20_000
    streams = {"measured": ("force",), "calculated": ("play", "extension"), "calculated_predicted": ("surprise",)}
    samples = {name: rng.standard_normal((count, len(columns))) for name, columns in streams.items()}
    samples["calculated"][:300, 0] = np.nan
    samples["calculated_predicted"][-1000:] = np.nan
    file = Record(tmp_path / "run.h5", Description("0007-linkage", "made up", "2026-01-01T00:00:00", "", "", {}))
    for name, columns in streams.items():
        file.stream(StreamShape(name, columns, ("m",) * len(columns), RATE))
        file.append(name, 0, samples[name])
    file.close()
    run = read_run(tmp_path / "run.h5")
    what = recorded_subject(run)
    assert [one.name for one in what.calculated] == ["play", "extension", "surprise"] and what.channel("surprise").unit == "m"
    source = record.RecordSource(run, what.traces("play"))
    shown = Trace("measured", "play")
    assert np.array_equal(source.samples(shown, 200, 900)[1], samples["calculated"][200:900, 0], equal_nan=True)
    assert source.end(shown) == count and source.bounds(shown, 0, count, 500)[1] == 500
    source.advance(time.monotonic() + 60.0)
    assert source.bounds(shown, 0, count, 640)[3].max() == pytest.approx(np.nanmax(samples["calculated"][:, 0]), rel=1e-6)
    levels = source.instruments(10_000)
    assert (
        levels["extension"].value == samples["calculated"][9999, 1] and levels["surprise"].value == samples["calculated_predicted"][9999, 0]
    )
    assert "play" not in source.instruments(200) and "surprise" not in source.instruments(count)
    source.close()
