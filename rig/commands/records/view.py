"""`rig view RUN`: the window on a record, or a picture of it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import psutil

from rig.command_line.names import file_name
from rig.command_line.result import Result
from rig.display.window.availability import reason_headless
from rig.errors import ConfigError, RigError
from rig.files import output_files
from rig.host import clock
from rig.recorder import embedded
from rig.recorder.examination import need_readable
from rig.recorder.folders import find_record
from rig.recorder.reading import RunData, read_run
from rig.report.endurance import kept
from rig.supervision.unfinished import Readable, readable

BEGUN = clock.now()  # this module is imported as soon as the command is known
SMALLEST, LARGEST = 400, 8000  # px, of a picture


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig view`."""
    parser.add_argument(
        "run", metavar="RUN", help="folder of a run, or its run.h5, or a part of it; of a test that goes on its closed parts"
    )
    parser.add_argument("--at", metavar="S", type=float, help="moment shown first, s (default: the beginning; of a picture: half)")
    parser.add_argument("--span", metavar="S", type=float, help="time shown, s (default: as the last time; of a picture: 2)")
    parser.add_argument("--channel", metavar="NAME", help="channel shown in the overlay")
    parser.add_argument("--lowpass", action="store_true", help="curves behind the low-pass of the comparison, as they are judged (key L)")
    parser.add_argument("--motion", action="store_true", help="with the mechanism and the orbits of its pins (keys A and O)")
    parser.add_argument("--theme", choices=("light", "dark"), help="colours (default: as the last time)")
    parser.add_argument("--picture", metavar="FILE.png", type=file_name, help="write a picture, no window; needs no display")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--trend", action="store_true", help="the picture shows every cycle over the cycles (needs --picture)")
    text = "the picture shows where the model has each pin in its bush (needs --picture): --span s up to --at, else the last 3 cycles"
    instead.add_argument("--orbit", action="store_true", help=text)
    text = "the picture shows impacts of test and model over angle and cycle (needs --picture), of --channel, else of an acceleration"
    instead.add_argument("--impacts", action="store_true", help=text)
    text = (
        "the picture shows where contact is lost, in test, model and by the published criteria (needs --picture; a four-bar's acceleration)"
    )
    instead.add_argument("--losses", action="store_true", help=text)
    text = "write the mechanism in motion, its clearances magnified: --span s up to --at, else the last cycle"
    parser.add_argument("--animation", metavar="FILE.gif", type=file_name, help=f"{text} (.mp4 by ffmpeg, where it is installed)")
    parser.add_argument(
        "--magnify", metavar="N", type=float, help="times that clearances are drawn larger (default: so that they are seen)"
    )
    parser.add_argument("--size", metavar="WxH", type=_size, help="size of the window, as 1440x900")


def execute(args: argparse.Namespace) -> Result:
    """Show it until the window is closed; `first_picture_s` is the time from the start of the command."""
    if args.span is not None and not args.span > 0.0:
        raise ConfigError(f"--span {args.span:g}: expected a time above 0 s")
    if args.magnify is not None and not 1.0 <= args.magnify <= 1e6:
        raise ConfigError(f"--magnify {args.magnify:g}: expected a number from 1 to 1e6")
    if args.animation is not None and args.picture is not None:
        raise ConfigError("--animation: expected it without --picture; each is a file of its own")
    with readable(Path(args.run)) as found:
        if found.said and args.picture is None and args.animation is None:  # a window stays for long, and warnings come at its end
            print(found.said, file=sys.stderr, flush=True)
        return _viewed(args, found)


def _viewed(args: argparse.Namespace, found: Readable) -> Result:
    need_readable(find_record(found.run))
    record = read_run(found.run)
    warnings = [*([found.said] if found.said else []), *embedded.doubts(record)]
    if args.animation is not None:
        return _animated(args, found, record, warnings)
    picture = None if args.picture is None else _picture(Path(args.picture))
    for name in ("trend", "orbit", "impacts", "losses"):
        if getattr(args, name) and picture is None:
            raise ConfigError(f"--{name}: expected --picture FILE.png beside it, where it is drawn")
    if picture is not None and (args.orbit or args.impacts or args.losses):
        return _drawn(args, found, record, picture, warnings)
    if picture is not None and (args.trend or kept.nothing(record)):
        return _trend(args.run, record, picture, warnings)
    if picture is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if why := reason_headless():
        advice = "" if picture else "; --picture FILE.png writes a picture without a display"
        raise RigError(f"view: no window can be shown: {why}{advice}")
    from rig.display.window import replay  # Qt only when it can be loaded

    wanted = replay.Wanted(args.at, args.channel, args.theme, args.span, args.size, args.lowpass, args.motion)
    figures: dict[str, object] = {"run": args.run}
    if picture is not None:
        figures |= replay.picture(found.run, wanted, picture)
        _note(figures)
        return Result(data=figures, text=f"picture: {picture} ({figures['at_s']:.3f} s into the record)", warnings=warnings)
    figures |= replay.show(found.run, wanted, lambda: _note(figures))
    figures["memory_bytes"] = psutil.Process().memory_info().rss
    return Result(data=figures, text=f"closed; first picture after {figures['first_picture_s']:.1f} s", warnings=warnings)


def _drawn(args: argparse.Namespace, found: Readable, record: RunData, picture: Path, warnings: list[str]) -> Result:
    """What explains a test: where its pins move, where it hits, or where it loses contact."""
    from rig.report.motion import pictures  # a window does not wait for what draws these

    folder, part = _folder(found), pictures.Part(args.at, args.span)
    if args.losses:
        told = pictures.losses(folder, record, part, picture)
    elif args.orbit:
        told = pictures.orbit(folder, record, part, picture)
    else:
        told = pictures.impacts(folder, record, part, picture, args.channel)
    figures = {"run": args.run, "samples": record.samples, "rate_hz": record.rate, **told, "files": {"picture": picture}}
    return Result(data=figures, text=f"picture: {picture}", warnings=warnings)


def _folder(found: Readable) -> Path:
    return found.run if found.run.is_dir() else found.run.parent


def _animated(args: argparse.Namespace, found: Readable, record: RunData, warnings: list[str]) -> Result:
    file = output_files.checked("--animation", Path(args.animation), (".gif", ".mp4"))
    from rig.report.motion import pictures

    told = pictures.animation(_folder(found), record, pictures.Part(args.at, args.span), file, args.magnify)
    figures = {"run": args.run, **told, "files": {"animation": file}}
    text = f"animation: {file} (clearances {told['magnified']:g} times as large, at {1.0 / told['slower']:.3g} of the test's pace)"
    return Result(data=figures, text=text, warnings=warnings)


def _trend(run: str, record: RunData, picture: Path, warnings: list[str]) -> Result:
    """The cycles of a record over the cycles: asked for, or all that there is. Raises ConfigError where there is no table of them."""
    from rig.report.endurance import endured  # a window does not wait for it

    said = kept.words(record) if kept.nothing(record) else ""
    with output_files.whole("--picture", picture) as new:
        found = endured.draw_record(new, record, said)
        if found is None:
            raise ConfigError(f"{said}, and no table of cycles" if said else endured.need_cycles(record))
    figures = {"run": run, "samples": record.samples, "rate_hz": record.rate, "cycles": found.whole, "files": {"picture": picture}}
    return Result(data=figures, text=f"picture: {picture} ({said or f'{found.whole} whole cycles'})", warnings=warnings)


def _note(figures: dict[str, object]) -> None:
    figures["first_picture_s"] = clock.now() - BEGUN
    figures["memory_bytes"] = psutil.Process().memory_info().rss


def _picture(path: Path) -> Path:
    return output_files.checked("--picture", path, (".png",))


def _size(given: str) -> tuple[int, int]:
    width, _, height = given.partition("x")
    if not (width.isdigit() and height.isdigit() and all(SMALLEST <= int(side) <= LARGEST for side in (width, height))):
        raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT from {SMALLEST} to {LARGEST} pixels, as 1440x900, got {given!r}")
    return int(width), int(height)
