"""What happens to the computer of a test instead of its bench: processes that die, hang or stand, a disk, a clock, an operator.

The test runs as its user starts it; what is done is done from outside, by the ids of its own processes.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from drivers.interpreter import environment, python
from rig.errors import ConfigError, RigError
from rig.faults.detection import check_name, ended
from rig.faults.evidence import log_of, losses, not_safe
from rig.faults.injecting import Course, arguments, folder
from rig.faults.table import Rig, Row
from rig.host import clock
from rig.supervision.operation_client import Refused, ask

PATIENCE = 180.0  # s for a test to begin, and for it to end
LOOK = 0.02  # s
STANDS, SLOW = 1.0, 0.5  # s
LITTLE = 1 << 20  # bytes that a full disk still takes
LINUX = sys.platform == "linux"


class Going:
    """A test on its way."""

    def __init__(self, words: list[str], out: Path, extra: Mapping[str, str]) -> None:
        self.out = out
        # As nobody reads it while it runs, what it says goes to files: a full pipe would hold it up.
        self._said, self._errors = (out.parent / f"{out.name}.{kind}" for kind in ("json", "err"))
        with self._said.open("w") as said, self._errors.open("w") as errors:
            command = python("-m", "rig", *words)
            self.process = subprocess.Popen(
                command, stdout=said, stderr=errors, env={**environment(), **extra}, stdin=subprocess.DEVNULL, start_new_session=True
            )

    def wait_until(self, state: str) -> None:
        """Until the test says that it is in that state. Raises RigError."""
        deadline = clock.now() + PATIENCE
        while clock.now() < deadline and self.process.poll() is None:
            with contextlib.suppress(RigError, ConfigError, IndexError, FileNotFoundError):
                status = ask(self.folder, "status")["status"]
                if isinstance(status, dict) and status["state"] == state and (status["sample"] or 0) > 0:
                    return
            time.sleep(LOOK)
        raise RigError(f"the test did not come to {state}: {self._errors.read_text()[-300:]}")

    @property
    def folder(self) -> Path:
        """Of the run. Raises IndexError while there is none."""
        return sorted(path for path in self.out.iterdir() if path.is_dir())[0]

    def member(self, name: str) -> psutil.Process:
        """A process of the test, by its own list."""
        return psutil.Process(json.loads((self.folder / "processes.json").read_text(encoding="utf-8"))[name])

    def end(self) -> dict[str, Any]:
        """What it says at its end. Raises RigError where it does not come to one."""
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise RigError(f"the test did not end within {PATIENCE:g} s") from None
        try:
            return dict(json.loads(self._said.read_text(encoding="utf-8")))
        except ValueError:
            raise RigError(f"the test said nothing: {self._errors.read_text()[-300:]}") from None


@dataclass(frozen=True)
class Act:
    """`do` is done to a test that runs; `begin`: what is told to it at its start; `refused`: a test that must not begin."""

    do: Callable[[Going], str | None]
    environment: Mapping[str, str] | None = None
    out: str = ""


def _signal(name: str, number: int) -> Callable[[Going], str | None]:
    return lambda going: going.member(name).send_signal(number)


def _stand(name: str, seconds: float) -> Callable[[Going], str | None]:
    def do(going: Going) -> None:
        member = going.member(name)
        member.suspend()
        time.sleep(seconds)
        member.resume()

    return do


def _interrupt(times: int, number: int = signal.SIGINT) -> Callable[[Going], str | None]:
    def do(going: Going) -> None:
        for _ in range(times):
            going.process.send_signal(number)
            time.sleep(5.0 * LOOK)

    return do


def _fill(going: Going) -> None:
    most = (going.folder / "journal.bin").stat().st_size + LITTLE
    going.member("recorder").rlimit(psutil.RLIMIT_FSIZE, (most, most))


def _starve(going: Going) -> None:
    recorder = going.member("recorder")
    most = recorder.memory_info().vms
    recorder.rlimit(psutil.RLIMIT_AS, (most, most))


def _ask_too_much(going: Going) -> str | None:
    key = "trajectory.amplitude" if "linkage" in going.folder.name else "trajectory.speed"
    try:
        ask(going.folder, "set", key=key, value="1e9 kN" if key.endswith("amplitude") else "1e6 rpm", operator="campaign", reason="")
    except Refused:
        return None
    return "a value far beyond the limits was not refused"


def _hold(going: Going) -> str | None:
    ask(going.folder, "hold", operator="campaign", reason="nobody comes back", now=False)
    going.wait_until("hold")
    ask(going.folder, "stop", operator="campaign", reason="somebody comes back")
    return None


def _set_back(going: Going) -> None:
    (going.out / CLOCK_MARK).write_text("back", encoding="utf-8")


CLOCK_MARK = "clock_set_back"
ACTS: Mapping[str, Act] = {
    "disk full": Act(_fill),
    "disk slow": Act(_stand("recorder", STANDS)),
    "disk read-only": Act(lambda going: None, out="/sys/rig-records"),
    "disk gone": Act(lambda going: shutil.rmtree(going.folder)),
    "clock set back": Act(_set_back, environment={"RIG_FAULT_CLOCK": CLOCK_MARK}),
    **{f"kill {name}": Act(_signal(name, signal.SIGKILL)) for name in ("bench", "recorder", "predictor", "virtual_bench")},
    **{f"hang {name}": Act(_signal(name, signal.SIGSTOP)) for name in ("bench", "recorder")},
    "slow predictor": Act(_stand("predictor", SLOW)),
    "memory short": Act(_starve),
    "interrupt": Act(_interrupt(1)),
    "interrupt twice": Act(_interrupt(2)),
    "hangup": Act(_interrupt(1, signal.SIGHUP)),
    "set too much": Act(_ask_too_much),
    "hold": Act(_hold),
}


def injected(course: Course, row: Row, rig: Rig, seed: int) -> dict[str, Any]:
    """The judgement of one fault of the computer, JSON values as of `rig.faults.judgement.Verdict`."""
    act = ACTS[row.host]
    with folder() as place:
        out = Path(act.out) if act.out else place / "runs"
        if not act.out:
            out.mkdir()
        words = arguments(course, row, rig, seed, out)
        going = Going(words, place / "runs", _clock(act, out))
        try:
            if act.out:
                return _refused(going.end())
            going.wait_until("running")
            time.sleep((seed * LOOK) % 0.3)
            said = act.do(going)
            data = going.end()
            return _judged(row, rig, data, going.folder if any(out.iterdir()) else out, said)
        except (RigError, ConfigError, psutil.Error, OSError, IndexError) as error:
            return _verdict("none", "none", "", False, wrong=str(error) or type(error).__name__)
        finally:
            _end(going)


def _clock(act: Act, out: Path) -> dict[str, str]:
    """A process of this test takes the time of day by a clock that is set back once the mark is there."""
    if act.environment is None:
        return {}
    site = Path(__file__).with_name("clock_site")
    before = environment().get("PYTHONPATH", "")
    return {"PYTHONPATH": f"{site}:{before}" if before else str(site), "RIG_FAULT_CLOCK": str(out / CLOCK_MARK)}


def _end(going: Going) -> None:
    """Nothing of it is left, whatever happened."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for pid in json.loads((going.folder / "processes.json").read_text(encoding="utf-8")).values():
            with contextlib.suppress(psutil.Error):
                psutil.Process(pid).kill()
    if going.process.poll() is None:
        going.process.kill()
        going.process.wait()


def _refused(data: Mapping[str, Any]) -> dict[str, Any]:
    wrong = "" if data["outcome"] == "bad_input" else f"expected to be refused before anything moves, got {data['outcome']}"
    return _verdict("trip", "none", "folder", not wrong, wrong=wrong)


def _judged(row: Row, rig: Rig, data: Mapping[str, Any], run_dir: Path, said: str | None) -> dict[str, Any]:
    events = data.get("events", [])
    held = any(event["kind"] == "state" and event["text"] == "hold" for event in events)
    ends = data["outcome"] in ("tripped", "failed", "stopped")
    got = "hold" if held else "trip" if ends else "none"
    action, by = _action(events), _finder(data, events)
    lost, unsafe = losses(run_dir), "" if row.host in WITHOUT_LOG else not_safe(run_dir, log_of(run_dir), rig.coasts)
    why = "" if row.host in WITHOUT_RECORD else lost.why
    problems = [said or "", unsafe, why, f"{lost.undeclared} samples lost without a word" if lost.undeclared else ""]
    if got != row.expected:
        problems.append(f"expected {row.expected}, got {got} ({data['outcome']}: {data.get('reason') or data.get('error')})")
    if row.found_by and by not in row.found_by:
        problems.append(f"expected to be found by {' or '.join(row.found_by)}, got {by or 'nobody'}")
    return _verdict(got, action, by, not (unsafe or why), lost.declared, lost.undeclared, "; ".join(one for one in problems if one))


WITHOUT_LOG = ("disk gone", "kill virtual_bench")
"""What has taken the log of the simulated hardware, or that hardware itself, away."""
WITHOUT_RECORD = ("disk gone", "disk full", "kill recorder", "hang recorder", "kill virtual_bench", "hang bench", "memory short")
"""What leaves a journal, of which `rig recover` makes the record."""


def _action(events: Sequence[Mapping[str, Any]]) -> str:
    """The most severe that was done."""
    if any(event["kind"] == "state" and event["text"].startswith("tripped") for event in events):
        return "interlock"
    return ended(events).action


def _finder(data: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> str:
    reason = str(data.get("reason") or data.get("error") or "")
    names = [name for event in events if (name := check_name(event["kind"], event["text"])) and name != "lag"]
    if data["outcome"] == "stopped" or "asked again" in reason:
        return "operator"
    if "sign of life" in reason or " died" in reason:
        return "process"
    return names[0] if names else ""


def _verdict(got: str, action: str, by: str, safe: bool, declared: int = 0, undeclared: int = 0, wrong: str = "") -> dict[str, Any]:
    return {
        "got": got, "action": action, "detected_by": by, "safe": safe, "latency_from_fault": None, "latency": None, "bound": None,
        "lost_declared": declared, "lost_undeclared": undeclared, "wrong": wrong,
    }  # fmt: skip
