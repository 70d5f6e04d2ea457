"""What an operator asks of a test that runs in another process, by the folder of its run."""

from __future__ import annotations

import json
import socket
from pathlib import Path

from drivers.files.plain_values import Json, table
from rig.errors import ConfigError, RigError
from rig.supervision.operation_server import ANSWER, FILE

CONNECT = 5.0  # s


class Refused(ConfigError):
    """The test does not do it; says why."""


class NotRunning(ConfigError):
    """No process runs the test of this folder."""


def ask(run: Path, verb: str, **data: Json) -> dict[str, Json]:
    """The answer of the test that runs in the folder `run` (or of which `run` is the record).

    Raises NotRunning where none runs, Refused where it says no, ConfigError where this user may not ask, RigError where it does not answer.
    """
    folder = run if run.is_dir() else run.parent
    if not folder.is_dir():
        raise ConfigError(f"{run}: no such run; expected the folder of a run")
    found = _address(folder)
    try:
        with socket.create_connection((str(found["host"]), int(str(found["port"]))), CONNECT) as line:
            line.settimeout(ANSWER + CONNECT)
            line.sendall(json.dumps({**data, "secret": found["secret"], "verb": verb}).encode() + b"\n")
            said = line.makefile("rb").readline()
    except ConnectionRefusedError:
        raise NotRunning(f"{folder}: its test was ended from outside, nothing runs any more; rig resume, or rig recover") from None
    except OSError as error:
        raise RigError(f"{folder}: the test does not answer: {error.strerror or error}") from error
    if not said:
        raise RigError(f"{folder}: the test ended before it had answered")
    answer = table(json.loads(said))
    if why := answer.get("refused"):
        raise Refused(f"{folder.name}: {verb} refused: {why}")
    return dict(answer)


def _address(folder: Path) -> dict[str, Json]:
    path = folder / FILE
    try:
        return dict(table(json.loads(path.read_text(encoding="utf-8"))))
    except FileNotFoundError:
        raise NotRunning(f"{folder}: no test runs there") from None
    except PermissionError:
        raise ConfigError(f"{folder}: this test is run by another user; only that user may hold, change or stop it") from None
    except (OSError, ValueError, TypeError) as error:
        raise RigError(f"{path} cannot be read: {error}") from error
