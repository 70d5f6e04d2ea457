"""Scales under whatever name: applied as their convention says, or refused by name; what changes nothing is read."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
import pytest

from tests.each_row import each_row
from tests.unit.rig.playback.hdf5_drive import RAMP, Make, beside, force

COUNTS = np.arange(10, dtype="i2")

FACTORS = [
    "unit_factor", "unit_scale_factor", "units_scale", "SI_factor", "siFactor", "to_SI", "adc_gain", "amplifier_gain", "GainFactor",
    "vertical_gain", "wave-gain", "cal", "calibration", "cal_slope", "calibration_slope", "calfactor", "Calibration.Factor", "slope_v",
    "volts_per_unit", "kN_per_V", "EUPerVolt", "ymult", "yMult", "y_scale", "VerticalScale", "bscale", "multiplier", "mult", "coeff_a",
    "polynomial_coefficients", "probe_attenuation", "correction", "temperature_correction", "digital_max", "physical_max",
    "voltsToNewton", "volts_to_newton", "V2N", "Faktor", "Umrechnungsfaktor", "Verstärkung", "Steigung", "Kalibrierfaktor", "facteur",
]  # fmt: skip
OFFSETS = [
    "offset", "offset_value", "yoff", "y_offset", "add_Offset", "Intercept", "zero", "yzero", "bias", "tare", "exponent", "unit_exponent",
    "Nullpunkt", "DC_offset", "gain_dB",
]  # fmt: skip
UNKNOWN = [
    "k", "m", "b", "c0", "c1", "A", "x10", "probe", "toNewton", "newtons", "weight", "ratio", "lever_ratio", "polarity", "sign", "norm",
    "reference", "g", "kN/V", "averaged_samples", "playback_speed",
]  # fmt: skip


def of_group(**attributes: Any) -> Make:
    """A drive in a group that says something more."""

    def make(file: h5py.File) -> None:
        force()(file)
        file.move("force", "rig/daq/force")
        file["rig"].attrs.update(attributes)

    return make


@each_row("key", FACTORS)
def test_a_factor_under_any_name(key: str, played: Any) -> None:
    assert played(force(**{key: 1.0})).values[1] == 1e3
    for what in (force(**{key: 1000.0}), force(**{key: np.array([0.0, 2.0])}), force(**{key: "1.5"}), force(COUNTS, **{key: 2.0})):
        with pytest.raises(ValueError, match=r"dataset 'force' has the attribute '.*', whose meaning is not fixed .*write physical values"):
            played(what)
    with pytest.raises(ValueError, match=r"the group '/rig' of dataset 'rig/daq/force' has the attribute '.*', whose meaning is not fixed"):
        played(of_group(**{key: 2.0}), "rig/daq/force")


@each_row("key", OFFSETS)
def test_an_offset_under_any_name(key: str, played: Any) -> None:
    assert played(force(**{key: 0.0})).values[1] == 1e3
    for what in (force(**{key: 1.0}), force(**{key: -3}), force(**{key: "2 kN"})):
        with pytest.raises(ValueError, match=r"dataset 'force' has the attribute '.*', whose meaning is not fixed"):
            played(what)
    with pytest.raises(ValueError, match="the group '/rig' of dataset"):
        played(of_group(**{key: 1.0}), "rig/daq/force")


@each_row("key", UNKNOWN)
def test_a_number_of_which_nobody_knows_what_it_is(key: str, played: Any) -> None:
    """It may be a scale; a text is none, and a group speaks of more than this dataset."""
    with pytest.raises(
        ValueError, match=f"attribute '{key}' = 2, of which is not known whether it changes the values; .*write it as a text"
    ):
        played(force(**{key: 2.0}))
    assert played(force(**{key: "2"})).values[1] == 1e3


@each_row(
    "key",
    ["lsb_uV", "sensitivity", "volts_per_bit", "counts_per_N", "bits", "adc_bits", "range", "full_scale", "max", "vref", "resolution"],
)
def test_what_counts_are_worth(key: str, played: Any) -> None:
    with pytest.raises(ValueError, match=f"dataset 'force' has the attribute '{key}'"):
        played(force(COUNTS, **{key: 2.0}))


@pytest.mark.parametrize(
    "attributes", [{"dB": True}, {"log": True}, {"raw": 1}, {"inverted": "yes"}, {"scale": "log"}, {"value_type": "dB"}], ids=str
)
def test_values_that_are_not_what_they_look_like(attributes: Any, played: Any) -> None:
    with pytest.raises(ValueError, match="dataset 'force' has the attribute"):
        played(force(**attributes))


def test_a_record_of_several_things_is_no_scale_that_is_known(played: Any) -> None:
    with pytest.raises(ValueError, match=r"attribute 'calibration', whose meaning is not fixed \(it is many values\)"):
        played(force(calibration=np.zeros(1, dtype=[("slope", "f8"), ("offset", "f8")])))


def test_igor_keeps_the_scales_of_axis_and_values_in_one_array(played: Any) -> None:
    with pytest.raises(ValueError, match="attribute 'IGORWaveScaling', whose meaning is not fixed"):
        played(force(IGORWaveScaling=np.array([[0.0, 0.0], [0.01, 0.0]])))


@pytest.mark.parametrize(("name", "value"), [("gain", 2.0), ("scale_factor", [1000.0]), ("force_offset", 3), ("force_scaling_factor", 0.5)])
def test_a_scale_in_a_dataset_of_one_value_beside_it(name: str, value: Any, played: Any) -> None:
    """As structures of MATLAB have it, and groups of NeXus."""
    with pytest.raises(ValueError, match=f"'{name}' stands beside dataset 'force', a scale that is not applied"):
        played(beside(name, value))
    assert played(beside(name, 0.0 if "offset" in name else 1.0)).values[1] == 1e3


def test_a_scale_of_another_dataset_beside_it(played: Any) -> None:
    assert played(beside("displacement_gain", 2.0)).values[1] == 1e3


def test_by_what_volts_became_the_values_of_a_record(played: Any) -> None:
    """A channel of a run.h5 is in SI; its sensor's scale and its tare stand beside it, for whoever wants the volts back."""
    record = {"volts_scale": 25000.0, "volts_offset": 3.0, "tare": 7.0, "first_sample": 0, "column": 2}
    assert played(force(**record)).values[1] == 1e3
    with pytest.raises(ValueError, match="attribute 'volts_scale'"):
        played(force(volts_scale=2.0))


@each_row(
    ("key", "text"),
    [
        ("EU", "lbf"),
        ("engineering_units", "N"),
        ("unit_string", "N"),
        ("unit_prefix", "M"),
        ("si_prefix", "k"),
        ("Einheit", "N"),
        ("unit_name", "Newton"),
        ("yUnit", "mm"),
    ],
)
def test_a_second_unit_under_another_name(key: str, text: str, played: Any) -> None:
    assert played(force(**{key: "kN"})).values[1] == 1e3
    assert played(force(units="", **{key: "kN"}), unit="kN").values[1] == 1e3
    with pytest.raises(ValueError, match=f"dataset 'force' is in kN, but has the attribute {key} = '{text}' as well; correct one"):
        played(force(**{key: text}))
    with pytest.raises(ValueError, match=f"dataset 'force' is in kN, but has the attribute {key} = '{text}' as well"):
        played(force(units="", **{key: text}), unit="kN")


@pytest.mark.parametrize("key", ["long_name", "label", "ylabel", "y-label"])
def test_the_unit_in_a_label(key: str, played: Any) -> None:
    for text in ("force [kN]", "force (kN)", "force (upper)", "force", "[N] or so"):
        assert played(force(**{key: text})).values[1] == 1e3
    for text in ("force [N]", "Force (lbf)", "way [mm] "):
        with pytest.raises(ValueError, match=f"dataset 'force' is in kN, but has the attribute {key} = '.*' as well; correct one"):
            played(force(**{key: text}))


def test_a_unit_that_the_group_has(played: Any) -> None:
    def make(file: h5py.File) -> None:
        file["force"] = RAMP
        file["force"].attrs["rate"] = 100.0
        file.attrs["units"] = "kN"

    assert played(make, unit="kN").values[1] == 1e3
    with pytest.raises(ValueError, match="dataset 'force' is in N, but its group has the attribute units = 'kN'"):
        played(make, unit="N")


HARMLESS = {
    "serial_number": 123, "channel": 3, "ChannelNumber": 3, "temperature": 21.5, "calibration_date": 20260115,
    "calibration": "2026-01-15", "calibration_certificate": "1234", "gain_index": 2, "comment": "gain 2, scale 1:10",
    "description": "x 10", "start_time": 5.0, "t0": 5.0, "timestamp": 1.7e9, "time_offset": 3.0, "trigger_offset": 100, "n_samples": 10,
    "duration_s": 0.1, "min": 0.0, "max": 9.0, "mean": 4.5, "rms": 3.0, "noise": 0.1, "uncertainty": 0.2, "range": 10.0,
    "full_scale": 10.0, "capacity": 250.0, "bits": 16, "sensitivity": 2.0, "excitation_voltage": 10.0, "bridge_resistance": 350.0,
    "cutoff_frequency": 10.0, "filter_order": 4, "test_frequency": 3.0, "load_rate": 5.0, "samples_per_block": 32, "specimen_id": 4,
    "specimen_width": 10.0, "humidity": 40.0, "position": [1, 2, 3], "color": [1, 2, 3], "calibrated": True, "raw": False, "version": 2,
    "raw_unit": "V", "sensor_units": "mV/V", "time_unit": "ms", "sampling": "continuous",
}  # fmt: skip


@each_row("key", HARMLESS)
def test_what_laboratories_write_beside_is_passed_over(key: str, played: Any) -> None:
    assert played(force(**{key: HARMLESS[key]})).values.tolist() == (1e3 * RAMP).tolist()


def test_whatever_stands_in_a_group_and_is_no_scale(played: Any) -> None:
    attributes = {"k": 2.0, "frequency": 3.0, "operator": "A. B.", "temperature": 20.0, "sweep": "log", "specimen": 4, "gain": 1.0}
    assert played(of_group(**attributes), "rig/daq/force").values[1] == 1e3


def test_a_long_name_is_cut_in_the_message(played: Any) -> None:
    with pytest.raises(ValueError, match=r"attribute 'x{80}\.\.\.' = 2") as caught:
        played(force(**{"x" * 5000: 2.0}))
    assert len(str(caught.value)) < 400
