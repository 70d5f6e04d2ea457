"""What each reader of files makes of a changed one: something to work with, or one error of its own kind. Anything else is a fault."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from random_changes import of_bytes, of_text

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 10.0  # s


@dataclass(frozen=True)
class Kind:
    """`prepare` makes the files in an empty folder and returns the one that is changed; `use` reads it. `errors`: what `use` may raise."""

    prepare: Callable[[Path], Path]
    use: Callable[[Path], object]
    change: Callable[[random.Random, Path], bytes]


@dataclass
class Found:
    """Over the trials of a kind."""

    read: int = 0
    refused: int = 0
    slowest: float = 0.0
    faults: tuple[str, ...] = ()


def tried(kind: Kind, folder: Path, trials: int, seed: int) -> Found:
    """Change the file and read it, over and over; a fault is told with its number, by which it can be made again."""
    from drivers.simulated.device_file import BadDeviceFile
    from rig.errors import ConfigError

    path = kind.prepare(folder)
    whole, found, faults = path.read_bytes(), Found(), []
    for trial in range(trials):
        path.write_bytes(whole)
        path.write_bytes(kind.change(random.Random(f"{seed} {trial}"), path))
        begun = time.monotonic()
        try:
            kind.use(path)
            found.read += 1
        except (ConfigError, BadDeviceFile) as error:
            found.refused += 1
            faults += [f"trial {trial}: {text}" for text in _unclear(error.problems)]
        except Exception as error:
            faults.append(f"trial {trial}: {type(error).__name__}: {error}"[:500])
        found.slowest = max(found.slowest, time.monotonic() - begun)
    found.faults = tuple(faults)
    return found


def _unclear(problems: Sequence[str]) -> list[str]:
    """Problems that are no line: empty, of several lines, or endless."""
    return [repr(text)[:300] for text in problems if not text.strip() or not text.isprintable() or len(text) > 2500]


# -- configuration ---------------------------------------------------------------------------------------------------------------------


def _text(rng: random.Random, path: Path) -> bytes:
    return of_text(rng, path.read_text(encoding="utf-8"))


def _bytes(rng: random.Random, path: Path) -> bytes:
    return of_bytes(rng, path.read_bytes())


def configs(folder: Path) -> Path:
    """The project's own, to be changed."""
    return Path(shutil.copytree(ROOT / "configs", folder / "configs"))


def _experiment(name: str) -> Kind:
    from rig.config import load_experiment

    return Kind(lambda folder: configs(folder) / "experiments" / name, load_experiment, _text)


def _bench(name: str) -> Kind:
    from rig.config import load_bench

    return Kind(lambda folder: configs(folder) / "benches" / name, load_bench, _text)


KINDS: dict[str, Callable[[], Kind]] = {
    "experiment, linkage": lambda: _experiment("linkage.toml"),
    "experiment, four bar": lambda: _experiment("four_bar_rig.toml"),
    "bench, loader": lambda: _bench("virtual_loader.toml"),
    "bench, axes": lambda: _bench("virtual_parallel.toml"),
}
