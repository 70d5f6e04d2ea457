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
    warning: str

    def colour(self, role: str) -> str:
        """Colour of a curve by its role: measured, predicted, command, difference."""
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
    "stopped": StateLook("■", "#5f6975", "#ffffff"),
    "starting": StateLook("▲", "#e69f00", "#141414"),
    "running": StateLook("▶", "#00795a", "#ffffff"),
    "stopping": StateLook("▼", "#f0e442", "#141414"),
    "tripped": StateLook("✖", "#a3141a", "#ffffff"),
}
UNKNOWN = StateLook("●", "#5f6975", "#ffffff")


def style(theme: Theme) -> str:
    """The window's style sheet."""
    return f"""
    QWidget {{ background: {theme.ground}; color: {theme.text}; font-size: 10pt; }}
    QFrame#panel {{ background: {theme.plot}; border: 1px solid {theme.edge}; border-radius: 6px; }}
    QFrame#panel QWidget {{ background: {theme.plot}; }}
    QLabel#title {{ font-size: 11pt; font-weight: 600; }}
    QLabel#muted, QLabel#caption {{ color: {theme.muted}; }}
    QLabel#caption {{ font-size: 9pt; }}
    QLabel#value {{ font-size: 15pt; font-weight: 600; }}
    QLabel#value[late="true"] {{ color: {theme.warning}; }}
    QPlainTextEdit {{ border: none; font-size: 9pt; }}
    QSplitter::handle {{ background: {theme.ground}; }}
    QToolButton, QMessageBox QPushButton {{
        background: {theme.plot}; border: 1px solid {theme.edge}; border-radius: 4px; padding: 3px 6px; }}
    QToolButton:hover, QMessageBox QPushButton:hover {{ border-color: {theme.muted}; }}
    QProgressBar {{ background: {theme.edge}; border: none; border-radius: 3px; }}
    QProgressBar::chunk {{ background: {theme.measured}; border-radius: 3px; }}
    QPushButton#stop {{ background: #c4161c; color: #ffffff; border: 2px solid #7d0d11; border-radius: 8px;
        font-size: 20pt; font-weight: 700; }}
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
