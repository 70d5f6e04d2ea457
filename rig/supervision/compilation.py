"""What a test needs of compiled code is compiled before anything opens: the model's, the virtual bench's, a setpoint's, no other.

`ready` does that in programs beside, one for each part (`python -m rig.supervision.compilation PART`, the configuration on standard
input), so that what runs the test loads none of it. What has been done once for an experiment of the same shape is not looked at again.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

from drivers.files.plain_values import Json
from drivers.interpreter import environment, python
from rig.config import Setup
from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.kinds import kind_of
from rig.config.transport import from_json, to_json
from rig.trajectory import hybrid

READY = "ready"
"""Files in the folder of compiled code, one for each shape of experiment: nothing of it has to be compiled any more."""
SHAPING = ("mechanism", "integrator", "predictor", "command", "trajectory")
"""Tables of an experiment that choose what is compiled."""


def ready(setup: Setup, say: Callable[[str], None]) -> None:
    """Compile, unless it has been done; `say` is told what takes so long. What cannot be made here the test itself will name."""
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    data = {"experiment": to_json(setup.experiment), "bench": to_json(setup.bench)}
    done = folder / f"{READY}-{_key(data)}"
    if done.exists() or (folder / whole()).exists():
        return
    parts = {"model": kind_of(setup.experiment.mechanism)}
    if setup.bench.plant is not None and setup.bench.address is None:
        parts["plant"] = kind_of(setup.bench.plant)
    if isinstance(setup.experiment.trajectory, hybrid.Config):
        parts["setpoint"] = kind_of(setup.experiment.trajectory)
    named = " and ".join(f"{part} ({kind})" for part, kind in parts.items())
    say(f"getting compiled code of {named}; the first time that takes a minute or two")
    begun = time.perf_counter()
    if _compile(parts, json.dumps(data), folder):
        done.touch()
    say(f"compiled code ready after {time.perf_counter() - begun:.0f} s")


def whole() -> str:
    """Name of the file that says the same of everything (`rig warmup`)."""
    return f"whole-{_digest(_program())}"


def _compile(parts: Mapping[str, str], data: str, folder: Path) -> bool:
    """Whether every part could be made."""
    folder.mkdir(parents=True, exist_ok=True)
    programs = []
    try:
        for part in parts:
            with (folder / f"{READY}-{part}.log").open("w", encoding="utf-8") as log:
                programs.append(
                    subprocess.Popen(
                        python("-m", "rig.supervision.compilation", part), env=environment(), stdin=subprocess.PIPE, stdout=log, stderr=log,
                        text=True, encoding="utf-8",
                    )
                )  # fmt: skip
        for program in programs:
            program.communicate(data)
    finally:
        for program in programs:
            program.kill()  # whoever calls it off waits for no compiler
            program.wait()
    return not any(program.returncode for program in programs)


def _key(data: Mapping[str, Mapping[str, Json]]) -> str:
    experiment, bench = data["experiment"], data["bench"]
    shape = _shape([{key: experiment.get(key) for key in SHAPING}, bench.get("plant"), bench.get("address")])
    return _digest(_program(), json.dumps(shape, sort_keys=True))


def _shape(value: Json) -> Json:
    """What of a configuration chooses code: words, and whether a number is 0, as a clearance that there is not."""
    if isinstance(value, Mapping):
        return {key: _shape(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shape(item) for item in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value != 0
    return value


def _program() -> str:
    """Where the sources are, by which numba tells them, in which state those outside the model are, and by what they are compiled."""
    from rig.hybrid import realtime
    from rig.virtual import plants

    sources = [*Path(plants.__path__[0]).glob("*.py"), *Path(realtime.__path__[0]).rglob("*.py")]
    states = [f"{path.name} {path.stat().st_mtime_ns}" for path in sorted(sources)]
    return "\n".join([plants.__path__[0], version("numba"), sys.version, *states])


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _model(data: Mapping[str, Mapping[str, Json]]) -> None:
    from rig.prediction.stepper import rehearse

    experiment = from_json(Experiment, data["experiment"])
    rehearse(experiment)


def _plant(data: Mapping[str, Mapping[str, Json]]) -> None:
    from rig.virtual.virtual_bench import Hardware

    hardware = Hardware.from_bench(from_json(Bench, data["bench"], leave=("daq", "loader", "axes", "instruments", "channels")))
    assert hardware.plant is not None
    hardware.plant.create(hardware.seed)


def _setpoint(data: Mapping[str, Mapping[str, Json]]) -> None:
    import rig.hybrid.realtime.compensators.named  # noqa: F401 - loading it compiles it


if __name__ == "__main__":
    {"model": _model, "plant": _plant, "setpoint": _setpoint}[sys.argv[1]](json.load(sys.stdin))
