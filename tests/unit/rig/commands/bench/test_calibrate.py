"""`rig calibrate` against a simulated load cell that a person, here standard input, loads point by point."""

from __future__ import annotations

import datetime
import io
import json
import math
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from rig import commands
from rig.config import load_bench
from rig.sensors.uncertainty import expanded
from tests.unit.rig.hardware.still_bench import Still, error_of, only_line, served

TRUE, ZERO = 1.004, 120.0  # the cell shows 0.4 % too little, and 120 N at rest
POINTS = (0.0, 25e3, 50e3, 100e3, 50e3, 25e3, 0.0)
TYPED = [str(value) for value in POINTS]


class Person(io.StringIO):
    """Loads the cell before each line that is typed; `loads` may be shorter than the lines."""

    def __init__(self, plant: Still, loads: Sequence[float], lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines) + "\n")
        self._plant, self._loads = plant, list(loads)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        if self._loads:
            self._plant.zero = (self._loads.pop(0) + ZERO) / TRUE
        return super().readline()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Still, Path]]:
    monkeypatch.chdir(tmp_path)
    with served(tmp_path) as (plant, path, engine):
        plant.noise = 2.0
        yield plant, path
        assert not engine.tasks


def calibrate(monkeypatch: pytest.MonkeyPatch, person: Person, path: Path, *more: str, channel: str = "transmitted_force") -> int:
    monkeypatch.setattr("sys.stdin", person)
    words = ["--channel", channel, "--reference-uncertainty", "0.05 %", "--duration", "0.2", "--by", "ada"]
    return commands.main(["calibrate", str(path), *words, *more])


def test_shown_asked_for_and_written_with_its_comments_and_history(
    bench: tuple[Still, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant, path = bench
    before = path.read_text()
    person = Person(plant, POINTS, [f"{value / 1e3} kN" for value in POINTS] + ["end", "accept"])
    assert calibrate(monkeypatch, person, path, "--certificate", "PR-7") == 0
    told = capsys.readouterr()
    assert "Type 'accept'" in told.err
    assert only_line(told.err, "sensitivity")[1:3] == ["25", "kN/V"], "in the units of the bench file"
    assert float(only_line(told.err, "sensitivity")[3]) == pytest.approx(25.0 * TRUE, rel=2e-4)
    sensor = load_bench(path)[0].channels[0].sensor
    # volts = (reference + 120 N) / 1.004 / 25 kN, in steps of 3.8 N
    assert sensor.sensitivity == pytest.approx(25e3 * TRUE, rel=2e-4)
    assert sensor.offset == pytest.approx(-ZERO, abs=8.0)
    assert (sensor.certificate, sensor.laboratory, sensor.accuracy_class) == ("PR-7", "ada", "")
    assert sensor.calibrated == datetime.date.today().isoformat()
    assert (sensor.uncertainty, sensor.lowest) == (0.0005, None)
    comments = [line.split("#", 1)[1] for line in before.splitlines() if line.startswith("#")]
    assert all(comment in path.read_text() for comment in comments)
    (entry,) = json.loads((path.parent / "still.calibrations.json").read_text())["calibrations"]
    assert (entry["by"], entry["channel"], len(entry["points"])) == ("ada", "transmitted_force", 7)
    assert (entry["old"]["sensitivity"], entry["new"]["sensitivity"]) == (25e3, sensor.sensitivity)
    assert (path.parent / "transmitted_force-calibration.png").read_bytes().startswith(b"\x89PNG")


def test_the_second_is_added_and_its_uncertainty_is_that_of_a_reading(
    bench: tuple[Still, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant, path = bench
    for _ in range(2):
        assert calibrate(monkeypatch, Person(plant, POINTS, TYPED), path, "--accept", "--json") == 0
    data = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert len(json.loads((path.parent / "still.calibrations.json").read_text())["calibrations"]) == 2
    assert data["old"]["sensitivity"] == pytest.approx(data["new"]["sensitivity"], rel=2e-4)
    assert data["points"][1]["residual"] == pytest.approx(0.0, abs=10.0)
    channel = load_bench(path)[0].channels[0]
    assert channel.sensor.sensitivity == data["new"]["sensitivity"]
    at_full = expanded(channel.sensor, 100e3)
    assert at_full is not None
    assert 50.0 < at_full < 60.0, "0.05 % of 100 kN, and what the points are off their line"


def test_what_is_not_accepted_leaves_every_file_as_it_was(
    bench: tuple[Still, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant, path = bench
    before = path.read_text()
    for ending in (["end", "no"], ["end"]):
        assert calibrate(monkeypatch, Person(plant, POINTS, TYPED + ending), path) == 0
        assert "nothing was written" in capsys.readouterr().out
    assert path.read_text() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["still.toml", "transmitted_force-calibration.png"]


def test_a_file_of_points_leads_through_them(
    bench: tuple[Still, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant, path = bench
    file = path.parent / "points.csv"
    file.write_text("reference[kN]\n0\n50\n\n100\n0\n")
    loads = (0.0, 50e3, 100e3, 0.0)
    assert calibrate(monkeypatch, Person(plant, loads, ["", "", "", "", "accept"]), path, "--points", str(file)) == 0
    assert "point 3 of 4: set 100 kN, then Enter" in capsys.readouterr().err
    assert load_bench(path)[0].channels[0].sensor.sensitivity == pytest.approx(25e3 * TRUE, rel=2e-4)
    assert calibrate(monkeypatch, Person(plant, loads, ["", "end"]), path, "--points", str(file)) == 2
    assert "ended at point 2 of 4; nothing was written" in error_of(capsys)
    wrong = {"force[N]\n1\n": "expected the header reference[N]", "reference[N]\n1\nx\n": "line 3: ", "reference[N]\n1\n": "two"}
    one = "line 3: expected one value behind a decimal point, without thousands separators; got"
    wrong |= {f"reference[kN]\n0\n{row}\n2\n": f"{one} '{row}'" for row in ("1,5", "1,234", "1,5,", "1,5;0")}
    wrong |= {"reference[kN],note\n0\n1\n": "got 'reference[kN],note'", "reference[kN]\n0\n1;5\n": "line 3: "}
    wrong |= {'reference[N]\n1\n"2\n': "points.csv"}
    wrong |= {'reference[kN]\n0\n"1,5"\n': 'line 3: expected a force such as "10 kN", got "1,5 kN"'}
    for text, words in wrong.items():
        file.write_text(text)
        assert calibrate(monkeypatch, Person(plant, (), []), path, "--points", str(file)) == 2
        assert words in error_of(capsys)


def test_another_channel_is_the_reference(
    bench: tuple[Still, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both show the same force, so the bridge module's channel comes out as its record says, with the reference's class as uncertainty."""
    plant, path = bench
    words = ["--reference", "transmitted_force", "--duration", "0.2"]
    monkeypatch.setattr("sys.stdin", Person(plant, POINTS, [""] * 7 + ["end", "accept"]))
    assert commands.main(["calibrate", str(path), "--channel", "bridge_force", *words]) == 0
    sensor = next(c.sensor for c in load_bench(path)[0].channels if c.name == "bridge_force")
    assert sensor.sensitivity == pytest.approx(12.5e6, rel=1e-4)
    assert sensor.uncertainty == pytest.approx(2.0 * 0.005 / math.sqrt(3.0))
    assert sensor.zero_uncertainty == pytest.approx(50.0, abs=0.1)
    path.write_text(path.read_text().replace('accuracy_class = "0.5"', ""))
    assert commands.main(["calibrate", str(path), "--channel", "bridge_force", *words]) == 2
    assert "transmitted_force: its record tells no uncertainty" in error_of(capsys)


def test_what_was_tared_at_the_reference_is_no_part_of_it(bench: tuple[Still, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    plant, path = bench
    plant.zero = 500.0
    assert commands.main(["tare", str(path)]) == 0
    monkeypatch.setattr("sys.stdin", Person(plant, POINTS, [""] * 7))
    assert commands.main(["calibrate", str(path), "--channel", "bridge_force", "--reference", "transmitted_force", "--accept"]) == 0
    sensor = next(c.sensor for c in load_bench(path)[0].channels if c.name == "bridge_force")
    assert sensor.offset == pytest.approx(-500.0, abs=2.0)


def test_a_point_that_is_not_steady_is_taken_once_more(
    bench: tuple[Still, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant, path = bench

    class Restless(Person):
        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            line = super().readline()
            plant.noise = 400.0 if line.startswith("77") else 2.0
            return line

    person = Restless(plant, (0.0, 0.0, 5e4, 1e5), ["0", "77", "50 kN", "100 kN", "end"])
    assert calibrate(monkeypatch, person, path, "--accept", "--json") == 0
    told = capsys.readouterr()
    assert "transmitted_force: scatters by" in told.err
    assert [point["reference"] for point in json.loads(told.out)["points"]] == [0.0, 5e4, 1e5]


def test_a_sensor_with_a_file_of_its_own(bench: tuple[Still, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    plant, path = bench
    tree = tomllib.loads(path.read_text())["channels"][0]["sensor"]
    cell = path.parent / "cell.toml"
    lines = [f"{key} = {json.dumps(str(value))}" for key, value in tree.items() if key != "bandwidth_poles"]
    cell.write_text("\n".join(["# the cell", *lines]))
    head, _, rest = path.read_text().partition("[channels.sensor]\n")
    rest = rest[rest.index("[[channels]]") :]
    path.write_text(f'{head}[channels.sensor]\nfile = "cell.toml"\nbandwidth = "1 kHz"\ncertificate = "old"\n\n{rest}')
    assert calibrate(monkeypatch, Person(plant, POINTS, TYPED), path, "--accept") == 0
    assert cell.read_text().startswith("# the cell")
    assert float(tomllib.loads(cell.read_text())["sensitivity"].split()[0]) == pytest.approx(25e3 * TRUE, rel=2e-4)
    of_bench: Any = tomllib.loads(path.read_text())["channels"][0]["sensor"]
    assert of_bench == {"file": "cell.toml", "bandwidth": "1 kHz"}, "a key that would hide the new record is gone, others stay"
    assert (path.parent / "cell.calibrations.json").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--channel", "acceleration_1", "--reference-uncertainty", "1 %"], "AC coupled"),
        (["--channel", "transmitted_force"], "--reference-uncertainty: missing"),
        (["--channel", "transmitted_force", "--reference-uncertainty", "2 mm"], "expected a share such as"),
        (["--channel", "transmitted_force", "--reference", "stroke"], "expected another channel in N, got one in m"),
        (["--reference-uncertainty", "1 %"], "Give one --channel NAME"),
        (["--channel", "transmitted_force", "--set", "bench.channels.transmitted_force.sensor.offset=1 N"], "leave it out"),
    ],
)
def test_what_does_not_fit_is_said_before_anything_is_read(
    bench: tuple[Still, Path], capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert commands.main(["calibrate", str(bench[1]), *words]) == 2
    assert said in error_of(capsys)


def test_a_damaged_history_is_told_before_a_point_is_set(
    bench: tuple[Still, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant, path = bench
    (path.parent / "still.calibrations.json").write_text("[]")
    assert calibrate(monkeypatch, Person(plant, POINTS, ["0"]), path) == 2
    assert "damaged; put it aside" in error_of(capsys)
