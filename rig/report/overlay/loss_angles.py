"""Contact losses of a four-bar on its rig: of every turn where the measured acceleration has one, the running model, and `rig predict`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from drivers.files.plain_values import Json
from model.errors import ModelError
from model.mechanisms.four_bar import Config, flight
from rig.comparison.delays.fractional_shift import Shifted
from rig.comparison.flights.agreement import FlightAgreement, Flights, flight_agreement
from rig.comparison.gap_filling import GapFilled
from rig.comparison.series import Series
from rig.config.bench import InputChannel
from rig.config.counter import Counter
from rig.config.plan import Plan
from rig.recorder.description import BROKEN_OFF
from rig.recorder.reading import RunData
from rig.sensors.transfer import Transfer
from rig.signals import shaft
from rig.signals.butterworth import highpass
from rig.signals.contact_loss import Losses, Samples, losses, noise_of, openings, wrapped

CHANNEL, ANGLE, CONTACT = "acceleration", "crank_angle", "in_contact"
QUIET = 10.0
"""What is no change of the acceleration, as a multiple of the sensor's noise: the largest of some thousand samples is five times it."""
NOISY = 2.5
"""Times the noise that is recorded with a sensor: a signal's slope and a converter's steps make it look like half as much again."""
FEW = 0.5
"""Share of the turns in which contact is lost as predicted: where it is seen in fewer, and noise may hide it, that tells nothing."""
NEAR = math.radians(15.0)
"""Losses so near to each other are of the same place."""
LONGEST = 1 << 21
"""Samples that are looked at, of the middle of what counts."""
KEPT = 0.999
"""Share of the time in contact from which it counts as kept."""
CORNER = 50.0
"""Hz: the free course wants the crank's acceleration, of which faster parts of an encoder's angle are noise."""
MARGIN = 0.1
"""s at either side of it."""
REVOLUTIONS, SIMULTANEITY = 20.0, math.radians(3.0)
"""Of what `rig predict` would say: how long it is followed, and how near zeros of aq and br are simultaneous."""
CRITERIA = {
    "earles_wu": "Earles-Wu", "li_bai": "Li-Bai", "critical_points": "aq, br", "massless_link": "massless link",
    "full_contact": "full contact",
}  # fmt: skip


@dataclass(frozen=True)
class LossAngles:
    """Losses, measured and predicted, in so many turns; what each criterion of `rig predict` says, rad."""

    revolutions: float
    first: int
    """Number of turn 0 of the losses, of the crank's angle from 0 on."""
    measured: Losses
    predicted: Losses
    predict: Mapping[str, list[float]]
    looked_at: slice
    """Samples of the record."""
    in_contact: float = 1.0
    """Share of the time in which the joint is, as predicted."""
    about: float | None = None
    """The place (rad) that is compared, where it is given."""
    span: tuple[float, float] = (0.0, 0.0)
    """First and last angle (rad) that are looked at, with the turns before them."""
    seconds: float = 0.0
    """That take so long."""
    noise: float | None = None
    """m/s^2, of a sample as measured, where it is much more than what is recorded with the sensor, `stated`."""
    stated: float | None = None

    @property
    def hidden(self) -> str:
        """Why the measured acceleration does not tell where contact is lost, in words; empty where it does."""
        both = self.compared
        if self.noise is None or both is None:
            return ""
        seen, there = (len(set(found.turns.tolist())) for found in both)
        if seen >= FEW * there:
            return ""
        much = f"the acceleration has noise of {self.noise:.2g} m/s^2, with {self.stated:.2g} recorded with its sensor"
        return f"{much}: it is seen in {seen} turns, and predicted in {there}"

    @property
    def one_sided(self) -> str:
        """In words that there is no difference to tell, as contact is lost on one side only; empty where it is on both, or on none."""
        measured, predicted = (len(set(found.turns.tolist())) for found in (self.measured, self.predicted))
        if bool(measured) == bool(predicted):
            return ""
        return f"contact is lost in {measured} turns as measured, in {predicted} as predicted: there is no difference in angle to tell"

    @property
    def nowhere(self) -> str:
        """In words that contact is kept in every turn, as measured and as predicted, which is no difference; empty where it is not."""
        if self.revolutions < 1.0 or len(self.measured.loss) or len(self.predicted.loss) or self.in_contact < KEPT:
            return ""
        return f"contact is kept in all {self.revolutions:.1f} turns, as measured and as predicted: of where it is lost nothing is told"

    def under(self, angle: Series, contact: Series, rate: float) -> LossAngles:
        """The same place beside another prediction: its crank angle (N,) rad and whether it was in contact (N,), of the whole record."""
        return replace(self, predicted=_lost(angle[self.looked_at], contact[self.looked_at], rate), about=self.place)

    def between(self, measured: tuple[Series, Series], predicted: tuple[Series, Series], rate: float) -> LossAngles:
        """Of two predictions, one in the place of what is measured: crank angle (N,) rad and whether it was in contact (N,) of each."""
        taken, made = (_lost(angle[self.looked_at], contact[self.looked_at], rate) for angle, contact in (measured, predicted))
        return replace(self, measured=taken, predicted=made, about=None)

    @property
    def place(self) -> float | None:
        """The angle (rad) about which most losses lie, of the predicted ones where there are any; None where nothing is lost."""
        if self.about is not None:
            return self.about
        angles = self.predicted.loss if len(self.predicted.loss) else self.measured.loss
        if not len(angles):
            return None
        near = [np.count_nonzero(np.abs(wrapped(angles - angle)) <= NEAR) for angle in angles]
        return float(angles[int(np.argmax(near))])

    @property
    def compared(self) -> tuple[Losses, Losses] | None:
        """Measured and predicted losses of that place."""
        return None if (place := self.place) is None else (self.measured.near(place, NEAR), self.predicted.near(place, NEAR))

    @property
    def mean_difference_deg(self) -> float | None:
        """Mean of the predicted less mean of the measured losses of that place; None where one of them has none."""
        if (both := self.compared) is None or not all(len(one.loss) for one in both):
            return None
        measured, predicted = both
        return math.degrees(float(wrapped(np.array(predicted.mean - measured.mean))))

    @property
    def doubt_deg(self) -> float:
        """Standard deviation of that difference, as far as the measured acceleration tells where contact is lost."""
        return 0.0 if (both := self.compared) is None else math.degrees(both[0].doubt)

    def whole(self, found: Losses) -> Samples:
        """Angles (m,) of losses of this record with the turns before them, rad."""
        return np.asarray(found.loss + shaft.TURN * (found.turns + self.first))

    def flights(self, found: Losses) -> Flights:
        """From each loss to the first impact after it, in order."""
        way = 1.0 if self.span[1] >= self.span[0] else -1.0
        begin = way * self.whole(found)
        order = np.argsort(begin, kind="stable")
        lasting = (way * (found.impact - found.loss)) % shaft.TURN
        return Flights(begin[order], (begin + lasting)[order])

    @property
    def agreement(self) -> FlightAgreement | None:
        """How far both agree on where contact is lost, in whole turns; None for less than one."""
        turned = abs(self.span[1] - self.span[0])
        turns = int(turned / shaft.TURN + 1e-9)
        if turns < 1:
            return None
        start = self.span[0] if self.span[1] >= self.span[0] else -self.span[0]
        speed = turned / self.seconds if self.seconds else 0.0
        return flight_agreement(self.flights(self.measured), self.flights(self.predicted), start, turns, speed)

    @property
    def beside_criteria(self) -> dict[str, float | None]:
        """By criterion of `rig predict`, its angle (rad) nearest to the mean measured loss of the place that is compared, less that mean;
        None where contact was not lost, or the criterion says nowhere."""
        if (both := self.compared) is None or not len(both[0].loss):
            return dict.fromkeys(self.predict)
        late = {name: wrapped(np.array(angles) - both[0].mean) for name, angles in self.predict.items()}
        return {name: float(x[int(np.argmin(np.abs(x)))]) if len(x) else None for name, x in late.items()}

    @property
    def at(self) -> list[float]:
        """Such angles of that place, of those turns in which both are lost, or else one of them."""
        measured, predicted = self.compared or (Losses.none(), Losses.none())
        both = np.isin(predicted.turns, measured.turns)
        chosen = self.whole(predicted)[both] if both.any() else np.concatenate((self.whole(measured), self.whole(predicted)))
        return [float(angle) for angle in chosen]

    def to_json(self) -> dict[str, Json]:
        """Plain values, degrees of the crank."""
        both = self.compared or (Losses.none(), Losses.none())
        data: dict[str, Json] = {"revolutions": self.revolutions}
        for name, all_of_it, near in zip(("measured", "predicted"), (self.measured, self.predicted), both, strict=True):
            data[f"{name}_deg"] = _degrees(all_of_it.loss)
            data[f"{name}_impact_deg"] = _degrees(all_of_it.impact)
            data[f"{name}_turns"] = all_of_it.turns.tolist()
            data[f"{name}_mean_deg"] = _known(near.mean)
            data[f"{name}_scatter_deg"] = _known(near.scatter)
        predicted = {name: _degrees(np.array(angles)) for name, angles in self.predict.items()}
        agreement = None if (one := self.agreement) is None else one.to_json()
        beside: dict[str, Json] = {name: None if x is None else math.degrees(x) for name, x in self.beside_criteria.items()}
        more: dict[str, Json] = {"predict_deg": predicted, "mean_difference_deg": self.mean_difference_deg}
        return data | more | {"predict_less_measured_deg": beside, "flights": agreement}


def loss_angles(plan: Plan, record: RunData, counts: range, late: float) -> LossAngles | None:
    """Of the samples that count, with the known delay `late` (s) of the measured channels taken out.

    None where there is nothing to look for: another mechanism, one without clearance, no acceleration or no encoder at its crank.
    """
    mechanism = plan.experiment.mechanism
    channels = {channel.name: channel for channel in plan.bench.channels}
    sensor, encoder = channels.get(CHANNEL), channels.get(ANGLE)
    if not isinstance(mechanism, Config) or mechanism.clearance == 0.0 or sensor is None or encoder is None or encoder.counter is None:
        return None
    if not {CHANNEL, ANGLE} <= set(record.streams.get("measured", ())) or len(counts) < record.rate / 10.0:
        return None
    counts = _unbroken(record, counts)
    spare = max(0, len(counts) - LONGEST) // 2
    part = slice(counts.start + spare, counts.stop - spare)
    course = _course(encoder.counter, record, part)
    seen = _uncoupled(sensor, Shifted(GapFilled(record.column("measured", CHANNEL)), -late * record.rate)[part], record.rate)
    noise = noise_of(seen)
    return LossAngles(
        abs(float(course.angle[-1] - course.angle[0])) / shaft.TURN,
        int(course.angle[0] // shaft.TURN),
        losses(course.angle, seen, _free(mechanism, sensor, course, record.rate), record.rate, _quiet(sensor, noise), rise=_rise(sensor)),
        _predicted(record, part),
        _criteria(plan),
        part,
        _share_in_contact(record, part),
        span=(float(course.angle[0]), float(course.angle[-1])),
        seconds=(part.stop - part.start) / record.rate,
        noise=noise if _is_noisy(sensor, noise) else None,
        stated=sensor.sensor.noise,
    )


def _unbroken(record: RunData, counts: range) -> range:
    """The longest stretch of counted samples in which the test was not broken off: behind a break the crank is at its mark again."""
    breaks = sorted({(gap.first, gap.first + gap.count) for gap in record.gaps if gap.stream == "measured" and gap.reason == BROKEN_OFF})
    if not breaks:
        return counts
    cycle = record.channel("command", "cycle")
    stretches, begin = list[range](), counts.start
    for first, behind in [*breaks, (counts.stop, counts.stop)]:
        counted = np.flatnonzero(cycle[begin : min(first, counts.stop)] >= 0.0)
        if len(counted):
            stretches.append(range(begin + int(counted[0]), begin + int(counted[-1]) + 1))
        begin = max(behind, begin)
    return max(stretches, key=len, default=counts)


def _course(encoder: Counter, record: RunData, part: slice) -> shaft.Course:
    """Of the crank; smoothed over a little more than what is looked at, whose ends would bend otherwise."""
    angle = GapFilled(record.column("measured", ANGLE))
    margin = round(MARGIN * record.rate)
    first, last = max(0, part.start - margin), min(len(angle), part.stop + margin)
    course = shaft.from_encoder(angle[first:last], record.rate, encoder.resolution, CORNER)
    inside = slice(part.start - first, part.stop - first)
    return shaft.Course(course.angle[inside], course.speed[inside])


def _free(mechanism: Config, sensor: InputChannel, course: shaft.Course, rate: float) -> Samples:
    """The course without contact, through the sensor but for its AC coupling."""
    angular = np.gradient(course.speed, 1.0 / rate)
    free = flight.acceleration(mechanism, course.angle, course.speed, angular, sensor.sensor.feels_gravity)
    return Transfer(replace(sensor, sensor=replace(sensor.sensor, coupling=None)), rate).apply(free)


def _uncoupled(sensor: InputChannel, seen: Samples, rate: float) -> Samples:
    """What the sensor would have shown without its AC coupling, up to a constant: the coupling turned round."""
    if sensor.sensor.coupling is None:
        return seen
    gain, _, _, pole, _ = highpass(sensor.sensor.coupling, rate)[0]
    return np.asarray(np.cumsum(seen + pole * np.concatenate(([0.0], seen[:-1]))) / gain)


def _rise(sensor: InputChannel) -> float:
    """Time constant of the sensor's low-pass, s; of one with two poles about that of both."""
    record = sensor.sensor
    return 0.0 if record.bandwidth is None else record.bandwidth_poles / (2.0 * math.pi * record.bandwidth)


def _is_noisy(sensor: InputChannel, noise: float) -> bool:
    """Whether there is much more noise than is recorded with the sensor."""
    return sensor.sensor.noise is not None and noise > NOISY * sensor.sensor.noise


def _quiet(sensor: InputChannel, noise: float) -> float:
    """Of the sensor's noise as recorded with it; of what there is where that is much more, or none is recorded."""
    return QUIET * (noise if _is_noisy(sensor, noise) else sensor.sensor.noise or noise)


def _predicted(record: RunData, part: slice) -> Losses:
    """Of the running model; none where it left no contact."""
    if not {CONTACT, ANGLE} <= set(record.streams.get("predicted", ())):
        return Losses.none()
    return _lost(record.column("predicted", ANGLE)[part], record.column("predicted", CONTACT)[part], record.rate)


def _share_in_contact(record: RunData, part: slice) -> float:
    """As the running model has it; 0 where it says nothing."""
    if CONTACT not in record.streams.get("predicted", ()):
        return 0.0
    contact = record.column("predicted", CONTACT)[part]
    known = contact[np.isfinite(contact)]
    return float(np.mean(known)) if len(known) else 0.0


def _lost(angle: Samples, contact: Samples, rate: float) -> Losses:
    known = np.isfinite(angle) & np.isfinite(contact)
    return openings(angle[known], contact[known], rate)


def _criteria(plan: Plan) -> dict[str, list[float]]:
    """What `rig predict` says of the experiment; nothing where it cannot."""
    from model.separation.prediction import predict  # compiled code only where it is run

    try:
        return predict(plan.experiment.mechanism_as(Config), plan.experiment.integrator, SIMULTANEITY, revolutions=REVOLUTIONS).angles
    except ModelError:
        return {}


def _degrees(angles: Samples) -> list[float]:
    return [float(angle) for angle in np.degrees(angles) % 360.0]


def _known(angle: float) -> float | None:
    return math.degrees(angle) if math.isfinite(angle) else None
