"""Colours. The curves are Okabe and Ito's, told apart by all common kinds of colour vision, lighter on the dark ground."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """One set of colours, as #rrggbb."""

    name: str
    ground: str
    plot: str
    edge: str
    text: str
    muted: str
    measured: str
    predicted: str
    command: str
    difference: str
    accent: str
    near: str
    warning: str

    def colour(self, role: str) -> str:
        """Colour of a curve by its role: measured, predicted, command, difference, accent."""
        return str(getattr(self, role))


LIGHT = Theme(
    name="light",
    ground="#eef0f3",
    plot="#ffffff",
    edge="#cfd5dc",
    text="#1a2027",
    muted="#55606c",
    measured="#0072b2",
    predicted="#d55e00",
    command="#9aa3ad",
    difference="#7a3e86",
    accent="#00795a",
    near="#e69f00",
    warning="#b3261e",
)
DARK = Theme(
    name="dark",
    ground="#14171b",
    plot="#1b1f24",
    edge="#333a43",
    text="#e8ebef",
    muted="#a0a9b4",
    measured="#56b4e9",
    predicted="#f5853f",
    command="#77818d",
    difference="#d6a0e0",
    accent="#2fc9a0",
    near="#f0b030",
    warning="#ff8a80",
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


@dataclass(frozen=True)
class StateLook:
    """How a test state is shown: never by colour alone."""

    sign: str
    ground: str
    text: str


STATES = {
    "ready": StateLook("○", "#d9dde2", "#141414"),
    "stopped": StateLook("■", "#5f6975", "#ffffff"),
    "starting": StateLook("▲", "#e69f00", "#141414"),
    "running": StateLook("▶", "#00795a", "#ffffff"),
    "holding": StateLook("◢", "#b3d4ea", "#141414"),
    "hold": StateLook("◆", "#56b4e9", "#141414"),
    "resuming": StateLook("◥", "#9fd8c8", "#141414"),
    "stopping": StateLook("▼", "#f0e442", "#141414"),
    "tripped": StateLook("✖", "#a3141a", "#ffffff"),
    "replay": StateLook("◎", "#0b5a8c", "#ffffff"),
}
RESULTS = {
    "pass": StateLook("✔", "#00795a", "#ffffff"),
    "fail": StateLook("✖", "#a3141a", "#ffffff"),
    "cannot_discriminate": StateLook("◐", "#e69f00", "#141414"),
    "cannot_be_judged": StateLook("◑", "#e69f00", "#141414"),
    "none": StateLook("■", "#5f6975", "#ffffff"),
    "stopped": StateLook("■", "#5f6975", "#ffffff"),
    "tripped": StateLook("✖", "#a3141a", "#ffffff"),
    "failed": StateLook("✖", "#a3141a", "#ffffff"),
}
"""How the end of a test is shown: its verdict, or how it was broken off."""
UNKNOWN = StateLook("●", "#5f6975", "#ffffff")


def style(theme: Theme) -> str:
    """The window's style sheet."""
    return f"""
    QWidget {{ background: {theme.ground}; color: {theme.text}; font-size: 10pt; }}
    QFrame#tile {{ background: {theme.plot}; border: 1px solid {theme.edge}; border-radius: 6px; }}
    QFrame#bar {{ background: {theme.plot}; border: 1px solid {theme.edge}; border-bottom: none;
        border-top-left-radius: 6px; border-top-right-radius: 6px; }}
    QFrame#panel {{ background: {theme.plot}; border: 1px solid {theme.edge}; border-top: none;
        border-bottom-left-radius: 6px; border-bottom-right-radius: 6px; }}
    QFrame#panel QWidget, QFrame#bar QWidget, QFrame#tile QWidget {{ background: {theme.plot}; }}
    QLabel#title, QComboBox#title {{ font-size: 11pt; font-weight: 600; }}
    QComboBox {{ border: 1px solid {theme.edge}; border-radius: 4px; padding: 1px 6px; }}
    QComboBox QAbstractItemView {{ background: {theme.plot}; color: {theme.text}; selection-background-color: {theme.measured}; }}
    QLabel#muted, QLabel#caption {{ color: {theme.muted}; }}
    QLabel#caption {{ font-size: 9pt; }}
    QLabel#value {{ font-size: 15pt; font-weight: 600; }}
    QLabel#value[late="true"] {{ color: {theme.warning}; }}
    QTableView {{ border: none; font-size: 9pt; background: {theme.plot}; }}
    QHeaderView::section {{ background: {theme.plot}; color: {theme.muted}; border: none; font-size: 9pt; padding: 0 4px; }}
    QMainWindow::separator {{ background: {theme.ground}; width: 8px; height: 8px; }}
    QTabBar::tab {{ background: {theme.ground}; color: {theme.text}; padding: 3px 10px; border: 1px solid {theme.edge}; }}
    QTabBar::tab:selected {{ background: {theme.plot}; }}
    QMenu {{ background: {theme.plot}; border: 1px solid {theme.edge}; }}
    QMenu::item:selected {{ background: {theme.edge}; }}
    QSlider::groove:horizontal {{ background: {theme.edge}; height: 6px; border-radius: 3px; }}
    QSlider::sub-page:horizontal {{ background: {theme.measured}; border-radius: 3px; }}
    QSlider::handle:horizontal {{ background: {theme.text}; width: 12px; margin: -5px 0; border-radius: 6px; }}
    QPlainTextEdit {{ border: none; font-size: 9pt; }}
    QPlainTextEdit#ending {{ background: {theme.plot}; border: 1px solid {theme.edge}; border-radius: 6px;
        font-family: "DejaVu Sans Mono", monospace; }}
    QSplitter::handle {{ background: {theme.ground}; }}
    QToolButton, QMessageBox QPushButton {{
        background: {theme.plot}; border: 1px solid {theme.edge}; border-radius: 4px; padding: 3px 6px; }}
    QToolButton:hover, QMessageBox QPushButton:hover {{ border-color: {theme.muted}; }}
    QProgressBar {{ background: {theme.edge}; border: none; border-radius: 3px; }}
    QProgressBar::chunk {{ background: {theme.measured}; border-radius: 3px; }}
    QPushButton#stop {{ background: #c4161c; color: #ffffff; border: 2px solid #7d0d11; border-radius: 8px;
        font-size: 20pt; font-weight: 700; }}
    QPushButton#hold {{ background: {theme.plot}; color: {theme.text}; border: 2px solid #0b5a8c; border-radius: 8px;
        font-size: 15pt; font-weight: 700; }}
    QPushButton#hold:hover {{ background: {theme.edge}; }}
    QPushButton#hold:disabled {{ color: {theme.muted}; border-color: {theme.edge}; }}
    QPushButton#stop:hover {{ background: #de2a30; }}
    QPushButton#stop:pressed {{ background: #8f1015; }}
    QPushButton#stop:disabled {{ background: {theme.edge}; color: {theme.muted}; border-color: {theme.edge}; }}
    """


def banner_style(look: StateLook) -> str:
    """The banner's own style sheet."""
    return f"""
    QFrame#banner, QFrame#banner QLabel {{ background: {look.ground}; color: {look.text}; border: none; }}
    QFrame#banner {{ border-radius: 8px; }}
    QLabel#state {{ font-size: 20pt; font-weight: 700; }}
    QLabel#run {{ font-size: 12pt; font-weight: 600; }}
    """
