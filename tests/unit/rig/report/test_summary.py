"""A whole record compared: the same again and again, under another law, with a predictor that died, from the command line."""

import json
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig import commands
from rig.commands import main
from rig.comparison import Settings, agreement, verdict
from rig.config.experiment import Predictor
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.recorder.reading import read_run
from rig.report.alternative import predicted_under
from rig.report.overlay.selection import contents
from rig.report.signals import signals
from rig.report.summary import compare_run
from tests.tiers import quick
from tests.unit.rig.report.dead_band import BENCH, FORCE, RATE, experiment


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


@pytest.mark.parametrize(("law", "result"), quick([("neighbour", "cannot_discriminate"), ("loose", "pass"), ("plain", "pass")], 2))
def test_another_law(run, law, result):
    """Asked on the command line, and as the experiment's own question; the law in use is no other law."""
    folder = run()
    assert compare_run(folder, alternative=law)["verdict"]["result"] == result
    asked = compare_run(folder, overrides=[f"comparison.alternative_law={law}"])
    assert asked["verdict"]["result"] == result
    if result == "cannot_discriminate":
        assert law in asked["verdict"]["reason"]


STRICT = ["comparison.criteria.nrms.tolerance=1e-6", "comparison.risk=0.5"]
"""What no noisy test holds, its error taken as it is."""


def test_overrides_reach_the_criteria(run):
    folder = run()
    found = compare_run(folder, overrides=[*STRICT, "comparison.discard_cycles=3"])
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
    assert main(["compare", str(folder / "run.h5"), "--set", STRICT[0], "--set", STRICT[1]]) == 1
    assert "verdict: FAIL" in capsys.readouterr().out


def test_a_comparison_made_again_goes_beside_what_the_test_left(run, capsys):
    folder = run()
    (folder / "overlay.png").write_bytes(b"the test's own")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    strict = ["--set", STRICT[0], "--set", STRICT[1]]
    assert [main(["compare", str(folder), *more]) for more in ([], strict)] == [0, 1]
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    for name, overrides, result in (("comparison-2", [], "pass"), ("comparison-3", STRICT, "fail")):
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


@pytest.mark.parametrize("outcome", quick(["failed", "tripped"], 1))
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
    quick(
        [
            ('{"outcome": "stopped", "reason": "Ctrl-C"}', "pass"),
            ('{"outcome": "verdict_failed", "reason": ""}', "pass"),
            ('{"outcome": "failed", "reason": "no reply"}', "none"),
            ("{", "none"),
            (None, "none"),
        ],
        3,
    ),
)
def test_how_it_ended_is_known_afterwards_too(run, summary, result):
    folder = run()
    (folder / "summary.json").unlink()
    if summary is not None:
        (folder / "summary.json").write_text(summary)
    assert compare_run(folder)["verdict"]["result"] == result


def test_what_fails_has_failed_however_the_run_ended(run):
    assert compare_run(run(), overrides=STRICT, ended=("failed", "no reply"))["verdict"]["result"] == "fail"


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


def test_a_comparison_whose_picture_cannot_be_drawn_has_its_figures(run, tmp_path, monkeypatch, capsys):
    folder = run()

    def fails(path, data):
        raise ValueError("Key backend")

    monkeypatch.setattr("rig.report.overlay.page.overlay", fails)
    assert commands.main(["compare", str(folder), "--out", str(tmp_path / "again")]) == 0
    said = capsys.readouterr()
    assert "verdict: PASS" in said.out and "could not be drawn: Key backend" in said.err
    assert json.loads((tmp_path / "again" / "summary.json").read_text())["verdict"]["result"] == "pass"


UNTRIED = "no other contact law was tried, so none is validated"
HELD = f"all 3 criteria hold; {UNTRIED}"
FEW = f"all 3 criteria hold over 2 cycles: too few to tell what chance did (3 do); {UNTRIED}"
UNTIL = "the run tripped: by hand; until then 3 of 3 criteria held"
NOTHING = "less than one counted cycle with both measured and predicted: nothing to judge"


@pytest.mark.parametrize(
    ("outcome", "ran", "said"),
    quick(
        [
            ("stopped", 0.6, f"{FEW}; on 2 of 4 counted cycles, as the test ended after {{took}}"),
            ("tripped", 0.6, f"{UNTIL}; on 2 of 4 counted cycles, as the test ended after {{took}}"),
            ("stopped", 0.1, f"{NOTHING}; on 0 of 4 counted cycles, as the test ended after {{took}}"),
            ("stopped", 1.0, HELD),
            ("done", 1.0, HELD),
        ],
        3,
    ),
)
def test_the_verdict_on_a_test_that_ended_early_says_on_how_much(run, outcome, ran, said):
    """Six cycles of 0.25 s and two ramps; the first two cycles do not count."""
    folder = run(ran=ran)
    whole = Plan.read(folder).experiment.trajectory.create().duration
    said = said.format(took=f"{ran * whole:.3g} s of {whole:.3g} s")
    found = compare_run(folder, ended=(outcome, "by hand"))
    assert found["verdict"]["reason"] == said
    assert said in found["text"]
