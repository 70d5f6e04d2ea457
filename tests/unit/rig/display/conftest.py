import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from rig.display.window.application import application
from tests.unit.rig.display.display_rings import Rings


@pytest.fixture(scope="session")
def qt() -> QApplication:
    """Qt without a screen. Its platform is chosen here alone: processes that other tests start find the environment as it was."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QT_QPA_PLATFORM", "offscreen")
        return application()


@pytest.fixture(autouse=True)
def windows_are_gone() -> Iterator[None]:
    """What a test has left for later is deleted now: no event loop runs that would, and a window holds 30 MB."""
    yield
    if QCoreApplication.instance() is not None:
        gc.collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[call-overload]


@pytest.fixture
def rings(tmp_path: Path) -> Iterator[Rings]:
    made = Rings(tmp_path)
    yield made
    made.close()
