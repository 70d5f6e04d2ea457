"""What happens when a process dies: the rows of docs/deaths.md, each as a check that kills once, at a random moment.

A check gets a folder for the run, the pace, and the dice that choose the moment; it returns figures worth keeping.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import psutil
from bench_run import Queued, Running, first_words, rig

from rig.recorder.reading import read_run
from rig.streaming import streams
from rig.streaming.ring import RingReader

Figures = dict[str, float]
Check = Callable[[Path, str, random.Random], Figures]

LONG = "trajectory.cycles=400"
MOMENTS = 1.5  # s after the first sample, or after its start, in which a process is killed
PREPARED = 1.0 / 3.0  # of the runs; a preparation takes two seconds, and the deaths while starting fall into it anyway
LATECOMER = 5.0  # s for a process that was being started at that moment to come up and find itself alone
FLUSH = 0.1  # s
HELD_UP = 0.2  # s for which the recorder gets no core before it is killed
LOOKED_AT = 0.06  # s over which the recorder's waiting for a core is counted before it is killed
IN_STEP = 2048  # samples, four of linkage.toml's blocks, that no stream is behind
IN_STEP_WITHIN = 20.0  # s after the first sample: predictor and clock
BLOCKS = 2  # that the journal may lack
ENDED_WITHIN = 2.0  # s after the death of the hardware
SUMMED_UP_WITHIN = 20.0  # s: comparison and summary included, on a machine that others use as well
NOTICED_WITHIN = 0.050  # s beyond the heartbeat's time-out, by the bench's own clock
SHARED_MACHINE = 0.25  # s more by the clock on the wall, in which the virtual bench may not have been given a core


def predictor_marked(out: Path, pace: str, dice: random.Random) -> Figures:
    """The test goes on without a prediction."""
    return _goes_on("predictor", out, pace, dice)


def display(out: Path, pace: str, dice: random.Random) -> Figures:
    """The test goes on without a window. The platform of Qt must be set to one that needs no screen."""
    return _goes_on("display", out, pace, dice, window=True)


def predictor_stops(out: Path, pace: str, dice: random.Random) -> Figures:
    """Ramped stop, tripped."""
    with _going(out, pace, dice, "predictor.on_death=stop") as run:
        run.kill("predictor")
        assert "stopping" in first_words(run.ended_as(1, "tripped", "predictor died"))
        assert_nothing_behind(run)
        return {}


def recorder(out: Path, pace: str, dice: random.Random) -> Figures:
    """Ramped stop; the journal lacks two blocks at most, the record that was being written one flush more."""
    with _going(out, pace, dice) as run:
        if pace == "lockstep":  # however long it gets no core, the others do not run away from it
            psutil.Process(run.pids["recorder"]).suspend()
            time.sleep(HELD_UP)
        else:  # what the predictor catches up with after its start comes in faster than the sample clock
            _wait_until_in_step(run)
        queued = Queued(run.pids["recorder"])
        history = _history(run)
        moment, published = history[-1]
        run.kill("recorder")
        data = run.ended_as(3, "failed", "recorder died")
        assert "stopping" in first_words(data)
        assert_nothing_behind(run)
        block, rate = data["block_samples"], data["rate_hz"]
        record_lacks = max(head for stream, head in published.items() if stream not in streams.APART) - read_run(run.folder).samples
        code, recovered = rig("recover", str(run.folder))
        assert code == 0 and recovered["recovered"], recovered
        journal_lacks = {name: head - 1 - (recovered["streams"][name]["last_sample"] or -1) for name, head in published.items()}
        late = queued.seconds if pace == "real" else 0.0  # while others held the cores
        most = BLOCKS * block + late * rate
        since = moment - BLOCKS * block / rate - late
        before = next(then for at, then in reversed(history) if at <= since or at == history[0][0])
        for name, lacks in journal_lacks.items():  # a predictor that catches up publishes more in that time than the clock does
            came = published[name] - before[name] if pace == "real" else 0
            assert lacks <= max(most, came), (
                f"{name}: {journal_lacks} samples of {published}, {before} before, {queued.seconds:.3f} s queued"
            )
        force = read_run(run.folder).streams["measured"]["transmitted_force"]
        assert len(force) >= published["measured"] - most
        if pace == "real":  # in lockstep many blocks pass within the time between two flushes
            assert record_lacks <= FLUSH * rate + most, f"record lacks {record_lacks} samples, block {block}"
        return {"journal_lacks_blocks": max(journal_lacks.values()) / block, "record_lacks_s": record_lacks / rate}


def virtual_bench(out: Path, pace: str, dice: random.Random) -> Figures:
    """Said as such; every process that moves something or writes something is gone within two seconds."""
    with _going(out, pace, dice) as run:
        killed = run.kill("virtual_bench")
        while living(run, without=("supervisor",)):
            assert time.time() - killed < ENDED_WITHIN, f"still there after {ENDED_WITHIN:g} s: {living(run, ('supervisor',))}"
            time.sleep(0.01)
        workers = time.time() - killed
        queued = Queued(run.pids["supervisor"])
        data = run.ended_as(3, "failed")
        whole = time.time() - killed - queued.seconds
        assert "virtual_bench" in data["error"] or "server" in data["error"].lower(), data["error"]
        assert whole < SUMMED_UP_WITHIN, f"took {whole:.2f} s and {queued.seconds:.2f} s in the queue, comparison and summary included"
        assert_nothing_behind(run)
        return {"workers_gone_s": workers, "all_gone_s": whole}


def bench(out: Path, pace: str, dice: random.Random) -> Figures:
    """The heartbeat stops, the controller interlocks."""
    with _going(out, pace, dice) as run:
        killed = run.kill("bench")
        data = run.ended_as(3, "failed", "bench died")
        assert all(stream["lost_samples"] == 0 for stream in data["streams"].values())
        assert_nothing_behind(run)
        return interlock(run, pace, killed)


def supervisor(out: Path, pace: str, dice: random.Random) -> Figures:
    """The bench interlocks, nothing is left running; the next run clears the rings away; the record is there."""
    with _going(out, pace, dice) as run:
        figures = without_supervisor(run, pace, run.kill("supervisor"))
        assert len(read_run(run.folder).streams["measured"]["transmitted_force"]) > 0
        return figures


def interrupt(out: Path, pace: str, dice: random.Random) -> Figures:
    """Ctrl-C: ramped stop, complete record."""
    with _going(out, pace, dice) as run:
        run.interrupt()
        data = run.ended_as(0, "stopped")
        record = read_run(run.folder)
        assert record.complete
        assert {stream["samples"] for stream in data["streams"].values()} == {record.samples}
        assert abs(record.streams["command"]["value"][-1]) < 1.0
        assert_nothing_behind(run)
        return {}


def while_starting(name: str, out: Path, pace: str, dice: random.Random) -> Figures:
    """Killed at any moment from its start on: a clean end with exit 3, or none is needed (a predictor may be missed later on)."""
    goes_on = name == "predictor"
    run = Running(out, f"trajectory.cycles={3 if goes_on else 100}", f"bench.pace={pace}")  # a long test is not over before the kill
    with ended(run):
        _wait_for_process(run, name)
        time.sleep(dice.uniform(0.0, MOMENTS))
        with contextlib.suppress(psutil.NoSuchProcess):
            run.kill(name)
        if name == "supervisor":
            run.process.wait()
            run.pids = started(run)
            run.assert_nothing_left(5.0)
            streams.sweep()
        else:
            allowed = {(3, "failed")} | ({(0, "done")} if goes_on else set())
            run.process.wait(40.0)
            run.pids = started(run)
            code, data, _ = run.end()
            assert (code, data["outcome"]) in allowed, data
        assert_nothing_behind(run, Path(json.loads((run.folder / "plan.json").read_text())["rings"]))
        return {}


BOTH = ("real", "lockstep")
DEATHS: Mapping[str, Check] = {
    "predictor, mark": predictor_marked,
    "predictor, stop": predictor_stops,
    "display": display,
    "recorder": recorder,
    "virtual bench": virtual_bench,
    "bench": bench,
    "supervisor": supervisor,
}
MORE: Mapping[str, Check] = {
    "Ctrl-C": interrupt,
    **{f"{name}, starting": partial(while_starting, name) for name in ("virtual_bench", "recorder", "predictor", "bench", "supervisor")},
}
"""For the campaign only."""


@contextlib.contextmanager
def _going(out: Path, pace: str, dice: random.Random, *overrides: str, window: bool = False) -> Iterator[Running]:
    """A run that has measured for a random while, one in three after a preparation; whatever is found, nothing is left running."""
    prepared = f"bench.loader.preparation.enabled={'true' if dice.random() < PREPARED else 'false'}"
    run = Running(out, LONG, f"bench.pace={pace}", prepared, *overrides, window=window)
    with ended(run):
        run.wait_for_samples()
        time.sleep(dice.uniform(0.0, MOMENTS))
        yield run


def _wait_until_in_step(run: Running) -> None:
    until = time.time() + IN_STEP_WITHIN
    while True:
        published = heads(run)
        behind = published["measured"] - min(published.values())
        if behind <= IN_STEP:
            return
        assert time.time() < until, f"still {behind} samples behind after {IN_STEP_WITHIN:g} s: {published}"
        time.sleep(0.01)


@contextlib.contextmanager
def ended(run: Running) -> Iterator[None]:
    try:
        yield
    finally:
        left = [run.process.pid] if run.process.poll() is None else []
        with contextlib.suppress(OSError, IndexError, ValueError):
            left += _living_of(started(run)).values()
        for pid in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                psutil.Process(pid).kill()
        run.process.wait()


def _goes_on(name: str, out: Path, pace: str, dice: random.Random, window: bool = False) -> Figures:
    with _going(out, pace, dice, window=window) as run:
        assert name in run.pids, run.pids
        before = heads(run)["measured"]
        run.kill(name)
        time.sleep(0.5)
        assert run.process.poll() is None
        run.interrupt()
        data = run.ended_as(0, "stopped")
        assert any(f"{name} died" in warning for warning in data["warnings"]), data["warnings"]
        assert read_run(run.folder).complete
        assert_nothing_behind(run)
        samples = {stream: figures["samples"] for stream, figures in data["streams"].items()}
        assert samples["measured"] > before + data["block_samples"], "it must go on, not only end well"
        assert (samples["predicted"] < samples["measured"]) == (name == "predictor"), samples
        return {}


def without_supervisor(run: Running, pace: str, killed: float) -> Figures:
    """Nothing is left running, the bench has interlocked, and a record comes of what there is."""
    run.process.wait()
    run.assert_nothing_left(5.0)
    gone = time.time() - killed
    streams.sweep()
    assert_nothing_behind(run)
    code, recovered = rig("recover", str(run.folder))
    assert code == 0, recovered
    return {"all_gone_s": gone, **interlock(run, pace, killed)}


def _history(run: Running) -> list[tuple[float, dict[str, int]]]:
    """(moment, samples published by stream), every few milliseconds for LOOKED_AT."""
    found = [(time.monotonic(), heads(run))]
    while found[-1][0] < found[0][0] + LOOKED_AT:
        time.sleep(2e-3)
        found.append((time.monotonic(), heads(run)))
    return found


def heads(run: Running) -> dict[str, int]:
    """Samples published so far, by stream."""
    found = {}
    for name, path in streams.paths(run.rings).items():
        if path.exists():
            reader = RingReader.open(path, 1.0)
            found[name] = reader.head
            reader.close()
    return found


def interlock(run: Running, pace: str, killed: float) -> Figures:
    """The controller shut its valve: in time by its own clock, soon by the one on the wall; in lockstep its clock stood still meanwhile."""
    timeout = json.loads((run.folder / "plan.json").read_text())["bench"]["plant"]["heartbeat_timeout"]
    (shut,) = [entry for entry in run.controller_log() if entry["text"].startswith("interlock: ")]
    after = shut["wall"] - killed
    assert after > 0.0, run.controller_log()
    if pace == "lockstep":
        return {}
    last_edge = re.search(r"heartbeat lost: last edge at ([0-9.]+) s", shut["text"])
    if last_edge:
        silent = shut["bench"] - float(last_edge[1])
        assert silent < timeout + NOTICED_WITHIN, f"{shut['text']}: shut {silent:.6f} s after it"
    assert after < timeout + NOTICED_WITHIN + SHARED_MACHINE, f"interlock {after:.3f} s after the kill, time-out {timeout:g} s"
    return {"interlock_after_s": after}


def assert_nothing_behind(run: Running, rings: Path | None = None) -> None:
    """No process of the run lives, not even one that its list of processes had not got yet, and its rings are gone."""
    rings = rings or run.rings
    deadline = time.monotonic() + LATECOMER
    while left := _orphans(run):
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.02)
    assert not rings.exists(), f"left behind: {sorted(rings.iterdir())}"


def _orphans(run: Running) -> list[str]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            command = " ".join(process.cmdline())
            if str(run.out) in command and process.status() != psutil.STATUS_ZOMBIE:
                found.append(f"{process.pid}: {command}")
    return found


def _wait_for_process(run: Running, name: str) -> None:
    deadline = time.monotonic() + 30.0
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, IndexError, ValueError):
            run.pids = started(run)
            if name in run.pids:
                return
        time.sleep(0.002)
    raise AssertionError(f"{name} was not started")


def started(run: Running) -> dict[str, int]:
    """Processes by their names, as the run's folder has them."""
    pids: dict[str, int] = json.loads((run.folder / "processes.json").read_text())
    return pids


def living(run: Running, without: tuple[str, ...] = ()) -> dict[str, int]:
    return _living_of({name: pid for name, pid in run.pids.items() if name not in without})


def _living_of(pids: Mapping[str, int]) -> dict[str, int]:
    living = {}
    for name, pid in pids.items():
        with contextlib.suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                living[name] = pid
    return living
