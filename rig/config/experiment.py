"""What is tested: the experiment file as frozen dataclasses in SI units.

Field metadata, read by `rig.config.schema`: `unit` (SI unit of the stored number), `over` / `at_least` / `below` / `at_most` (bounds),
`choices`, `kinds` (package whose module of that name holds `Config`; `or_by`: other keys that choose from other packages), `doc`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from model.integrators.method import Integrator
from model.mechanisms.mechanism import Mechanism
from model.paths.course import Timed
from rig.control.settings import ControlSettings
from rig.errors import ConfigError
from rig.trajectory.naming import TrajectorySettings

METRICS = (
    "max", "impact_peak", "overshoot", "first_impact", "fundamental", "phase", "contact_loss", "nrms", "within_5_percent", "delay",
    "band_level", "impacts", "impact_time", "impact_strength", "impact_impulse",
)  # fmt: skip
"""Metrics of a criterion, as `rig.comparison` computes them."""
DEVIATIONS = (
    "max", "impact_peak", "overshoot", "first_impact", "fundamental", "nrms", "band_level", "impact_strength", "impact_impulse"
)  # fmt: skip
"""Those whose error is a share, which must not be passed."""
METRIC_UNITS = {"phase": "deg", "contact_loss": "deg", "delay": "s", "impact_time": "s"}
"""Units of those that are no share."""
REACHED = ("within_5_percent", "impacts")
"""Those that are a share themselves, which must be reached."""
MODE_UNITS = {"force": "N", "stroke": "m", "angle": "rad", "path": "s"}
"""What is commanded, by `command.mode`: force and stroke of a loader; of a motor rig how far it has turned, or come along its path."""

SOFTEST = 0.5
"""s in which a test comes to a stand, and back to full pace, at least, where nothing else is said."""

M = TypeVar("M", bound=Mechanism)


@dataclass(frozen=True)
class Acquisition:
    """Sampling of the measured channels; one block is read, checked and published at a time."""

    rate: float = field(default=51200.0, metadata={"unit": "Hz", "over": 0.0, "at_most": 20e6, "doc": "the device may allow less"})
    block: float = field(default=0.010, metadata={"unit": "s", "over": 0.0, "at_most": 0.020})
    ring: float = field(default=10.0, metadata={"unit": "s", "at_least": 1.0, "doc": "what the streams hold for a slow reader"})


@dataclass(frozen=True)
class Command:
    """How the setpoint leaves: what is commanded, how far ahead it is filled, its limits and its stop ramp."""

    mode: str = field(default="force", metadata={"choices": tuple(MODE_UNITS)})
    ahead: float = field(default=0.050, metadata={"unit": "s", "over": 0.0, "at_most": 1.0})
    value_limit: float = field(default=0.0, metadata={"unit": "[mode]", "over": 0.0, "doc": "largest |setpoint|"})
    rate_limit: float = field(default=0.0, metadata={"unit": "[mode]/s", "over": 0.0, "doc": "largest |setpoint rate|"})
    stop_ramp: float = field(default=0.5, metadata={"unit": "s", "over": 0.0, "doc": "duration of a ramped stop"})


@dataclass(frozen=True)
class Spread:
    """How far the members of an ensemble lie from one number of the mechanism: evenly within +- (relative share + absolute)."""

    key: str = field(metadata={"doc": "below [mechanism], as clearance or contact.restitution"})
    relative: float = field(default=0.0, metadata={"unit": "1", "at_least": 0.0, "below": 1.0})
    absolute: str = field(default="", metadata={"doc": 'a quantity, as "0.01 mm"'})
    following: tuple[str, ...] = field(default=(), metadata={"doc": "numbers off by the same share, as an inertia with its mass"})


@dataclass(frozen=True)
class Ensemble:
    """Members beside the nominal motion, and the band that they give: mean, and the quantiles (1 -+ coverage)/2 at each sample."""

    members: int = field(default=16, metadata={"at_least": 2, "at_most": 10_000})
    seed: int = field(default=1, metadata={"at_least": 0})
    coverage: float = field(default=0.9, metadata={"unit": "1", "over": 0.0, "below": 1.0})
    state: float = field(default=0.0, metadata={"unit": "1", "at_least": 0.0, "doc": "spread of the start state, in usual sizes of each"})
    threads: int = field(default=0, metadata={"at_least": 0, "doc": "0: one a core"})
    spread: tuple[Spread, ...] = ()


@dataclass(frozen=True)
class Predictor:
    """What the model process is fed with and what happens when it is late or dies."""

    source: str = field(
        default="command",
        metadata={"doc": "command, stroke, actuator_force; BODY_angle and others of a described mechanism (docs/own_mechanism.md)"},
    )
    on_lag: str = field(default="mark", metadata={"choices": ("mark", "stop")})
    on_death: str = field(default="mark", metadata={"choices": ("mark", "stop")})
    max_lag: float = field(default=0.200, metadata={"unit": "s", "over": 0.0})
    measured_tolerance: float = field(
        default=1e-5, metadata={"unit": "1", "over": 0.0, "at_most": 1e-2, "doc": "least integrator tolerance with a measured source"}
    )
    measured_bandwidth: float = field(
        default=100.0, metadata={"unit": "Hz", "over": 0.0, "doc": "a measured angle is followed below it; costs two of its periods"}
    )
    motion_rate: float = field(
        default=1000.0,
        metadata={"unit": "Hz", "at_least": 0.0, "at_most": 20e3, "doc": "of the places of bodies, for pictures: stream motion; 0: none"},
    )
    ensemble: Ensemble | None = field(default=None, metadata={"doc": "members in step with the prediction: stream predicted_band"})


ACTIONS = ("none", "indicate", "hold", "stop", "unload", "interlock")
"""Of a limit, the mildest first: not looked at, said, frozen where it stands, ramped stop, stop that leaves no load, safe at once."""
PER_CYCLE = ("peak", "valley", "mean", "rms", "amplitude", "fundamental")


@dataclass(frozen=True)
class Calculated:
    """A channel that is an expression over others: measured ones, `command`, `predicted.NAME`, calculated ones before it."""

    name: str
    expression: str = field(metadata={"doc": 'as "(stroke - 0.2 mm) / length"; functions in docs/limits.md'})
    unit: str = field(metadata={"doc": "SI unit of the result; the expression has to have its dimension"})


@dataclass(frozen=True)
class Limit:
    """A bound on one channel: measured, `command`, `predicted.NAME`, or calculated; checked on every block."""

    channel: str
    minimum: float | None = field(default=None, metadata={"unit": "[channel]"})
    maximum: float | None = field(default=None, metadata={"unit": "[channel]"})
    rate: float | None = field(default=None, metadata={"unit": "[channel]/s", "over": 0.0})
    rms: float | None = field(default=None, metadata={"unit": "[channel]", "over": 0.0, "doc": "largest, over `window`"})
    window: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "at_most": 3600.0, "doc": "of `rms`"})
    following_error: float | None = field(default=None, metadata={"unit": "[channel]", "over": 0.0, "doc": "largest distance from `of`"})
    of: str = field(default="command", metadata={"doc": "what the channel is to follow"})
    per_cycle: str = field(default="peak", metadata={"choices": PER_CYCLE, "doc": "value of each cycle, for change, slope, drift"})
    change: float | None = field(default=None, metadata={"unit": "[channel]", "over": 0.0, "doc": "most that it may be off its baseline"})
    relative_change: float | None = field(default=None, metadata={"unit": "1", "over": 0.0, "doc": "the same, as a share of the baseline"})
    baseline: float | None = field(default=None, metadata={"unit": "[channel]", "doc": "unsaid: mean of the cycles that are learned from"})
    slope: float | None = field(
        default=None, metadata={"unit": "[channel]", "over": 0.0, "doc": "most that it may change by in 1000 cycles: line through `over`"}
    )
    over: int = field(default=100, metadata={"at_least": 3, "at_most": 100_000, "doc": "cycles that `slope` is taken over"})
    drift: float | None = field(
        default=None, metadata={"unit": "[channel]", "over": 0.0, "doc": "lasting change that is to be found, by cumulative sums"}
    )
    false_alarm: float = field(
        default=1e6, metadata={"at_least": 100.0, "at_most": 1e12, "doc": "of `drift`: clean cycles between two false alarms, in the mean"}
    )
    margin: float | None = field(
        default=None,
        metadata={"unit": "1", "at_least": 0.0, "doc": "learned bounds: those of the cycles learned from, and a share of their distance"},
    )
    learn: int = field(default=3, metadata={"at_least": 1, "at_most": 100_000, "doc": "cycles that baseline and learned bounds come from"})
    settle: int = field(default=1, metadata={"at_least": 0, "doc": "counted cycles before those"})
    debounce: int = field(default=1, metadata={"at_least": 1, "doc": "samples in a row that have to be outside"})
    debounce_cycles: int = field(default=1, metadata={"at_least": 1, "doc": "the same of a change per cycle"})
    states: tuple[str, ...] = field(default=(), metadata={"doc": "armed in these only, as running, hold; none: in all"})
    phase_from: float | None = field(default=None, metadata={"unit": "rad", "doc": "with phase_to: armed there only, 0 is the rising zero"})
    phase_to: float | None = field(default=None, metadata={"unit": "rad"})
    action: str = field(default="interlock", metadata={"choices": ACTIONS})

    def __post_init__(self) -> None:
        if (self.phase_from is None) != (self.phase_to is None):
            raise ValueError("phase_to: expected phase_from and phase_to, or neither")


@dataclass(frozen=True)
class Hold:
    """How the command comes to a stand on its trajectory when it is asked to, and goes on again."""

    time: float | None = field(
        default=None,
        metadata={"unit": "s", "over": 0.0, "at_most": 60.0, "doc": "to a stand, and back; none: the soft start's, 0.5 s at least"},
    )
    at: str = field(default="now", metadata={"choices": ("now", "zero", "mean", "peak"), "doc": "where it stands; a limit holds at once"})
    wait: float = field(default=10.0, metadata={"unit": "s", "over": 0.0, "doc": "longest way to the phase of `at`"})
    longest: float | None = field(default=None, metadata={"unit": "s", "over": 0.0, "doc": "then the test is stopped; none: no bound"})


@dataclass(frozen=True)
class Change:
    """How a change of the trajectory comes in while it runs."""

    time: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "at_most": 3600.0, "doc": "from the old value to the new one"})


@dataclass(frozen=True)
class Pacing:
    """What follows where a cycle does not reach the peak and the valley that were commanded (null pacing); such a cycle is run again."""

    action: str = field(
        default="none",
        metadata={
            "choices": ("none", "slower", "wait", "hold"),
            "doc": "slower: at a lower pace; wait: it stands at each peak and valley until they are reached; hold: the test is held",
        },
    )
    share: float = field(default=0.05, metadata={"unit": "1", "over": 0.0, "below": 1.0, "doc": "of the amplitude, that may be missing"})
    channel: str = field(default="", metadata={"doc": "whose peaks are looked at; none: what the loader's loop closes on"})
    missed: int = field(default=1, metadata={"at_least": 1, "at_most": 1000, "doc": "cycles in a row before the action follows"})
    slowest: float = field(
        default=0.1, metadata={"unit": "1", "over": 0.0, "at_most": 1.0, "doc": "lowest pace, of the asked one; missed there, it is held"}
    )
    recover: int = field(
        default=20, metadata={"at_least": 1, "doc": "cycles reached in a row, after which it goes faster, or waits no more"}
    )
    patience: float = field(default=10.0, metadata={"unit": "s", "over": 0.0, "doc": "longest wait at a peak; then it is held"})

    @property
    def on(self) -> bool:
        """Whether cycles are looked at."""
        return self.action != "none"


@dataclass(frozen=True)
class Specimen:
    """How a specimen that is loose or has parted is told in force mode; found, it is an interlock."""

    watched: bool = True
    travel: float = field(default=2e-3, metadata={"unit": "m", "over": 0.0, "doc": "stroke without force; more than all its play"})
    patience: float = field(default=0.5, metadata={"unit": "s", "over": 0.0, "doc": "time without force"})
    least: float = field(default=1e3, metadata={"unit": "N", "over": 0.0, "doc": "smaller commands tell nothing"})


@dataclass(frozen=True)
class Snapshots:
    """What is kept of the samples of a long test, beside cycles 1, 2, 5, 10, 20, 50 ... and the end."""

    every: int = field(default=1000, metadata={"at_least": 0, "doc": "cycles from one kept to the next; 0: none beside 1, 2, 5, 10 ..."})
    change: float = field(
        default=0.05, metadata={"unit": "1", "at_least": 0.0, "doc": "of a measured peak, as a share of its range: that cycle; 0: never"}
    )
    channels: tuple[str, ...] = field(
        default=(), metadata={"doc": "whose peaks are looked at; none: all forces, strokes, torques and angles"}
    )
    before: float = field(default=2.0, metadata={"unit": "s", "at_least": 0.0, "at_most": 60.0, "doc": "an event; waits in memory"})
    after: float = field(default=1.0, metadata={"unit": "s", "at_least": 0.0, "doc": "an event"})


@dataclass(frozen=True)
class Plausibility:
    """Whether channels can be believed, by each other and by what they did before: docs/limits.md."""

    watched: bool = True
    noise: float = field(
        default=0.5, metadata={"unit": "1", "over": 0.0, "below": 1.0, "doc": "share of a channel's noise left: less is none"}
    )
    answer: float = field(
        default=0.25, metadata={"unit": "1", "over": 0.0, "doc": "share by which a channel's answer to the command may change at once"}
    )
    forces: float = field(
        default=0.02, metadata={"unit": "1", "over": 0.0, "doc": "of full scale: force at both ends of the piston may differ, beside 20 %"}
    )
    action: str = field(default="stop", metadata={"choices": ACTIONS[1:], "doc": "of forces that differ in force mode: interlock"})


@dataclass(frozen=True)
class Record:
    """The record of a run."""

    compression: str = field(
        default="none",
        metadata={"choices": ("none", "bitshuffle_lz4"), "doc": "of run.h5; whoever reads a compressed one needs the hdf5plugin package"},
    )
    part: float | None = field(
        default=None, metadata={"unit": "s", "at_least": 0.1, "doc": "record and journal go on in new files after it; none: one file"}
    )
    part_size: float | None = field(
        default=None, metadata={"unit": "B", "at_least": 1e5, "doc": "the same by bytes of samples, as 2 GB; whichever comes first"}
    )

    cycles: bool = field(default=False, metadata={"doc": "peak, valley and mean of every channel in every cycle, in /entry/cycles"})
    samples: str = field(
        default="all", metadata={"choices": ("all", "snapshots"), "doc": "which are kept; with snapshots there is the table of cycles, too"}
    )
    snapshots: Snapshots = field(default_factory=Snapshots)
    reserve: float = field(
        default=100e6, metadata={"unit": "B", "at_least": 0.0, "doc": "left on the disk when a test that it cannot hold is ended"}
    )

    @property
    def with_cycles(self) -> bool:
        """Whether the record has a table of its cycles."""
        return self.cycles or self.samples == "snapshots"

    @property
    def in_parts(self) -> bool:
        """Whether the record goes on in new files."""
        return self.part is not None or self.part_size is not None


@dataclass(frozen=True)
class Simulate:
    """Grid of `rig simulate`; no duration means the trajectory's own counted cycles."""

    duration: float | None = field(default=None, metadata={"unit": "s", "over": 0.0})
    output_rate: float = field(default=100e3, metadata={"unit": "Hz", "over": 0.0})
    ensemble: Ensemble | None = field(default=None, metadata={"doc": "members beside the nominal: mean, low, high of every channel"})


@dataclass(frozen=True)
class Criterion:
    """One pass/fail line of the verdict: `metric` of `channel` within `tolerance`."""

    channel: str
    metric: str = field(metadata={"choices": METRICS, "units": METRIC_UNITS})
    tolerance: float = field(metadata={"unit": "[metric]", "at_least": 0.0, "doc": "a share of 1, deg or s, by the metric"})


@dataclass(frozen=True)
class Doubt:
    """A wrong model that the test ought to tell from the right one: some numbers of the mechanism are `times` what they are, or `value`."""

    keys: tuple[str, ...] = field(metadata={"doc": "below [mechanism], as clearance or contact.restitution"})
    times: float | None = field(default=None, metadata={"unit": "1"})
    value: str = field(default="", metadata={"doc": 'instead of `times`: a quantity, as "0.2 mm"'})

    def __post_init__(self) -> None:
        if (self.times is None) == (not self.value):
            raise ValueError('times: expected either times = 0.5 (of what the number is) or value = "0.2 mm"')
        if not self.keys:
            raise ValueError("keys: expected one number of the mechanism at least, as clearance")


@dataclass(frozen=True)
class Budget:
    """What tolerances rest on, for `rig budget`: how specimens may differ from the drawing, and which wrong models are to be found.

    The channels' own uncertainties come from their sensors' records.
    """

    specimens: int = field(default=59, metadata={"at_least": 2, "at_most": 10_000, "doc": "drawn; of 59 the largest error covers 95 %"})
    seed: int = field(default=1, metadata={"at_least": 0})
    late: float = field(
        default=0.0, metadata={"unit": "s", "at_least": 0.0, "below": 0.02, "doc": "most that the motion may be late by: drives, lines"}
    )
    laws: tuple[str, ...] = field(default=(), metadata={"doc": "contact laws of which nobody knows which one the specimen follows"})
    spread: tuple[Spread, ...] = ()
    doubt: tuple[Doubt, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """How measured and predicted are laid over each other."""

    lowpass: float | None = field(default=1000.0, metadata={"unit": "Hz", "over": 0.0, "doc": "same causal 2-pole filter on both"})
    band_low: float | None = field(
        default=None, metadata={"unit": "Hz", "over": 0.0, "doc": "with band_high: the band of `band_level`, as of the rattle in a joint"}
    )
    band_high: float | None = field(default=None, metadata={"unit": "Hz", "over": 0.0})
    discard_cycles: int = field(default=2, metadata={"at_least": 0})
    remove_delay: float = field(default=0.0, metadata={"unit": "s", "doc": "known delay of the measured channels taken out"})
    alternative_law: str | None = field(default=None, metadata={"doc": "contact law that the verdict must be able to tell apart"})
    risk: float = field(
        default=0.05,
        metadata={
            "over": 0.0, "at_most": 0.5,
            "doc": "of a wrong decision where the true error is just the tolerance; 0.5 judges each error as it is",
        },
    )  # fmt: skip
    numerical_uncertainty: float | None = field(
        default=None,
        metadata={
            "unit": "1",
            "at_least": 0.0,
            "below": 1.0,
            "doc": "u_num of ASME V&V 20 (k = 1), a share: from a run at a finer tolerance",
        },
    )
    criteria: tuple[Criterion, ...] = ()
    budget: Budget | None = field(default=None, metadata={"doc": "what the tolerances rest on"})

    def __post_init__(self) -> None:
        low, high = self.band_low, self.band_high
        if (low is None) != (high is None):
            missing = "band_low" if low is None else "band_high"
            raise ValueError(f"{missing}: missing; a band has two edges, band_low and band_high")
        if low is not None and high is not None and not low < high:
            raise ValueError(f"band_high: expected more than band_low, {low:g} Hz, got {high:g} Hz")
        if low is None and any(criterion.metric == "band_level" for criterion in self.criteria):
            raise ValueError('band_low: missing; a criterion asks for band_level, expected band_low and band_high as "100 Hz"')

    @property
    def band(self) -> tuple[float, float] | None:
        """(low, high), Hz, where there is one."""
        return None if self.band_low is None or self.band_high is None else (self.band_low, self.band_high)


@dataclass(frozen=True)
class Free:
    """One number that `rig identify` looks for, between two bounds."""

    key: str = field(metadata={"doc": "below [mechanism], as clearance or contact.restitution; or channels.NAME.gain, .zero, .delay"})
    minimum: str = field(metadata={"doc": 'a quantity, as "0.1 mm"'})
    maximum: str = field(metadata={"doc": 'a quantity, as "1 mm"'})
    prior: str = field(default="", metadata={"doc": 'what is known of it from elsewhere, as "0.4 mm"; none: nothing but the bounds'})
    prior_std: str = field(default="", metadata={"doc": "standard deviation of the prior"})


@dataclass(frozen=True)
class Identify:
    """What `rig identify` looks for in a record, and how. How right specimens may differ besides is said by [comparison.budget]."""

    channels: tuple[str, ...] = field(default=(), metadata={"doc": "that are fitted; none: those that a criterion judges"})
    loop: tuple[str, ...] = field(
        default=(), metadata={"doc": "displacement and force: play and stiffness of their loop are fitted as well; none: no loop"}
    )
    cycles: int = field(default=40, metadata={"at_least": 3, "doc": "counted ones that are fitted, from the first on"})
    specimens: int = field(
        default=100, metadata={"at_least": 16, "at_most": 10_000, "doc": "drawn about what was found: half for weights, half for intervals"}
    )
    starts: int = field(default=0, metadata={"at_least": 0, "doc": "of the search, spread over all bounds; 0: 24 for each number"})
    seed: int = field(default=1, metadata={"at_least": 0})
    sampler: str = field(
        default="none", metadata={"choices": ("none", "ensemble"), "doc": "of the posterior, where that is not near a normal one"}
    )
    free: tuple[Free, ...] = ()


@dataclass(frozen=True)
class Estimate:
    """Numbers of [[identify.free]] beside the running test, from cycle to cycle: stream estimated."""

    file: str = field(metadata={"file": True, "doc": "that `rig identify RUN --live FILE` has written"})
    memory: int = field(
        default=20, metadata={"at_least": 1, "at_most": 100_000, "doc": "cycles: forgets as a mean over the last so many does"}
    )
    sha256: str = field(default="", metadata={"digest_of": "file", "doc": "what the file must be; by itself what it was when checked"})


@dataclass(frozen=True)
class Document:
    """What `rig report` says of a test beside its figures; `rig run` can ask for it."""

    title: str = field(default="", metadata={"doc": "of the report; none: the experiment's"})
    customer: str = field(default="", metadata={"doc": "for whom"})
    order: str = field(default="", metadata={"doc": "order or job number"})
    specimen: str = field(default="", metadata={"doc": "on what, with its number"})
    operator: str = field(default="", metadata={"doc": "by whom"})
    notes: str = field(default="", metadata={"doc": "in as many lines as it takes"})
    language: str = field(default="en", metadata={"doc": "of the report: en, de, fr, or one that a template brings"})
    ask: bool = field(
        default=False, metadata={"doc": "on a terminal `rig run` asks for those of customer, order, specimen, operator, notes left empty"}
    )


@dataclass(frozen=True)
class Experiment:
    """One experiment file."""

    title: str
    mechanism: Mechanism = field(metadata={"kinds": "model.mechanisms"})
    integrator: Integrator = field(metadata={"kinds": "model.integrators"})
    trajectory: TrajectorySettings | Timed | None = field(
        default=None,
        metadata={"kinds": "rig.trajectory", "or_by": {"path": "model.paths"}, "doc": "none: the mechanism brings its own drive"},
    )
    control: ControlSettings | None = field(
        default=None, metadata={"kinds": "rig.control", "doc": "outer loop; none: the trajectory goes out as it is"}
    )
    acquisition: Acquisition = field(default_factory=Acquisition)
    command: Command = field(default_factory=Command)
    predictor: Predictor = field(default_factory=Predictor)
    calculated: tuple[Calculated, ...] = ()
    limits: tuple[Limit, ...] = ()
    specimen: Specimen = field(default_factory=Specimen)
    hold: Hold = field(default_factory=Hold)
    change: Change = field(default_factory=Change)
    pacing: Pacing = field(default_factory=Pacing)
    plausibility: Plausibility = field(default_factory=Plausibility)
    record: Record = field(default_factory=Record)
    simulate: Simulate = field(default_factory=Simulate)
    comparison: Comparison = field(default_factory=Comparison)
    identify: Identify = field(default_factory=Identify)
    estimate: Estimate | None = field(default=None, metadata={"doc": "of a running test; none: no estimate"})
    document: Document = field(default_factory=Document)

    @property
    def hold_time(self) -> float:
        """s from full pace to a stand, and back: what starts softly because its mechanism swings is to go on as softly."""
        return self.hold.time or max(SOFTEST, getattr(self.trajectory, "soft_start", 0.0))

    def mechanism_as(self, kind: type[M]) -> M:
        """The mechanism where only one of a kind makes sense. Raises ConfigError for another."""
        if not isinstance(self.mechanism, kind):
            expected, got = (one.__module__.removeprefix("model.mechanisms.").partition(".")[0] for one in (kind, type(self.mechanism)))
            raise ConfigError(f"mechanism.kind: expected {expected} here, got {got}")
        return self.mechanism
