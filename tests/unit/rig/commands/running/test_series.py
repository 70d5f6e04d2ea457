"""`rig series`: which tests it runs, what it makes of how they end, and its table; the tests themselves are `rig run`'s."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from rig import config
from rig.command_line.result import EXIT_CODES, Result
from rig.commands import main
from rig.commands.running import run
from rig.config.series import load, planned
from rig.report import series as report
from tests.tiers import quick

FILE = Path(__file__).parents[5] / "configs/series/hu2016.toml"


def ended(number: int, outcome: str = "done", factor: float = 1.0) -> Result:
    """Of a test whose forces grow with its number; predicted is `factor` times measured."""
    figures = {f"{metric}_{side}": 1000.0 * number * share for metric in ("max", "impact_peak", "overshoot")
               for side, share in (("measured", 1.0), ("predicted", factor))}  # fmt: skip
    verdict = "fail" if outcome == "verdict_failed" else "pass"
    data = {"run": f"{number:04}", "agreement": {"transmitted_force": {"unit": "N", **figures}}, "verdict": {"result": verdict}}
    return Result(outcome, EXIT_CODES[outcome], data, "", ["a doubt"] if number == 2 else [])


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Tests in place of real ones; {number: result} of those that end otherwise. The list of what was run."""
    seen: list[argparse.Namespace] = []

    def begin(others: dict[int, Result]) -> list[argparse.Namespace]:
        def execute(args: argparse.Namespace) -> Result:
            seen.append(args)
            return others.get(len(seen), ended(len(seen)))

        monkeypatch.setattr(run, "execute", execute)
        return seen

    return begin


def test_every_test_is_run_with_the_values_of_file_series_point_and_user(ran: Any, capsys: pytest.CaptureFixture[str]) -> None:
    seen = ran({})
    assert main(["series", str(FILE), "--json", "--set", "trajectory.cycles=3"]) == 0
    assert len(seen) == 9
    setups = [config.load(one.experiment, one.overrides, one.bench) for one in seen]
    points = [(s.experiment.trajectory.amplitude, s.experiment.trajectory.frequency, s.experiment.mechanism.clearance) for s in setups]  # type: ignore[attr-defined]
    assert points == [
        *((10e3, 3.0, pytest.approx(gap)) for gap in (0.0, 0.2e-3, 0.4e-3)),  # hu2016, section 3.1
        *((30e3, f, pytest.approx(0.4e-3)) for f in (2.0, 5.0, 7.0)),  # section 3.2
        *((a, 4.0, pytest.approx(0.4e-3)) for a in (10e3, 20e3, 30e3)),  # section 3.3
    ]
    for setup in setups:
        assert setup.bench.pace == "lockstep"
        assert setup.experiment.trajectory.cycles == 3  # type: ignore[attr-defined]
        assert setup.bench.plant.clearance == setup.experiment.mechanism.clearance  # type: ignore[attr-defined, union-attr]
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["series"]] == ["clearance", "frequency", "amplitude"]
    assert found["series"][0]["tests"][1]["figures"]["max"] == {"measured": 2000.0, "predicted": 2000.0, "error": 0.0}
    assert found["series"][0]["grows"]["max"] == {"measured": True, "predicted": True}
    assert found["series"][0]["growth"]["max"] == {"measured": 2.0, "predicted": 2.0}  # 1000 to 3000
    assert found["warnings"] == ["0002: a doubt"]


def test_every_option_that_a_run_has_is_there(ran: Any, capsys: pytest.CaptureFixture[str]) -> None:
    seen = ran({})
    main(["series", str(FILE), "--json", "--series", "clearance", "--out", "elsewhere"])
    parser = argparse.ArgumentParser()
    run.configure(parser)
    options = set(vars(parser.parse_args(["x"])))
    assert seen and all(options <= set(vars(one)) for one in seen)
    assert all(one.headless and str(one.out) == "elsewhere" for one in seen)


def test_a_failed_verdict_goes_on_and_is_told(ran: Any, capsys: pytest.CaptureFixture[str]) -> None:
    seen = ran({2: ended(2, "verdict_failed", factor=0.5)})
    assert main(["series", str(FILE), "--series", "clearance", "--json"]) == 1
    assert len(seen) == 3
    found = json.loads(capsys.readouterr().out)
    (series,) = found["series"]
    assert found["outcome"] == "verdict_failed"
    assert series["largest_error"]["max"] == pytest.approx(0.5)
    assert series["grows"]["max"] == {"measured": True, "predicted": False}  # 1000, 1000, 3000


@pytest.mark.parametrize(("outcome", "code"), [("tripped", 1), ("failed", 3), ("stopped", 0)])
def test_what_breaks_a_test_off_is_the_end(ran: Any, outcome: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    seen = ran({1: ended(1, "verdict_failed"), 4: ended(4, outcome)})
    assert main(["series", str(FILE), "--json"]) == code
    assert len(seen) == 4
    assert json.loads(capsys.readouterr().out)["outcome"] == outcome


def test_errors_and_levels_are_tabled_too(ran: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FILE.read_text().replace('metrics = ["max", "impact_peak", "overshoot"]', 'metrics = ["nrms", "band_level"]')
    (tmp_path / "series.toml").write_text(text.replace("../experiments", str(FILE.parents[1] / "experiments")))
    level = {"band_level_measured": 3.25, "band_level_predicted": 3.9, "nrms": 0.0432, "max_measured": 100.0}
    data = {"run": "0001", "agreement": {"transmitted_force": {"unit": "m/s^2", **level}}, "verdict": {"result": "pass"}}
    ran(dict.fromkeys(range(1, 4), Result("done", 0, data)))
    assert main(["series", str(tmp_path / "series.toml"), "--series", "frequency", "--headless"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("2 Hz"))
    assert line.split() == ["2", "Hz", "pass", "-", "-", "4.32", "%", "3.25", "3.9", "20.00", "%"]


def test_the_table_has_every_test_and_what_is_printed(ran: Any, capsys: pytest.CaptureFixture[str]) -> None:
    ran({2: ended(2, "verdict_failed", factor=1.05), 3: Result("tripped", 1, {"run": "0003"})})
    assert main(["series", str(FILE), "--series", "frequency"]) == 1
    text = capsys.readouterr().out
    lines = {line.split("  ")[0]: line for line in text.splitlines()}
    assert lines["2 Hz"].split() == ["2", "Hz", "pass", *["1000", "1000", "0.00", "%"] * 3]
    assert lines["5 Hz"].split() == ["5", "Hz", "fail", *["2000", "2100", "5.00", "%"] * 3]
    assert lines["7 Hz"].split() == ["7", "Hz", "tripped", *["-"] * 9]
    assert lines["grows at every step"].split()[4:] == ["no", "no"] * 3  # one is missing
    assert lines["first to last"].split()[3:] == ["-", "-"] * 3
    assert "printed: grows with the frequency, by some 20 % from 2 to 7 Hz; model and test differ by at most 5 %" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    quick(
        [
            (["--series", "speed"], "--series: expected clearance, frequency, amplitude"),
            (["--set", "mechanism.nonsense=1"], "clearance, 0 mm: --set mechanism.nonsense=1"),
            (["--bench", str(FILE.parents[1] / "benches/example_pcie6363.toml")], "is no virtual bench"),
        ],
        2,
    ),
)
def test_what_cannot_be_run_is_said_before_the_first_one(
    ran: Any, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = ran({})
    assert main(["series", str(FILE), *arguments]) == 2
    assert not seen
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"impact_peak"',
            '"impact_peek"',
            "metrics: expected some of max, reversal_peak, overshoot, impact_peak, band_level, nrms; got 'impact_peek'",
        ),
        ('name = "frequency"', 'name = "clearance"', "series: there are two of the name 'clearance'"),
        ("printed_error = 0.09", 'printed_error = "nine"', "series[2].printed_error"),
        ('title = "', 'titel = "', "titel: unknown key"),
    ],
)
def test_a_file_that_is_wrong_says_where(tmp_path: Path, old: str, new: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(FILE.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert main(["series", str(wrong)]) == 2
    assert said in capsys.readouterr().err


def test_the_later_values_lie_over_the_earlier() -> None:
    made = load(FILE)
    point, experiment, settings = planned(made, made.series[0], FILE.parent, ["trajectory.cycles=3"])[1]
    assert (point.label, experiment.name) == ("0.2 mm", "linkage.toml")
    assert settings.index("trajectory.cycles=5") < settings.index("mechanism.clearance=0.2 mm") < settings.index("trajectory.cycles=3")


def test_what_a_figure_does_not_show_has_no_relative_error() -> None:
    made = load(FILE)
    figures = {"max_measured": 10e3, "max_predicted": 10.1e3, "overshoot_measured": -4.0, "overshoot_predicted": -7.0}
    found = report.test_result(made, "0 mm", "done", {"agreement": {"transmitted_force": {"unit": "N", **figures}}})
    assert found["figures"]["max"]["error"] == pytest.approx(0.01)
    assert found["figures"]["overshoot"] == {"measured": -4.0, "predicted": -7.0, "error": None}
    assert found["figures"]["impact_peak"] == {"measured": None, "predicted": None, "error": None}
