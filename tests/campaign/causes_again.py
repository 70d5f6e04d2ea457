"""Name the causes of a campaign's disturbances once more, from what `--keep DIR` kept of it:
`PYTHONPATH=.:tests/system python tests/campaign/causes_again.py DIR`.

A table of what is named, and how often; `--write` puts it among the campaign's results as cases of their own, with the state of the code.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from campaign_results import Results
from disturbed_runs import CHANNEL, kept

from rig.comparison.load_frame import FrameChannels
from rig.report.causes import cause_in, in_words

FRAME = FrameChannels(CHANNEL, "actuator_force", "stroke", ("acceleration_1", "acceleration_2", "acceleration_3"))


def main(folder: Path, write: bool) -> None:
    """Files are named `FAULT, SHARE, SEED.npz`, as the campaign keeps them."""
    results, named = Results(), defaultdict[tuple[str, str], list[str]](list)
    for path in sorted(folder.glob("*.npz")):
        fault, share, seed = path.stem.split(", ")
        found = named_in(path)
        named[fault, share].append(found["cause"])
        if write:
            results.once(f"cause/{fault}/{share}/{seed}", lambda found=found: found)
    for (fault, share), words in sorted(named.items()):
        print(f"{fault}, {share} of the tolerance, {len(words)} benches")
        for one in sorted(set(words), key=words.count, reverse=True):
            print(f"    {words.count(one):3} {one}")
    if write:
        results.publish()


def named_in(path: Path) -> dict[str, Any]:
    """What is named, without the figures that differ from bench to bench, and how it is said."""
    cause = cause_in(kept(path), CHANNEL, FRAME, in_force=True)
    return {"cause": "" if cause is None else cause.words, "said": "" if cause is None else in_words(cause)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--write" in sys.argv[2:])
