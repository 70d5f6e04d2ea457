"""`rig talk BENCH [AXIS]`: a guarded session by hand with one motor or loader on the port that a bench file names, and on no other."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from drivers.axes.axis import Guard
from drivers.axes.settings import AxisSettings, SerialAxisSettings
from drivers.errors import DriverError, Refused
from drivers.files.text_files import article
from drivers.loaders.settings import LoaderSettings, SerialLoaderSettings
from rig import config
from rig.command_line.arming import confirm
from rig.command_line.result import Result
from rig.commands import add_overrides
from rig.config.bench import Bench
from rig.config.kinds import kind_of
from rig.console.input import ConsoleInput
from rig.errors import ConfigError
from rig.hardware.occupancy import occupied
from rig.host import interruption
from rig.manual.loader_axis import LoaderAxis
from rig.manual.session import ACCELERATION, SPEED, Driver, ManualSession, Measure, NotAllowed
from rig.manual.units import LOADER, measure
from rig.supervision.bench_access import reachable

QUIT = "quit"


@dataclass(frozen=True)
class Target:
    """An axis or the loader of a bench; `config`: of its driver."""

    name: str
    config: AxisSettings | LoaderSettings

    @property
    def on_a_line(self) -> SerialAxisSettings | SerialLoaderSettings | None:
        """The same, where it is on a serial line of its own."""
        return self.config if isinstance(self.config, (SerialAxisSettings, SerialLoaderSettings)) else None


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig talk`."""
    parser.add_argument(
        "what", metavar="BENCH|AXIS|DRIVER", help="bench file; or with --bench the name of an axis, `loader`, or its driver"
    )
    parser.add_argument("axis", metavar="AXIS", nargs="?", help="which axis of BENCH, where it has several")
    parser.add_argument("--bench", metavar="FILE", help="bench file that names the port")
    add_overrides(parser, "override bench.KEY")
    parser.add_argument("--arm", action="store_true", help='confirm a bench with arming = "operator" without being asked')


def execute(args: argparse.Namespace) -> Result:
    """Talk until `quit`, the end of input, Ctrl-C or an error; it is stopped and without power afterwards. Raises ConfigError."""
    if args.bench and args.axis:
        raise ConfigError(f"--bench {args.bench} names the bench file: give one axis or driver before it, not {args.what} {args.axis}")
    bench, path = config.load_bench(args.bench or args.what, args.overrides)
    bench = replace(bench, pace="real")  # a person at the prompt moves no clock
    name = chosen(bench, path, args.what if args.bench else args.axis).name
    confirm(bench, args.arm)
    with occupied(path, "talk") as warnings, reachable(bench, path) as there:
        target = next(one for one in _targets(there) if one.name == name)
        settings = target.on_a_line
        assert settings is not None
        with _guard(there, name, settings.enable_line) as (guard, alive):
            shown = measure(path, name)
            found = _session(_driver(name, settings, guard, alive, shown), alive, shown)
    outcome = "stopped" if found.interrupted else "done"
    data = {
        "bench": str(path), "axis": name, "drive": kind_of(settings), "port": settings.port, "identity": found.identity,
        "stops_within_s": found.stops_within, "actions": found.actions,
    }  # fmt: skip
    return Result(outcome, 0, data, f"{name}: stopped, power off", warnings)


@dataclass(frozen=True)
class Done:
    """A session that is over; stops_within: s."""

    identity: str
    stops_within: float
    actions: list[dict[str, object]]
    interrupted: bool


def _session(driver: Driver, alive: Callable[[], None], measure: Measure) -> Done:
    """What was done, for --json. Raises what went wrong, also with the stop at the end."""
    typed = ConsoleInput(sys.stdin)
    talk = ManualSession(driver, typed.called, alive, measure)
    identity, interrupted, wrong = "", False, list[str]()
    kind: type[DriverError | ConfigError] = DriverError
    try:
        driver.connect()
        identity = driver.identity()
        _say(f"{driver.where}: {identity}\n{_rules(measure)}")
        _converse(talk, typed)
    except KeyboardInterrupt:
        interrupted = True
    except (DriverError, ConfigError) as error:
        kind, wrong = type(error), [str(error)]
    finally:
        with interruption.answered(lambda words: None):  # the stop is not to be interrupted
            wrong += talk.finish()
    if wrong:
        raise kind("\n".join(wrong))
    actions = [asdict(one) for one in talk.done]
    return Done(identity, driver.stops_within, actions, interrupted)


def _targets(bench: Bench) -> list[Target]:
    loader = [] if bench.loader is None else [Target(LOADER, bench.loader)]
    return [*loader, *(Target(axis.name, axis.drive) for axis in bench.axes)]


def chosen(bench: Bench, path: Path, name: str | None) -> Target:
    """The axis or loader by its name or its driver's, or the only one. Raises ConfigError also for one that is on no serial port of its
    own."""
    there = ", ".join(f"{one.name} ({kind_of(one.config)})" for one in _targets(bench)) or "none"
    found = [one for one in _targets(bench) if name is None or name in (one.name, kind_of(one.config))]
    if name is None:  # those that can be talked to, where there are others as well
        found = [one for one in found if one.on_a_line is not None] or found
    if len(found) != 1:
        which = "no such axis" if not found else "several axes"
        remedy = (
            "They stand in the bench file as [[axes]] or [loader]"
            if not found
            else f"Name one behind the file: rig talk {path} {found[0].name}"
        )
        raise ConfigError(f"{path}: {which}{f' {name}' if name else ''}; there are {there}. {remedy}")
    (target,) = found
    if target.on_a_line is None:
        kind = kind_of(target.config)
        raise ConfigError(f"{path}: {target.name}: {article(kind)} {kind} hangs on outputs of the DAQ device, not on a serial port")
    return target


def _driver(
    name: str, settings: SerialAxisSettings | SerialLoaderSettings, guard: Guard | None, alive: Callable[[], None], shown: Measure
) -> Driver:
    """The axis, no faster than `SPEED` and `ACCELERATION`: the drive itself is set to them as well. Or the loader, on its stroke."""
    if isinstance(settings, SerialLoaderSettings):
        return LoaderAxis(settings.create("stroke"), guard, alive, shown)
    return settings.slowed(SPEED, ACCELERATION).create(name, guard)


@contextlib.contextmanager
def _guard(bench: Bench, name: str, line: str | None) -> Iterator[tuple[Guard | None, Callable[[], None]]]:
    """(the enable line on a guarded output where the bench has one, what is to be called as a sign of life)."""
    if line is None or bench.daq.watchdog is None:
        yield None, lambda: None
        return
    from drivers.daq.guarded_lines import GuardedLines  # the vendor's package takes a second

    lines = GuardedLines(bench.daq.device, {f"{name}_enable": line}, bench.daq.watchdog, bench.address)
    lines.open()
    try:
        yield Guard(lines, lines.falls_within), lines.alive
    finally:
        for text in lines.close():
            _say(text)


def _converse(talk: ManualSession, typed: ConsoleInput) -> None:
    """Lines until the last one. By hand what is refused is said, and the session goes on; a script ends there. Raises DriverError."""
    _say("> ", end="")
    with contextlib.suppress(EOFError):
        while (line := typed.next(talk.pause)) is None or line.strip() != QUIT:
            try:
                if line is None:
                    talk.keep_alive()
                    continue
                if line.strip():
                    _say(talk.do(line))
            except NotAllowed as error:
                if not typed.by_hand:
                    raise ConfigError(str(error)) from error
                _say(str(error))
            except Refused as error:
                if not typed.by_hand:
                    raise
                _say("\n".join([str(error), *talk.cut()]))
            _say("> ", end="")


def _rules(shown: Measure) -> str:
    move = f"move {shown.what} (at most {shown(shown.largest):.4g} {shown.unit}, at {shown.in_speed(shown.speed)} or less)"
    return f"read, enable, {move}, stop, fault, reset, help, quit. While it moves, Enter stops it; Ctrl-C at any time stops it and ends"


def _say(text: str, end: str = "\n") -> None:
    print(text, end=end, file=sys.stderr, flush=True)
