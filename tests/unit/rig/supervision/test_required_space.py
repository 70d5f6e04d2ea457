"""What a test takes on the disk, said before it begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig import config
from rig.config.experiment import Snapshots
from rig.errors import ConfigError
from rig.recorder.snapshots import is_due
from rig.supervision.required_space import EACH, checked, kept_seconds, needed
from tests.each_row import each_row

LINKAGE = Path(__file__).parents[4] / "configs/experiments/linkage.toml"
LONG = ("trajectory.cycles=1000",)


def of(*overrides: str) -> config.Setup:
    return config.load(LINKAGE, [*LONG, *overrides], None)


@each_row("every", [0, 7, 30, 1000])
@each_row("cycles", [1, 99, 100, 5000])
def test_cycles_that_are_kept(cycles: int, every: int) -> None:
    """Against counting them one by one; a cycle lasts a second."""
    none_around = Snapshots(every=every, before=0.0, after=0.0)
    assert kept_seconds(none_around, cycles, float(cycles)) == sum(is_due(number, every) for number in range(1, cycles + 1))


def test_snapshots_need_less_and_say_that_it_is_an_estimate() -> None:
    whole, some = needed(of()), needed(of("record.samples=snapshots"))
    assert some.disk < 0.1 * whole.disk
    assert "at most" in whole.words(Path.cwd()) and "about" in some.words(Path.cwd())


def test_bytes_a_cycle_are_stated() -> None:
    need = needed(of("record.cycles=true"))
    setup = of()
    columns = [3, len(setup.bench.channels), *[len(setup.experiment.mechanism.channels)] * 2]
    assert need.cycle_bytes == 2 * sum(8 * (3 + 3 * count) + 1 for count in columns)
    assert f"{need.cycle_bytes} bytes a cycle" in need.words(Path.cwd())
    assert "a cycle" not in needed(of()).words(Path.cwd()), "a control"


def test_a_channel_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"no channel 'strok'.*stroke"):
        of("record.samples=snapshots", 'record.snapshots.channels=["strok"]')


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ('record.part="1 kN"', 'a time such as "0.2 s"|a time such as "10 ms"'),
        ('record.part="1 us"', "at least"),
        ('record.part_size="3 s"', 'a size such as "2 GB"'),
        ("record.samples=some", "all, snapshots"),
    ],
)
def test_bad_values_are_told(override: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        of(override)


def test_what_is_left_of_a_test_is_its_share() -> None:
    whole = needed(of("record.cycles=true"))
    rest = whole.rest(0.25, 250)
    assert rest.duration == 0.25 * whole.duration and rest.cycles == 250
    assert rest.disk - EACH == pytest.approx(0.25 * (whole.disk - EACH), rel=1e-12)
    assert "of test left; record and journal at most" in rest.words(Path.cwd()) and " more, " in rest.words(Path.cwd())
    assert "left" not in whole.words(Path.cwd()) and whole.rest(1.0, 1000).disk == pytest.approx(whole.disk)


def test_a_test_whose_rest_fits_may_go_on_where_the_whole_would_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = of()
    monkeypatch.setattr("rig.supervision.required_space._free", lambda folder: int(0.5 * needed(setup).disk))
    with pytest.raises(ConfigError, match="the disk cannot hold this test"):
        checked(setup, tmp_path)
    assert checked(setup, tmp_path, (0.1, 100)).left


def test_what_putting_a_record_together_takes_is_asked_for_as_well(tmp_path: Path) -> None:
    setup = of()
    assert checked(setup, tmp_path, (0.5, 500), before=7_000_000).disk - checked(setup, tmp_path, (0.5, 500)).disk == 7_000_000
    with pytest.raises(ConfigError, match="the disk cannot hold this test"):
        checked(setup, tmp_path, (0.5, 500), before=10**18)


def test_a_test_that_would_be_refused_where_it_is_checked_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need = needed(of())
    monkeypatch.setattr("rig.supervision.required_space._free", lambda folder: int(need.disk) + 1)
    assert not need.doubts(tmp_path)
    monkeypatch.setattr("rig.supervision.required_space._free", lambda folder: int(0.5 * need.disk))
    (said,) = need.doubts(tmp_path)
    assert str(tmp_path) in said and "--out" in said
