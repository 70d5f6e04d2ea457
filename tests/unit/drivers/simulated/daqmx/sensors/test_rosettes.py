"""Rosettes of strain gages: what they measure of a known state of strain.

The strain along a direction is (P + Q) / 2 + (P - Q) / 2 cos 2 (direction - angle), P and Q being the principal strains (Mohr's circle);
a quarter bridge shows Vr = -GF e / (4 + 2 GF e) of it ("NI-DAQmx Help", Strain Gage Configurations, solved for Vr). So the principal
strains, which are given, have to come out of what the gages show, whatever the type of rosette is. Names of channels: "NI-DAQmx", Create
Channel (AI Strain Rosette Strain Gage), and nidaqmx-python, tests/component/task/channels/test_ai_channel.py.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.constants import StrainGageRosetteMeasurementType as Measurement
from nidaqmx.constants import StrainGageRosetteType as Rosette
from nidaqmx.constants import TaskMode

from drivers.simulated.plant.plant import NoPlant
from tests.unit.drivers.simulated.daqmx.client_calls import error_of

P, Q, ANGLE = 800e-6, -300e-6, 25.0
FACTOR, EXCITATION = 2.0, 2.5
GAGES = {Rosette.RECTANGULAR: (0.0, 45.0, 90.0), Rosette.DELTA: (0.0, 60.0, 120.0), Rosette.TEE: (0.0, 90.0)}
INPUTS = "PXI1Slot2/ai0:2"


def along(direction, p=P, q=Q, angle=ANGLE):
    """Strain along a direction (degrees from the X axis)."""
    return (p + q) / 2 + (p - q) / 2 * np.cos(2 * np.radians(direction - angle))


class Gages(NoPlant):
    """Bridge voltages of strains."""

    analogue_outputs = tuple(f"gage{n}" for n in range(6))

    def __init__(self, strains):
        strains = np.pad(np.array(strains), (0, 6 - len(strains)))
        self.volts = -EXCITATION * FACTOR * strains / (4 + 2 * FACTOR * strains)

    def advance(self, times, volts, lines):
        return np.tile(self.volts, (len(times), 1))


@pytest.fixture
def gaged(make_bench):
    """A bridge module whose inputs see strains."""

    def make(strains):
        wiring = {f"PXI1Slot2/ai{n}": f"gage{n}" for n in range(6)}
        return make_bench(devices=(("PXI1Slot2", "PXIe-4331"),), wiring=wiring, plant=Gages(strains))

    return make


def read(task, clocked):
    """One reading of each channel by its name."""
    if clocked:
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        data = np.array(task.read(10))
        assert np.ptp(data, axis=1).max() == 0.0  # nothing moves
        data = data[:, -1]
    else:
        data = np.array(task.read())
    return dict(zip((name.partition("_")[2] for name in task.channel_names), data, strict=True))


@pytest.mark.parametrize("orientation", [0.0, 10.0, -35.0, 80.0])
@pytest.mark.parametrize("kind", [Rosette.RECTANGULAR, Rosette.DELTA])
def test_a_state_of_strain_is_found_whatever_the_rosette(gaged, kind, orientation):
    bench = gaged([along(orientation + gage) for gage in GAGES[kind]])
    with bench.task() as task:
        task.ai_channels.add_ai_rosette_strain_gage_chan(INPUTS, kind, orientation, list(Measurement))
        found = read(task, clocked=orientation > 0)
    near = {"abs": 2e-8}  # a code of the converter is 6e-9
    assert found["principalStrain1"] == pytest.approx(P, **near)
    assert found["principalStrain2"] == pytest.approx(Q, **near)
    assert found["principalStrainAngle"] == pytest.approx(ANGLE, abs=1e-3)
    assert found["cartesianStrainX"] == pytest.approx(along(0.0), **near)
    assert found["cartesianStrainY"] == pytest.approx(along(90.0), **near)
    # The shear strain is what the strains along both diagonals differ by.
    assert found["cartesianShearStrainXY"] == pytest.approx(along(45.0) - along(-45.0), **near)
    assert found["maxShearStrain"] == pytest.approx(P - Q, **near)
    # There the diagonals are the principal directions.
    assert found["maxShearStrainAngle"] == pytest.approx(ANGLE - 45.0, abs=1e-3)
    assert found["strainGage1"] == pytest.approx(along(orientation), **near)


@pytest.mark.parametrize(("first", "second", "angle"), [(P, Q, 15.0), (Q, P, -75.0)])
def test_the_gages_of_a_tee_are_the_principal_directions(gaged, first, second, angle):
    with gaged([first, second]).task() as task:
        task.ai_channels.add_ai_rosette_strain_gage_chan("PXI1Slot2/ai0:1", Rosette.TEE, 15.0, list(Measurement))
        found = read(task, clocked=True)
    assert (found["principalStrain1"], found["principalStrain2"]) == pytest.approx((P, Q), abs=2e-8)
    assert found["principalStrainAngle"] == pytest.approx(angle, abs=1e-3)
    assert found["cartesianStrainX"] == pytest.approx(along(0.0, angle=angle), abs=2e-8)
    assert found["maxShearStrain"] == pytest.approx(P - Q, abs=2e-8)


def test_uniaxial_stress_under_a_rectangular_rosette(gaged):
    """By hand: along the first gage 1000e-6, across it -0.3 of that, in between half of the sum."""
    with gaged([1000e-6, 350e-6, -300e-6]).task() as task:
        task.ai_channels.add_ai_rosette_strain_gage_chan(INPUTS, Rosette.RECTANGULAR, 0.0, [Measurement.PRINCIPAL_STRAIN_1])
        assert list(task.read()) == pytest.approx([1000e-6, 350e-6, -300e-6, 1000e-6], abs=2e-8)


def test_channels_of_two_rosettes_and_names_that_are_given(gaged):
    bench = gaged([along(gage) for gage in GAGES[Rosette.DELTA]] + [0.0, 100e-6, 0.0])
    with bench.task() as task:
        task.ai_channels.add_ai_rosette_strain_gage_chan(
            "PXI1Slot2/ai0:5", Rosette.DELTA, 0.0, [Measurement.MAX_SHEAR_STRAIN, Measurement.CARTESIAN_STRAIN_X]
        )  # fmt: skip
        tails = ("strainGage1", "strainGage2", "strainGage3", "maxShearStrain", "cartesianStrainX")
        assert task.channel_names == [f"rosette{n}_{tail}" for n in (0, 1) for tail in tails]
        values = task.read()
        assert (values[3], values[4], values[9]) == pytest.approx((P - Q, along(0.0), 0.0), abs=2e-8)
        chan = task.ai_channels["rosette1_maxShearStrain"]
        assert chan.ai_meas_type == c.UsageTypeAI.ROSETTE_STRAIN_GAGE
        assert (chan.ai_rosette_strain_gage_rosette_type, chan.ai_rosette_strain_gage_gage_orientation) == (Rosette.DELTA, 0.0)
        assert chan.ai_rosette_strain_gage_strain_chans == [f"rosette1_strainGage{n}" for n in (1, 2, 3)]
        assert task.ai_channels["rosette1_strainGage2"].ai_meas_type == c.UsageTypeAI.STRAIN_STRAIN_GAGE
    with bench.task() as task:
        task.ai_channels.add_ai_rosette_strain_gage_chan(
            "PXI1Slot2/ai0:1", Rosette.TEE, 0.0, [Measurement.PRINCIPAL_STRAIN_2], name_to_assign_to_channel="a, b, least"
        )  # fmt: skip
        assert task.channel_names == ["a", "b", "least"]


def test_another_measurement_and_another_orientation(gaged):
    with gaged([along(gage) for gage in GAGES[Rosette.RECTANGULAR]]).task() as task:
        task.ai_channels.add_ai_rosette_strain_gage_chan(INPUTS, Rosette.RECTANGULAR, 0.0, [Measurement.PRINCIPAL_STRAIN_1])
        chan = task.ai_channels["rosette0_principalStrain1"]
        chan.ai_rosette_strain_gage_rosette_meas_type = Measurement.PRINCIPAL_STRAIN_ANGLE
        chan.ai_rosette_strain_gage_gage_orientation = -5.0
        assert task.read()[3] == pytest.approx(ANGLE - 5.0, abs=1e-3)
        assert error_of(lambda: chan.ai_strain_gage_cfg)[0] == -200452  # that is a property of the strain channels


def test_channels_that_are_refused(gaged, bench):
    with gaged([0.0]).task() as task:
        add = task.ai_channels.add_ai_rosette_strain_gage_chan
        first = [Measurement.PRINCIPAL_STRAIN_1]
        code, text = error_of(add, "PXI1Slot2/ai0:2", Rosette.TEE, 0.0, first)
        assert (code, text[:50]) == (-201446, "Each tee rosette requires two physical channels. M")
        for kind in (Rosette.RECTANGULAR, Rosette.DELTA):
            code, text = error_of(add, "PXI1Slot2/ai0:3", kind, 0.0, first)
            assert (code, text[:57]) == (-201447, "The selected rosette requires three physical channels. Ma")
        code, text = error_of(add, "PXI1Slot2/ai0:2", Rosette.DELTA, 0.0, [])
        assert (code, text[:76]) == (-201448, "No rosette measurements specified. Please specify one or more rosette measur")
        assert error_of(add, "PXI1Slot2/ai0, PXI1Slot2/ai99", Rosette.TEE, 0.0, first)[0] == -200170
        assert task.number_of_channels == 0
        add("PXI1Slot2/ai0:1", Rosette.TEE, 0.0, first, max_val=100.0)
        assert error_of(task.control, TaskMode.TASK_VERIFY)[0] == -200077, "limits are looked at by the verification"
    with bench.task() as task:
        assert error_of(task.ai_channels.add_ai_rosette_strain_gage_chan, "Dev1/ai0:1", Rosette.TEE, 0.0, first)[0] == -200431
