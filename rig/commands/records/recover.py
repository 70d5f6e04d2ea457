"""`rig recover RUN`: put a record together from its journal after a kill or a power cut."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

from rig.command_line.result import Result
from rig.console.counted import counted
from rig.errors import ConfigError
from rig.recorder.description import Gap
from rig.recorder.folders import RECORD
from rig.recorder.recovery import find_run, recover
from rig.recorder.replay import Recovered, is_intact
from rig.recorder.sealing import seal

SHOWN = 20  # gaps that are listed in the text; --json has all


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig recover`."""
    parser.add_argument("run", metavar="RUN", type=Path, help="run folder, or the record in it")
    parser.add_argument("--force", action="store_true", help="also when the record is whole")


def execute(args: argparse.Namespace) -> Result:
    """Recover; a record that is whole is left alone."""
    folder = find_run(args.run, whole_will_do=not args.force)
    record = folder / RECORD
    if is_intact(record) and not args.force:
        return Result(data={"file": record, "recovered": False}, text=f"{record} is complete, nothing to recover")
    recovered = recover(folder)
    return Result(data=_data(recovered), text=_text(recovered), warnings=_sealed(folder, recovered))


def _sealed(folder: Path, recovered: Recovered) -> list[str]:
    """Enter what was made anew in the chain of evidence; in words why it could not be."""
    try:
        seal(folder, recovered.renewed)
    except (ConfigError, OSError) as error:
        return [f"evidence: the record is whole, but could not be sealed: {error}"]
    return []


def _data(recovered: Recovered) -> dict[str, object]:
    return {
        "file": recovered.path,
        "recovered": True,
        "replaced": recovered.replaced,
        "streams": {
            name: {"samples": count, "last_sample": recovered.ends[name] - 1 if recovered.ends[name] else None}
            for name, count in recovered.samples.items()
        },
        "gaps": [{"stream": gap.stream, "first": gap.first, "count": gap.count, "reason": gap.reason} for gap in recovered.gaps],
        "damaged_bytes": recovered.damaged,
        "torn_bytes": recovered.torn,
    }


def _text(recovered: Recovered) -> str:
    lines = [f"{recovered.path} was rebuilt from its journal"]
    for name, count in recovered.samples.items():
        end = recovered.ends[name]
        last = f"last sample {end - 1} at {(end - 1) / recovered.rates[name]:.3f} s" if end else "none"
        lines.append(f"  {name:22} {count:>12} {'sample' if count == 1 else 'samples'}, {last}")
    if not recovered.samples:
        lines.append("  no stream had begun")
    for gap in itertools.islice(recovered.gaps, SHOWN):
        lines.append(f"  {_gap_text(gap)}")
    if len(recovered.gaps) > SHOWN:
        lines.append(f"  ... and {counted(len(recovered.gaps) - SHOWN, 'more gap')}, see /entry/gaps")
    if recovered.damaged:
        lines.append(f"  damaged in the middle of the journal: {counted(recovered.damaged, 'byte')}")
    if recovered.torn:
        lines.append(f"  of a block that was being written, at its end: {counted(recovered.torn, 'byte')}")
    if recovered.replaced:
        lines.append(f"the record that was there is kept as {recovered.replaced.name}")
    return "\n".join(lines)


def _gap_text(gap: Gap) -> str:
    return f"{gap.stream}: {_range(gap)} missing ({gap.reason})"


def _range(gap: Gap) -> str:
    return f"sample {gap.first}" if gap.count == 1 else f"samples {gap.first} to {gap.first + gap.count - 1}"
