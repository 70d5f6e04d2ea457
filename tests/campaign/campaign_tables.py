"""What the results of a campaign say, in a few tables: `python tests/campaign/campaign_tables.py` shows them of the last one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from campaign_results import Results

Found = list[dict[str, Any]]
WIDTH = 34


def tables(results: Results) -> list[str]:
    """Lines to print, grouped as the cases are."""
    lines = [f"code: {', '.join(f'{state} ({count} cases)' for state, count in results.codes.items()) or 'nothing found yet'}"]
    for part in (_agreement, _delays, _rigs, _kills, _soak, _daqmx, _files, _disturbances, _rig_disturbances, _pairs):
        lines += part(results)
    return lines


def _groups(results: Results, start: str) -> Iterator[tuple[str, Found]]:
    """Cases that differ in their last part only (the seed), together."""
    groups: dict[str, Found] = defaultdict(list)
    for case, found in results.under(start).items():
        groups[case.rpartition("/")[0]].append(found)
    yield from groups.items()


def _agreement(results: Results) -> Iterator[str]:
    """Verdicts, and the range of each criterion's error over the seeds."""
    for start in ("agreement/", "clearance/", "no clearance/", "law/"):
        for group, found in _groups(results, start):
            verdicts = [one["verdict"] for one in found]
            yield f"{group:{WIDTH}} {', '.join(f'{verdicts.count(v)} of {len(found)} {v}' for v in dict.fromkeys(verdicts))}"
            for metric in found[0]["errors"]:
                errors = [one["errors"][metric] for one in found if one["errors"][metric] is not None]
                unknown = f", unknown in {len(found) - len(errors)}" if len(errors) < len(found) else ""
                span = f"{min(errors):+10.5f} .. {max(errors):+10.5f}" if errors else f"{'-':>24}"
                yield f"    {metric:{WIDTH - 4}} {span}   allowed {found[0]['tolerances'][metric]:g}{unknown}"


def _delays(results: Results) -> Iterator[str]:
    """What the late line adds to the delay that is reported without it."""
    found = results.under("delay/")
    for case in [case for case in found if "/late/" in case]:
        before, after = (found[one]["delay_samples"] for one in (case.replace("/late/", "/straight/"), case))
        yield f"{case:{WIDTH}} {before:8.3f} -> {after:8.3f}   +{after - before:.4f} samples"


def _rigs(results: Results) -> Iterator[str]:
    """The rigs in real time, with the range of each channel's NRMS over the seeds; and clocks that were found out."""
    for group, found in _groups(results, "real time/"):
        done = sum(one["outcome"] == "done" and one["in_order"] and not one["lost_samples"] for one in found)
        yield f"{group:{WIDTH}} {done} of {len(found)} done, nothing lost"
        for channel in found[0]["nrms"]:
            values = [one["nrms"][channel] for one in found if one["nrms"].get(channel) is not None]
            yield f"    NRMS {channel:{WIDTH - 9}} {min(values):10.4f} .. {max(values):10.4f}" if values else f"    NRMS {channel}: none"
    for case, one in results.under("skew/").items():
        yield f"{case:{WIDTH}} {one['skew_ppm']:+.2f} ppm found"


def _kills(results: Results) -> Iterator[str]:
    """How many kills and stops for ever went as they should, and the range of each figure."""
    for group, found in [*_groups(results, "kill/"), *_groups(results, "hang/")]:
        wrong = [one["wrong"] for one in found if one["wrong"]]
        yield f"{group:{WIDTH}} {len(found) - len(wrong)} of {len(found)} as they should"
        names = dict.fromkeys(name for one in found for name in one["figures"])
        for name in names:
            values = [one["figures"][name] for one in found if name in one["figures"]]
            yield f"    {name:{WIDTH - 4}} {min(values):10.4g} .. {max(values):10.4g}"
        for why in wrong:
            yield f"    wrong: {why}"


def _soak(results: Results) -> Iterator[str]:
    for case, found in results.under("soak/").items():
        yield case
        for name, value in found.items():
            yield f"    {name:{WIDTH - 4}} {value}"


def _daqmx(results: Results) -> Iterator[str]:
    """How random calls were answered, by kind of answer, and what the churn of clients left."""
    if found := results.under("daqmx/random calls/"):
        answers: dict[str, int] = defaultdict(int)
        for one in found.values():
            for kind, count in one["answers"].items():
                answers[kind] += count
        told = ", ".join(f"{kind} {count}" for kind, count in sorted(answers.items()))
        left = sum(one["left"] for one in found.values())
        faults = sum(one["fault"] != "" for one in found.values())
        yield f"daqmx/random calls: {len(found)} sequences, {left} tasks left, {faults} faults; {told}"
    for case, one in results.under("daqmx/churn").items():
        yield (
            f"{case}: {one['killed']} clients killed, {one['gained'] / 1e6:.1f} MB gained, {one['threads'][-1]} threads, "
            f"{len(one['tasks'])} tasks and {len(one['working'])} calls left"
        )


def _files(results: Results) -> Iterator[str]:
    """Files that were changed at random."""
    for case, found in results.under("files/").items():
        tried = found["read"] + found["refused"]
        told = f"{tried} tried, {found['read']} of them read, {len(found['faults'])} faults, slowest {found['slowest']:.2f} s"
        yield f"{case:{WIDTH}} {told}"


def _disturbances(results: Results) -> Iterator[str]:
    """Of each disturbance and level: how wrong the channel was, what the verdict was, and what the program named as the cause."""
    for group, found in _groups(results, "disturbance/"):
        worst = [max(one["size"].values()) for one in found]
        verdicts = [one["verdict"] for one in found]
        told = ", ".join(f"{verdicts.count(v)} of {len(found)} {v}" for v in dict.fromkeys(verdicts))
        yield f"{group:{WIDTH}} wrong by {min(worst):.2f} .. {max(worst):.2f} of the tolerance: {told}"
        for cause in dict.fromkeys(one["cause"] for one in found if one["cause"]):
            yield f"    named in {sum(one['cause'] == cause for one in found)}: {cause}"


def _rig_disturbances(results: Results) -> Iterator[str]:
    """The same on the motor rigs; `-`: no level of that fault is worth so much of the tolerance there."""
    for group, all_found in _groups(results, "rig-disturbance/"):
        found = [one for one in all_found if one.get("level", 0.0) is not None]
        worst = [max(one["size"].values()) for one in found if one["size"]] or [0.0]
        verdicts = [one["verdict"] for one in found]
        told = ", ".join(f"{verdicts.count(v)} of {len(found)} {v}" for v in dict.fromkeys(verdicts))
        span = f"wrong by {min(worst):.2f} .. {max(worst):.2f} of the tolerance: {told}" if found else "-"
        yield f"{group.partition('/')[2]:{WIDTH}} {span}"
        for cause in dict.fromkeys(one["cause"] for one in found if one["cause"]):
            yield f"    named in {sum(one['cause'] == cause for one in found)}: {cause}"


def _pairs(results: Results) -> Iterator[str]:
    """Of each figure of the synthetic pairs: its bias in standard errors of the mean, how many intervals of 100 hold, and of 100 verdicts
    at a true error of so many tolerances how many passed, could not be judged, and failed."""
    sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for one in results.under("pairs/").values():
        for name, counts in one.items():
            for key, value in counts.items():
                sums[name][key] += value
    ratios = ("0.25", "0.8", "1", "1.2", "4")
    if sums:
        yield f"{'pairs':{WIDTH}} {'told':>5} {'bias':>6} {'held':>6} " + "".join(f"{ratio} tol.".rjust(12) for ratio in ratios)
    for name, counts in sums.items():
        n, mean = counts["told"], counts["off"] / counts["told"]
        bias = mean / ((counts["squares"] / n - mean**2) / n) ** 0.5
        told = "".join(_split(counts, ratio).rjust(12) for ratio in ratios)
        yield f"{name:{WIDTH}} {n:5.0f} {bias:+6.1f} {100.0 * counts['held'] / n:6.1f} {told}".rstrip()


def _split(counts: dict[str, float], ratio: str) -> str:
    """Passed/open/failed, of 100."""
    parts = [counts.get(f"{ratio} {result}", 0.0) for result in ("pass", "cannot_be_judged", "fail")]
    return "/".join(f"{100.0 * part / sum(parts):.0f}" for part in parts) if sum(parts) else ""


if __name__ == "__main__":
    print("\n".join(tables(Results())))
