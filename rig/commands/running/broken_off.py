"""One more session of a test that was broken off: what has changed, where it goes on, and then as `rig run`."""

from __future__ import annotations

import argparse
import datetime
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from model.paths.course import Timed
from rig.command_line.arming import confirm
from rig.command_line.result import Result
from rig.commands.running.alone import alone
from rig.commands.running.drive_iteration import DRIVE
from rig.commands.running.run import by_data_sheets, run_once, wants_window
from rig.config.plan import Plan
from rig.config.resumption import Resumption
from rig.config.setup import Setup
from rig.console.counted import counted
from rig.display.window.availability import unseen
from rig.errors import ConfigError
from rig.hardware.occupancy import ALONE, TEST, occupied, tell
from rig.host import interruption
from rig.recorder import run_files
from rig.release import VERSION
from rig.resumption import state_file
from rig.resumption.continuation import make_room, need_record, next_beginning, to_put_together
from rig.resumption.differences import differences, setup_now
from rig.resumption.state_file import State
from rig.resumption.unseen import LeftRings, most_cycles
from rig.resumption.whole_cycles import Place, last_place
from rig.streaming import streams
from rig.supervision.compilation import ready
from rig.supervision.required_space import checked
from rig.trajectory import Trajectory, create, hybrid, pseudo_dynamic
from rig.trajectory.following.boundaries import begin_of_cycle, end_of_cycle
from rig.trajectory.following.changes import changed
from rig.trajectory.naming import TrajectorySettings

PLAN = "plan.json"


@dataclass(frozen=True)
class Going:
    """With which cycle it goes on (None: from the beginning), how many more may have been run, how old that knowledge is (s), and how many
    cycles are left."""

    cycle: int | None
    uncertainty: int
    age: float | None
    differences: list[str]
    text: str
    repeated: int = 0
    left: int = 1
    behind: int = 0
    """n behind the last sample that was acquired, as far as record and state tell; not all of them need be kept."""


def resume(folder: Path, args: argparse.Namespace) -> Result:
    """Run on. Raises ConfigError for what cannot go on, and says why."""
    need_no_iteration(folder)
    plan = Plan.read(folder)
    state = _state(folder, args.cycle)
    need_resumable(plan, state)
    setup = setup_now(plan)
    rings = LeftRings(plan, state)
    streams.sweep()
    print(f"{setup.name}: {checked(setup, folder, left(plan, state, args.cycle), to_put_together(folder)).words(folder)}", file=sys.stderr)
    ready(setup, lambda text: print(text, file=sys.stderr, flush=True))
    confirm(setup.bench, args.arm)
    window = wants_window(args)
    with interruption.as_keyboard(), alone(folder), occupied(setup.bench_path, TEST, unless=ALONE) as warnings:
        setup = by_data_sheets(replace(setup, warnings=(*setup.warnings, *warnings)))
        unlike = _differences(plan, setup, state, args.accept)  # behind the data sheets, which the plan has adopted
        tell(setup.bench_path, TEST, folder)
        for file in need_record(folder) or []:
            print(file.words, file=sys.stderr, flush=True)
        going = _going(plan, state, args.cycle, unlike, rings)
        rings.close()
        if going.left == 0:
            return _all_run(folder, plan, going)
        session = prepared(folder, plan, state, going, who(args))
        print(going.text, file=sys.stderr, flush=True)
        keep = window and not (args.close or unseen())
        result = run_once(setup, folder, window, keep_window=keep, picture=not args.no_picture, resumption=session)
    resumed = _resumed(folder, going, session.session)
    return replace(result, data={**result.data, "resumed": resumed}, text=f"{result.text}\n{going.text}" if result.text else going.text)


def _differences(plan: Plan, setup: Setup, state: State | None, accepted: bool) -> list[str]:
    """In words. Raises ConfigError for some that nobody has accepted."""
    found = differences(plan, setup, state.rig_version if state else VERSION)
    if state is not None and state.plan_sha256 != state_file.digest_of(plan.experiment_text, plan.bench_text):
        found.append("plan.json: not the one that state.json was kept with")
    if found and not accepted:
        first = f"{plan.run_dir}: not what it was when this test began, nothing was moved; `--accept` goes on all the same"
        raise ConfigError([first, *(f"  {line}" for line in found)])
    return found


def _resumed(folder: Path, going: Going, session: int) -> dict[str, object]:
    return {
        "from_run": folder.name, "cycle": going.cycle or 0, "uncertainty_cycles": going.uncertainty, "state_age_s": going.age,
        "differences": going.differences, "session": session,
    }  # fmt: skip


def _all_run(folder: Path, plan: Plan, going: Going) -> Result:
    """It was broken off behind its last cycle: nothing moves, and its record is whole now."""
    text = f"{folder.name}: all of its cycles were run, so nothing was moved; its record is whole, and `rig compare {folder}` judges it"
    session = plan.resumption.session if plan.resumption else 1
    data = {"run": folder.name, "resumed": _resumed(folder, going, session), "files": run_files.left(folder, {})}
    return Result(data=data, text=text)


def need_resumable(plan: Plan, state: State | None) -> None:
    """Raises ConfigError for a test that came to its end, or that cannot be taken up between two cycles."""
    run, experiment = plan.run_dir, plan.experiment
    if state is not None and state.finished:
        raise ConfigError(f"{run}: this test came to its end ({_cycles(state)}); there is nothing to go on with. Another one: rig run")
    why, instead = "", "Begin anew with rig run"
    if isinstance(experiment.trajectory, (pseudo_dynamic.Config, hybrid.Config)):
        why = "in a hybrid test each step rests on the one before, and on what the specimen has been through"
        instead = (
            f"Look at the specimen; then begin anew with rig run. To the last step that is recorded, its record is whole: rig report {run}"
        )
    elif experiment.trajectory is None or not create(experiment.trajectory).cycles:
        why = "its trajectory counts no cycles, so there is no boundary to go on at"
    if why:
        raise ConfigError(f"{run}: cannot go on where it was broken off: {why}. Its record stays. {instead}")


def need_no_iteration(run: Path) -> None:
    """Raises ConfigError for the folder of a drive that was iterated, whose passes are tests in folders of their own."""
    if (run / PLAN).exists() or not (passes := sorted(path.parent.name for path in run.glob(f"*/{PLAN}"))):
        return
    text = (
        f"{run}: cannot go on where it was broken off: a drive is identified and iterated from the beginning. Its {len(passes)} passes stay"
    )
    best = f'the best drive so far can be played without [control], by [trajectory] kind = "drive", file = "{run / DRIVE}"'
    found = f"; {best}. A test that plays it can be resumed" if (run / DRIVE).exists() else ""
    raise ConfigError(f"{text}. Begin anew with rig run{found}")


def _cycles(state: State) -> str:
    return counted(state.cycles_total, "cycle") if state.cycles_total else "no cycles counted"


def _state(folder: Path, cycle: int | None) -> State | None:
    """Raises ConfigError for one that cannot be believed, where no cycle is given in its place."""
    try:
        return state_file.read(folder)
    except ConfigError as error:
        if cycle is None:
            raise
        print(f"{error}\ngoing on by --cycle {cycle}, without corrections, changes, and what limits had learned", file=sys.stderr)
        return None


def _going(plan: Plan, state: State | None, asked: int | None, unlike: list[str], rings: LeftRings) -> Going:
    """By what is recorded, what the state says, and what is asked for. Raises ConfigError."""
    folder, settings = plan.run_dir, changed(plan.experiment.trajectory, state.changes if state else {})
    trajectory = create(settings)

    def end_of(cycle: int) -> float:
        return end_of_cycle(settings, trajectory, cycle)

    place, read = last_place(folder, end_of), rings.place(end_of)
    whole = max(place.whole, (state.cycle or 0) - state.repeated if state else 0)
    behind = max(place.sample, read.sample if read else 0, (state.sample or 0) if state else 0) + 1
    cycle = whole if asked is None else asked
    if asked is not None and not 0 <= asked < trajectory.cycles:
        said = f"{counted(whole, 'cycle')} of {trajectory.cycles} were run"
        raise ConfigError(f"{folder}: {said}, got cycle {asked} to go on with; expected 0 to {trajectory.cycles - 1}")
    begun = place.cycle is not None or asked is not None
    period = _period(settings, trajectory, cycle, place.rate) / (state.pace if state else 1.0)
    age = _age(folder, state)
    most, unseen = most_cycles(plan, state, (place, read), period, end_of, age or 0.0)
    more = max(0, min(most, trajectory.cycles) - whole)
    going = Going(cycle if begun else None, more, age, unlike, "", place.repeated, max(trajectory.cycles - cycle, 0), behind)
    return replace(going, text=_text(plan, place, going, trajectory.cycles, unseen))


def left(plan: Plan, state: State | None, asked: int | None) -> tuple[float, int] | None:
    """(share of its time, cycles) that a test has still to run, by what its state says or is asked for; None where nothing does."""
    settings = changed(plan.experiment.trajectory, state.changes if state else {})
    trajectory = create(settings)
    cycle = asked if asked is not None or state is None else (state.cycle or 0) - state.repeated
    if cycle is None or not 0 <= cycle < trajectory.cycles:
        return None
    begin = begin_of_cycle(settings, trajectory, cycle, plan.experiment.acquisition.rate) if cycle else 0.0
    return 1.0 - begin / trajectory.duration, trajectory.cycles - cycle


def _period(settings: TrajectorySettings | Timed | None, trajectory: Trajectory, cycle: int, rate: float) -> float:
    """s that a cycle takes, at the pace of the trajectory."""
    first = min(cycle, max(trajectory.cycles - 2, 0))
    if first + 1 >= trajectory.cycles:
        return trajectory.duration
    begin, end = (begin_of_cycle(settings, trajectory, one, rate) for one in (first, first + 1))
    return end - begin


def _age(folder: Path, state: State | None) -> float | None:
    """s that the test went on behind its last state, by when its journal was written last."""
    journals = [*folder.glob("journal.bin"), *folder.glob("parts/*.bin")]
    if state is None or not journals:
        return None
    return max(0.0, max(path.stat().st_mtime for path in journals) - state.written) if not state.outcome else 0.0


def _text(plan: Plan, place: Place, going: Going, total: int, unseen: float) -> str:
    session = (plan.resumption.session if plan.resumption else 1) + 1
    if going.cycle is None:
        return f"session {session}: no cycle had been begun; the trajectory begins anew"
    doubt = (
        f"; up to {counted(going.uncertainty, 'more cycle')} may have been run without being recorded, in the last {unseen:.2g} s"
        if going.uncertainty
        else ""
    )
    age = "" if going.age is None else f"; its state was {going.age:.2f} s old"
    return f"session {session}: goes on with cycle {going.cycle} of {total}, {counted(place.whole, 'whole cycle')} recorded{doubt}{age}"


def prepared(folder: Path, plan: Plan, state: State | None, going: Going, who: str) -> Resumption:
    """The folder is ready for the next session, which this is."""
    beginning = next_beginning(folder)
    block = max(1, round(plan.experiment.acquisition.block * plan.experiment.acquisition.rate))
    make_room(folder)
    return Resumption(
        session=(plan.resumption.session if plan.resumption else 1) + 1,
        cycle=going.cycle,
        part=beginning.number,
        part_first=beginning.first,
        first_sample=max(beginning.first, going.behind) + block if max(beginning.first, going.behind) else 0,
        pace=state.pace if state else 1.0,
        repeated=going.repeated,
        changes=state.changes if state else {},
        correction=(state.correction[0], state.correction[1], state.correction[2]) if state and state.correction else None,
        apart=beginning.apart,
        memory=state.memory if state else {},
        text=going.text + who + "".join(f"; {line}" for line in going.differences),
    )


def who(args: argparse.Namespace) -> str:
    """Who lets it go on, and why."""
    reason = f": {args.reason}" if args.reason else ""
    return f"; by {args.operator} at {datetime.datetime.now().astimezone().isoformat(timespec='seconds')}{reason}"
