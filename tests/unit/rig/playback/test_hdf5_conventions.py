"""What conventions say of stored numbers, with values that they give: netCDF Users' Guide and openPMD 1.1."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
import pytest

from tests.unit.rig.playback.hdf5_drive import RAMP, Make, force

FORCE, LENGTH, ACCELERATION, TIME = ([1.0, 1, -2, 0, 0, 0, 0], [1.0, 0, 0, 0, 0, 0, 0], [1.0, 0, -2, 0, 0, 0, 0], [0.0, 0, 1, 0, 0, 0, 0])


@pytest.mark.parametrize(
    ("stored", "attributes", "meant"),
    [
        (np.array([1, 2, -1, -128], "i1"), {"_Unsigned": "true"}, [1, 2, 255, 128]),
        (np.array([1, 2, -1, -128], "i1"), {"_Unsigned": "false"}, [1, 2, -1, -128]),
        (np.array([1, -1, -32768], "i2"), {"_Unsigned": b"true"}, [1, 65535, 32768]),
        (np.array([1, -1], ">i4"), {"_Unsigned": "True"}, [1, 2**32 - 1]),
        (np.array([1, -1], "i8"), {"_Unsigned": "true"}, [1, 2.0**64]),
        (np.array([1, 255, 128], "u1"), {"_Unsigned": "false"}, [1, -1, -128]),
        (np.array([1, 255], "u1"), {"_Unsigned": "true"}, [1, 255]),
        (np.array([10, -1], "i1"), {"_Unsigned": "true", "scale_factor": 0.5, "add_offset": 1.0}, [6, 128.5]),
        (np.array([10, -2], "i1"), {"_Unsigned": "true", "_FillValue": np.int8(-1)}, [10, 254]),
        (np.array([10, -2], "i1"), {"_Unsigned": "true", "valid_range": np.array([0, -2], "i1")}, [10, 254]),
        (np.array([10, -2], "i1"), {"_Unsigned": "true", "valid_range": np.array([0, 254], "i2")}, [10, 254]),
    ],
    ids=map(str, range(20)),
)
def test_integers_that_are_meant_without_a_sign(stored: Any, attributes: Any, meant: list[float], played: Any) -> None:
    assert played(force(stored, **{"units": "N", **attributes})).values.tolist() == meant


@pytest.mark.parametrize(
    ("stored", "attributes"),
    [
        (np.array([10, -1], "i1"), {"_Unsigned": "true", "_FillValue": np.int8(-1)}),
        (np.array([10, -1], "i1"), {"_Unsigned": "true", "missing_value": np.array([3, -1], "i1")}),
        (np.array([10, -1], "i1"), {"_Unsigned": "true", "valid_max": np.int8(-2)}),
        (np.array([10.0, 1.1], "f4"), {"missing_value": 1.1}),
        (np.array([10.0, 3.0]), {"missing_value": [1.0, 3.0]}),
    ],
    ids=map(str, range(20)),
)
def test_what_is_missing_is_told_of_stored_numbers(stored: Any, attributes: Any, played: Any) -> None:
    with pytest.raises(ValueError, match="holds 1 values that are not numbers, the first at sample 1"):
        played(force(stored, **attributes))


@pytest.mark.parametrize("attributes", [{"_Unsigned": "perhaps"}, {"_Unsigned": 1}, {"signed": False}, {"signedness": "unsigned"}], ids=str)
def test_a_sign_that_is_left_open(attributes: Any, played: Any) -> None:
    with pytest.raises(ValueError, match=r"attribute '?(_Unsigned|signed|signedness)'? = "):
        played(force(np.arange(10, dtype="i1"), **attributes))
    with pytest.raises(ValueError, match="_Unsigned = 'true' of float64; expected true or false, of whole numbers"):
        played(force(_Unsigned="true"))


@pytest.mark.parametrize("key", ["missing", "FillValue", "fill_value", "missing-value", "no_data", "nodata_value", "BadValue"])
def test_what_may_be_missing_is_not_played(key: str, played: Any) -> None:
    with pytest.raises(
        ValueError, match=f"dataset 'force' has 5 at sample 5, which by its attribute '{key}' may stand for a missing value"
    ):
        played(force(**{key: 5.0}))
    assert played(force(**{key: -999.0})).values[5] == 5e3


def record(dimension: Any, unit_si: Any, **attributes: Any) -> Make:
    """A record of openPMD, beside the rate that this one does not have."""

    def make(file: h5py.File) -> None:
        file["force"] = RAMP
        file["force"].attrs.update({"rate": 100.0, "unitSI": unit_si, **attributes})
        if dimension is not None:
            file["force"].attrs["unitDimension"] = dimension

    return make


@pytest.mark.parametrize(
    ("make", "unit", "values"),
    [
        (record(FORCE, 1000.0), "N", 1000.0 * RAMP),
        (record(FORCE, 4.44822), "N", 4.44822 * RAMP),
        (record(FORCE, 1000.0, units="kN"), "N", 1000.0 * RAMP),
        (record(None, 1000.0, units="kN"), "N", 1000.0 * RAMP),
        (record(FORCE, 1.0, units="N"), "N", RAMP),
        (record(LENGTH, np.float32(1e-3), units="mm"), "m", float(np.float32(1e-3)) * RAMP),
        (record(ACCELERATION, 9.80665), "m/s^2", 9.80665 * RAMP),
    ],
    ids=map(str, range(20)),
)
def test_values_of_openpmd_times_unit_si_are_si(make: Make, unit: str, values: Any, played: Any) -> None:
    found = played(make)
    assert (found.unit, found.values.tolist()) == (unit, values.tolist())


def test_a_component_of_openpmd_has_its_dimension_in_its_group(played: Any) -> None:
    def make(file: h5py.File) -> None:
        record(None, 1000.0)(file)
        file.move("force", "meshes/F/x")
        file["meshes/F"].attrs["unitDimension"] = FORCE

    assert played(make, "meshes/F/x").values[1] == 1e3


@pytest.mark.parametrize(
    ("make", "unit", "said"),
    [
        (
            record(None, 1000.0, units="N"),
            None,
            r"unitSI = 1000, so that 1000 times its values are .*, but its attribute units says 'N'; write",
        ),
        (record(FORCE, 1.0, units="kN"), None, "1 times its values are N .*, but its attribute units says 'kN'"),
        (record(FORCE, 1000.0), "N", "1000 times its values are N .*, but `unit` says 'N'"),
        (record(LENGTH, 1000.0, units="kN"), None, "1000 times its values are m .*, but its attribute units says 'kN'"),
        (record([0.0, 1, 0, 0, 0, 0, 0], 1.0), None, "unitDimension = .*, which is no force, length, acceleration or time"),
        (record([1.0, 1, -2], 1.0), None, "unitDimension = .*, expected 7 numbers"),
        (record(FORCE, 0.0), None, "unitSI = 0, expected a factor above 0"),
        (record(FORCE, np.nan), None, "unitSI = nan, expected a factor above 0"),
        (record(None, 1000.0), None, "has no unit"),
    ],
    ids=map(str, range(20)),
)
def test_two_units_that_contradict_each_other(make: Make, unit: str | None, said: str, played: Any) -> None:
    with pytest.raises(ValueError, match=said):
        played(make, unit=unit)


def timed(**attributes: Any) -> Make:
    """Ten samples, with times 0 .. 9 of some unit."""

    def make(file: h5py.File) -> None:
        file["force"], file["time"] = RAMP, RAMP
        file["force"].attrs["units"] = "kN"
        file["time"].attrs.update(attributes)

    return make


def test_times_of_openpmd(played: Any) -> None:
    assert played(timed(unitSI=0.001, unitDimension=TIME)).rate == 1000.0
    assert played(timed(unitSI=0.001, units="ms")).rate == 1000.0
    for attributes, said in (
        ({"unitSI": 0.001, "units": "s"}, "unitSI = 0.001, .* but its attribute units says 's'"),
        ({"unitSI": 0.001, "unitDimension": LENGTH}, "0.001 times its values are m"),
        ({"unitSI": 0.001}, "dataset /time has no unit"),
        ({"units": "s", "gain": 0.01}, "dataset '/time' has the attribute 'gain', whose meaning is not fixed"),
    ):
        with pytest.raises(ValueError, match=said):
            played(timed(**attributes))


@pytest.mark.parametrize("kind", ["i1", "i8"])
def test_times_that_run_over_where_a_sign_would_be(kind: str, played: Any) -> None:
    def make(file: h5py.File) -> None:
        timed(units="ms", _Unsigned="true")(file)
        del file["time"]
        file["time"] = (np.iinfo(kind).max - 4 + np.arange(10).astype("u8")).astype("u" + kind[1:]).view(kind)
        file["time"].attrs.update({"units": "ms", "_Unsigned": "true"})

    assert played(make).rate == 1000.0


def test_times_beyond_what_a_signed_number_holds(played: Any) -> None:
    def make(file: h5py.File) -> None:
        file["force"], file["time"] = RAMP, np.uint64(2**63) + np.arange(10, dtype="u8") * np.uint64(20_000)
        file["force"].attrs["units"], file["time"].attrs["units"] = "kN", "ns"

    assert played(make).rate == 50_000.0
