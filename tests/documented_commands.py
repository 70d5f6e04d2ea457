"""The commands that README and docs show: those in blocks, as they stand, and those within the text, with places to be filled in."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"```(?:sh|bash|console)\n(.*?)```", re.DOTALL)
WITHIN = re.compile(r"`(rig [^`]*)`")
FILLED = {
    "EXPERIMENT": "configs/experiments/linkage.toml",
    "BENCH": "configs/benches/virtual_loader.toml",
    "YOUR.toml": "configs/benches/virtual_loader.toml",
    "configs/benches/YOUR.toml": "configs/benches/virtual_loader.toml",
    "configs/devices/lab.toml": "configs/devices/x_series.toml",
    "CAMPAIGN": "configs/campaigns/slider_crank_clearance.toml",
    "RUN": "runs/0001-linkage",
    "LAW": "hertz",
    "NAME": "transmitted_force",
    "FILE": "configs/devices/x_series.toml",
    "N": "40123",
    "KEY=VALUE": "trajectory.cycles=3",
    "DIR": "runs",
}
"""What stands for a place to be filled in."""


@dataclass(frozen=True)
class Documented:
    """One command: the words behind `rig`, where it stands, and the remark behind `#`. `background`: it goes on beside the next one."""

    page: str
    words: tuple[str, ...]
    remark: str = ""
    background: bool = False
    filled: bool = False
    """Whether something had to be put into a place."""

    def __str__(self) -> str:
        return f"{self.page}: rig {shlex.join(self.words)}"[:110]

    @property
    def status(self) -> int:
        """Exit status that the remark leads one to expect: 1 for a verdict or a trip, 3 where the bench refuses."""
        return 3 if "refused" in self.remark else 1 if re.search(r"must fail|trips", self.remark) else 0


def in_blocks() -> list[Documented]:
    """Those to be typed as they stand, in the order of the pages."""
    found = []
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith("rig "):
                    found.append(_parted(page.name, line))
    return found


def within_text() -> list[Documented]:
    """Those that name more than the command alone."""
    found = []
    for page in PAGES:
        for span in WITHIN.findall(re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)):
            if len(words := span.split()) > 2 and not words[2].startswith("-"):  # else only an option is spoken of
                found.append(_parted(page.name, span))
    return list(dict.fromkeys(found))


def _parted(page: str, line: str) -> Documented:
    command, _, remark = line.partition("#")
    command, told, _ = command.partition(" < ")[0].partition(" &")
    said = shlex.split(_chosen(command))[1:]
    words = [FILLED.get(word, word) for word in said]
    return Documented(page, tuple(words), remark.strip(), bool(told), words != said)


def _chosen(command: str) -> str:
    """`[a|b] [--c]`: the first of what may be there, and all of it; `X...`: one."""
    first = re.sub(r"\[([^\]|]*)(?:\|[^\]]*)?\]", r"\1", command)
    return re.sub(r"\b(CASE|PAPER)(\.\.\.)?", "", first).replace("AXIS", "").replace("FILE.", "/tmp/file.")
