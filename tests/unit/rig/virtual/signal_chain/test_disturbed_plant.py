"""A frame with disturbed signals: what changes, what does not, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from rig.config.disturbance import CrossTalk, Disturbance
from rig.virtual.plants import linkage_frame
from rig.virtual.signal_chain.disturbed_plant import DisturbedPlant

TIMES = np.arange(1, 501) / 51_200.0
FORCE, STROKE, LOST = "force_monitor", "stroke_monitor", "stroke_monitr"


def sampled(plant) -> np.ndarray:
    lines = np.zeros(len(plant.digital_inputs), dtype=np.bool_)
    return plant.advance(TIMES, np.zeros((len(TIMES), 1)), lines)


def test_what_is_not_named_keeps_its_bits_and_what_is_has_its_truth_beside_it() -> None:
    frame = linkage_frame.Config().create(3)
    plant = DisturbedPlant(linkage_frame.Config().create(3), [Disturbance(FORCE, hum=0.1), Disturbance(STROKE)], 3)
    own, out = sampled(frame), sampled(plant)
    assert plant.analogue_outputs[-2:] == ("force_monitor_undisturbed", "stroke_monitor_undisturbed")
    column = own.shape[1]
    np.testing.assert_array_equal(out[:, 1:column], own[:, 1:])
    np.testing.assert_array_equal(out[:, column:], own[:, [0, plant.analogue_outputs.index(STROKE)]])
    assert np.abs(out[:, 0] - own[:, 0]).max() > 0.05


def test_hum_is_in_step_on_all_signals_and_noise_is_not() -> None:
    both = [Disturbance(name, hum=0.1) for name in (FORCE, STROKE)]
    out = sampled(DisturbedPlant(linkage_frame.Config().create(3), both, 3))
    np.testing.assert_allclose(out[:, 0] - out[:, -2], out[:, 2] - out[:, -1], atol=1e-12)
    noisy = [Disturbance(name, coloured_noise=0.1) for name in (FORCE, STROKE)]
    out = sampled(DisturbedPlant(linkage_frame.Config().create(3), noisy, 3))
    assert np.abs((out[:, 0] - out[:, -2]) - (out[:, 2] - out[:, -1])).max() > 0.01


def test_a_shifted_iepe_signal_is_coupled_no_more() -> None:
    plant = DisturbedPlant(linkage_frame.Config().create(3), [Disturbance("accelerometer_1", zero=0.1)], 3)
    assert plant.alternating == ("accelerometer_2", "accelerometer_3")


@pytest.mark.parametrize(
    ("disturbances", "said"),
    [
        (
            [Disturbance(STROKE), Disturbance(LOST)],
            r"disturbances\[1\]\.signal: .* got 'stroke_monitr'; did you mean stroke_mon",
        ),
        (
            [Disturbance(FORCE, crosstalk=(CrossTalk(LOST),))],
            r"disturbances\[0\]\.crosstalk\[0\]\.of: .*; did you mean stroke_mon",
        ),
        ([Disturbance(FORCE), Disturbance(FORCE, hum=0.1)], "two tables"),
    ],
)
def test_what_cannot_be_disturbed(disturbances, said) -> None:
    with pytest.raises(ValueError, match=said):
        DisturbedPlant(linkage_frame.Config().create(1), disturbances, 1)
