"""What the table of a loader in a bench file has to have: each controller's `Config` derives from one of these two."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType

from drivers.daq.digital_lines import Lines
from drivers.loaders.loader import AnalogLoader, WaveformLoader
from drivers.loaders.preparation import Preparation


class LoaderSettings:
    """Of any loader."""

    force_full_scale: float
    """N"""
    stroke_full_scale: float
    """m"""
    force_channel: str
    stroke_channel: str

    @property
    def prepared(self) -> bool:
        """Whether there is a preparation before every test."""
        return False

    def channel(self, mode: str) -> str:
        """Measured channel that the loop of a mode closes on."""
        return self.force_channel if mode == "force" else self.stroke_channel

    def full_scale(self, mode: str) -> float:
        """Largest setpoint of a mode, N or m."""
        return self.force_full_scale if mode == "force" else self.stroke_full_scale


class AnalogLoaderSettings(LoaderSettings, ABC):
    """Of one that follows an analogue output."""

    output: str
    preparation: Preparation | None = None
    heartbeat_period: float
    """s"""
    hydraulics_on: str
    """Input that tells that there is pressure."""

    @property
    def prepared(self) -> bool:
        """See `LoaderSettings`."""
        return self.preparation is not None and self.preparation.enabled

    @abstractmethod
    def output_lines(self) -> dict[str, str]:
        """Digital outputs that it wants of the DAQ device: name -> terminal."""

    @abstractmethod
    def input_lines(self) -> dict[str, str]:
        """Digital inputs that it wants: name -> terminal."""

    @abstractmethod
    def create(self, lines: Lines, mode: str, zeros: Mapping[str, float] = MappingProxyType({})) -> AnalogLoader:
        """A driver on the lines of a DAQ device. zeros: mode -> what the controller reads (N, m) where a setpoint is 0, by a tare."""


class SerialLoaderSettings(LoaderSettings, ABC):
    """Of one that runs waveforms of its own, commanded on a serial line."""

    port: str
    reply_timeout: float
    """s"""
    chunk: float
    """s that a waveform runs after the program's last word."""
    start_output: str | None = None
    enable_line: str | None = None

    @abstractmethod
    def create(self, mode: str, name: str = "loader") -> WaveformLoader:
        """A driver that is not connected yet."""
