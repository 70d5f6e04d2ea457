"""`silx view` in the environment that `make` builds: the window opens, and what it shows by itself is the overlay."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.unit.rig.recorder.recorder_rig import NAMES
from tests.unit.rig.recorder.test_record import write

SAMPLES = 500
# As silx.app.view.main: the viewer, a file given on the command line, and what its data panel then has.
PROGRAM = """
import json, sys, time
from silx.gui import qt

app = qt.QApplication([])
from silx.app.view.Viewer import Viewer
from silx.gui.data.DataViewerFrame import DataViewerFrame
from silx.gui.plot import PlotWidget

window = Viewer(parent=None, settings=qt.QSettings(sys.argv[2], qt.QSettings.IniFormat))
window.setVisible(True)
window.appendFile(sys.argv[1])
panel, until = window.findChild(DataViewerFrame), time.monotonic() + 60.0
curves = []
while not curves and time.monotonic() < until:
    app.processEvents()
    curves = [curve for plot in window.findChildren(PlotWidget) if plot.isVisible() for curve in plot.getAllCurves()]
print(json.dumps({"view": panel.displayedView().label(), "curves": {curve.getName(): len(curve.getYData()) for curve in curves}}))
sys.stdout.flush()
import os
os._exit(0)
"""


def test_silx_view_shows_the_overlay_by_itself(tmp_path: Path) -> None:
    record = tmp_path / "run.h5"
    write(record, dict.fromkeys(NAMES, SAMPLES))
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HDF5_USE_FILE_LOCKING": "FALSE", "HOME": str(tmp_path)}
    command = [sys.executable, "-c", PROGRAM, str(record), str(tmp_path / "silx.ini")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["view"] == "Curve"
    measured, predicted = shown["curves"]
    assert measured.startswith("measured") and predicted.startswith("predicted")
    assert set(shown["curves"].values()) == {SAMPLES}
