"""A live test with an ensemble: the band is recorded sample by sample, and the prediction is the same with and without it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench_run import HEADLESS, ROOT, UNPREPARED, rig

from rig.recorder.folders import RECORD

EXPERIMENT = str(ROOT / "configs/experiments/linkage.toml")
SHORT = [
    "--set",
    "bench.pace=lockstep",
    "--set",
    "trajectory.cycles=1",
    "--set",
    "comparison.discard_cycles=0",
    "--set",
    "predictor.source=command",
    "--set",
    UNPREPARED,
]
BAND = ["--set", "predictor.ensemble.members=4", "--set", 'predictor.ensemble.spread=[{key="clearance", relative=0.1}]']


@pytest.mark.long
def test_the_band_is_recorded_and_leaves_the_prediction_alone(tmp_path: Path) -> None:
    import h5py

    records = []
    for more in ([], BAND):
        code, result = rig("run", EXPERIMENT, *HEADLESS, "--out", str(tmp_path), *SHORT, *more)
        assert result["outcome"] in ("done", "verdict_failed"), (code, result)
        records.append((result, next(path for path in tmp_path.glob(f"*{result['run']}*/{RECORD}"))))
    (plain, without), (told, with_band) = records
    assert "predicted_band" not in plain["streams"] and "band" not in plain["predictor"]
    samples = told["streams"]["predicted"]["samples"]
    assert told["streams"]["predicted_band"] == {"samples": samples, "lost_samples": 0, "lost_ranges": []}
    assert told["predictor"]["band"]["members"] == 4 and told["predictor"]["band"]["samples"] == samples
    with h5py.File(without) as first, h5py.File(with_band) as second:
        assert "predicted_band" not in first["entry"]
        predicted, band = second["entry/predicted"], second["entry/predicted_band"]
        raw = {f"{name}_{kind}" for name in predicted for kind in ("mean", "low", "high")}
        shown = {f"{name}_as_compared_{end}" for name in second["entry/predicted_as_measured"] for end in ("low", "high")}
        assert set(band) == raw | shown
        assert np.array_equal(first["entry/predicted/stroke"][:], predicted["stroke"][:])
        low, high, nominal = band["stroke_low"][:], band["stroke_high"][:], predicted["stroke"][:]
        assert low.shape == nominal.shape and np.all(low <= high)
        assert np.max(high - low) > 1e-5  # m: a tenth of the clearance is 40 um
    agreement = told["agreement"]["stroke"]["ensemble"]
    assert agreement["members"] == 4 and agreement["samples"] == told["agreement"]["stroke"]["samples"]
    assert 0.0 <= agreement["inside"] <= 1.0 and agreement["width"] > 1e-6  # m
    _, again = rig("compare", str(with_band.parent))
    assert again["agreement"]["stroke"]["ensemble"] == agreement
