"""Where a running test stands, in RUN/state.json: written anew about every half second and at each change of its state.

A write goes to another file, to the disk, and takes the old one's place at once, so that a power cut leaves the one or the other. The
SHA-256 of what is said stands before it: a file that was cut or changed is known as such.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from drivers.files.plain_values import Json, table
from drivers.files.text_files import Unusable
from rig.errors import ConfigError
from rig.files import json_files
from rig.files.output_files import names_to_the_disk

FILE = "state.json"
VERSION = 1
BY_CYCLE = "Where the cycle to go on with is known otherwise, as by a counter of the frame: rig resume RUN --cycle N, from 0 on"
BOOT = Path("/proc/sys/kernel/random/boot_id")
ENDED = "done"


@dataclass(frozen=True)
class State:
    """`sample` counts those of the record, `cycle` those of the trajectory, None before the first; `outcome` is empty while the test goes
    on; `boot` tells one start of the computer from another; `written` is in s since 1970; `learned` and `acting` are told of
    limits (`rig.supervision.limit_status`). The rest: see `rig.config.resumption`."""

    run: str
    session: int
    state: str
    outcome: str
    reason: str
    written: float
    boot: str
    sample: int | None
    rate: float | None
    cycle: int | None
    cycles_total: int | None
    phase: float
    block: str | None
    pace: float
    changes: Mapping[str, float]
    correction: list[float] | None
    repeated: int = 0
    memory: Mapping[str, object] = field(default_factory=dict)
    learned: Sequence[Mapping[str, Json]] = field(default_factory=list)
    acting: Mapping[str, Json] | None = None
    operator: str = ""
    plan_sha256: str = ""
    rig_version: str = ""
    version: int = VERSION

    @property
    def finished(self) -> bool:
        """Whether the test came to its end."""
        return self.outcome == ENDED


def boot_id() -> str:
    """The same until the computer is started anew; empty where the system does not tell."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def digest_of(experiment_text: str, bench_text: str) -> str:
    """Of the texts of a plan, as `plan_sha256` has it."""
    return _digest(f"{experiment_text}\0{bench_text}")


def write(folder: Path, state: State) -> None:
    """Raises OSError."""
    said = json.dumps(asdict(state), sort_keys=True)
    text = json.dumps({"sha256": _digest(said), "state": asdict(state)}, sort_keys=True)
    new = folder / f"{FILE}.new"
    with new.open("w", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / FILE)
    names_to_the_disk(folder)


def read(folder: Path) -> State:
    """Raises ConfigError for a file that is missing, cut, changed or of another version."""
    path = folder / FILE
    if not path.exists():
        raise ConfigError(f"{path}: there is none; a test leaves it from its first sample on. {BY_CYCLE}")
    try:
        whole = table(json_files.read(path, "state of a test"))
        said = table(whole["state"])
        if whole["sha256"] != _digest(json.dumps(said, sort_keys=True)):
            raise ConfigError(_damaged(path, "its contents are not those of its checksum"))
        if said["version"] != VERSION:
            raise ConfigError(f"{path}: version {said['version']}, expected {VERSION}; go on with the program that began this test")
        return State(**said)  # type: ignore[arg-type]
    except (Unusable, LookupError, TypeError, ValueError) as error:
        raise ConfigError(_damaged(path, str(error).removeprefix(f"{path}: "))) from None


def _damaged(path: Path, why: str) -> str:
    return f"{path}: cut or changed ({why}). {BY_CYCLE}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
