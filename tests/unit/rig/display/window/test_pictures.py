"""The pictures in docs/ show the window as it is: drawn again and compared, letters coarsely, curves closely."""

from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QImage
from PySide6.QtWidgets import QApplication, QDockWidget

from rig.display.window.window import Window
from tests.tiers import quick
from tests.unit.rig.display.window_pictures import DOCS, PICTURES, Change, Picture, apart, live

WHOLE = 6.0  # of 255; other fonts make up to 3
CURVES = 0.5  # of 255; other fonts make less than 0.1, another curve some 10
ADVICE = "look at the window; python tests/unit/rig/display/window_pictures.py draws the pictures anew"


def _same(drawn: Picture, name: str) -> bool:
    whole, curves = apart(drawn, QImage(str(DOCS / name)))
    print(f"{name}: {whole:.3f} of 255, curves {curves:.3f}")
    return whole < WHOLE and curves < CURVES


@pytest.mark.parametrize("name", quick(PICTURES, PICTURES.keys() - {"window-dark.png"}))
def test_the_window_looks_as_in_the_documentation(qt: QApplication, tmp_path: Path, name: str) -> None:
    assert _same(PICTURES[name](tmp_path), name), ADVICE


@pytest.mark.parametrize("family", quick(["Nimbus Sans", "Noto Sans Mono"], 1))
def test_other_letters_make_no_difference(qt: QApplication, tmp_path: Path, family: str) -> None:
    before = qt.font()
    try:
        qt.setFont(QFont(family, 10))  # where it is not installed, Qt takes what comes nearest
        drawn = live(tmp_path, "light")
    finally:
        qt.setFont(before)
    assert _same(drawn, "window.png")


def _without_loop(window: Window) -> None:
    loop = window.findChild(QDockWidget, "loop")
    assert loop is not None
    loop.hide()


def _stroke(window: Window) -> None:
    window.choose("stroke")
    window.source.poll()


CHANGES: dict[str, Change] = {
    "another span": lambda window: window.overlay.show_span(1.0),
    "another channel": _stroke,
    "a panel missing": _without_loop,
    "the other theme": lambda window: window.apply_theme("dark"),
    "the value axis": lambda window: window.magnify(),
}


@pytest.mark.parametrize("change", quick(CHANGES, 1))
def test_the_comparison_sees_what_matters(qt: QApplication, tmp_path: Path, change: str) -> None:
    assert not _same(live(tmp_path, "light", CHANGES[change]), "window.png")
