"""A whole record compared: the same again and again, under another law, with a predictor that died, from the command line.

The mechanism is a stand-in that lives in this module: a dead band whose width is its only property, and a law that does nothing, or a lot.
"""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import h5py
import numpy as np
import pytest

from drivers.loaders import servo_loader
from model.mechanisms.mechanism import Mechanism
from rig import commands
from rig.commands import main
from rig.commands.run import _result
from rig.comparison import Settings, agreement, verdict
from rig.config.bench import Bench, InputChannel, Sensor
from rig.config.experiment import Acquisition, Command, Comparison, Criterion, Experiment, Predictor
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.recorder.description import Description, StreamShape
from rig.recorder.reading import read_run
from rig.recorder.record import Record
from rig.report.alternative import predicted_under
from rig.report.overlay.selection import contents
from rig.report.signals import signals
from rig.report.summary import compare_run
from rig.sensors.transfer import Transfer
from rig.supervision.outcome import Outcome
from rig.trajectory import sine

RATE = 6400.0
FORCE = "transmitted_force"
CHANNELS = ((FORCE, "N"), ("inside", "N"), ("stroke", "m"))


@dataclass(frozen=True)
class Contact:
    law: str = "plain"


@dataclass(frozen=True)
class Config(Mechanism):
    CHANNELS: ClassVar = CHANNELS

    contact: Contact = field(default_factory=Contact)

    def __post_init__(self):
        if self.contact.law not in BANDS:
            raise ValueError(f"contact.law: expected one of {', '.join(BANDS)}; got {self.contact.law}")

    @property
    def contact_law(self):
        return self.contact.law

    def with_contact_law(self, law):
        return replace(self, contact=replace(self.contact, law=law))

    def create(self, integrator, rate, source="", path=None, lasting=0.0):
        return Stepper(BANDS[self.contact.law])


BANDS = {"plain": 0.3, "neighbour": 0.3001, "loose": 0.45}


class Stepper:
    """The input of two samples ago, without the part inside the dead band; like any stepper it runs behind by its lookahead."""

    lookahead = 2

    def __init__(self, band: float) -> None:
        self._band, self._past, self.events = band, np.empty(0), []

    def start(self, inputs):
        self._past = inputs.copy()

    def advance(self, inputs):
        longer = np.concatenate((self._past, inputs))
        now, self._past = longer[: len(inputs)], longer[len(inputs) :]
        force = np.where(np.abs(now) < self._band * 1e4, 0.0, now)
        return np.column_stack((force, 0.5 * force, 1e-8 * force))


def channel(name: str, unit: str, volt: float) -> InputChannel:
    return InputChannel(name, unit, f"Dev1/{name}", Sensor(sensitivity=volt, bandwidth=1000.0))


def experiment(**changes) -> Experiment:
    criteria = (Criterion(FORCE, "max", 0.01), Criterion(FORCE, "first_impact", 0.005), Criterion(FORCE, "nrms", 0.02))
    parts = {
        "title": "dead band",
        "mechanism": Config(),
        "trajectory": sine.Config(amplitude=1e4, frequency=4.0, cycles=6, soft_start=0.25, soft_stop=0.25),
        "integrator": None,
        "acquisition": Acquisition(rate=RATE),
        "command": Command(value_limit=2e4, rate_limit=1e7),
        "comparison": Comparison(criteria=criteria),
    }
    return Experiment(**{**parts, **changes})


BENCH = Bench(
    title="a bench",
    daq=None,
    loader=servo_loader.Config(),
    channels=(channel(FORCE, "N", 2e3), channel("stroke", "m", 1e-4), channel("monitor", "N", 2e3)),
)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Make a run folder: `run(experiment, predicted_share)`; the plan is handed over as it is, since the stand-in has no kind."""

    def make(chosen: Experiment | None = None, share: float = 1.0, drawn: bool = False, ran: float = 1.0) -> Path:
        if not drawn:  # a page takes a second, and is the subject of tests of its own
            monkeypatch.setattr("rig.report.overlay.page.overlay", lambda path, data: path.write_bytes(b"not drawn"))
        chosen = chosen or experiment()
        folder = tmp_path / "0001-deadband"
        folder.mkdir()
        (folder / "plan.json").write_text("{}")
        (folder / "summary.json").write_text('{"outcome": "done", "reason": ""}')
        plan = Plan("0001-deadband", folder, folder, chosen, BENCH, "title = 1", "title = 2")
        monkeypatch.setattr(Plan, "read", classmethod(lambda cls, run_dir: plan))
        _record(folder / "run.h5", chosen, share, ran)
        return folder

    return make


def _record(path: Path, chosen: Experiment, share: float, ran: float = 1.0) -> None:
    trajectory = chosen.trajectory.create()
    t = np.arange(int(ran * trajectory.duration * RATE)) / RATE
    value, phase, cycle = trajectory.evaluate(t)
    sensors = {c.name: {"sensitivity": c.sensor.sensitivity, "offset": 0.0, "expired": False} for c in BENCH.channels}
    record = Record(path, Description("0001-deadband", "dead band", "2026-01-01", "title = 1", "title = 2", sensors))
    stepper = chosen.mechanism.create(None, RATE, "command")
    stepper.start(value[:2])
    predicted = np.concatenate([stepper.advance(part) for part in np.array_split(np.concatenate((value[2:], value[-1:], value[-1:])), 7)])
    transfers = {c.name: Transfer(c, RATE) for c in BENCH.channels}
    as_measured = np.column_stack([transfers[FORCE].apply(predicted[:, 0]), transfers["stroke"].apply(predicted[:, 2])])
    noise = np.random.default_rng(1).standard_normal((len(t), 3)) * (20.0, 1e-8, 20.0)
    measured = np.column_stack((as_measured[:, 0], as_measured[:, 1], value)) + noise
    for name, channels, units, block in (
        ("command", ("value", "phase", "cycle"), ("N", "rad", "1"), np.column_stack((value, phase, cycle))),
        ("measured", (FORCE, "stroke", "monitor"), ("N", "m", "N"), measured),
        ("predicted_as_measured", (FORCE, "stroke"), ("N", "m"), as_measured[: int(share * len(t))]),
    ):
        record.stream(StreamShape(name, channels, units, RATE))
        if len(block):
            record.append(name, 0, block)
    record.close()


def test_again_and_from_the_arrays_the_same_bits(run):
    folder = run(drawn=True)
    first, again = compare_run(folder), compare_run(folder)
    assert {k: v for k, v in first.items() if k != "text"} == {k: v for k, v in again.items() if k != "text"}
    assert first["verdict"]["result"] == "pass"
    assert list(first["agreement"]) == [FORCE, "stroke"]
    assert (folder / "overlay.png").stat().st_size > 50_000
    found = signals(read_run(folder), Plan.read(folder))
    c = found.command
    direct = agreement(
        found.measured[FORCE], found.predicted[FORCE], rate=RATE, command=c.value, cycle=c.cycle, phase=c.phase,
        amplitude=1e4, frequency=4.0, unit="N", settings=Settings(),
    )  # fmt: skip
    assert direct.to_json() == first["agreement"][FORCE]
    assert first["agreement"]["stroke"]["first_impact_measured_s"] is None
    json.dumps(first, allow_nan=False)


def test_a_record_that_says_no_more_what_it_ran_with_is_warned_of(run):
    """It is compared by plan.json all the same."""
    folder = run()
    with h5py.File(folder / "run.h5", "r+") as file:
        del file["entry/config/experiment"]
        file["entry/config/experiment"] = "[[["
    found = compare_run(folder)
    assert found["verdict"]["result"] == "pass"
    assert [one for one in found["warnings"] if "/entry/config/experiment: the text cannot be read" in one]


def test_what_a_sensor_cannot_tell_is_said(run, monkeypatch):
    """A record with 1 % and one with 1 ppm: the same difference is within the one uncertainty and beyond the other."""
    folder = run()
    for share, within in ((0.01, True), (1e-6, False)):
        sensor = replace(BENCH.channels[0].sensor, uncertainty=share, lowest=1.0)
        bench = replace(BENCH, channels=(replace(BENCH.channels[0], sensor=sensor), *BENCH.channels[1:]))
        plan = replace(Plan.read(folder), bench=bench)
        monkeypatch.setattr(Plan, "read", classmethod(lambda cls, run_dir, plan=plan: plan))
        found = compare_run(folder)
        a = found["agreement"][FORCE]
        assert a["uncertainty_at_max"] == pytest.approx(share * a["max_measured"])
        assert a["max_within_uncertainty"] is within
        assert found["agreement"]["stroke"]["max_within_uncertainty"] is None
        assert ("within U" in found["text"], "beyond U" in found["text"]) == (within, not within)


def test_prediction_again_is_the_recorded_one(run):
    """Under its own law the recomputed prediction is the recorded one to the bit, however either was cut into blocks."""
    folder = run()
    plan = Plan.read(folder)
    found = signals(read_run(folder), plan)
    again = predicted_under("plain", plan, found, folder)
    assert set(again) == {FORCE, "stroke"}
    for name, values in again.items():
        assert np.array_equal(values[:], found.predicted[name][:])


@pytest.mark.parametrize(("law", "result"), [("neighbour", "cannot_discriminate"), ("loose", "pass"), ("plain", "pass")])
def test_another_law(run, law, result):
    """Asked on the command line, and as the experiment's own question; the law in use is no other law."""
    folder = run()
    assert compare_run(folder, alternative=law)["verdict"]["result"] == result
    asked = compare_run(folder, overrides=[f"comparison.alternative_law={law}"])
    assert asked["verdict"]["result"] == result
    if result == "cannot_discriminate":
        assert law in asked["verdict"]["reason"]


def test_overrides_reach_the_criteria(run):
    folder = run()
    found = compare_run(folder, overrides=["comparison.criteria.nrms.tolerance=1e-6", "comparison.discard_cycles=3"])
    assert found["verdict"]["result"] == "fail"
    assert "NRMS" in found["verdict"]["reason"]
    assert [c["cycle"] for c in found["agreement"][FORCE]["cycles"]] == [3, 4, 5]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alternative": "rubber"}, "expected one of plain, neighbour, loose"),
        ({"overrides": ["mechanism.clearance=1"]}, "takes comparison.KEY=VALUE only"),
        ({"overrides": ["comparison.lowpas=1"]}, "lowpass"),
        ({"overrides": ["comparison.lowpass=1 mm"]}, "comparison.lowpass"),
        ({"overrides": ["comparison.criteria.nrms.metric=colour"]}, "got 'colour'"),
        ({"overrides": ["comparison.criteria.nrms.channel=strokes"]}, "no channel 'strokes'; .*; did you mean stroke"),
    ],
)
def test_what_cannot_be_used_is_said(run, arguments, message):
    with pytest.raises(ConfigError, match=message):
        compare_run(run(), **arguments)


@pytest.mark.parametrize(("share", "result"), [(0.7, "pass"), (0.3, "none"), (0.0, "none")])
def test_predictor_that_died(run, share, result):
    """What it had predicted is judged when it is a cycle or more; nothing is made up."""
    folder = run(share=share)
    found = compare_run(folder)
    assert found["verdict"]["result"] == result
    assert (found["agreement"][FORCE]["nrms"] is None) == (result == "none")
    assert (folder / "overlay.png").exists()
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    ("share", "died", "asked", "ended"),
    [
        (0.0, True, True, ("failed", 3)),
        (0.3, True, True, ("failed", 3)),
        (0.7, True, True, ("done", 0)),  # enough of it was judged
        (0.0, True, False, ("done", 0)),  # nothing was to be judged
        (0.3, False, True, ("done", 0)),  # a test too short for a verdict, whose prediction is whole
    ],
)
def test_a_test_whose_criteria_nothing_was_left_to_be_judged_by_has_failed(run, share, died, asked, ended):
    folder = run(None if asked else experiment(comparison=Comparison()), share=share)
    outcome = Outcome(startup_s=1.0, deaths={"predictor": "predictor: stopped at 0.05 s: the motion diverged"} if died else {})
    outcome.figures = {"recorder": {"streams": {"measured": {"samples": 1, "lost_samples": 0, "lost_ranges": []}}}}
    result = _result(Plan.read(folder), outcome, [])
    assert (result.outcome, result.exit_code) == ended
    if ended[1]:
        why = "none of its 3 criteria was judged, as the prediction ended: predictor: stopped at 0.05 s: the motion diverged"
        assert result.data["error"] == result.data["reason"] == why and why in result.text


def test_a_low_pass_that_there_cannot_be_is_said(run):
    """From half the rate on nothing is filtered, and the table is not to be read as if it were."""
    folder = run()
    none = compare_run(folder, overrides=[f"comparison.lowpass={0.5 * RATE} Hz"])
    assert [note for note in none["warnings"] if "not below half the rate" in note and "nothing was filtered" in note]
    assert not [note for note in compare_run(folder)["warnings"] if "filtered" in note]


def test_what_is_not_compared_is_told_by_name(run):
    """The bench's monitor, and the force inside, which nobody measures."""
    found = compare_run(run())
    assert found["not_compared"] == {"measured": [{"channel": "monitor", "nearest": None}], "predicted": ["inside"]}
    assert "not compared, by name: measured and not predicted: monitor; predicted and not measured: inside" in found["text"].splitlines()
    assert found["error_sign"] == "predicted - measured"


def test_input_of_the_prediction_is_not_compared(run):
    folder = run(experiment(predictor=Predictor(source="stroke")))
    assert list(compare_run(folder)["agreement"]) == [FORCE]


def test_command_line(run, capsys, tmp_path):
    folder = run()
    assert main(["compare", str(folder), "--json", "--out", str(tmp_path / "elsewhere")]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["outcome"] == "done"
    assert data["verdict"]["result"] == "pass"
    assert Path(data["files"]["overlay"]) == tmp_path / "elsewhere" / "overlay.png"
    assert not (folder / "overlay.png").exists()
    assert main(["compare", str(folder / "run.h5"), "--set", "comparison.criteria.nrms.tolerance=1e-6"]) == 1
    assert "verdict: FAIL" in capsys.readouterr().out


def test_a_comparison_made_again_goes_beside_what_the_test_left(run, capsys):
    folder = run()
    (folder / "overlay.png").write_bytes(b"the test's own")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    strict = "comparison.criteria.nrms.tolerance=1e-6"
    assert [main(["compare", str(folder), *more]) for more in ([], ["--set", strict])] == [0, 1]
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    for name, overrides, result in (("comparison-2", [], "pass"), ("comparison-3", [strict], "fail")):
        assert sorted(path.name for path in (folder / name).iterdir()) == ["overlay.png", "summary.json"]
        said = json.loads((folder / name / "summary.json").read_text())
        assert (said["set"], said["verdict"]["result"], said["command"]) == (overrides, result, "compare")
    capsys.readouterr()
    assert main(["compare", str(folder), "--out", str(folder)]) == 2
    assert "stay as the test left them" in capsys.readouterr().err
    assert main(["compare", str(folder), "--set", "comparison.lowpass=1 mm"]) == 2
    assert not (folder / "comparison-4").exists()


@pytest.mark.parametrize("what", ["nothing", "plan only"])
def test_not_a_run(tmp_path, capsys, what):
    if what == "plan only":
        (tmp_path / "plan.json").write_text("{}")
    assert main(["compare", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert ("there is no journal.bin" if what == "plan only" else "no plan.json") in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("outcome", ["failed", "tripped"])
def test_a_run_that_was_broken_off_does_not_pass_though_its_figures_do(run, outcome):
    folder = run()
    passed = compare_run(folder)
    found = compare_run(folder, ended=(outcome, "ai0 is gone"))
    assert (passed["verdict"]["result"], found["verdict"]["result"]) == ("pass", "none")
    assert found["verdict"]["reason"] == f"the run {outcome}: ai0 is gone; until then 3 of 3 criteria held"
    assert found["verdict"]["lines"] == passed["verdict"]["lines"]
    table, said = found["text"].rsplit("\n\n", 1)
    assert said == f"verdict: no verdict: {found['verdict']['reason']}"
    assert table == passed["text"].rsplit("\n\n", 1)[0]
    assert "PASS" not in found["text"]


@pytest.mark.parametrize(
    ("summary", "result"),
    [
        ('{"outcome": "stopped", "reason": "Ctrl-C"}', "pass"),
        ('{"outcome": "verdict_failed", "reason": ""}', "pass"),
        ('{"outcome": "failed", "reason": "no reply"}', "none"),
        ("{", "none"),
        (None, "none"),
    ],
)
def test_how_it_ended_is_known_afterwards_too(run, summary, result):
    folder = run()
    (folder / "summary.json").unlink()
    if summary is not None:
        (folder / "summary.json").write_text(summary)
    assert compare_run(folder)["verdict"]["result"] == result


def test_what_fails_has_failed_however_the_run_ended(run):
    strict = ["comparison.criteria.nrms.tolerance=1e-6"]
    assert compare_run(run(), overrides=strict, ended=("failed", "no reply"))["verdict"]["result"] == "fail"


@pytest.mark.parametrize("late", [13, 40])
def test_a_known_delay_takes_the_impact_marks_with_it(run, late):
    """The page marks an impact where it was, and not where a slow line shows it; so do the figures beside it."""
    folder = run()
    plan = Plan.read(folder)
    found = signals(read_run(folder / "run.h5"), plan)
    behind = {name: np.concatenate((np.full(late, x[:1]), x[:-late])) for name, x in ((n, found.measured[n][:]) for n in found.measured)}
    delayed = replace(found, measured=behind)
    judged = verdict({}, [])

    def marked(of, seconds):
        impacts = contents(plan, of, {}, judged, Settings(1000.0, 2, remove_delay=seconds)).impacts
        return impacts.measured.first_impact, impacts.predicted.first_impact, impacts.measured.impact_peak

    prompt, shown, left_in = marked(found, 0.0), marked(delayed, late / RATE), marked(delayed, 0.0)
    assert shown == pytest.approx(prompt, abs=1e-9)
    assert left_in[0] - prompt[0] == pytest.approx(late / RATE, abs=1e-9)
    assert left_in[1] == prompt[1]
    page = contents(plan, delayed, {}, judged, Settings(1000.0, 2, remove_delay=late / RATE))
    np.testing.assert_allclose(
        page.controlled.measured[1000:5000],
        contents(plan, found, {}, judged, Settings(1000.0, 2)).controlled.measured[1000:5000],
        atol=1e-6,
    )


def test_a_known_delay_is_taken_out_of_every_figure(run):
    """By 2 ms an impact as measured is earlier, and one as predicted is not; so is the delay that is left."""
    folder = run()
    plain, less = (compare_run(folder, overrides=[f"comparison.remove_delay={ms} ms"])["agreement"][FORCE] for ms in (0, 2))
    assert less["first_impact_measured_s"] == pytest.approx(plain["first_impact_measured_s"] - 2e-3, abs=2e-5)
    assert less["first_impact_predicted_s"] == plain["first_impact_predicted_s"]
    assert less["delay_samples"] == pytest.approx(plain["delay_samples"] - 2e-3 * RATE, abs=0.05)


def test_cycles_are_left_out_as_the_experiment_says(run):
    folder = run()
    for discarded in (0, 4):
        found = compare_run(folder, overrides=[f"comparison.discard_cycles={discarded}"])["agreement"][FORCE]
        assert [one["cycle"] for one in found["cycles"]] == [*range(discarded, 6)]


def test_a_picture_that_cannot_be_drawn_costs_nothing_else(run, monkeypatch):
    folder = run()

    def fails(path, data):
        raise ValueError("Key backend: no such module\nin two lines")

    monkeypatch.setattr("rig.report.overlay.page.overlay", fails)
    found = compare_run(folder)
    assert found["verdict"]["result"] == "pass" and found["files"] == {}
    (told,) = [one for one in found["warnings"] if "drawn" in one]
    why = "Key backend: no such module in two lines"
    assert told == f"{folder / 'overlay.png'} could not be drawn: {why}; nothing else is the worse for it"


@pytest.mark.parametrize("broken", [ValueError("Key backend"), RuntimeError("latex was not found"), OSError(28, "No space left on device")])
def test_the_result_of_a_test_is_saved_before_its_picture_is_drawn(run, monkeypatch, broken):
    """As `rig run` ends: a picture that cannot be drawn is a warning, in the summary too."""
    folder, written = run(), []

    def fails(path, data):
        written.append(json.loads((folder / "summary.json").read_text()))
        raise broken

    monkeypatch.setattr("rig.report.overlay.page.overlay", fails)
    plan, outcome = Plan.read(folder), Outcome(startup_s=1.0)
    outcome.figures = {"recorder": {"streams": {"measured": {"samples": 1, "lost_samples": 0, "lost_ranges": []}}}}
    result = _result(plan, outcome, [])
    assert (written[0]["verdict"]["result"], written[0]["outcome"]) == ("pass", "done")
    last = json.loads((folder / "summary.json").read_text())
    assert (result.outcome, last["verdict"]["result"], "overlay" in last["files"]) == ("done", "pass", False)
    assert last["warnings"] == result.warnings
    assert any("could not be drawn" in one for one in result.warnings)


@pytest.mark.parametrize("picture", [True, False])
def test_a_picture_that_is_not_wanted_is_not_drawn(run, picture):
    folder = run()
    plan, outcome = Plan.read(folder), Outcome(startup_s=1.0)
    outcome.figures = {"recorder": {"streams": {"measured": {"samples": 1, "lost_samples": 0, "lost_ranges": []}}}}
    result = _result(plan, outcome, [], picture)
    last = json.loads((folder / "summary.json").read_text())
    assert ((folder / "overlay.png").exists(), "overlay" in last["files"]) == (picture, picture)
    assert (result.outcome, last["verdict"]["result"], last["agreement"]) == ("done", "pass", result.data["agreement"])


def test_a_comparison_whose_picture_cannot_be_drawn_has_its_figures(run, tmp_path, monkeypatch, capsys):
    folder = run()

    def fails(path, data):
        raise ValueError("Key backend")

    monkeypatch.setattr("rig.report.overlay.page.overlay", fails)
    assert commands.main(["compare", str(folder), "--out", str(tmp_path / "again")]) == 0
    said = capsys.readouterr()
    assert "verdict: PASS" in said.out and "could not be drawn: Key backend" in said.err
    assert json.loads((tmp_path / "again" / "summary.json").read_text())["verdict"]["result"] == "pass"


def test_a_drawing_that_is_broken_off_stops_who_runs_several(run, monkeypatch):
    folder = run()

    def fails(path, data):
        raise KeyboardInterrupt

    monkeypatch.setattr("rig.report.overlay.page.overlay", fails)
    outcome = Outcome(startup_s=1.0)
    outcome.figures = {"recorder": {"streams": {"measured": {"samples": 1, "lost_samples": 0, "lost_ranges": []}}}}
    result = _result(Plan.read(folder), outcome, [])
    assert (result.outcome, result.data["verdict"]["result"]) == ("stopped", "pass")


HELD = "all 3 criteria hold; no other contact law was tried, so none is validated"
UNTIL = "the run tripped: by hand; until then 3 of 3 criteria held"
NOTHING = "less than one counted cycle with both measured and predicted: nothing to judge"


@pytest.mark.parametrize(
    ("outcome", "ran", "said"),
    [
        ("stopped", 0.6, f"{HELD}; on 2 of 4 counted cycles, as the test ended after {{took}}"),
        ("tripped", 0.6, f"{UNTIL}; on 2 of 4 counted cycles, as the test ended after {{took}}"),
        ("stopped", 0.1, f"{NOTHING}; on 0 of 4 counted cycles, as the test ended after {{took}}"),
        ("stopped", 1.0, HELD),
        ("done", 1.0, HELD),
    ],
)
def test_the_verdict_on_a_test_that_ended_early_says_on_how_much(run, outcome, ran, said):
    """Six cycles of 0.25 s and two ramps; the first two cycles do not count."""
    folder = run(ran=ran)
    whole = Plan.read(folder).experiment.trajectory.create().duration
    said = said.format(took=f"{ran * whole:.3g} s of {whole:.3g} s")
    found = compare_run(folder, ended=(outcome, "by hand"))
    assert found["verdict"]["reason"] == said
    assert said in found["text"]


@pytest.mark.parametrize(
    ("preparation", "said"),
    [(87040, "nothing was compared: the test did not begin, and only its preparation is recorded (span: 1.04)"),
     (0, "nothing was compared: nothing is recorded (span: 1.04)")],
)  # fmt: skip
def test_why_nothing_was_compared_is_said(run, preparation, said):
    """There is a file run.h5 in both cases, and it is printed beside."""
    outcome = Outcome(outcome="failed", reason="span: 1.04", startup_s=1.0)
    streams = {"measured": {"samples": 0, "lost_samples": 0, "lost_ranges": []}}
    prepared = {"samples": preparation, "lost_samples": 0, "lost_ranges": []}
    outcome.figures = {"recorder": {"streams": streams, "apart": {"preparation": prepared}}}
    folder = run()
    assert _result(Plan.read(folder), outcome, []).data["verdict"] == {"result": "none", "reason": said}
