"""The process that computes tasks: `python -m rig.sweep.computing`, one task a line on standard input, one result a line on what was
standard output.

It is apart from Dask's worker: a model that hangs, crashes or takes all memory costs this process, and the worker says which task it was.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import IO

from drivers.files.plain_values import Json
from drivers.interpreter import environment, python
from model.errors import ModelError, in_one_line
from rig.config import load, load_experiment
from rig.errors import ConfigError, RigError
from rig.host import clock
from rig.sweep import figures
from rig.sweep.rows import DONE, Asked, Row, Work

GRID = 64  # samples of a motion that brings all compiled code
SHOWN = 200  # characters of what a test said
Settings = Sequence[str]


def main() -> None:
    """Until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # a model that prints must not spoil an answer
    work = Work.from_json(json.loads(sys.stdin.readline()))
    first = sys.stdin.readline()
    if first:
        _tell(answers, {"ready": prepared(work, _asked(first))})
    for line in sys.stdin:
        _tell(answers, computed(work, _asked(line)))


def _tell(answers: IO[str], answer: object) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def _asked(line: str) -> Asked:
    index, given = json.loads(line)
    return index, given if isinstance(given, dict) else tuple(given)


def prepared(work: Work, asked: Asked) -> str:
    """Compile what tasks need, by the beginning of one; returns what is wrong with this computer's files, if anything.

    What is wrong with the task its own row says.
    """
    if (found := digest(work)) != work.digest:
        what = work.function if work.task == "function" else work.experiment
        return f"{what} is another file here than where the campaign was started ({found[:8]}, not {work.digest[:8]})"
    if work.task == "function":
        return ""
    settings = [*work.set, *asked[1]]
    with contextlib.suppress(RigError, ModelError):
        if work.task == "simulate":
            from rig.prediction.simulation import simulate

            experiment = load_experiment(work.experiment, settings).experiment
            simulate(replace(experiment, simulate=replace(experiment.simulate, duration=GRID / experiment.simulate.output_rate)))
        else:
            from rig.supervision.compilation import ready

            ready(load(work.experiment, settings), lambda text: print(text, file=sys.stderr, flush=True))
    return ""


def computed(work: Work, asked: Asked) -> Row:
    """The row of one task; a failure is a row."""
    begun, spent = clock.now(), sum(os.times()[:4])
    reason = ""
    found: figures.Figures = ()
    try:
        found = _figures(work, asked)
        if not all(one is None or math.isfinite(one) for one in found):
            reason = "a figure is not a finite number"
    except (RigError, ModelError) as error:
        reason = str(error)
    except Exception as error:  # of a model or function of the user's own, which may raise whatever it likes
        reason = in_one_line(error)
    taken, cpu = clock.now() - begun, sum(os.times()[:4]) - spent
    return Row.failed(asked[0], reason, taken, cpu) if reason else Row(asked[0], DONE, found, taken, cpu, "")


def _figures(work: Work, asked: Asked) -> figures.Figures:
    given = asked[1]
    if isinstance(given, dict):
        return figures.of_function(function(work.function), given, work.keep)
    settings = [*work.set, *given]
    if work.task == "run":
        return figures.of_test(_run(work.experiment, settings), work.keep)
    from rig.prediction.simulation import simulate

    experiment = load_experiment(work.experiment, settings).experiment
    return figures.of_model(simulate(experiment), experiment, work.keep, work.after)


def _run(experiment: str, settings: Settings) -> dict[str, Json]:
    """What `rig run` says of a test in lockstep. Raises RigError where it did not come to its end."""
    with tempfile.TemporaryDirectory(prefix="rig-sweep-") as folder:
        sets = [word for one in ("bench.pace=lockstep", *settings) for word in ("--set", one)]
        command = python("-m", "rig", "run", experiment, "--headless", "--no-picture", "--json", "--out", folder, *sets)
        ended = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8")
    try:
        told: dict[str, Json] = json.loads(ended.stdout)
    except ValueError:
        raise RigError(f"rig run ended with {ended.returncode} and said {ended.stderr.strip()[-SHOWN:]}") from None
    if told["outcome"] not in ("done", "verdict_failed"):
        raise RigError(f"{told['outcome']}: {told.get('error') or told.get('reason') or ended.stderr.strip()[-SHOWN:]}")
    return told


@cache
def function(named: str) -> Callable[..., object]:
    """The function "module:name" or "/path/file.py:name". Raises ConfigError."""
    module, _, name = named.rpartition(":")
    if not module or not name.isidentifier():
        raise ConfigError(f'function: expected "module:name" or "file.py:name", got {named!r}')
    try:
        found = getattr(_of_file(Path(module)) if module.endswith(".py") else importlib.import_module(module), name)
    except Exception as error:  # of the user's own
        raise ConfigError(f"function {named}: cannot be taken: {in_one_line(error)}") from error
    if not callable(found):
        raise ConfigError(f"function {named}: expected a function, got {type(found).__name__}")
    return found  # type: ignore[no-any-return]


def _of_file(path: Path) -> object:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def digest(work: Work) -> str:
    """Fingerprint of the files that the tasks are made of, as this computer has them. Raises ConfigError for one that is not there."""
    if work.task == "function":
        named = work.function.rpartition(":")[0]
        content = Path(named).read_bytes() if named.endswith(".py") and Path(named).is_file() else named.encode()
        return hashlib.sha256(content).hexdigest()
    setup = (load if work.task == "run" else load_experiment)(work.experiment, [*work.set])
    texts = setup.experiment_text + (setup.bench_text if work.task == "run" else "")  # type: ignore[union-attr]
    return hashlib.sha256(texts.encode()).hexdigest()


if __name__ == "__main__":
    main()
