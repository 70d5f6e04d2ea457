"""Blocks, and how far ahead of the samples the command is written."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.experiment import Experiment
from rig.config.tree import Problem

MIN_AHEAD_BLOCKS = 2


def problems(experiment: Experiment) -> Iterator[Problem]:
    """Blocks of whole samples, and a command that is some of them ahead."""
    rate, block, ahead = experiment.acquisition.rate, experiment.acquisition.block, experiment.command.ahead
    samples = rate * block
    if samples < 1.0 or abs(samples - round(samples)) > 1e-6 * samples:
        near = max(1, round(samples)) / rate
        text = f"expected a whole number of samples, got {block:g} s x {rate:g} Hz = {samples:g}; {near:.9g} s would do"
        yield Problem(("acquisition", "block"), text)
    if ahead < MIN_AHEAD_BLOCKS * block * (1.0 - 1e-9):
        yield Problem(("command", "ahead"), f"expected at least {MIN_AHEAD_BLOCKS} blocks, {MIN_AHEAD_BLOCKS * block:g} s; got {ahead:g} s")
