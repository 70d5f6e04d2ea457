import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import butter, lfilter

from model.mechanisms import four_bar, parallel_3rrpar
from model.mechanisms.four_bar import flight
from rig.config.bench import InputChannel, Sensor
from rig.sensors.transfer import Delay, Sensed, Transfer
from tests.thorough import times

RATE = 51_200.0


def transfer(**record: float) -> Transfer:
    return Transfer(InputChannel("force", "N", "Dev1/ai0", Sensor(sensitivity=25e3, **record)), RATE)


def sine(frequency: float, samples: int = 51_200) -> np.ndarray:
    return 1000.0 * np.sin(2 * np.pi * frequency * np.arange(samples) / RATE)


def gain(shown: np.ndarray, true: np.ndarray, frequency: float) -> complex:
    wave = np.exp(-2j * np.pi * frequency * np.arange(len(true)) / RATE)
    half = len(true) // 2
    return complex((shown * wave)[half:].sum() / (true * wave)[half:].sum())


@settings(max_examples=times(30))
@given(st.lists(st.integers(1, 400), min_size=1, max_size=12), st.floats(0.0, 90.0))
def test_the_same_bits_however_the_samples_are_cut(cuts: list[int], delay: float) -> None:
    signal = sine(37.0, sum(cuts)) + 300.0
    whole = transfer(bandwidth=5e3, coupling=0.5, delay=delay / RATE).apply(signal)
    parts = transfer(bandwidth=5e3, coupling=0.5, delay=delay / RATE)
    edges = np.cumsum([0, *cuts])
    cut = np.concatenate([parts.apply(signal[a:b]) for a, b in itertools.pairwise(edges)])
    assert np.array_equal(whole, cut)


@pytest.mark.parametrize(("poles", "expected"), [(1, 0.5), (2, 0.5)])
def test_bandwidth_is_the_half_power_corner(poles: int, expected: float) -> None:
    signal = sine(1000.0)
    shown = transfer(bandwidth=1000.0, bandwidth_poles=poles).apply(signal)
    assert abs(gain(shown, signal, 1000.0)) ** 2 == pytest.approx(expected, rel=1e-3)


def test_coupling_takes_the_mean_away_and_passes_what_is_fast() -> None:
    signal = sine(200.0) + 400.0
    shown = transfer(coupling=5.0).apply(signal)
    assert abs(shown[-25_600:].mean()) < 0.01
    assert abs(gain(shown, signal, 200.0)) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("samples", [1.0, 37.0, 0.5, 1.25, 36.75])
def test_delay_by_any_number_of_samples(samples: float) -> None:
    signal = sine(500.0, 4096)
    late = 1000.0 * np.sin(2 * np.pi * 500.0 * (np.arange(4096) - samples) / RATE)
    shown = Delay(samples).apply(signal)
    assert np.max(np.abs(shown[64:] - late[64:])) < 2e-4 * 1000.0


@pytest.mark.parametrize("samples", [1.0, 37.0, 36.75])
def test_a_sensor_shows_everything_as_late_as_its_record_says(samples: float) -> None:
    """Its delay is in s; the low-pass, if it has one, comes on top."""
    signal = sine(500.0, 4096)
    late = 1000.0 * np.sin(2 * np.pi * 500.0 * (np.arange(4096) - samples) / RATE)
    shown = transfer(delay=samples / RATE).apply(signal)
    np.testing.assert_allclose(shown[64:], late[64:], atol=0.2)
    filtered = transfer(bandwidth=5e3).apply(late)
    np.testing.assert_allclose(transfer(bandwidth=5e3, delay=samples / RATE).apply(signal)[256:], filtered[256:], atol=0.2)


def test_a_sensor_without_delay_shows_everything_at_once() -> None:
    signal = sine(500.0, 64)
    assert np.array_equal(transfer().apply(signal), signal)


def test_a_bandwidth_that_the_rate_does_not_hold_takes_nothing_away() -> None:
    """From half the rate on no filter can be made; below it there is one."""
    signal = sine(500.0, 64)
    assert np.array_equal(transfer(bandwidth=RATE / 2).apply(signal), signal)
    assert not np.array_equal(transfer(bandwidth=RATE / 2 - 1.0).apply(signal), signal)


def test_range_clips() -> None:
    channel = InputChannel("force", "N", "Dev1/ai0", Sensor(sensitivity=-25e3, offset=10.0), range=2.0)
    shown = Transfer(channel, RATE).apply(np.array([-1e6, 0.0, 1e6]))
    assert shown.tolist() == [-50e3 + 10.0, 0.0, 50e3 + 10.0]


@pytest.mark.parametrize("feels", [True, False])
def test_an_accelerometer_that_feels_gravity_shows_the_weight_too(feels: bool) -> None:
    """Of the four-bar's coupler as it turns, by its angle; channels that are not measured, or left out, are not among them."""
    mechanism = four_bar.Config(gravity=9.81)
    sensor = Sensor(sensitivity=100.0, feels_gravity=feels)
    inputs = {name: InputChannel(name, unit, "Dev1/ai0", sensor) for name, unit in four_bar.Config.CHANNELS if unit in ("m/s^2", "N")}
    sensed = Sensed(mechanism, inputs, RATE, without={"joint_force"})
    assert sensed.channels == (("acceleration", "m/s^2"),)
    predicted = np.random.default_rng(1).normal(size=(50, len(four_bar.Config.CHANNELS)))
    expected = predicted[:, -1] + (9.81 * np.cos(predicted[:, 1]) if feels else 0.0)
    given = predicted.copy()
    np.testing.assert_allclose(sensed.apply(predicted)[:, 0], expected, rtol=1e-12)
    assert np.array_equal(predicted, given), "what is recorded as predicted stays as it is"


def test_the_weight_that_a_still_platform_shows() -> None:
    predicted = np.zeros((3, len(parallel_3rrpar.Config.CHANNELS)))
    shown = parallel_3rrpar.Config(gravity=9.81).shown_weight(predicted)
    assert {name: values.tolist() for name, values in shown.items()} == {"ax": [0.0] * 3, "ay": [0.0] * 3, "az": [9.81] * 3}


def test_the_course_without_contact_has_the_weight_as_well() -> None:
    """In flight the coupler's end falls: what is left of the weight is what the other end holds."""
    config, at = four_bar.Config(gravity=9.81), np.linspace(0.0, 6.0, 30)
    speed, still = np.full(30, 30.0), np.zeros(30)
    with_it, without = (flight.acceleration(config, at, speed, still, feels_gravity=feels) for feels in (True, False))
    cosine = (with_it - without) / 9.81
    ideal = four_bar_ideal_angle(config, at)
    np.testing.assert_allclose(cosine, np.cos(ideal), atol=1e-9)


def four_bar_ideal_angle(config: four_bar.Config, crank: np.ndarray) -> np.ndarray:
    """Angle (n,) of the coupler, by the law of cosines; its end lies to the left of the way to the ground's other pivot."""
    way = config.ground_length - config.crank_length * np.exp(1j * crank)
    long, short = config.coupler_length, config.rocker_length
    inner = np.arccos((long**2 + np.abs(way) ** 2 - short**2) / (2.0 * long * np.abs(way)))
    return np.asarray(np.angle(way) + inner)


@pytest.mark.parametrize(("poles", "at_double", "at_tenfold"), [(1, 0.447, 0.0995), (2, 0.243, 0.0100)])
def test_every_pole_of_a_sensor_takes_its_part_away(poles: int, at_double: float, at_tenfold: float) -> None:
    """Butterworth: 1/sqrt(1 + (f/f0)^2n) at twice and ten times the corner, below 1/30 of the rate."""
    for factor, expected in ((2.0, at_double), (10.0, at_tenfold)):
        frequency = 160.0 * factor
        signal = sine(frequency)
        shown = transfer(bandwidth=160.0, bandwidth_poles=poles).apply(signal)
        assert abs(gain(shown, signal, frequency)) == pytest.approx(expected, rel=0.02)


def test_a_sensor_has_two_poles_where_its_record_says_no_more() -> None:
    signal = sine(1600.0)
    shown = transfer(bandwidth=160.0).apply(signal)
    assert abs(gain(shown, signal, 1600.0)) == pytest.approx(0.0100, rel=0.02)


def test_a_prediction_is_shown_through_both_poles() -> None:
    """Of a mechanism's channels, as the predictor and another law's prediction are."""
    inputs = {"acceleration": InputChannel("acceleration", "m/s^2", "Dev1/ai0", Sensor(sensitivity=1e3, bandwidth=160.0))}
    sensed = Sensed(four_bar.Config(), inputs, RATE)
    predicted = np.zeros((51_200, len(four_bar.Config.CHANNELS)))
    column = [name for name, _ in four_bar.Config.CHANNELS].index("acceleration")
    predicted[:, column] = sine(1600.0)
    assert abs(gain(sensed.apply(predicted)[:, 0], sine(1600.0), 1600.0)) == pytest.approx(0.0100, rel=0.02)


def test_a_channel_shows_what_it_says_that_it_predicts() -> None:
    """Under its own name; two sensors of one quantity each have their own transfer."""
    mechanism = four_bar.Config()
    sensor, slow = Sensor(sensitivity=100.0), Sensor(sensitivity=100.0, bandwidth=50.0, bandwidth_poles=1)
    inputs = {
        "seat": InputChannel("seat", "m/s^2", "Dev1/ai0", sensor, predicts="acceleration"),
        "spare": InputChannel("spare", "m/s^2", "Dev1/ai1", slow, predicts="acceleration"),
        "acceleration_x": InputChannel("acceleration_x", "m/s^2", "Dev1/ai2", sensor),
    }
    sensed = Sensed(mechanism, inputs, RATE)
    assert sensed.channels == (("seat", "m/s^2"), ("spare", "m/s^2"))
    predicted = np.zeros((400, len(four_bar.Config.CHANNELS)))
    predicted[:, -1] = np.arange(400) % 2
    shown = sensed.apply(predicted)
    assert np.array_equal(shown[:, 0], predicted[:, -1])
    assert shown[:, 1] == pytest.approx(lfilter(*butter(1, 50.0, fs=RATE), predicted[:, -1]), abs=1e-9)
