"""Keys of the virtual frame: the tables of its configuration. All values are assumed, found by simulation."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from rig.virtual.plants.settings import PlantSettings
from rig.virtual.plants.surfaces import Surfaces

STANDARD_GRAVITY = 9.80665
SWINGS = 0.2
"""Largest step times circular frequency of a link in its grip."""


@dataclass(frozen=True)
class Specimen:
    """Three links in series, two clearance pins, in a fixture (hu2016)."""

    upper_mass: float = field(default=60.0, metadata={"unit": "kg", "over": 0.0, "doc": "upper link, grip, load cell"})
    middle_mass: float = field(default=3.0, metadata={"unit": "kg", "over": 0.0})
    lower_mass: float = field(default=60.0, metadata={"unit": "kg", "over": 0.0, "doc": "lower link, grip, piston"})
    frame_stiffness: float = field(default=1.5e8, metadata={"unit": "N/m", "over": 0.0, "doc": "of the fixture above the upper link"})
    frame_damping: float = field(default=1.2e4, metadata={"unit": "N*s/m", "at_least": 0.0})
    pin_radius: float = field(default=0.015, metadata={"unit": "m", "over": 0.0})
    closed_stiffness: float = field(default=2e9, metadata={"unit": "N/m", "over": 0.0, "doc": "of a joint without clearance"})
    closed_damping_ratio: float = field(default=0.05, metadata={"at_least": 0.0})
    second_mode_mass: float = field(
        default=0.0,
        metadata={"unit": "kg", "at_least": 0.0, "doc": "of a crosshead that swings on the upper link; 0: the frame has one mode"},
    )
    second_mode_frequency: float = field(default=120.0, metadata={"unit": "Hz", "over": 0.0, "doc": "of that crosshead by itself"})
    second_mode_damping_ratio: float = field(default=0.02, metadata={"at_least": 0.0})
    misalignment: float = field(
        default=0.0,
        metadata={"unit": "m", "at_least": 0.0, "doc": "of the line of load beside the fixture's axis: it bends, and is softer by that"},
    )
    pin_friction: float = field(
        default=0.0,
        metadata={"unit": "N", "at_least": 0.0, "doc": "dry, of each joint: cheeks that rub while its links move; it holds at rest"},
    )
    grip_stiffness: float = field(
        default=0.0, metadata={"unit": "N/m", "at_least": 0.0, "doc": "of the seat of each link in its grip; 0: it does not give way"}
    )
    grip_damping_ratio: float = field(default=0.2, metadata={"at_least": 0.0, "below": 1.0, "doc": "of a link that swings in its grip"})
    gripped_share: float = field(
        default=0.5, metadata={"over": 0.0, "below": 1.0, "doc": "of upper and lower mass that is the link, where grips give way"}
    )
    bending_stiffness: float = field(default=5e5, metadata={"unit": "N*m/rad", "over": 0.0, "doc": "of the fixture, against that"})

    @property
    def grip_frequency(self) -> float:
        """Circular frequency (1/s) of the lighter link in its grip."""
        share = self.gripped_share * (1.0 - self.gripped_share)
        return math.sqrt(self.grip_stiffness / (share * min(self.upper_mass, self.lower_mass)))


@dataclass(frozen=True)
class Loop:
    """The controller's PI loops; the spool is a fraction of its stroke."""

    force_proportional: float = field(
        default=2.5e-5, metadata={"unit": "1/N", "at_least": 0.0, "doc": "spool (1 = fully open) for the error of force"}
    )
    force_integral: float = field(default=1e-4, metadata={"unit": "1/(N*s)", "at_least": 0.0, "doc": "the same for its integral"})
    stroke_proportional: float = field(default=150.0, metadata={"unit": "1/m", "at_least": 0.0, "doc": "spool for the error of stroke"})
    stroke_integral: float = field(default=300.0, metadata={"unit": "1/(m*s)", "at_least": 0.0, "doc": "the same for its integral"})
    integral_limit: float = field(
        default=0.2, metadata={"at_least": 0.0, "at_most": 1.0, "doc": "most that the integral may ask of the spool"}
    )
    feedback_lowpass: float = field(default=1000.0, metadata={"unit": "Hz", "over": 0.0, "doc": "two-pole Butterworth"})
    release_ramp: float = field(default=0.2, metadata={"unit": "s", "over": 0.0, "doc": "force setpoint to zero when the program goes off"})


@dataclass(frozen=True)
class Hydraulics:
    """Valve, oil column and actuator."""

    valve_frequency: float = field(default=150.0, metadata={"unit": "Hz", "over": 0.0, "doc": "of the spool, second order"})
    valve_damping_ratio: float = field(default=0.8, metadata={"at_least": 0.0})
    full_speed: float = field(default=0.2, metadata={"unit": "m/s", "over": 0.0, "doc": "unloaded, spool fully open"})
    supply_force: float = field(default=260e3, metadata={"unit": "N", "over": 0.0, "doc": "of the piston at full pressure"})
    low_pressure: float = field(
        default=1.0, metadata={"over": 0.0, "at_most": 1.0, "doc": "share of the supply while `hydraulics_high` is low; 1: one pressure"}
    )
    oil_stiffness: float = field(default=2e8, metadata={"unit": "N/m", "over": 0.0, "doc": "of the oil column behind the piston"})
    leakage: float = field(default=5e-8, metadata={"unit": "m/(s*N)", "at_least": 0.0, "doc": "past the piston: speed for a force"})
    seal_damping: float = field(default=2000.0, metadata={"unit": "N*s/m", "at_least": 0.0, "doc": "friction of the seals"})
    seal_friction: float = field(default=0.0, metadata={"unit": "N", "at_least": 0.0, "doc": "dry, of the seals: the piston sticks by it"})
    valve_deadband: float = field(
        default=0.0, metadata={"unit": "1", "at_least": 0.0, "below": 1.0, "doc": "spool to either side that opens nothing (overlap)"}
    )
    valve_hysteresis: float = field(
        default=0.0, metadata={"unit": "1", "at_least": 0.0, "below": 1.0, "doc": "spool: way up against way down of what is asked"}
    )
    pump_ripple: float = field(
        default=0.0, metadata={"unit": "1", "at_least": 0.0, "below": 1.0, "doc": "amplitude of the supply's ripple, share of the supply"}
    )
    ripple_frequency: float = field(default=225.0, metadata={"unit": "Hz", "over": 0.0, "doc": "of the pump: pistons times turns"})
    oil_warmer: float = field(
        default=0.0, metadata={"unit": "K", "at_least": -60.0, "at_most": 80.0, "doc": "than the 40 degC for which the other values stand"}
    )


@dataclass(frozen=True)
class Panel:
    """What the controller's operator has set: full scales, and the limits at which it interlocks by itself."""

    force_full_scale: float = field(default=250e3, metadata={"unit": "N", "over": 0.0, "doc": "10 V of command and monitor"})
    stroke_full_scale: float = field(default=0.050, metadata={"unit": "m", "over": 0.0, "doc": "10 V of command and monitor"})
    force_limit: float = field(default=245e3, metadata={"unit": "N", "over": 0.0, "doc": "the controller's own: beyond it it interlocks"})
    stroke_limit: float = field(default=0.045, metadata={"unit": "m", "over": 0.0, "doc": "the controller's own, each way"})


@dataclass(frozen=True)
class LoaderSensors:
    """Conditioners behind the monitor outputs."""

    monitor_bandwidth: float = field(default=5000.0, metadata={"unit": "Hz", "over": 0.0, "doc": "two-pole Butterworth"})
    force_zero: float = field(default=0.0, metadata={"unit": "N", "doc": "what the load cell shows without load, as of a grip's weight"})
    stroke_noise: float = field(default=0.5e-6, metadata={"unit": "m", "at_least": 0.0, "doc": "rms"})


@dataclass(frozen=True)
class Sensors(LoaderSensors):
    """Conditioners behind the monitor outputs, and the IEPE accelerometers."""

    acceleration_sensitivity: float = field(default=0.010 / STANDARD_GRAVITY, metadata={"unit": "V/(m/s^2)", "over": 0.0})
    acceleration_bandwidth: float = field(default=10e3, metadata={"unit": "Hz", "over": 0.0, "doc": "one pole"})
    acceleration_coupling: float = field(default=0.5, metadata={"unit": "Hz", "over": 0.0, "doc": "AC coupling, one pole"})
    acceleration_noise: float = field(default=0.5, metadata={"unit": "m/s^2", "at_least": 0.0, "doc": "rms"})


@dataclass(frozen=True)
class LoaderFaults:
    """What may be wrong with a loader: for trying how that is found."""

    span: float = field(default=1.0, metadata={"at_least": 0.0, "doc": "gain of the external command, as set at the controller's panel"})
    force_span: float = field(default=1.0, metadata={"at_least": 0.0, "doc": "another gain, in force mode only"})
    sign: int = field(default=1, metadata={"choices": (-1, 1), "doc": "-1: the external command is inverted"})
    swapped: bool = field(default=False, metadata={"doc": "force and stroke monitor exchanged"})
    valve_stuck: bool = field(default=False, metadata={"doc": "the spool stays in its middle"})
    supply: float = field(
        default=1.0, metadata={"unit": "1", "at_least": 0.01, "at_most": 1.0, "doc": "share of the pressure that is left; 0.01: none"}
    )
    dead_cell: bool = field(default=False, metadata={"doc": "the load cell shows nothing, to the controller neither"})
    begin: float = field(
        default=0.0, metadata={"unit": "s", "at_least": 0.0, "doc": "of the bench's clock: they come then; 0: there from the beginning"}
    )


@dataclass(frozen=True)
class Faults(LoaderFaults):
    """What may be wrong with a frame or with what is mounted in it."""

    slack: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "play beyond the clearance: not gripped"})
    loosening: float = field(
        default=0.0, metadata={"unit": "m/s", "at_least": 0.0, "doc": "growth of the upper joint's play: a grip that loosens"}
    )
    wear: float = field(
        default=0.0, metadata={"unit": "m/J", "at_least": 0.0, "doc": "growth of a joint's play by the work that is pressed into it"}
    )
    specimen_breaks_at: float | None = field(default=None, metadata={"unit": "N", "over": 0.0, "doc": "force that parts the upper joint"})


@dataclass(frozen=True)
class LoaderSettings(PlantSettings):
    """Controller, hydraulics and conditioners, whatever they move."""

    heartbeat_timeout: float = field(
        default=0.250, metadata={"unit": "s", "over": 0.0, "doc": "without a beat for so long the controller interlocks"}
    )
    monitor_noise: float = field(default=25.0, metadata={"unit": "N", "at_least": 0.0, "doc": "rms, of both force monitors"})
    force_delay: float = field(
        default=0.0, metadata={"unit": "s", "at_least": 0.0, "at_most": 0.1, "doc": "between load cell conditioner and monitor output"}
    )
    perturb: bool = field(default=True, metadata={"doc": "an individual drawn by the bench's seed; false: as the drawing says"})
    step: float = field(default=1e-6, metadata={"unit": "s", "over": 0.0, "at_most": 2e-6, "doc": "of the integration"})
    loop: Loop = field(default_factory=Loop)
    hydraulics: Hydraulics = field(default_factory=Hydraulics)
    panel: Panel = field(default_factory=Panel)
    sensors: LoaderSensors = field(default_factory=LoaderSensors)
    faults: LoaderFaults = field(default_factory=LoaderFaults)


@dataclass(frozen=True)
class FrameSettings(LoaderSettings):
    """One frame with one specimen in it."""

    clearance: float = field(default=0.4e-3, metadata={"unit": "m", "at_least": 0.0, "doc": "total play of each joint; 0: bilateral"})
    specimen: Specimen = field(default_factory=Specimen)
    contact: Surfaces = field(default_factory=lambda: Surfaces(restitution=0.7))
    restitution: float | None = field(
        default=None, metadata={"over": 0.0, "at_most": 1.0, "doc": "of the joints' contact, in place of contact.restitution"}
    )
    sensors: Sensors = field(default_factory=Sensors)
    faults: Faults = field(default_factory=Faults)

    def __post_init__(self) -> None:
        if self.clearance > self.specimen.pin_radius:
            pin = self.specimen.pin_radius
            raise ValueError(f"clearance: {self.clearance * 1e3:g} mm swallows the pin of {pin * 1e3:g} mm radius; give less than that")
        if self.step * self.specimen.grip_frequency > SWINGS:
            most = self.specimen.grip_stiffness * (SWINGS / (self.step * self.specimen.grip_frequency)) ** 2
            raise ValueError(f"specimen.grip_stiffness: expected at most {most:.2g} N/m at this step, or 0: a grip that does not give way")
        if self.clearance == 0.0 and (self.faults.loosening or self.faults.wear):
            raise ValueError(
                "clearance: expected more than 0 with faults.loosening or faults.wear; a joint without play has none that grows"
            )

    @property
    def given_back(self) -> float:
        """Restitution of the joints' contact, by either name."""
        return self.contact.restitution if self.restitution is None else self.restitution
