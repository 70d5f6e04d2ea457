"""Channels that cannot be believed before anything moves: at a rail, or without the noise that their sensor has. In words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rig.checks.overload import MARGIN
from rig.checks.stated_noise import Quiet, resolved, too_quiet
from rig.config.bench import InputChannel
from rig.config.counter import KINDS
from rig.hardware.taring import Reading


def stated(channel: InputChannel) -> float:
    """Noise (rms, its unit) that a channel has to show; 0 where nobody knows."""
    return 0.0 if channel.kind in KINDS or channel.steady else resolved(channel.sensor.noise, channel.ends)


def quiet_in_words(one: Quiet, channel: InputChannel) -> str:
    """What is wrong, and where to look."""
    what = f"its noise is {one.rms:.3g} {channel.unit} rms, its sensor's record says {one.stated:.3g} {channel.unit}"
    where = f"unplugged, without supply, or frozen: look at sensor, conditioner and wires to {channel.terminal}"
    return f"DAQ: channel {channel.name} on {channel.terminal} is dead: {what}; {where} (steady = true: it is not looked at)"


def doubts(channels: Sequence[InputChannel], readings: Sequence[Reading]) -> Iterator[str]:
    """A line for each channel that a test should not be started with; readings: gross, at rest."""
    for channel, reading in zip(channels, readings, strict=True):
        low, high = channel.ends
        margin, net = MARGIN * (high - low), reading.mean - channel.sensor.tare
        if not low + margin < net < high - margin:
            where = f"{net:.6g} {channel.unit}, on {channel.terminal}: an open circuit, or a conditioner that is overloaded"
            yield f"{channel.name} is at the end of its range before anything moves: {where}"
        for one in too_quiet([reading.sd], [stated(channel)]):
            yield quiet_in_words(one, channel)
