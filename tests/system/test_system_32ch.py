"""32 channels at 51.2 kS/s on six modules: nothing lost, the output never starved, at the pace of a clock that waits for nobody."""

import json
from pathlib import Path

import h5py
import hdf5plugin  # noqa: F401  # one of the records is compressed
import numpy as np
import pytest
from bench_run import LINKAGE, ROOT, assert_kept_pace, first_words, rig

from tests.tiers import quick

BENCH = ROOT / "configs/benches/virtual_32ch.toml"
CORES = 1.0  # of the rig's own processes; measured: 0.35, and as much again for the simulated hardware


def run(out: Path, *overrides: str, code: int = 0) -> dict:
    sets = [word for override in overrides for word in ("--set", override)]
    got, data = rig("run", str(LINKAGE), "--bench", str(BENCH), "--headless", "--out", str(out), *sets)
    assert got == code, data.get("error", data)
    return data


def indices(record: Path) -> list[np.ndarray]:
    """Sample indices from the code on the first and on the last of the modules that have one."""
    found = []
    with h5py.File(record) as file:
        for name in ("sample_code", "sample_code_last"):
            code = np.round((file[f"entry/measured/{name}"][...] + 10.0) * 65536 / 20.0).astype(np.int64)
            found.append(np.cumsum(np.concatenate([code[:1], np.diff(code) % 65536])))
    return found


@pytest.mark.real_pace
@pytest.mark.soak
def test_ten_seconds_at_real_pace(tmp_path: Path) -> None:
    data = run(tmp_path, "bench.pace=real", "trajectory.cycles=28")
    cpu = {name: f"{process['cpu_s'] / data['wall_s'] * 1e3:.0f} ms/s" for name, process in data["processes"].items()}
    print(json.dumps({"cpu": cpu, "cores": data["cpu_cores"], "ao": data["ao"], "lag": data["predictor"]["lag_s"]}))
    assert data["outcome"] in ("done", "verdict_failed"), data["reason"]
    samples = data["streams"]["measured"]["samples"]
    assert samples >= 10.0 * 51_200
    for index in indices(Path(data["files"]["record"])):
        assert np.array_equal(index, np.arange(samples))
    for name, stream in data["streams"].items():
        assert (stream["lost_samples"], stream["samples"]) == (0, samples), name
    assert data["ao"]["underflows"] == 0
    assert data["ao"]["min_ahead_s"] > 0.0
    assert data["cpu_cores"] < CORES
    assert_kept_pace(data)


def test_output_and_inputs_of_two_devices_are_in_step(tmp_path: Path) -> None:
    data = run(tmp_path, "bench.pace=lockstep", "trajectory.cycles=3", "record.compression=bitshuffle_lz4")
    assert data["verdict"]["result"] != "fail", data["verdict"]
    steps = first_words(data, "preparation")
    assert steps == ["stroke probe", "seating", "force probe", "unloading"]
    assert data["preparation"]["lost_samples"] == 0
    with h5py.File(data["files"]["record"]) as file:
        assert file["entry/measured"].attrs["NX_class"] == "NXcollection"
        assert len(file["entry/measured"]) == 32
        command, back = file["entry/command/value"][...], file["entry/measured/command_monitor"][...]
        one, other = file["entry/measured/transmitted_force"][...], file["entry/measured/force_monitor"][...]
    # The output is read back at the next clock edge: to the steps of its converter, 250 kN in 2^15.
    np.testing.assert_allclose(back[1:], command[:-1], atol=250e3 / 2**15)
    # The load cell's bridge on one module and the controller's monitor on another show the same force at the same sample.
    assert np.std(one - other) < 3.0 * 25.0


@pytest.mark.parametrize(
    ("overrides", "words"),
    quick(
        [
            (("bench.channels.acceleration_1.terminal=PXI1Slot9/ai0",), ("PXI1Slot9", "acceleration_1", "PXI1Slot7")),
            (("acquisition.rate=128 kHz",), ("128000 Hz", "PXI1Slot3", "102.400000e3")),
        ],
        1,
    ),
)
def test_what_the_modules_cannot_do_is_one_clear_message(tmp_path: Path, overrides: tuple[str, ...], words: tuple[str, ...]) -> None:
    data = run(tmp_path, *overrides, code=3)
    assert data["outcome"] == "failed"
    for word in words:
        assert word in data["error"], data["error"]
