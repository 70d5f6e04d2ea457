"""The folder of a run of the stand-in."""

from pathlib import Path

import pytest

from rig.config.experiment import Experiment
from rig.config.plan import Plan
from tests.unit.rig.report.dead_band import BENCH, experiment, record


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Make a run folder: `run(experiment, predicted_share)`; the plan is handed over as it is, since the stand-in has no kind."""

    def make(chosen: Experiment | None = None, share: float = 1.0, drawn: bool = False, ran: float = 1.0, **kept) -> Path:
        if not drawn:  # a page takes a second, and is the subject of tests of its own
            monkeypatch.setattr("rig.report.overlay.page.overlay", lambda path, data: path.write_bytes(b"not drawn"))
        chosen = chosen or experiment()
        folder = tmp_path / "0001-deadband"
        folder.mkdir()
        (folder / "plan.json").write_text("{}")
        (folder / "summary.json").write_text('{"outcome": "done", "reason": ""}')
        plan = Plan("0001-deadband", folder, folder, chosen, BENCH, "title = 1", "title = 2")
        monkeypatch.setattr(Plan, "read", classmethod(lambda cls, run_dir: plan))
        record(folder / "run.h5", chosen, share, ran, **kept)
        return folder

    return make
