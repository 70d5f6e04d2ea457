from collections.abc import Iterator
from pathlib import Path

import pytest
from display_rings import Rings
from PySide6.QtWidgets import QApplication

from rig.display.application import application


@pytest.fixture(scope="session")
def qt() -> QApplication:
    """Qt without a screen. Its platform is chosen here alone: processes that other tests start find the environment as it was."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QT_QPA_PLATFORM", "offscreen")
        return application()


@pytest.fixture
def rings(tmp_path: Path) -> Iterator[Rings]:
    made = Rings(tmp_path)
    yield made
    made.close()
