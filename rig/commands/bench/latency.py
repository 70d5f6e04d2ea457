"""`rig latency BENCH|EXPERIMENT`: how long one sample takes in and one value out, and whether a loop of a real-time hybrid test can close.

What counts is from a sample that is there to a value that has left: one call each. Only the output of a virtual bench is written, at its
rest; on a real one the way in is measured alone, and the loop takes longer than that.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivers.daq.contract import Daq
from rig import config
from rig.command_line.result import EXIT_CODES, Result
from rig.commands import add_bench_arguments
from rig.config.bench import Bench
from rig.errors import ConfigError
from rig.hardware.occupancy import occupied
from rig.host import clock
from rig.signals.summary_statistics import statistics
from rig.supervision.bench_access import opened, reachable

RATE = 4096.0  # Hz, of the published benchmark
TURNS = 2000
LEAST, MOST = 100, 200_000
WARM = 50  # turns that are not counted: the first calls load code
BUFFER = 0.5  # s of samples that the device keeps
LOOK = 50e-6  # s between two looks for a sample
LONGEST = 20.0  # s that the turns may take; a slow bench is known by fewer

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Turns:
    """Of each turn in s: the read, the write (none where nothing was written)."""

    rate: float
    read: Floats
    write: Floats | None

    @property
    def whole(self) -> Floats:
        """(N,) from a sample that is there to what was done with it."""
        return self.read if self.write is None else self.read + self.write


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig latency`."""
    add_bench_arguments(parser)
    parser.add_argument("--rate", metavar="HZ", type=float, default=RATE, help=f"of the loop that shall close (default {RATE:g})")
    parser.add_argument("--turns", metavar="N", type=int, default=TURNS, help=f"how often (default {TURNS})")


def execute(args: argparse.Namespace) -> Result:
    """Exit 1 where a hundredth of the turns takes longer than a sample. Raises ConfigError, DriverError."""
    if not 1.0 <= args.rate <= 1e6:
        raise ConfigError(f"--rate: expected 1 to 1e6 Hz, got {args.rate:g}")
    if not LEAST <= args.turns <= MOST:
        raise ConfigError(f"--turns: expected {LEAST} to {MOST}, got {args.turns}")
    if args.channels:
        raise ConfigError("--channel: every channel is read; leave it out")
    bench, path = config.load_bench(args.file, args.overrides, args.bench)
    with occupied(path, "latency") as warnings, reachable(bench, path) as there, opened(there) as daq:
        turns = measured(daq, there, args.rate, args.turns)
    whole, bound = statistics(turns.whole), 1.0 / turns.rate
    closes = turns.write is not None and whole["p99"] is not None and whole["p99"] <= bound
    data = {
        "bench": str(path), "rate_hz": turns.rate, "bound_s": bound, "pace": bench.pace, "read_s": statistics(turns.read),
        "write_s": None if turns.write is None else statistics(turns.write), "round_trip_s": whole, "can_close_loop": closes,
    }  # fmt: skip
    outcome = "done" if closes else "verdict_failed"
    return Result(outcome, EXIT_CODES[outcome], data, _text(bench, turns, closes), warnings)


def measured(daq: Daq, bench: Bench, rate: float, turns: int) -> Turns:
    """So many turns, or as many as LONGEST lets."""
    real = daq.open(rate, max(round(0.01 * rate), 1), max(round(BUFFER * rate), 2))
    writes = bench.plant is not None and bool(daq.wiring.outputs)
    rest = np.zeros(len(daq.wiring.outputs))
    if writes:
        daq.hold_output(rest)
    daq.start_inputs()
    taken = np.array(list(_turns(daq, rest if writes else None, bench.pace == "real", turns + WARM)))[WARM:]
    daq.stop_inputs()
    if writes:
        daq.release_output()
    return Turns(real, taken[:, 0], taken[:, 1] if writes else None)


def _turns(daq: Daq, volts: Floats | None, waits: bool, most: int) -> Iterator[tuple[float, float]]:
    """(read, write) of each, s. At the wall's pace a turn begins when a sample is there, and takes all that are."""
    begun = clock.now()
    for turn in range(most):
        there = 1
        while waits and (there := daq.samples_waiting()) < 1:
            time.sleep(LOOK)
        at = clock.now()
        daq.read(there)
        read = clock.now()
        if volts is not None:
            daq.set_output(volts)
        yield read - at, clock.now() - read
        if clock.now() - begun > LONGEST and turn >= LEAST + WARM:
            return


def _text(bench: Bench, turns: Turns, closes: bool) -> str:
    rows = [("read", turns.read), *([] if turns.write is None else [("write", turns.write)]), ("round trip", turns.whole)]
    lines = [f"{bench.title}: {len(turns.read)} turns of one sample at {turns.rate:g} Hz", f"{'':12}  median     p99     max   ms"]
    lines += [f"{name:12}" + "".join(f"{1e3 * value:8.3f}" for value in _levels(values)) for name, values in rows]
    bound = 1e3 / turns.rate
    if turns.write is None:
        lines.append("Nothing was written: the output of a real bench moves something. The loop takes longer than the read alone.")
    if closes:
        said = f"a loop of {turns.rate:g} Hz could close: 99 of 100 turns end within a sample ({bound:.3f} ms) on this quiet bench"
    else:
        said = f"no loop of {turns.rate:g} Hz closes here: expected 99 of 100 round trips within a sample, {bound:.3f} ms"
        said += "" if turns.write is not None else ", the write among them"
    return "\n".join([*lines, said])


def _levels(values: Floats) -> tuple[float, float, float]:
    return float(np.median(values)), float(np.percentile(values, 99.0)), float(np.max(values))
