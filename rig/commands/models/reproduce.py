"""`rig reproduce [PAPER...]`: every statement with a number or a trend in the papers, printed beside computed."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from rig.command_line.result import Result
from rig.commands import add_overrides
from rig.errors import ConfigError
from rig.files import output_files
from rig.reproduction.claims import PAPERS
from rig.reproduction.groups import Decision
from rig.reproduction.identifying import Identified, begin_identifying, unsearched
from rig.reproduction.judging import VERDICTS
from rig.reproduction.reproducing import begin, decisions, threads
from rig.reproduction.rows import Row
from rig.reproduction.study import Study


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig reproduce`."""
    parser.add_argument("papers", metavar="PAPER", nargs="*", help=f"{', '.join(PAPERS)}; default all")
    parser.add_argument("--full", action="store_true", help="longer runs and more members where the short form is a compromise")
    parser.add_argument(
        "--identify", action="store_true", help="search doubtful parameters within their stated bounds for what is not reproduced; minutes"
    )
    add_overrides(parser, "override a key in everything that is computed")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("runs/reproduce"), help="folder of the pictures; default %(default)s"
    )


def execute(args: argparse.Namespace) -> Result:
    """Compute and judge. Raises ConfigError for an unknown paper, an unknown key, settings that cannot be run."""
    if unknown := [paper for paper in args.papers if paper not in PAPERS]:
        raise ConfigError(f"reproduce: expected {', '.join(PAPERS)}; got {', '.join(unknown)}")
    chosen = [paper for paper in PAPERS if paper in args.papers or not args.papers]
    output_files.folder("--out", args.out)
    from rig.report import reproduction as page
    from rig.report.identified_table import identified_table
    from rig.report.reproduction_table import table

    studies = {paper: Study(args.overrides, args.full) for paper in chosen}
    papers: dict[str, list[Row]] = {paper: [] for paper in chosen}
    groups: dict[str, list[Decision]] = {paper: [] for paper in chosen}
    identified: dict[str, list[Identified]] = {}
    files = {paper: str(args.out / f"{paper}.png") for paper in chosen}
    with threads(*studies.values()) as pool:
        begun = {paper: begin(paper, studies[paper], pool) for paper in reversed(chosen)}  # the longest first, so that no core waits for it
        for paper, rows in begun.items():
            print(f"reproduce: {paper} ...", file=sys.stderr)
            papers[paper] = rows()
            groups[paper] = decisions(paper, papers[paper])
            if args.identify:
                print(f"reproduce: {paper}, doubtful parameters ...", file=sys.stderr)
                identified[paper] = begin_identifying(paper, papers[paper], studies[paper], pool)()
            page.draw(Path(files[paper]), paper, papers[paper], page.panels(paper, studies.pop(paper)), groups[paper])
    counted = Counter(row["verdict"] for rows in papers.values() for row in rows)
    counts = {verdict: counted[verdict] for verdict in VERDICTS}
    text = "\n\n".join([*(table(paper, rows, groups[paper], files[paper]) for paper, rows in papers.items()), _counts(counts)])
    data: dict[str, object] = {"papers": papers, "counts": counts, "groups": groups, "files": files}
    if args.identify:
        left = {paper: unsearched(paper, papers[paper], identified[paper]) for paper in chosen}
        text = "\n\n".join([text, *(identified_table(paper, identified[paper], left[paper]) for paper in chosen)])
        data |= {"identified": {paper: identified[paper] for paper in chosen}, "unsearched": left}
    return Result(data=data, text=text)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {verdict.replace('_', ' ')}" for verdict, count in counts.items())
