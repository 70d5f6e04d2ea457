"""Files as laboratories' programs write them: what these put beside the values of their own accord changes nothing, and is no hindrance.

The attributes are those that the programs wrote: netCDF-C 4.10 and h5netcdf 1.8, PyTables 3.11 and pandas 3.1, NeXus (nexusformat 2.1,
silx), MATLAB's v7.3, PyNWB 4.2, openPMD-api 0.17.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from rig.files.confined_reading import ReadingProcess
from rig.playback import hdf5_file
from rig.recorder.description import StreamShape
from rig.recorder.record import Record
from tests.unit.rig.playback.hdf5_drive import RAMP
from tests.unit.rig.recorder.recorder_rig import description

TIMES = RAMP / 100.0


def netcdf(file: h5py.File, data: Any = RAMP, **attributes: Any) -> None:
    """A variable over a dimension with a coordinate variable."""
    file.attrs.update(
        {"_NCProperties": b"version=2,netcdf=4.10.1,hdf5=2.2.0", "Conventions": b"CF-1.8", "geospatial_lat_min": np.array([3.0])}
    )
    file.attrs["time_coverage_resolution"] = b"P1D"
    file["force"], file["time"] = data, TIMES
    file["time"].make_scale("time")
    file["force"].dims[0].attach_scale(file["time"])
    for name, units in (("force", b"kN"), ("time", b"s")):
        file[name].attrs.update({"_Netcdf4Coordinates": np.array([0], "i4"), "_Netcdf4Dimid": np.int32(0), "units": units})
    file["force"].attrs.update(
        {"long_name": b"force", "coordinates": b"time", "cell_methods": b"time: mean", "actual_range": np.array([0.0, 9.0])}
    )
    file["force"].attrs.update(attributes)


def xarray(file: h5py.File) -> None:
    netcdf(file, _FillValue=np.array([np.nan]))
    file["time"].attrs["_FillValue"] = np.array([np.nan])


def packed(file: h5py.File) -> None:
    netcdf(file, RAMP.astype("i2") - 1, scale_factor=np.array([1.0]), add_offset=np.array([1.0]), _FillValue=np.array([-999], "i2"))


def pytables(file: h5py.File) -> None:
    file.attrs.update({"CLASS": b"GROUP", "PYTABLES_FORMAT_VERSION": b"2.1", "TITLE": h5py.Empty("S1"), "VERSION": b"1.0"})
    file["force"] = RAMP
    kinds = {"CLASS": b"EARRAY", "EXTDIM": np.int32(0), "FLAVOR": b"numpy", "TITLE": h5py.Empty("S1"), "VERSION": b"1.1"}
    file["force"].attrs.update({**kinds, "units": b"kN", "rate": np.float64(100.0)})


def pandas(file: h5py.File) -> None:
    """A series, to which its unit and its rate have been written."""
    file["force"] = RAMP
    file["force"].attrs.update(
        {"CLASS": b"ARRAY", "FLAVOR": b"numpy", "TITLE": h5py.Empty("S1"), "VERSION": b"2.4", "transposed": np.uint8(1)}
    )
    file.attrs.update({"encoding": b"UTF-8", "errors": b"strict", "index_variety": b"regular", "name": b"force", "pandas_type": b"series"})
    file["force"].attrs.update({"units": "kN", "rate": 100.0})
    file["index"] = np.arange(10)


def nexus(file: h5py.File) -> None:
    file.attrs.update({"NX_class": "NXroot", "HDF5_Version": "2.0.0", "h5py_version": "3.16.0", "creator": "nexusformat"})
    file["force"], file["time"] = RAMP, TIMES
    file.attrs.update({"NX_class": "NXdata", "signal": "force", "axes": ["time"], "time_indices": 0})
    file["force"].attrs.update({"units": "kN", "long_name": "force 1", "signal": 1, "interpretation": "spectrum"})
    file["time"].attrs.update({"units": "s", "axis": 1, "primary": 1, "start": "2026-01-01T00:00:00"})
    file["scaling_factor"], file["offset"] = 1.0, 0.0


def matlab(file: h5py.File) -> None:
    file["force"] = RAMP
    file["force"].attrs.update({"MATLAB_class": b"double", "H5PATH": b"/run", "MATLAB_empty": np.uint8(0)})
    file["force"].attrs.update({"units": np.array([b"kN"]), "rate": np.array([[100.0]])})
    file["fs"] = np.array([[100.0]])
    file["fs"].attrs["MATLAB_class"] = b"double"


def nwb(file: h5py.File) -> None:
    file.attrs.update({"namespace": "core", "neurodata_type": "TimeSeries", "comments": "no comments", "object_id": "5d99105b-c8d1"})
    file["force"], file["timestamps"] = RAMP, TIMES
    file["force"].attrs.update({"conversion": 1.0, "offset": 0.0, "resolution": -1.0, "unit": "kN"})
    file["timestamps"].attrs.update({"interval": np.int64(1), "unit": "seconds"})


def openpmd(file: h5py.File) -> None:
    file.attrs.update({"openPMD": b"1.1.0", "openPMDextension": np.uint32(0), "dt": 0.01, "time": 0.0, "timeUnitSI": 1.0})
    file["force"] = RAMP
    mesh = {"axisLabels": np.array([b"x"]), "gridGlobalOffset": np.array([0.0]), "gridSpacing": np.array([0.01]), "gridUnitSI": 1.0}
    unit = {"position": np.array([0.0]), "timeOffset": np.float32(0), "unitDimension": np.array([1.0, 1, -2, 0, 0, 0, 0]), "unitSI": 1000.0}
    file["force"].attrs.update({**mesh, **unit, "rate": 100.0})


def h5py_s_own(file: h5py.File) -> None:
    """With scales of a dimension, and references, as h5py makes them."""
    file["force"], file["clock"] = RAMP, TIMES
    file["clock"].make_scale("time")
    file["force"].dims[0].attach_scale(file["clock"])
    file["force"].dims[0].label = "t"
    file["force"].attrs.update({"units": "kN", "see": file["clock"].ref, "created": "2026-01-01", "channel": 3})
    file["clock"].attrs["units"] = "s"


PROGRAMS: list[Callable[[h5py.File], None]] = [netcdf, xarray, packed, pytables, pandas, nexus, matlab, nwb, openpmd, h5py_s_own]


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_what_a_program_writes_of_its_own_accord_is_no_hindrance(make: Callable[[h5py.File], None], played: Any) -> None:
    found = played(make)
    assert (found.unit, found.rate, found.values.tolist()) == ("N", 100.0, (1e3 * RAMP).tolist())


@pytest.mark.parametrize(
    ("make", "key", "value", "said"),
    [
        (netcdf, "_Unsigned", "true", "_Unsigned = 'true' of float64"),
        (nwb, "conversion", 2.0, "attribute 'conversion', whose meaning is not fixed"),
        (nwb, "offset", 2.0, "attribute 'offset', whose meaning is not fixed"),
        (openpmd, "unitSI", 0.0, "unitSI = 0, expected a factor above 0"),
        (openpmd, "gridSpacing", np.array([0.02]), "has 100 Hz, but also the attribute gridSpacing = 0.02"),
        (pytables, "rate", 50.0, ""),
        (matlab, "rate", np.array([[50.0]]), "has 50 Hz, but beside it stands fs = 100"),
    ],
    ids=map(str, range(20)),
)
def test_what_they_write_of_the_values_is_none(make: Any, key: str, value: Any, said: str, played: Any) -> None:
    def changed(file: h5py.File) -> None:
        make(file)
        file["force"].attrs[key] = value

    if not said:
        assert played(changed).rate == value
        return
    with pytest.raises(ValueError, match=said):
        played(changed)


@pytest.mark.parametrize("column", ["entry/measured/force", "entry/overlay/measured"])
def test_a_channel_of_a_record_of_this_rig(column: str, tmp_path: Path, process: ReadingProcess) -> None:
    sensors = {"force": {"sensitivity": 25000.0, "offset": 3.0, "tare": 7.0}}
    record = Record(tmp_path / "run.h5", description(sensors=sensors))
    record.stream(StreamShape("measured", ("force", "stroke"), ("N", "m"), 100.0))
    record.append("measured", 0, np.column_stack([RAMP, 0.0 * RAMP]))
    record.close()
    found = process.call(hdf5_file.column, str(tmp_path / "run.h5"), column, None)
    assert (found.unit, found.rate, found.values.tolist()) == ("N", 100.0, RAMP.tolist())
