"""A loader whose controller runs the waveform by itself: is it started by an edge, does it end without us, is there such a waveform."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.kinds import kind_of
from rig.config.tree import Problem
from rig.trajectory import haversine, sine, triangle

Waveform = sine.Config | triangle.Config | haversine.Config
KINDS: dict[str, type[Waveform]] = {"sine": sine.Config, "triangle": triangle.Config, "haversine": haversine.Config}
HANGS = 0.25
"""s beside the time-outs of a lost reply in which what is left to be said is said."""
LEAST_CYCLES = 2
"""In a chunk: what is counted are whole cycles, and the next chunk is asked for while one of them lasts."""


def of_bench(bench: Bench) -> Iterator[Problem]:
    """What starts the waveform, and what ends it when the program dies."""
    loader = bench.serial_loader
    if loader is None:
        return
    if loader.start_output is None:
        text = "missing; expected the analogue output on the controller's run/hold input, as Dev1/ao0: without it nobody knows the sample"
        yield Problem(("loader", "start_output"), f"{text} at which the waveform begins")
    if loader.enable_line is not None and bench.daq.watchdog is None:
        text = "nothing would let it fall if the program died; expected daq.watchdog, or no enable_line (the waveform then ends with its"
        yield Problem(("loader", "enable_line"), f"{text} chunk)")
    if loader.enable_line is None and bench.daq.watchdog is not None:
        text = "there is no line that it could let fall; expected loader.enable_line, or no watchdog"
        yield Problem(("daq", "watchdog"), f"{text} (the waveform then ends with its chunk)")


def problems(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """A trajectory that the controller's generator does not have, and what would have to change a waveform that runs."""
    loader = bench.serial_loader
    if loader is None:
        return
    trajectory, runs = experiment.trajectory, "the loader's controller runs the waveform by itself"
    if experiment.control is not None:
        yield Problem(("control",), f"an outer loop corrects the setpoint, but {runs}; leave [control] out, or use an analogue loader")
    if not isinstance(trajectory, Waveform):
        yield Problem(("trajectory", "kind"), f"{runs}; expected one of {', '.join(KINDS)}, got {kind_of(trajectory)}")
        return
    for key in ("soft_start", "soft_stop"):
        if getattr(trajectory, key) > 0.0:
            yield Problem(("trajectory", key), f"{runs}, at full amplitude from its first cycle to its last; expected 0 s")
    if isinstance(trajectory, haversine.Config) and trajectory.begins == "peak":
        yield Problem(("trajectory", "begins"), f"{runs}; its haversine begins at its valley; expected 'valley'")
    patience = loader.reply_timeout
    lasting = 2.0 * patience + 1.0 / trajectory.frequency + HANGS  # its time-out, as long again for a late one, what a cycle has left
    if loader.chunk < lasting * (1.0 - 1e-9):
        text = f"expected at least {lasting:.4g} s: {HANGS:g} s, a cycle, and twice reply_timeout ({patience:g} s);"
        text += f" got {loader.chunk:g} s"
        yield Problem(("bench", "loader", "chunk"), f"{text}: a single lost reply would end the test; raise it, or lower reply_timeout")
    least, chunk = LEAST_CYCLES / trajectory.frequency, loader.chunk
    if chunk < least * (1.0 - 1e-9):
        text = f"expected at least {LEAST_CYCLES} cycles of {1.0 / trajectory.frequency:g} s, {least:g} s; got {chunk:g} s"
        yield Problem(("bench", "loader", "chunk"), f"{text}. So long it runs on after the program's death, if it has no enable_line")
