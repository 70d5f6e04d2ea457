"""Figures that do not fit are cut at their end, where it is seen that they are."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from rig.display.labels import Figures


@pytest.mark.parametrize(("width", "whole"), [(300, True), (60, False), (0, False)])
def test_a_number_never_loses_its_first_digits(qt: QApplication, width: int, whole: bool) -> None:
    figures = Figures()
    figures.setText("1.37%, +0.44%")
    figures.resize(width, 20)
    assert (figures.shown == figures.text()) == whole
    if not whole:
        assert figures.shown in ("", "…") or (figures.shown.endswith("…") and figures.text().startswith(figures.shown[:-1]))
    assert width == 0 or not figures.grab().isNull()
