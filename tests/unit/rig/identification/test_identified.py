"""Numbers of a specimen that is known in closed form, from its record: found, with what may be off, or refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib import image

from model.ensemble import changed
from rig import commands
from rig.config import load_experiment
from rig.config.experiment import Free
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.identification import picture, table
from rig.identification.identified import identified
from rig.identification.parameters import parameters
from rig.identification.recorded_test import RecordedTest
from tests.unit.rig.identification.closed_form import AMPLITUDE, FORCE, FREE, UNCERTAINTY, Config, plan_in, record_in

ROOT = Path(__file__).parents[4]
TRUE = {"gain": 1.31, "bend": -0.17}


@pytest.fixture
def recorded(tmp_path):
    """A test of a specimen; how many there are is counted."""

    def make(
        name="0001-gain",
        true=TRUE,
        gain=1.0,
        seed=5,
        more=lambda x: 0.0,
        fifth=0.023,
        late=0.0,
        known=False,
        spoilt=lambda t, x: x,
        **identify,
    ):
        folder = tmp_path / name
        folder.mkdir()
        plan = plan_in(folder, known, **identify)
        record_in(folder, plan, changed(Config(fifth=fifth), true), gain, seed, more, late, spoilt)
        return RecordedTest(folder, plan, plan.experiment.identify)

    return make


def found_in(*tests, validation=(), free=None):
    plan = tests[0].plan
    given = plan.experiment.identify
    wanted = parameters(free or given.free, plan.experiment.mechanism, plan.bench.channels)
    return identified(tests, validation, wanted, given)


def test_numbers_that_the_file_does_not_have_are_found_within_their_intervals(recorded):
    """The sensor's gain is known to 0.2 % (one sigma), which a gain of 1.31 cannot be known better than; noise is far less."""
    found = found_in(recorded())
    assert found.free[0].key == "gain" and np.all(found.low < [1.31, -0.17]) and np.all(found.high > [1.31, -0.17])
    assert found.deviations[0] == pytest.approx(0.5 * UNCERTAINTY * 1.31, rel=1.0)
    assert not any(found.at_bound) and found.reason == "" and 0.01 < found.training.left_p <= 1.0


def test_a_free_gain_of_the_channel_cannot_be_told_from_the_mechanism_s(recorded):
    """All of the mechanism's numbers are proportional to it, and this is said, not fitted."""
    free = (
        Free("gain", "0.5", "1.9"),
        Free(f"channels.{FORCE}.gain", "0.9", "1.1"),
        Free("bend", "-0.4", "0.4"),
        Free("fifth", "-0.2", "0.2"),
    )
    with pytest.raises(ConfigError, match="no figure of this test tells these numbers apart"):
        found_in(recorded(), free=free)


def test_gain_zero_and_delay_of_a_channel_are_found(recorded):
    test = recorded(true={"gain": 1.0, "bend": 0.1}, gain=1.003, fifth=0.02, late=2e-3, more=lambda x: 0.01 * AMPLITUDE)
    free = tuple(
        Free(f"channels.{FORCE}.{what}", *ends)
        for what, ends in (("gain", ("0.9", "1.1")), ("zero", ("-1 kN", "1 kN")), ("delay", ("0 s", "9 ms")))
    )
    found = found_in(test, free=free)
    assert found.values[0] == pytest.approx(1.003, abs=3 * found.deviations[0]) and found.deviations[0] < 0.003
    assert found.values[1] == pytest.approx(100.3, abs=4 * found.deviations[1] + 1.0)
    assert found.values[2] == pytest.approx(2e-3, abs=4 * found.deviations[2]) and found.deviations[2] < 1e-4


def test_a_number_beyond_its_bounds_ends_on_one_and_that_is_told(recorded):
    found = found_in(recorded(free=(Free("gain", "0.5", "1.2"), FREE[1])))
    assert found.at_bound == (True, False)


@pytest.mark.parametrize(
    ("what", "more"), [("a part that the model has not", lambda x: 0.02 * AMPLITUDE * np.sign(x)), ("as it is", lambda x: 0.0 * x)]
)
def test_a_model_that_lacks_something_is_refused_and_the_right_one_is_not(recorded, what, more):
    """Friction of 2 %: no gain and no bend makes it."""
    found = found_in(recorded(more=more))
    assert bool(found.reason) == (what != "as it is"), found.training


def test_another_test_of_the_same_specimen_validates_and_one_of_another_does_not(recorded):
    fitted = recorded()
    same, other = recorded("0002-gain", seed=6), recorded("0003-gain", true={"gain": 1.4, "bend": -0.17})
    assert found_in(fitted, validation=[same]).reason == ""
    assert "validation" in found_in(fitted, validation=[other]).reason


def test_two_tests_tell_more_than_one(recorded):
    """Of noise; the sensor and its gain are the same in both, so that what the gain leaves open stays."""
    free = (Free("bend", "-0.5", "0.5"),)
    one, two = recorded(true={"bend": -0.2}, free=free), recorded("0002-gain", true={"bend": -0.2}, seed=6, free=free)
    assert found_in(one, two).deviations[0] < 1.1 * found_in(one).deviations[0]


def test_the_command_writes_what_an_experiment_takes(recorded, monkeypatch, capsys, tmp_path):
    test = recorded()
    monkeypatch.setattr(Plan, "read", classmethod(lambda cls, run_dir: test.plan))
    assert commands.main(["identify", str(test.run_dir), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["parameters"]["gain"].keys() == {"unit", "value", "low_95", "high_95", "std", "at_bound"}
    assert data["profiles"]["gain"].keys() == {"low_95", "high_95"}
    assert data["refused"] is False and data["validation"] is None and len(data["correlations"]) == 2
    text = (test.run_dir / "identified.toml").read_text()
    assert f"gain = {data['parameters']['gain']['value']:.9g}  # 95 %" in text and "sha256" in text
    assert commands.main(["identify", str(test.run_dir)]) == 0
    said = capsys.readouterr().out
    assert "outside" in said and "training: NRMS" in said


def test_cycles_with_samples_that_are_missing_or_clipped_are_left_out_and_that_is_told(recorded, tmp_path):
    """4 Hz from 0.25 s on, the first cycle does not count. Of cycle 3 samples are missing: a line over them would be another curve."""
    whole = recorded()
    gap = recorded("0002-gain", spoilt=lambda t, x: np.where((t > 1.05) & (t < 1.15), np.nan, x))
    assert len(whole.figures.spans) == 5 and len(gap.figures.spans) < 5
    assert any("cycles are not fitted, as samples in them are missing or clipped" in note for note in gap.notes)
    found = found_in(gap)
    assert np.all(found.low < [1.31, -0.17]) and np.all(found.high > [1.31, -0.17]) and found.reason == ""
    with pytest.raises(ConfigError, match=rf"0 whole cycles count in this record beside 5 .*{FORCE} is clipped: .* stand at 8000"):
        recorded("0003-gain", spoilt=lambda t, x: np.minimum(x, 8000.0))


def test_a_loop_of_channels_that_there_are_not_is_refused(recorded):
    with pytest.raises(
        ConfigError, match=rf"identify.loop: expected two channels that are measured and predicted \({FORCE}\), .* got stroke"
    ):
        recorded(loop=("stroke", FORCE))


def test_a_run_that_tripped_says_so(recorded):
    test = recorded()
    (test.run_dir / "summary.json").write_text('{"outcome": "tripped", "reason": "force above 5 kN"}')
    again = RecordedTest(test.run_dir, test.plan, test.plan.experiment.identify)
    assert any("the run tripped: force above 5 kN; the whole cycles before that are fitted" in note for note in again.notes)


def test_a_delay_that_is_known_is_taken_out(recorded):
    """15 ms beside a cycle of 250 ms: left in, the specimen is not the model's."""
    late = recorded(late=15e-3)
    comparison = replace(late.plan.experiment.comparison, remove_delay=15e-3)
    plan = replace(late.plan, experiment=replace(late.plan.experiment, comparison=comparison))
    test = RecordedTest(late.run_dir, plan, plan.experiment.identify)
    assert found_in(late).reason and not found_in(test).reason


def test_the_profile_of_a_linear_number_is_a_parabola_about_the_fit_and_ends_about_the_interval(recorded):
    """Gain alone: figures are linear in it, so that the rise is a square of the distance."""
    found = found_in(recorded(free=(Free("gain", "1", "1.6"),), true={"gain": 1.31}))
    (profile,) = found.profiles
    fit = float(profile.shares[int(np.argmin(profile.rise))])
    far = np.abs(profile.shares - fit) > 0.2 * np.ptp(profile.shares)
    curvature = profile.rise[far] / (profile.shares[far] - fit) ** 2
    assert np.ptp(curvature) < 0.15 * curvature.mean()
    low, high = found.profile_ends(0)
    assert low == pytest.approx(float(found.low[0]), abs=0.5 * float(found.deviations[0]) * 2.0)
    assert high == pytest.approx(float(found.high[0]), abs=0.5 * float(found.deviations[0]) * 2.0)


def test_a_number_that_the_test_does_not_see_has_a_flat_profile(recorded):
    """A sensor's zero known to nothing, beside a gain: seen by the mean alone, its bounds are narrower than the noise."""
    free = (Free("gain", "1", "1.6"), Free(f"channels.{FORCE}.zero", "-0.01 N", "0.01 N"))
    found = found_in(recorded(free=free, true={"gain": 1.31}), free=free)
    assert found.reason == "" and found.profile_ends(1) == (None, None)
    assert "its profile is flat as far as its bound" in table.text(found) and found.profile_ends(0)[0] is not None


def test_the_picture_shows_cycle_rest_and_profiles(recorded, tmp_path):
    """A wave of its own harmonics comes back from its figures; the page is drawn, and has ink in each of its three columns."""
    found = found_in(recorded())
    (curve,) = found.curves
    phase = 2.0 * np.pi * np.arange(len(curve.measured)) / len(curve.measured)
    x = np.sin(phase)
    expected = AMPLITUDE * (1.31 * x - 0.17 * x**3 + 0.023 * x**5)
    assert np.abs(curve.measured - expected).max() < 0.12 * AMPLITUDE  # the low-pass turns it by some degrees, alike on both sides
    assert np.abs(curve.measured - curve.fitted).max() < 0.01 * AMPLITUDE < np.abs(curve.measured - curve.filed).max()
    picture.draw(found, "a gain", "from 0001", tmp_path / "page.png")
    page = image.imread(tmp_path / "page.png")[..., :3].min(axis=2)
    assert all(np.any(part < 0.5) for part in np.array_split(page, 3, axis=1))


def test_a_prior_tells_a_gain_of_the_channel_from_the_mechanism_s(recorded):
    """Without it they are one number (the first test of these). With it gain x channel is measured, the channel known to 1 %."""
    free = (
        Free("gain", "0.5", "1.9"),
        Free(f"channels.{FORCE}.gain", "0.9", "1.1", prior="1.0", prior_std="0.01"),
        Free("bend", "-0.4", "0.4"),
        Free("fifth", "-0.2", "0.2"),
    )
    found = found_in(recorded(gain=1.012), free=free)
    assert found.reason == ""
    assert found.values[1] == pytest.approx(1.0, abs=1e-3) and found.deviations[1] == pytest.approx(0.01, rel=0.05)
    assert found.values[0] * found.values[1] == pytest.approx(1.31 * 1.012, rel=2e-3)
    assert found.low[0] < 1.31 < found.high[0]


def test_a_prior_and_a_test_are_weighed_by_what_each_is_off(recorded):
    """One number, linear: the mean of both by their variances, as of two measurements (JCGM 100, weighted mean); the interval, too."""
    wide = (Free("gain", "1", "1.6"),)
    alone = found_in(recorded(free=wide, true={"gain": 1.31}))
    std = float(alone.deviations[0])
    prior = float(alone.values[0]) + 2.0 * std
    both = found_in(recorded("0002-gain", free=(Free("gain", "1", "1.6", f"{prior}", f"{std}"),), true={"gain": 1.31}))
    assert both.values[0] == pytest.approx(float(alone.values[0]) + std, abs=0.15 * std)
    assert both.deviations[0] == pytest.approx(std / np.sqrt(2.0), rel=0.15)


def test_a_prior_far_from_what_is_measured_is_refused(recorded):
    alone = found_in(recorded(free=(Free("gain", "1", "1.6"),), true={"gain": 1.31}))
    std = float(alone.deviations[0])
    far = (Free("gain", "1", "1.6", f"{1.31 + 30.0 * std}", f"{std}"),)
    assert "training" in found_in(recorded("0002-gain", free=far, true={"gain": 1.31})).reason


def test_specimens_of_which_all_is_said_to_be_known_are_refused(recorded):
    """No budget, and a sensor whose record says nothing: intervals would come from nothing."""
    test = recorded(known=True)
    with pytest.raises(ConfigError, match=r"right specimens do not differ.*states no spread"):
        found_in(test)


@pytest.mark.long
def test_a_sampler_says_what_the_intervals_say_where_all_is_near_normal(recorded):
    """Within a factor of two: one takes the figures' covariance, drawn to zero, for known, the other the scatter of some specimens."""
    found = found_in(recorded(sampler="ensemble"))
    assert found.sampled is not None and found.sampled.settled
    data = found.to_json()["sampled"]
    for k, one in enumerate(found.free):
        median, low, high = found.of_draws(k)
        assert data[one.key] == {"median": median, "low_95": low, "high_95": high}
        assert abs(median - found.values[k]) < 0.5 * found.deviations[k]
        assert 0.5 < (high - low) / (found.high[k] - found.low[k]) < 2.0
    assert "posterior: median" in table.text(found) and "independent draws" in table.text(found)
    assert found_in(recorded("0002-none")).to_json()["sampled"] is None


def test_bounds_that_are_none_are_told_with_what_is_expected(recorded):
    test = recorded()
    for free, said in (
        (Free("gains", "0", "1"), "gains: the mechanism has no such quantity"),
        (Free("gain", "2", "1"), "maximum = '1': expected more than minimum = '2'"),
        (Free("channels.other.gain", "0", "1"), f"NAME is one of {FORCE}"),
        (Free("gain", "0 kN", "1"), "kN"),
        (Free("gain", "0", "1", prior="0.5"), "expected prior and prior_std together"),
        (Free("gain", "0", "1", "0.5", "0"), "expected more than 0; what is known exactly is not free"),
    ):
        with pytest.raises(ConfigError, match=said):
            found_in(test, free=(free,))


def test_an_experiment_lays_what_was_identified_over_its_mechanism(tmp_path):
    """Over the file's own, below the command line's; where from is in what a record keeps."""
    own = tmp_path / "own.toml"
    own.write_text((ROOT / "configs/experiments/four_bar.toml").read_text().replace("[mechanism]", '[mechanism]\nfrom = "it.toml"', 1))
    (tmp_path / "it.toml").write_text('[mechanism]\nclearance = "0.123 mm"\ncontact.restitution = 0.61\n')
    found = load_experiment(own)
    assert found.experiment.mechanism.clearance == pytest.approx(0.123e-3) and found.experiment.mechanism.contact.restitution == 0.61
    assert "it.toml, sha256" in found.experiment_text and "0.123" in found.experiment_text
    assert load_experiment(own, ['mechanism.clearance="0.3 mm"']).experiment.mechanism.clearance == pytest.approx(0.3e-3)
    (tmp_path / "it.toml").write_text('[mechanism]\nclearanc = "0.123 mm"\n')
    with pytest.raises(ConfigError, match=r"it\.toml: mechanism\.clearanc: .*unknown key"):
        load_experiment(own)
    (tmp_path / "it.toml").write_text("title = 1\n")
    with pytest.raises(ConfigError, match=r"it\.toml: expected a table \[mechanism\]"):
        load_experiment(own)
    (tmp_path / "it.toml").unlink()
    with pytest.raises(ConfigError, match=r"no such .* \(named by mechanism of "):
        load_experiment(own)
