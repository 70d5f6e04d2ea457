"""Specimens within their drawing: what is drawn, from which distribution, and what of it reaches the readings."""

from dataclasses import replace

import numpy as np
import pytest

from model.ensemble import every, number
from model.errors import ModelError
from model.mechanisms import four_bar, planar
from rig import config
from rig.budget.followed import Followed
from rig.budget.specimens import Reading, specimens
from rig.config.bench import InputChannel, Sensor
from rig.config.experiment import Budget, Doubt, Spread
from rig.config.spreads import doubted, values_of

SENSOR = Sensor(sensitivity=1.0, uncertainty=0.01, zero_uncertainty=0.2, noise=0.5)
CHANNEL = InputChannel("acceleration", "m/s^2", "Dev1/ai0", SENSOR)
FOUR_BAR = four_bar.Config()


def six_bar() -> planar.Config:
    mechanism = config.load_experiment("configs/experiments/six_bar.toml").experiment.mechanism
    assert isinstance(mechanism, planar.Config)
    return mechanism


def test_numbers_are_within_their_spreads_and_sensors_within_their_uncertainty():
    budget = Budget(400, 7, 2e-4, (), (Spread("clearance", absolute="2 um"), Spread("friction", relative=0.16)))
    drawn = specimens(FOUR_BAR, budget, [CHANNEL])
    clearance = np.array([one.mechanism.clearance for one in drawn])
    assert np.ptp(clearance) == pytest.approx(4e-6, rel=0.05) and np.max(np.abs(clearance - FOUR_BAR.clearance)) <= 2e-6 + 1e-18
    gain = np.array([one.readings["acceleration"].gain for one in drawn])
    zero = np.array([one.readings["acceleration"].zero for one in drawn])
    assert np.max(np.abs(gain - 1.0)) <= 0.01 + 1e-12 and np.std(gain) == pytest.approx(0.0045, rel=0.15)  # cut at U
    assert np.max(np.abs(zero)) <= 0.2 and np.std(zero) == pytest.approx(0.09, rel=0.15)
    late = np.array([one.late for one in drawn])
    assert 0.0 <= late.min() < 1e-5 and 1.9e-4 < late.max() <= 2e-4
    assert specimens(FOUR_BAR, budget, [CHANNEL]) == drawn


def test_laws_of_which_nobody_knows_which_holds_are_all_drawn():
    drawn = specimens(FOUR_BAR, Budget(40, laws=("flores", "hunt_crossley")), [])
    assert {one.mechanism.contact_law for one in drawn} == {"flores", "hunt_crossley"}
    with pytest.raises(ModelError, match="laws: "):
        specimens(FOUR_BAR, Budget(2, laws=("plasticine",)), [])


def test_every_body_of_a_description_is_drawn_by_itself():
    mechanism = six_bar()
    drawn = specimens(mechanism, Budget(30, spread=(Spread("bodies.*.mass", relative=0.02),)), [])
    masses = np.array([[body.mass for body in one.mechanism.bodies] for one in drawn])
    shares = masses / [body.mass for body in mechanism.bodies] - 1.0
    assert np.max(np.abs(shares)) <= 0.02 and np.all(np.std(shares, axis=0) > 0.006)
    assert np.max(np.abs(np.corrcoef(shares.T) - np.eye(5))) < 0.6
    assert replace(drawn[0].mechanism, bodies=mechanism.bodies) == mechanism


def test_an_inertia_goes_with_its_mass_and_a_little_besides():
    spreads = (Spread("bodies.*.mass", relative=0.02, following=("bodies.*.inertia",)), Spread("bodies.*.inertia", relative=0.006))
    mechanism = six_bar()
    for one in specimens(mechanism, Budget(10, spread=spreads), []):
        for body, nominal in zip(one.mechanism.bodies, mechanism.bodies, strict=True):
            assert abs(body.inertia / nominal.inertia / (body.mass / nominal.mass) - 1.0) <= 0.006 + 1e-9


def test_what_follows_is_as_many_numbers():
    budget = Budget(2, spread=(Spread("bodies.*.mass", relative=0.02, following=("clearance",)),))
    with pytest.raises(ModelError, match=r"following: expected as many numbers as it has itself, 5; clearance has another number"):
        specimens(six_bar(), budget, [])


def test_a_star_stands_for_those_that_have_a_number():
    mechanism = six_bar()
    assert every(mechanism, "joints.*.clearance") == ["joints.P.clearance"]  # B takes that of the mechanism
    assert len(every(mechanism, "bodies.*.points.*.x")) == 6
    for key, said in (("bodies.*.weight", "nothing there has a number"), ("clearance.*.x", "a list before"), ("limbs.*.mass", "no such")):
        with pytest.raises(ModelError, match=said):
            every(mechanism, key)
    with pytest.raises(ModelError, match=r"there are crank, coupler, rocker, link, output"):
        every(mechanism, "bodies.wheel.mass")


def test_a_wrong_model_has_its_numbers_times_or_instead():
    mechanism = six_bar()
    half = doubted(mechanism, Doubt(("clearance", "joints.*.clearance"), times=0.5))
    assert number(half, "joints.P.clearance") == pytest.approx(25e-6) and half.clearance == pytest.approx(50e-6)
    assert values_of(mechanism, Doubt(("clearance",), value="0.4 mm")) == {"clearance": pytest.approx(4e-4)}
    with pytest.raises(ModelError, match=r"clearance = -0\.0001"):
        doubted(mechanism, Doubt(("clearance",), times=-1.0))


@pytest.mark.parametrize("given", [{}, {"times": 1.0, "value": "1 mm"}])
def test_a_doubt_says_either_of_the_two(given):
    with pytest.raises(ValueError, match="expected either times = "):
        Doubt(("clearance",), **given)


def test_a_reading_is_the_same_however_it_is_cut():
    reading, true = Reading(1.01, 0.2, 0.5, (1, 2)), np.sin(np.arange(200_000) * 1e-3)
    read = reading.of(true)
    rest = read - (1.01 * true + 0.2)
    assert np.std(rest) == pytest.approx(0.5, rel=0.01) and abs(np.mean(rest)) < 0.005
    assert np.array_equal(reading.of(true), read)


def test_an_encoder_mounted_elsewhere_shows_the_same_motion_with_another_error_of_a_count():
    """What moves the specimen differs from what was recorded as the truth does: by up to a count, by half of one in the mean, and by where
    the index was mounted. The recorded angle is the counts of a shaft whose speed sways."""
    t = np.arange(40_000) / 20e3
    true, count = 31.4 * t + 0.01 * np.sin(2.0 * np.pi * 7.0 * t), 2.0 * np.pi / 4096
    recorded = count * np.floor(true / count)
    followed = Followed(recorded, count, 100.0, 20e3)
    plain = Reading(1.0, 0.0, 0.0, (1,))
    inside = slice(2000, -2000)
    moved = [followed.by(plain, offset)[inside] - recorded[inside] for offset in (0.0, 0.25, 0.6)]
    for one in moved:
        assert np.max(np.abs(one)) <= 0.5 * count + 1e-12 and abs(np.mean(one)) < 0.02 * count
    for one in moved[1:]:  # an error of its own each: those of two encoders have nothing to do with each other but for their places
        assert np.std(one - moved[0]) > 0.2 * count
    assert np.allclose(followed.by(replace(plain, zero=1e-3), 0.25) - followed.by(plain, 0.25), 1e-3, atol=1e-12)


def test_another_channel_that_the_model_follows_is_read_with_its_own_error():
    recorded = np.linspace(0.0, 1.0, 1000)
    assert np.array_equal(Followed(recorded, 0.0, 100.0, 1e3).by(Reading(1.02, 0.1, 0.0, (1,)), 0.3), 1.02 * recorded + 0.1)


def test_a_motion_that_is_late_is_the_same_some_samples_later_and_begins_where_it_stood():
    commanded = np.sin(2.0 * np.pi * 5.0 * np.arange(4000) / 20e3)
    moved = Followed(commanded, 0.0, 100.0, 20e3).by(None, 0.5, 1.5 / 20e3)
    assert np.allclose(moved[2:], 0.5 * (commanded[:-2] + commanded[1:-1]), atol=1e-15) and moved[0] == commanded[0]
    assert np.array_equal(Followed(commanded, 0.0, 100.0, 20e3).by(None, 0.5), commanded)
