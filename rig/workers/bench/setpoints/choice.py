"""Which setpoint an experiment has."""

from __future__ import annotations

from rig.config.bench import Bench
from rig.config.checks.control import command_bounds
from rig.config.experiment import MODE_UNITS, Experiment
from rig.control import amplitude
from rig.control.corrector import Corrector, Schedule
from rig.control.wave import Wave
from rig.trajectory import Trajectory, hybrid, pseudo_dynamic
from rig.trajectory.blocks import soft_stop
from rig.workers.bench.setpoints.pseudo_dynamic import Stepwise
from rig.workers.bench.setpoints.setpoint import Setpoint, Timing


def create(experiment: Experiment, trajectory: Trajectory | None, bench: Bench, rate: float, feedback: float, timing: Timing) -> Setpoint:
    """The setpoint of an experiment on a bench whose device runs at `rate` (Hz) and whose controlled channel shows `feedback`; trajectory:
    as `read`."""
    control, mode = experiment.control, experiment.command.mode
    if isinstance(experiment.trajectory, pseudo_dynamic.Config):
        return Stepwise(experiment.trajectory, rate, feedback, timing, command_bounds(experiment, bench))
    if isinstance(experiment.trajectory, hybrid.Config):
        from rig.workers.bench.setpoints.hybrid import RealTime  # its compiled compensators take a second to load

        return RealTime(experiment.trajectory, rate, feedback, timing, command_bounds(experiment, bench))
    assert trajectory is not None
    if not isinstance(control, amplitude.Config):
        return Setpoint(trajectory, rate, feedback, timing, paced=experiment.pacing.on)
    stop = soft_stop(experiment.trajectory)
    wave = Wave.from_trajectory(trajectory)
    schedule = Schedule(
        blend=max(1, round(control.blend / wave.frequency * rate)),
        counted_end=(trajectory.duration - stop) * rate,
        soft_stop=stop * rate,
    )
    learning = amplitude.Control(control, wave, rate, _bounds(experiment, bench), stop, MODE_UNITS[mode])
    return Setpoint(trajectory, rate, feedback, timing, Corrector(learning, wave, schedule), experiment.pacing.on)


def _bounds(experiment: Experiment, bench: Bench) -> amplitude.Bounds:
    """All that bounds the command, and the ends of the input that shows what it does."""
    allowed = command_bounds(experiment, bench)
    channel = next(c for c in bench.channels if c.name == bench.loader_channel(experiment.command.mode))
    sensor = channel.sensor
    ends = sorted(sensor.sensitivity * volts + sensor.offset - sensor.tare for volts in (-channel.range, channel.range))
    return amplitude.Bounds(allowed.low, allowed.high, allowed.rate, measured=(ends[0], ends[1]))
