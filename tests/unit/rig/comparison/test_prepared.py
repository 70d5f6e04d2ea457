"""What is done to both signals, and what counts: a known delay, a band, counted cycles, stretches of long records."""

import math

import numpy as np
import pytest

from rig.comparison import Settings
from rig.comparison.delays import segments
from rig.comparison.filtering import slowest
from rig.comparison.preparation import Both, Counted, prepare, whole
from rig.comparison.series import ends, pieces

RATE = 1000.0
NAN = math.nan


# -- both signals --------------------------------------------------------------------------------------------------------------------


def test_a_known_delay_is_taken_out_of_measured_alone_and_of_what_is_known_of_it():
    """5 samples: sample n as compared is n + 5 as measured, and the last 5 have none."""
    measured, predicted = np.arange(100.0), np.arange(100.0)
    measured[50] = predicted[70] = NAN
    ready = prepare(measured, predicted, RATE, Settings(lowpass=None, remove_delay=5.0 / RATE))
    assert ready.measured[:40].tolist() == [n + 5.0 for n in range(40)]
    assert ready.predicted[:40].tolist() == [float(n) for n in range(40)]
    assert np.flatnonzero(~ready.known[:]).tolist() == [45, 70, *range(95, 100)]
    assert np.flatnonzero(~ready.known[40:98]).tolist() == [5, 30, 55, 56, 57]


@pytest.mark.parametrize("samples", [1, -1, 0])
def test_a_known_delay_of_a_sample_is_one(samples):
    ready = prepare(np.arange(100.0), np.arange(100.0), RATE, Settings(lowpass=None, remove_delay=samples / RATE))
    assert ready.measured[10:20].tolist() == [n + samples for n in range(10, 20)]
    assert np.flatnonzero(~ready.known[:]).tolist() == {1: [99], -1: [0], 0: []}[samples]


def test_a_known_delay_by_a_fraction_wants_all_that_it_is_made_of():
    """Nine samples about n + 6, each of which has its weight, also where a weight is below zero; none beyond an end."""
    measured = np.arange(100.0)
    measured[50] = NAN
    ready = prepare(measured, np.arange(100.0), RATE, Settings(lowpass=None, remove_delay=5.5 / RATE))
    np.testing.assert_allclose(ready.measured[10:30], np.arange(10.0, 30.0) + 5.5)
    unknown = [*range(40, 49), *range(90, 100)]
    assert np.flatnonzero(~ready.known[:]).tolist() == unknown
    for length in (1, 7, 30):
        assert np.flatnonzero(~np.concatenate([ready.known[part] for part in pieces(0, 100, length)])).tolist() == unknown
    early = prepare(np.arange(100.0), np.arange(100.0), RATE, Settings(lowpass=None, remove_delay=-5.5 / RATE))
    assert np.flatnonzero(~early.known[:]).tolist() == [*range(10)]


def test_a_known_delay_longer_than_the_record_leaves_nothing():
    for late in (5.0, -5.0, 100.0, -100.5):
        ready = prepare(np.zeros(5), np.zeros(5), RATE, Settings(lowpass=None, remove_delay=late / RATE))
        assert ready.known[:].tolist() == [False] * 5
        assert ready.known[2:4].tolist() == [False] * 2
        assert ready.known[3:3].tolist() == []


def test_a_band_that_the_rate_does_not_hold_is_none():
    x = np.zeros(10)
    assert prepare(x, x, RATE, Settings(band=(100.0, 500.0))).band is None
    assert prepare(x, x, RATE, Settings()).band is None
    ready = prepare(x, x, RATE, Settings(band=(100.0, 499.0)))
    assert ready.band is not None and ready.band.known[:].all()


def test_a_band_remembers_what_was_missing_for_as_long_as_it_rings():
    """Two over half its width of 20 Hz, nearly: some 200 samples, on either side."""
    measured, predicted = np.zeros(800), np.zeros(800)
    measured[50], predicted[450] = NAN, NAN
    ready = prepare(measured, predicted, RATE, Settings(band=(100.0, 120.0)))
    assert ready.band is not None
    lasting = math.ceil(2.0 / slowest((100.0, 120.0)) * RATE)
    assert lasting == pytest.approx(200, rel=0.1)
    assert np.flatnonzero(~ready.band.known[:]).tolist() == [*range(50, 51 + lasting), *range(450, 451 + lasting)]


# -- what counts ---------------------------------------------------------------------------------------------------------------------

CYCLE = np.array([-1.0, 0.0, 0.5, 1.0, NAN, 1.9, 2.0, -1.0, 3.0, 3.5, -1.0])


@pytest.mark.parametrize("length", [1, 3, 100])
@pytest.mark.parametrize(
    ("discard", "kept", "extent"),
    [
        (0, [1, 2, 3, 5, 6, 8, 9], range(1, 10)),
        (1, [3, 5, 6, 8, 9], range(3, 10)),
        (2, [6, 8, 9], range(6, 10)),
        (3, [8, 9], range(8, 10)),
        (4, [], range(0)),
    ],
)
def test_the_first_cycles_and_what_is_none_do_not_count(discard, kept, extent, length):
    one = Counted(CYCLE, discard, length)
    assert np.flatnonzero(one[:]).tolist() == kept
    assert (one.samples, one.extent, len(one)) == (len(kept), extent, 11)


def test_the_number_of_a_cycle_is_its_whole_part():
    assert whole(np.array([0.0, 0.99, 1.0, -1.0, NAN, math.inf])).tolist() == [0.0, 0.0, 1.0, -1.0, -1.0, -1.0]


def test_both_is_both():
    one = Both(np.array([True, True, False, False]), np.array([True, False, True, False]))
    assert (len(one), one[:].tolist(), one[1:2].tolist()) == (4, [True, False, False, False], [False])


def test_pieces_and_ends():
    assert [*pieces(2, 9, 3)] == [slice(2, 5), slice(5, 8), slice(8, 9)]
    assert [*pieces(4, 4, 3)] == []
    assert (ends(slice(2, 1), 5), ends(slice(None, 9), 5), ends(slice(-2, None), 5)) == ((2, 2), (0, 5), (3, 5))


# -- long records --------------------------------------------------------------------------------------------------------------------


def test_a_short_record_is_taken_whole_and_a_long_one_in_eight_stretches():
    assert segments.choose(100, 20, 80, 100) == [slice(0, 100)]
    assert segments.choose(101, 20, 80, 100) == [slice(0, 100)], "what counts, and as much to either side"
    assert segments.choose(1000, 400, 440, 100) == [slice(370, 470)]
    assert segments.choose(1000, 400, 500, 100) == [slice(400, 500)]
    assert segments.choose(1000, 960, 1000, 100) == [slice(900, 1000)]
    many = segments.choose(10_000, 1000, 9000, 800)
    assert len(many) == segments.STRETCHES == 8
    assert (many[0], many[-1]) == (slice(1000, 1100), slice(8900, 9000))
    assert {part.stop - part.start for part in many} == {100}
    assert max(np.ptp(np.diff([part.start for part in many])), 0) <= 1, "evenly"
    assert segments.seams(many) == [100 * k for k in range(1, 8)]


def test_nothing_counts_about_a_seam():
    parts = [slice(0, 10), slice(20, 30), slice(40, 50)]
    kept, counted = np.ones(50, dtype=bool), np.ones(50, dtype=bool)
    kept[3], counted[44] = False, False
    marks = segments.joined_marks(kept, counted, parts, 2)
    assert np.flatnonzero(~marks).tolist() == [3, 8, 9, 10, 11, 18, 19, 20, 21, 24]
    assert segments.joined(np.arange(50.0), parts).tolist() == [*range(10), *range(20, 30), *range(40, 50)]
