"""Loading: two files and overrides in, one Setup or one ConfigError with every problem out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rig.config import Setup, load, load_experiment
from rig.config.checks import gravity
from rig.config.effective import HEADING
from rig.config.experiment import METRICS
from rig.config.kinds import names
from rig.errors import ConfigError
from tests.each_row import each_row
from tests.unit.rig.config.told_problems import problem_of, problems_of

ROOT = Path(__file__).parents[4]
EXPERIMENT = ROOT / "configs" / "experiments" / "linkage.toml"
BENCH = ROOT / "configs" / "benches" / "virtual_loader.toml"


def problems(*overrides: str, experiment: Path = EXPERIMENT, bench: Path | None = None) -> list[str]:
    return problems_of(load, experiment, overrides, bench)


def edited(tmp_path: Path, *changes: tuple[str, str], source: Path = EXPERIMENT) -> Path:
    """A copy of a file with texts replaced; the experiment's bench stays where it is."""
    text = source.read_text(encoding="utf-8").replace("../benches/", f"{BENCH.parent.as_posix()}/")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / source.name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_default_experiment_is_what_it_is_said_to_be() -> None:
    setup = load(EXPERIMENT)
    experiment, bench = setup.experiment, setup.bench
    assert (experiment.mechanism.clearance, experiment.mechanism.load_source) == (0.4e-3, "servo")
    assert (experiment.mechanism.contact.law, experiment.mechanism.contact.restitution) == ("hu_guo", 0.7)
    assert (experiment.trajectory.amplitude, experiment.trajectory.frequency, experiment.trajectory.cycles) == (10e3, 3.0, 10)
    assert (experiment.acquisition.rate, experiment.acquisition.block, experiment.command.ahead) == (51200.0, 0.01, 0.2)
    assert [c.terminal for c in bench.channels] == [f"Dev1/ai{n}" for n in range(8)]
    assert [c.sensor.sensitivity for c in bench.channels[:3]] == [25e3, 25e3, 5e-3]
    assert bench.channels[3].sensor.sensitivity == pytest.approx(980.665)
    assert experiment.mechanism == type(experiment.mechanism)()  # the file says what the mechanism assumes
    assert (setup.name, setup.warnings) == ("linkage", ())


@each_row(
    ("override", "read"),
    [
        ("mechanism.clearance=0.2 mm", lambda s: s.experiment.mechanism.clearance == 0.2e-3),
        ('mechanism.clearance="0.2 mm"', lambda s: s.experiment.mechanism.clearance == 0.2e-3),
        ("mechanism.clearance = 2e-4", lambda s: s.experiment.mechanism.clearance == 0.2e-3),
        ("mechanism.contact.law=flores", lambda s: s.experiment.mechanism.contact.law == "flores"),
        ("trajectory.cycles=3", lambda s: s.experiment.trajectory.cycles == 3),
        ("predictor.source=stroke", lambda s: s.experiment.predictor.source == "stroke"),
        ("comparison.lowpass=none", lambda s: s.experiment.comparison.lowpass is None),
        ("comparison.criteria.nrms.tolerance=0.1", lambda s: s.experiment.comparison.criteria[6].tolerance == 0.1),
        ("limits.transmitted_force.maximum=30 kN", lambda s: s.experiment.limits[0].maximum == 30e3),
        ("limits.0.maximum=30 kN", lambda s: s.experiment.limits[0].maximum == 30e3),
        ("limits.stroke.rate=100 mm/s", lambda s: s.experiment.limits[1].rate == 0.1),
        ("bench.pace=lockstep", lambda s: s.bench.pace == "lockstep"),
        ("bench.seed=7", lambda s: s.bench.seed == 7),
        ("bench.plant.clearance=0.2 mm", lambda s: s.bench.plant.clearance == 0.2e-3),
        ("bench.plant.perturb=false", lambda s: s.bench.plant.perturb is False),
        ("bench.address=127.0.0.1:40000", lambda s: s.bench.address == "127.0.0.1:40000"),
        ("bench.channels.stroke.range=1 V", lambda s: s.bench.channels[2].range == 1.0),
        ("bench.channels.stroke.sensor.serial='17'", lambda s: s.bench.channels[2].sensor.serial == "17"),
    ],
)  # fmt: skip
def test_any_key_can_be_overridden(override: str, read: Callable[[Setup], bool]) -> None:
    setup = load(EXPERIMENT, [override])
    assert read(setup)
    name, text = ("bench", setup.bench_text) if override.startswith("bench.") else ("experiment", setup.experiment_text)
    assert text.endswith(f"# {HEADING}\n#   --set {override}\n"), name


def test_a_kind_can_be_overridden_and_keys_that_only_the_old_one_knew_are_left_out() -> None:
    setup = load(
        EXPERIMENT,
        ["trajectory.kind=sweep", "trajectory.first_frequency=1 Hz", "trajectory.last_frequency=5 Hz", "trajectory.duration=4 s"],
    )
    assert (setup.experiment.trajectory.amplitude, setup.experiment.trajectory.last_frequency) == (10e3, 5.0)
    assert setup.warnings == ("trajectory.kind=sweep has no frequency, cycles: left out",)
    assert problems("trajectory.kind=sweep")[0].endswith('first_frequency: missing; expected a frequency such as "51.2 kHz"')


def test_a_program_of_segments_can_stand_in_a_file(tmp_path: Path) -> None:
    text = EXPERIMENT.read_text(encoding="utf-8")
    old = text[text.index("[trajectory]") : text.index("[integrator]")]
    new = """[trajectory]
kind = "program"
repeats = 2
[[trajectory.segments]]
kind = "ramp"
end = "2 kN"
duration = "0.5 s"
[[trajectory.segments]]
kind = "hold"
value = "2 kN"
duration = "1 s"
[[trajectory.segments]]
kind = "ramp"
start = "2 kN"
end = "0 N"
duration = "0.5 s"
[[trajectory.segments]]
kind = "sine"
amplitude = "5 kN"
frequency = "3 Hz"

"""
    path = edited(tmp_path, (old, new))
    segments = load(path).experiment.trajectory.segments
    assert [type(segment).__module__.rpartition(".")[2] for segment in segments] == ["ramp", "hold", "ramp", "sine"]
    assert load(path, ["trajectory.segments.3.amplitude=6 kN"]).experiment.trajectory.segments[3].amplitude == 6e3
    override = "trajectory.segments.1.value=3 kN"
    assert problems(override, experiment=path)[0].startswith(f"--set {override}: {path}: trajectory.segments[1]: begins at 3000")
    assert problems("trajectory.segments.1.kind=nosuch", experiment=path) == [
        f"--set trajectory.segments.1.kind=nosuch: expected one of {', '.join(names('rig.trajectory'))}; got 'nosuch'"
    ]


def test_every_problem_of_both_files_is_in_one_message(tmp_path: Path) -> None:
    experiment = edited(
        tmp_path,
        ('clearance = "0.4 mm"', 'clearence = "0.4 mm"'),
        ('block = "10 ms"', 'block = "10 mm"'),
        ("discard_cycles = 2 ", 'discard_cycles = "two" '),
        ('metric = "nrms"', 'metric = "nmrs"'),
    )
    bench = edited(tmp_path, ('pace = "real"', 'pace = "fast"'), ('range = "2 V"', 'range = "2 mV/V"'), source=BENCH)
    found = problems("acquisition.rate=0", "nosuch.key=1", "bench.seed=-1", experiment=experiment, bench=bench)
    assert sorted(found) == sorted(
        [
            f"{experiment}: mechanism.clearence: unknown key; did you mean clearance?",
            f'{experiment}: acquisition.block: expected a time such as "10 ms", got "10 mm" (a length)',
            "--set acquisition.rate=0: expected more than 0 Hz, got 0 Hz",
            f"{experiment}: comparison.discard_cycles: expected a whole number, got 'two'",
            f"{experiment}: comparison.criteria[6].metric: expected one of {', '.join(METRICS)}; got 'nmrs'; did you mean nrms?",
            next(line for line in found if line.startswith("--set nosuch.key=1: nosuch: unknown key")),
            f"{bench}: pace: expected one of real, lockstep; got 'fast'",
            f'{bench}: channels[2].range: stroke: expected a voltage such as "5 V", got "2 mV/V" (without dimension)',
            "--set bench.seed=-1: expected at least 0, got -1",
        ]
    )


@each_row(
    ("override", "said"),
    [
        ("nosuch=1", "unknown key; there are title, mechanism"),
        ("mechanism.claerance=1 mm", "unknown key; did you mean clearance?"),
        ("bench.nosuch=1", "unknown key"),
        ("bench.seed=-12345678", "expected at least 0, got -12345678"),
        ("acquisition.kind=x", "unknown key"),
        ("limits.nosuch.maximum=1", "none is called 'nosuch' in limits; there are transmitted_force, stroke, actuator_force"),
        ("limits.9.maximum=1", "none is called '9'"),
        ("comparison.criteria.transmitted_force.tolerance=1", "several are called 'transmitted_force'"),
        ("title.x=1", "title is a value, not a table"),
        ("mechanism", "expected KEY=VALUE"),
        ("=3", "expected KEY=VALUE"),
        ("mechanism.kind=nosuch", "expected one of"),
        ("mechanism.kind=linkege", "got 'linkege'; did you mean linkage?"),
        ("bench.file=other.toml", "another bench is given as --bench other.toml"),
        ("integrator.step=10 us", "rk4, not to dop853: choose that kind or leave step out"),
        ("bench.daq.kind=nosuch", "expected one of ni_daq"),
        ("mechanism=3", "expected a table ([mechanism]), got 3"),
        ("limits=3", "expected a list of tables ([[limits]]), got 3"),
        ("trajectory.amplitude=true", 'expected a force such as "10 kN", got True'),
        ("trajectory.amplitude=nan", 'expected a force such as "10 kN", got nan'),
        ("trajectory.amplitude=10 mm", 'expected a force such as "10 kN", got "10 mm" (a length)'),
        ("trajectory.cycles=2.5", "expected a whole number, got 2.5"),
        ("command.mode=torque", "expected one of force, stroke, angle, path; got 'torque'"),
        ("bench.channels.stroke.sensor.serial=17", "expected a text, got 17"),
        ("bench.arming=nobody", "expected one of automatic, operator"),
    ],
)
def test_an_override_that_cannot_be_used_is_named(override: str, said: str) -> None:
    found = problems(override)
    assert any(line.startswith(f"--set {override}") and said in line for line in found), found


def test_a_required_key_that_is_misspelt_is_one_problem_of_what_is_named(tmp_path: Path) -> None:
    path = tmp_path / "six_bar.toml"
    text = (EXPERIMENT.parent / "six_bar.toml").read_text(encoding="utf-8")
    path.write_text(text.replace("bearing_radius", "bearing_radus", 1).replace('name = "A", x', 'nam = "A", x', 1), encoding="utf-8")
    length = 'expected a length such as "0.2 mm"'
    assert sorted(problem.removeprefix(f"{path}: ") for problem in problems_of(load_experiment, path)) == [
        "mechanism.bodies[0].points[0].nam: crank: unknown key; did you mean name? It is missing; expected a text",
        f"mechanism.joints[2].bearing_radus: B: unknown key; did you mean bearing_radius? It is missing; {length}",
    ]


def test_what_is_a_list_is_told_by_number_and_name_wherever_it_is_found(tmp_path: Path) -> None:
    path = tmp_path / "six_bar.toml"
    text = (EXPERIMENT.parent / "six_bar.toml").read_text(encoding="utf-8")
    for old, new, said in (
        ("crank.A", "crank.nowhere", "mechanism.joints[1]: A: crank has no point 'nowhere'"),
        ('bearing_radius = "', 'bearing_radius = "-', "mechanism.joints[2].bearing_radius: B: expected more than 0 m, got -"),
    ):
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        assert problem_of(load_experiment, path).startswith(f"{path}: {said}")


def test_missing_tables_and_keys_are_named(tmp_path: Path) -> None:
    experiment = edited(tmp_path, ("[trajectory]\n", "[trajektory]\n"), ('kind = "dop853" ', ""))
    found = problems(experiment=experiment)
    assert f"{experiment}: trajectory: missing; expected a table ([trajectory])" in found
    assert f"{experiment}: trajektory: unknown key; did you mean trajectory?" in found
    assert any(line.startswith(f"{experiment}: integrator: kind is missing; expected one of") for line in found)


def test_files_that_are_not_there_or_not_toml(tmp_path: Path) -> None:
    assert problems(experiment=tmp_path / "no.toml") == [f"{tmp_path / 'no.toml'}: no such experiment file"]
    assert problems(bench=tmp_path / "no.toml") == [f"{tmp_path / 'no.toml'}: no such bench file"]
    assert problems(experiment=tmp_path) == [f"{tmp_path}: this is a folder, expected the experiment file"]
    experiment = edited(tmp_path, ("virtual_loader.toml", "no.toml"))
    assert problems(experiment=experiment)[0].endswith(f"no.toml: no such bench file (named by bench.file of {experiment})")
    broken = edited(tmp_path, ("[integrator]", "[integrator"))
    (said,) = problems(experiment=broken)
    assert "not TOML" in said
    line = EXPERIMENT.read_text(encoding="utf-8").split("[integrator]")[0].count("\n") + 1
    assert f"line {line}" in said
    without = edited(tmp_path, ("[bench]", "[bank]"))
    assert "expected [bench] with file" in problems(experiment=without)[0]


def test_dates_may_stand_bare_or_as_text(tmp_path: Path) -> None:
    bench = edited(tmp_path, ("expires = 2099-12-31", 'expires = "2001-02-03"'), source=BENCH)
    setup = load(EXPERIMENT, bench=bench)
    assert setup.bench.channels[0].sensor.calibrated == "2026-01-15"
    (warning,) = setup.warnings
    assert warning.startswith("transmitted_force: calibration of its sensor")
    assert "expired on 2001-02-03, before it was calibrated on 2026-01-15" in warning


def test_the_mode_decides_the_unit_of_a_setpoint() -> None:
    overrides = ["command.mode=stroke", "trajectory.amplitude=1 mm", "command.value_limit=2 mm", "command.rate_limit=0.1 m/s"]
    setup = load(EXPERIMENT, overrides)
    assert (setup.experiment.trajectory.amplitude, setup.experiment.command.value_limit) == (1e-3, 2e-3)
    assert 'expected a length such as "0.2 mm", got "10 kN" (a force)' in problems("command.mode=stroke")[0]


@pytest.mark.parametrize("reads", [load, load_experiment])
def test_a_bench_file_is_no_experiment(reads: Callable[[Path], object]) -> None:
    with pytest.raises(ConfigError) as told:
        reads(BENCH)
    assert str(told.value).startswith(f"{BENCH}: this is a bench file") and str(told.value).endswith(f"it goes with one as --bench {BENCH}")


PARALLEL, FOUR_BAR = EXPERIMENT.with_name("parallel_3rrpar_rig.toml"), EXPERIMENT.with_name("four_bar_rig.toml")


def test_a_table_that_is_given_in_part_keeps_the_rest_of_what_it_is_without() -> None:
    """`bench.plant.accelerometer.fault` alone once made the platform's sensors AC coupled, with another sensitivity."""
    usual = load(PARALLEL)
    changed = load(PARALLEL, ["bench.plant.accelerometer.fault=open", "bench.plant.motor.brake=3", "trajectory.centre.x=-0.19"])
    assert changed.bench.plant.accelerometer == replace(usual.bench.plant.accelerometer, fault="open")
    assert changed.bench.plant.motor == replace(usual.bench.plant.motor, brake=3.0) and usual.bench.plant.motor.gear == 50.0
    assert changed.experiment.trajectory.centre == replace(usual.experiment.trajectory.centre, x=-0.19)


def test_a_table_without_a_usual_one_still_wants_its_keys() -> None:
    (said,) = problems("trajectory.centre.x=0", experiment=FOUR_BAR)
    assert "trajectory.centre" in said


@pytest.mark.parametrize(
    ("experiment", "channel", "said"),
    [
        (EXPERIMENT, 3, "linkage does not say which way is down; leave it out, and put what it shows at rest into offset"),
        (FOUR_BAR, 2, "expected an accelerometer, in m/s^2, got a sensor in rad; leave feels_gravity out"),
    ],
)
def test_who_cannot_feel_gravity(experiment: Path, channel: int, said: str) -> None:
    (problem,) = problems(f"bench.channels.{channel}.sensor.feels_gravity=true", experiment=experiment)
    assert f"channels.{channel}.sensor.feels_gravity" in problem.replace("[", ".").replace("]", "") and said in problem


def test_a_tare_and_a_weight_that_is_felt_take_it_out_twice() -> None:
    setup = load(FOUR_BAR, ["bench.channels.0.sensor.feels_gravity=true"])
    channel = setup.bench.channels[0]
    assert not list(gravity.of_bench(setup.bench, setup.experiment))
    tared = replace(setup.bench, channels=(replace(channel, sensor=replace(channel.sensor, tare=1.0)), *setup.bench.channels[1:]))
    (problem,) = gravity.of_bench(tared, setup.experiment)
    assert "acceleration is tared (1 m/s^2), which takes the weight out as well" in problem.text


GAUGE = """
[[instruments]]
name = "gauge"
[instruments.device]
kind = "force_gauge"
port = "COM99"
"""


def test_a_limit_on_an_instrument_has_its_unit(tmp_path: Path) -> None:
    bench = tmp_path / "bench.toml"
    bench.write_text(FOUR_BAR.parents[1].joinpath("benches/virtual_four_bar.toml").read_text() + GAUGE)

    def limited(channel: str, maximum: str) -> Path:
        return edited(tmp_path, ("[[limits]]", f'[[limits]]\nchannel = "{channel}"\nmaximum = "{maximum}"\n\n[[limits]]'), source=FOUR_BAR)

    limit = load(limited("gauge", "0.3 kN"), (), bench).experiment.limits[0]
    assert (limit.channel, limit.maximum) == ("gauge", 300.0)
    (said,) = problems(experiment=limited("gauge", "3 mm"), bench=bench)
    assert "limits" in said and "N" in said and "3 mm" in said
    (said,) = problems(experiment=limited("guage", "3 N"), bench=bench)
    assert "the bench has no channel 'guage'; it has acceleration, speed, crank_angle, pickup, sample_code, gauge (or command)" in said
