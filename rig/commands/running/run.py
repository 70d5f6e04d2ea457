"""`rig run EXPERIMENT`: one test, from the first check to the table of agreement."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from rig import config
from rig.command_line import run_pictures
from rig.command_line.arming import confirm
from rig.command_line.document_questions import answers
from rig.command_line.result import EXIT_CODES, Result, envelope
from rig.commands import add_setup_arguments, version
from rig.commands.running import end_notices
from rig.commands.running.alone import alone
from rig.config.plan import Plan
from rig.config.resumption import Resumption
from rig.console.counted import counted
from rig.console.progress import Progress
from rig.control.amplitude import in_words
from rig.control.drive_file import Config as DriveFile
from rig.display.window.availability import reason_headless, unseen
from rig.errors import ConfigError, RigError
from rig.files import output_files
from rig.hardware import data_sheets
from rig.hardware.occupancy import ALONE, TEST, occupied, tell
from rig.host import interruption
from rig.hybrid import history as pseudo_dynamic
from rig.hybrid.realtime import figures as real_time
from rig.identification.live import need_fit
from rig.recorder import run_files
from rig.recorder.folders import RECORD, new_run
from rig.recorder.sealing import seal
from rig.sensors.uncertainty import figures
from rig.signals.summary_statistics import statistics
from rig.streaming import streams
from rig.streaming.processes import VIRTUAL_BENCH
from rig.supervision.bench_access import reachable
from rig.supervision.compilation import ready
from rig.supervision.outcome import Outcome
from rig.supervision.required_space import checked, ring_bytes
from rig.supervision.supervisor import Status, Supervisor
from rig.virtual import bench_log
from rig.workers.messages import EventMessage, Figures, InstrumentFigures, recorded

BAR = 30  # characters
LEAVING = tuple(words for number, words in interruption.WORDS.items() if number != signal.SIGINT)
"""Reasons of a stop by somebody who does not look at the window any more."""
UNSOUND = ("overload", "dead_channel", "implausible", "missing_pulse", "extra_pulse", "index_correction")  # kinds of events
INDICATED = "indicate"
STOOD = 0.02  # share of a test's duration that a virtual bench may stand still before that is told


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig run`."""
    add_setup_arguments(parser)
    add_window_arguments(parser)
    parser.add_argument("--out", metavar="DIR", default="runs", help="folder that gets the run's own folder (default: runs)")


def add_window_arguments(parser: argparse.ArgumentParser) -> None:
    """Of whatever runs a test: window, picture, arming."""
    parser.add_argument("--headless", action="store_true", help="no window")
    parser.add_argument("--close", action="store_true", help="close the window at the end of the test, as where nobody is there to do it")
    parser.add_argument(
        "--no-picture", action="store_true", help="draw no overlay.png: for many tests in a row (`rig compare` draws it later)"
    )
    parser.add_argument("--arm", action="store_true", help='confirm a bench with arming = "operator" without being asked')


def wants_window(args: argparse.Namespace) -> bool:
    """Whether one is asked for and there can be one; says so where not."""
    if args.headless:
        return False
    if why := reason_headless():
        print(f"no window ({why}); running headless", file=sys.stderr)
        return False
    return True


def execute(args: argparse.Namespace) -> Result:
    """Run the test; the record, the summary and the picture lie in the run's folder afterwards."""
    setup = config.load(args.experiment, args.overrides, args.bench)
    if said := answers(setup.experiment.document):
        setup = config.load(args.experiment, [*args.overrides, *said], args.bench)
    need_fit(setup.experiment, setup.bench)  # one that does not fit is told before anything is opened
    streams.sweep()
    out = output_files.place("--out", Path(args.out))
    print(f"{setup.name}: {checked(setup, out).words(out)}", file=sys.stderr)
    ready(setup, lambda text: print(text, file=sys.stderr, flush=True))
    confirm(setup.bench, args.arm)
    window, picture = wants_window(args), not args.no_picture
    with interruption.as_keyboard(), occupied(setup.bench_path, TEST, unless=ALONE) as warnings:
        setup = by_data_sheets(replace(setup, warnings=(*setup.warnings, *warnings)))
        run_dir = new_run(out, setup.name)
        tell(setup.bench_path, TEST, run_dir)
        print(f"recorded in {run_dir}", file=sys.stderr, flush=True)
        try:
            if isinstance(setup.experiment.control, DriveFile):
                from rig.commands.running.drive_file import run_iterated  # what it needs costs nothing where it is not needed

                return run_iterated(setup, run_dir, lambda one, folder: run_once(one, folder, window, picture=picture))
            return run_once(setup, run_dir, window, keep_window=window and not (args.close or unseen()), picture=picture)
        except KeyboardInterrupt as error:
            if not any(run_dir.rglob(RECORD)):
                raise
            return _broken_off(run_dir, str(error) or "Ctrl-C")


def _broken_off(run_dir: Path, by: str) -> Result:
    """Of a test that is recorded, while its result was put together."""
    text = f"{run_dir.name}: stopped ({by}) when nothing moved any more; `rig compare {run_dir}` says what its record holds"
    data = {"run": run_dir.name, "reason": by, "files": run_files.left(run_dir, {})}
    return Result("stopped", EXIT_CODES["stopped"], data, text)


def by_data_sheets(setup: config.Setup) -> config.Setup:
    """With the sensitivities of channels with `teds = true`, read now; the record says so. Raises ConfigError, DriverError."""
    if not any(channel.teds for channel in setup.bench.channels):
        return setup
    with reachable(setup.bench, setup.bench_path) as there:
        bench, said = data_sheets.adopt(setup.bench, data_sheets.read(there))
    for text in said:
        print(text, file=sys.stderr)
    remarks = "".join(f"# {text}\n" for text in said)
    return replace(setup, bench=bench, bench_text=f"{setup.bench_text.rstrip()}\n\n{remarks}")


def run_once(
    setup: config.Setup,
    run_dir: Path,
    window: bool,
    keep_window: bool = False,
    picture: bool = True,
    resumption: Resumption | None = None,
) -> Result:
    """One test in the folder `run_dir`, which exists and is empty, from the start of its processes to its summary.json; or one more
    session of it, by `resumption`, for which the folder has been made ready.

    keep_window: when all that is done the window shows how it ended, and is waited for. picture: draw the overlay.

    The bench must have been armed. Ctrl-C, SIGTERM and a closed terminal ask for a ramped stop while it lasts.
    """
    with contextlib.nullcontext() if resumption else alone(run_dir):  # of a session that goes on, whoever goes on with it has seen to that
        supervisor, plan, outcome, result = _tested(setup, run_dir, window, keep_window, picture, resumption)
    if supervisor.window_stays:
        result = _stay(supervisor, plan, outcome, result)
    return result


def _tested(
    setup: config.Setup, run_dir: Path, window: bool, keep_window: bool, picture: bool, resumption: Resumption | None
) -> tuple[Supervisor, Plan, Outcome, Result]:
    """Run, judged and sealed; a window may be open still."""
    rings = streams.make_folder(ring_bytes(setup))
    texts = setup.experiment_text, setup.bench_text
    plan = Plan(run_dir.name, run_dir, rings, setup.experiment, setup.bench, *texts, setup.sources, resumption)
    plan.write()
    progress = Progress(sys.stderr.fileno()) if sys.stderr.isatty() else None
    ahead = threading.Thread(target=_load_comparison, args=(picture,), daemon=True)

    def watch(status: Status) -> None:
        # Not while something moves: a thread that loads holds up the one that passes on a stop, by a second on a busy computer.
        if status["state"] == "stopped" and not ahead.ident:
            ahead.start()
        if progress is not None:
            progress.show(_line(status))

    supervisor = Supervisor(plan, window, watch, keep_window)
    try:
        with interruption.answered(supervisor.stop):
            outcome = supervisor.run()
    finally:
        streams.remove_folder(plan.rings)
        if progress is not None:
            progress.close()
    with interruption.in_spite_of_hangup(), supervisor.signs_of_life():  # nothing moves any more; table and summary take seconds
        result = end_notices.told(supervisor.notices, plan.run_dir, _result(plan, outcome, setup.warnings, picture))
        return supervisor, plan, outcome, _sealed(plan.run_dir, result)


def _sealed(run_dir: Path, result: Result) -> Result:
    """With a warning where the files of the run could not be entered in its chain of evidence."""
    if run_files.gone(run_dir):
        return result
    try:
        seal(run_dir)
    except (OSError, ConfigError, KeyboardInterrupt) as error:  # the test, and how it ended, must be told all the same
        why = str(error) or "broken off"
        return replace(result, warnings=[*result.warnings, f"evidence: the files of this run could not be sealed: {why}"])
    return result


def _stay(supervisor: Supervisor, plan: Plan, outcome: Outcome, result: Result) -> Result:
    """The verdict in the window until somebody closes it; Ctrl-C does, too. Outputs are safe, record and summary are written. A window that
    hangs is ended, which is told and changes nothing."""
    verdict = result.data["verdict"]
    assert isinstance(verdict, Mapping)
    supervisor.show_ended(
        outcome=result.outcome, verdict=verdict["result"], verdict_reason=verdict["reason"], reason=outcome.reason, figures=result.text
    )
    if outcome.reason in LEAVING:
        supervisor.close_window()
    else:
        print(f"{plan.run}: {result.outcome}; the window stays until it is closed (Ctrl-C closes it, too)", file=sys.stderr)
    with interruption.answered(lambda words: supervisor.close_window()):
        said = supervisor.wait_for_window()
    return replace(result, warnings=[*result.warnings, f"window: {said}"]) if said else result


def _load_comparison(picture: bool) -> None:
    """What the end of the test needs, loaded while the streams are drained."""
    importlib.import_module("rig.report.summary")
    if not picture:
        return
    with contextlib.suppress(Exception):  # of what a picture needs: it is told where one is drawn
        importlib.import_module("rig.report.overlay.page")


def _line(status: Status) -> str:
    total = status["duration_s"] or 1.0
    done = min(1.0, status["time_s"] / total)
    lag = f"lag {status['lag_s'] * 1e3:4.0f} ms" if status["lag_s"] is not None else ""
    cycle = f"cycle {status['cycle']}" if status["cycle"] >= 0 else ""
    bar = "#" * round(BAR * done)
    return f"{status['state']:9} [{bar:-<{BAR}}] {status['time_s']:6.1f} / {status['duration_s']:.1f} s  {cycle:10} {lag}"


def stood_still(bench: Figures, stood: float | None) -> list[str]:
    """What a reader of figures in real time must know of a simulation that could not keep up: device time stood still for `stood` s."""
    rate = bench.get("rate")
    if not rate or stood is None or stood <= STOOD * bench["samples"] / rate:
        return []
    took = f"{_seconds(stood)} longer than the {_seconds(bench['samples'] / rate)} that it recorded"
    return [f"virtual bench: the test took {took}: its computer had too little time for it, and device time stood still meanwhile"]


def _seconds(duration: float) -> str:
    return f"{duration:.1f} s" if duration >= 1.0 else f"{duration:.2g} s"


def late(plan: Plan, predictor: Figures) -> list[str]:
    """What a reader of the live window must know of a prediction that could not keep up; where a simulation waits, nobody was late."""
    seconds, allowed = predictor.get("late_s") or 0.0, plan.experiment.predictor.max_lag
    if plan.bench.pace == "lockstep" or seconds <= 0.0:
        return []
    most = f"by up to {predictor['lag_s']['max']:.3g} s, allowed {allowed:.3g} s"
    return [
        f"predictor: {seconds:.3g} s of the test were predicted late, {most}: the window lagged by as much; the record is not concerned"
    ]


def doubtful(events: Sequence[EventMessage]) -> list[str]:
    """What a test went on with, and who reads its figures must know: channels, pulses and counts that are not to be believed."""
    ends = f"; action: {INDICATED}"
    return [event["text"].removesuffix(ends) for event in events if event["kind"] in UNSOUND and event["text"].endswith(ends)]


def _result(plan: Plan, outcome: Outcome, doubts: Sequence[str], picture: bool = True) -> Result:
    """Compare, write summary.json, draw, tell: with the pictures, what is known is written once more."""
    recorder = outcome.figures.get("recorder") or {}
    verdict = {"result": "none", "reason": _uncompared(outcome, recorder)}
    compared: run_pictures.Compared = {
        "agreement": {}, "contact_loss": None, "cycles": None, "files": {}, "text": "", "warnings": [], "verdict": verdict,
    }  # fmt: skip
    pictures: run_pictures.Pictures = {}
    tested = outcome.outcome, outcome.reason  # whatever becomes of the comparison: it can be made again, the test is over
    if recorder.get("streams") and any(stream["samples"] for stream in recorder["streams"].values()):
        try:
            from rig.report.summary import compared_run  # loaded ahead, see _load_comparison

            clocks = (outcome.figures.get("bench") or {}).get("clocks", {})
            print("the test is over; measured and predicted are compared", file=sys.stderr, flush=True)
            compared, drawings = compared_run(plan.run_dir, ended=tested, clocks=clocks)
            compared = {**compared, "files": {}}
            if picture:
                pictures |= drawings
        except KeyboardInterrupt:  # nothing moves any more, and the record is closed: only the figures are missing
            verdict["reason"] = f"the comparison was broken off; `rig compare {plan.run_dir}` makes it"
            outcome.worse("stopped", verdict["reason"])  # whoever runs tests one after the other begins no other one
        except (OSError, RigError) as error:  # disk full, folder gone: the test itself, and how it ended, must be told all the same
            why = (error.strerror if isinstance(error, OSError) else None) or error
            outcome.worse("failed", f"the test could not be compared in {plan.run_dir}: {why}")
    result = _summarize(plan, outcome, doubts, compared, tested)
    pictures |= run_pictures.of_preparation(plan, outcome)
    if not pictures or run_files.gone(plan.run_dir):
        return result
    for name, (path, draw) in pictures.items():
        compared = run_pictures.drawn(compared, name, path, draw, outcome)
    return _summarize(plan, outcome, doubts, compared, tested)


def _uncompared(outcome: Outcome, recorder: Figures) -> str:
    """Why there is no verdict, where nothing is compared."""
    prepared = recorder.get("apart", {}).get("preparation")
    if prepared is not None and prepared["samples"]:
        return f"nothing was compared: the test did not begin, and only its preparation is recorded ({outcome.reason})"
    return "nothing was compared: nothing is recorded" + (f" ({outcome.reason})" if outcome.reason else "")


def _summarize(plan: Plan, outcome: Outcome, doubts: Sequence[str], compared: run_pictures.Compared, tested: tuple[str, str]) -> Result:
    """The result as it is known so far, in summary.json too. tested: how the test ended, and why, before it was compared."""
    warnings = list(dict.fromkeys([*doubts, *outcome.warnings, *compared["warnings"]]))
    bench, recorder = outcome.figures.get("bench") or {}, outcome.figures.get("recorder") or {}
    predictor = outcome.figures.get("predictor") or {}
    if gone := run_files.gone(plan.run_dir):
        outcome.worse("failed", gone)
    if outcome.outcome == "done" and (why := _unjudged(plan, outcome, compared["verdict"]["result"])):
        outcome.worse("failed", why)
    ended = outcome.outcome
    if ended == "done" and compared["verdict"]["result"] == "fail":
        ended = "verdict_failed"
    rate = bench.get("rate")
    stood = None if outcome.begun_at is None else bench_log.stood_still(plan.run_dir / f"{VIRTUAL_BENCH}.log", outcome.begun_at)
    warnings += [*stood_still(bench, stood), *late(plan, predictor), *doubtful(outcome.events)]
    if (control := bench.get("control")) and control["kind"] == "pseudo_dynamic":
        warnings += pseudo_dynamic.doubts(control)
    data = {
        "run": plan.run,
        "seed": plan.bench.seed,
        "rate_hz": rate,
        "block_samples": round(plan.experiment.acquisition.block * plan.experiment.acquisition.rate),
        "duration_s": (bench["samples"] + plan.first_sample) / rate if rate else 0.0,
        "session": plan.resumption.session if plan.resumption else 1,
        "session_duration_s": bench["samples"] / rate if rate else 0.0,
        "wall_s": outcome.duration_s,
        "startup_s": outcome.startup_s,
        "streams": recorder.get("streams", {}),
        "preparation": _preparation(bench, recorder),
        "ao": bench.get("ao", {"underflows": 0, "min_ahead_s": None, "delay_s": statistics([])}),
        "turns": bench.get("turns"),
        "control": bench.get("control"),
        "hybrid": control if control and control["kind"] == "hybrid" else None,
        "pacing": bench.get("pacing"),
        "predictor": {"source": plan.experiment.predictor.source, "lag_s": statistics([]), "rtf": None, **predictor},
        "display": outcome.figures.get("display"),
        "processes": outcome.processes,
        "cpu_cores": outcome.cpu_cores,
        "agreement": compared["agreement"],
        "not_compared": compared.get("not_compared"),
        "error_sign": compared.get("error_sign"),
        "contact_loss": compared["contact_loss"],
        "validation": compared.get("validation", []),
        "cycles": compared["cycles"],
        "endurance": compared.get("endurance"),
        "sensors": figures(plan.bench.channels, compared["agreement"], date.today()),
        "clocks": bench.get("clocks", {}),
        "stood_still_s": stood,
        "instruments": bench.get("instruments", {}),
        "events": [recorded(event) for event in outcome.events],
        "verdict": compared["verdict"],
        "reason": outcome.reason,
        "test_ended": {"outcome": tested[0], "reason": tested[1]},
        "files": run_files.left(plan.run_dir, compared["files"]),
    }
    if ended == "failed":
        data["error"] = outcome.reason
    result = Result(ended, _exit_code(ended, outcome), data, _text(plan, outcome, ended, compared["text"]), warnings)
    summary = json.loads(envelope("run", version(), result))
    try:
        (plan.run_dir / run_files.SUMMARY).write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        return _without_summary(result, plan, error)
    return result


def _unjudged(plan: Plan, outcome: Outcome, result: object) -> str:
    """Why a test that came to its end is none: its criteria were never judged, as the prediction had ended; empty: it is one."""
    said = outcome.deaths.get("predictor")
    if said is None or result != "none" or not (criteria := plan.experiment.comparison.criteria):
        return ""
    them = "its criterion was" if len(criteria) == 1 else f"none of its {len(criteria)} criteria was"
    return f"{them}{' not' if len(criteria) == 1 else ''} judged, as the prediction ended: {said}"


def _exit_code(ended: str, outcome: Outcome) -> int:
    """A test that was stopped before it recorded anything ends as a command that was broken off: `rig run A && rig run B` stops there."""
    begun = outcome.startup_s is not None
    return EXIT_CODES[ended] if begun or ended != "stopped" else interruption.code_of(outcome.reason)


def _without_summary(result: Result, plan: Plan, error: OSError) -> Result:
    """What is told where it cannot be written: the result of a test whose folder has gone by now is a failure, however it ended."""
    result = replace(result, warnings=[*result.warnings, f"summary.json could not be written: {error.strerror or error}"])
    written = result.data["files"]
    assert isinstance(written, Mapping)
    files = {**run_files.left(plan.run_dir, written), "summary": None}
    if not (gone := run_files.gone(plan.run_dir)) or result.outcome == "failed":
        return replace(result, data={**result.data, "files": files})
    data = {**result.data, "files": files, "reason": gone, "error": gone}
    return replace(result, outcome="failed", exit_code=EXIT_CODES["failed"], data=data, text=f"{plan.run}: FAILED: {gone}")


def _preparation(bench: Figures, recorder: Figures) -> dict[str, object] | None:
    """What went before the test, and how much of it is recorded; None where there was no preparation, or in it what nobody is left to
    tell."""
    found, recorded = bench.get("preparation"), recorder.get("apart", {}).get("preparation")
    if found is None and not (recorded and recorded["samples"]):
        return None
    unknown = dict.fromkeys(("duration_s", "largest_force", "refused", "samples", "lost_samples", "lost_ranges"))
    return {**unknown, **(found or {}), **(recorded or {})}


def _instrument(name: str, told: InstrumentFigures) -> str:
    failed = f", {told['failed']} did not come" if told["failed"] else ""
    failed += f" (given up: {told['gave_up']})" if told["gave_up"] else ""
    if not told["readings"]:
        return f"{name}: no reading{failed}"
    unit = told["unit"]
    course = f"{told['least']:.4g} to {told['most']:.4g} {unit}, mean {told['mean']:.4g} {unit}"
    return f"{name}: {counted(told['readings'], 'reading')}{failed}: {course}"


def _text(plan: Plan, outcome: Outcome, ended: str, table: str) -> str:
    how = {
        "done": "done",
        "verdict_failed": "done, verdict failed",
        "stopped": f"stopped: {outcome.reason}",
        "tripped": f"TRIPPED: {outcome.reason}",
        "failed": f"FAILED: {outcome.reason}",
    }[ended]
    lines = [table] if table else []
    if control := (outcome.figures.get("bench") or {}).get("control"):
        if control["kind"] == "hybrid":
            lines.append(real_time.in_words(control))
        else:
            lines.append(pseudo_dynamic.in_words(control) if control["kind"] == "pseudo_dynamic" else in_words(control))
    if paced := (outcome.figures.get("bench") or {}).get("pacing"):
        lines.append(
            f"pacing: {paced['run']} counted cycles run, {paced['reached']} reached their peaks, {paced['missed']} did not;"
            f" {paced['repeated']} run again; slowest pace {paced['slowest']:.3g}, longest wait {paced['longest_wait_s']:.3g} s"
        )
    lines += [_instrument(name, told) for name, told in ((outcome.figures.get("bench") or {}).get("instruments") or {}).items()]
    if outcome.startup_s is None:
        return f"{plan.run}: {how}\nnothing was moved, nothing recorded"
    if ended == "failed" and (plan.run_dir / "journal.bin").exists() and not outcome.figures.get("recorder"):
        lines.append(f"the record can be put together from its journal: rig recover {plan.run_dir}")
    where = run_files.gone(plan.run_dir) or f"record: {plan.run_dir / 'run.h5'}"
    return "\n".join([*lines, f"{plan.run}: {how}", *([where] if where != outcome.reason else [])])
