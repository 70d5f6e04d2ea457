"""The four-bar in motion: loss of contact, energy, restitution, accuracy, any cut into blocks, what is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from model.contact.force import force as law
from model.contact.laws import LAWS
from model.contact.restitution import restitution
from model.errors import InconsistentStart, ModelError
from model.friction import velocity_window
from model.integrators import dop853, rk4
from model.integrators.method import Integrator
from model.mechanisms.four_bar import Config, kernel, massless_link
from model.mechanisms.four_bar.config import Contact, contact_stiffness
from model.mechanisms.four_bar.ideal import ideal
from model.mechanisms.four_bar.stepper import parameters, start
from model.separation.full_contact import run
from model.stepping import inputs
from tests.each_row import each_row
from tests.tiers import quick

Floats = NDArray[np.float64]

FLAT = Config(gravity=0.0, clearance=0.2e-3)
DEG = math.pi / 180.0
FINE = dop853.Config(tolerance=1e-9)
COARSE = dop853.Config(tolerance=3e-7, longest_step=1e-3)  # of configs/experiments/four_bar.toml
SWAYING = 90.0  # rad/s
NOTHING = np.zeros(4)  # the input, which is not read


def moved(config: Config, integrator: Any, turns: float, rate: float = 20e3) -> tuple[Any, Floats]:
    stepper = config.create(integrator, rate)
    stepper.start(np.zeros(stepper.lookahead))
    return stepper, stepper.advance(np.zeros(round(turns * 2.0 * math.pi / config.speed * rate) + 1))


def at(config: Config, seconds: float) -> float:
    return (config.start_angle + config.speed * seconds) / DEG


def test_contact_is_first_lost_a_little_after_the_massless_link_would_pull() -> None:
    stepper, values = moved(FLAT, FINE, 0.4)
    first = stepper.events[0]
    assert Config().event(first.guard, first.noted) == ("contact_end", "coupler-rocker joint", None)
    assert at(FLAT, first.time) == pytest.approx(344.33, abs=0.05)
    lost = massless_link.course(FLAT).loss
    assert lost is not None
    assert 0.0 < at(FLAT, first.time) - lost / DEG < 0.2
    angle = values[:, kernel.CRANK_ANGLE] / DEG
    assert np.all(values[angle < 344.0, kernel.IN_CONTACT] == 1.0)
    apart = values[:, kernel.IN_CONTACT] == 0.0
    assert apart.any() and np.all(values[apart, kernel.FORCE] == 0.0)


@pytest.mark.parametrize("config", [replace(FLAT, clearance=0.1e-3), Config(clearance=0.2e-3), Config(clearance=0.1e-3)])
def test_at_other_clearances_and_with_gravity_the_run_follows_the_massless_link(config: Config) -> None:
    found, link = run(config, FINE, 2.0), massless_link.course(config, 2.0)
    assert link.loss is not None
    assert found.losses[0] / DEG == pytest.approx(link.loss / DEG, abs=1.0)


def test_the_stiffer_the_contact_the_nearer_the_massless_link() -> None:
    lost = massless_link.course(FLAT).loss
    assert lost is not None
    late = [
        run(replace(FLAT, contact=Contact(stiffness_scale=scale)), FINE, 0.3).losses[0] - lost for scale in (1.0, 8.0, 64.0)
    ]  # fmt: skip
    assert late[0] > 1.4 * late[1] > 1.4 * 1.4 * late[2] > 0.0


def test_the_start_is_smooth() -> None:
    """No vibration of the contact: the force leaves the massless link's by less than a thousandth, and so does its direction."""
    _, values = moved(FLAT, FINE, 0.1, rate=100e3)
    link = massless_link.course(FLAT, 0.1)
    forces = np.interp(values[:, kernel.CRANK_ANGLE], link.angle, link.force)
    assert values[:, kernel.FORCE] == pytest.approx(forces, rel=1e-3)
    alpha = np.interp(values[:, kernel.CRANK_ANGLE], link.angle, link.alpha)
    assert values[:, kernel.FORCE_ANGLE] == pytest.approx(alpha, abs=1e-4)


@dataclass
class Walk:
    """The kernel driven by another solver, with the work of the crank pin and of friction beside it."""

    config: Config
    wobble: float = 0.0  # rad that the crank sways about its constant speed; its angle then comes as samples
    times: list[float] = field(default_factory=list)
    noted: list[float] = field(default_factory=list)
    balance: list[float] = field(default_factory=list)  # energy less the crank pin's work
    friction: list[float] = field(default_factory=list)  # its work so far

    def __post_init__(self) -> None:
        self.p = parameters(self.config)
        self.y, self.s = start(self.config)
        rate = 50e3
        times = np.arange(-1, math.ceil(BOUNCING * rate) + 4) / rate
        self.u = np.concatenate([[-1.0, rate], self.config.speed * times + self.wobble * (1.0 - np.cos(SWAYING * times))])
        self.rhs, self.channels = (kernel.rhs_driven, kernel.channels_driven) if self.wobble else (kernel.rhs, kernel.channels)

    def course(self, t: float) -> tuple[float, float, float]:
        """Crank angle and its two derivatives."""
        c = self.config
        if not self.wobble:
            return c.start_angle + c.speed * t, c.speed, 0.0
        turned, omega, alpha = inputs.course(self.u, t)
        return c.start_angle + turned, omega, alpha

    def power(self, t: float, y: Floats) -> tuple[float, float]:
        """Of the pin on the coupler, by Newton for the coupler; of friction."""
        c, p, values = self.config, self.p, np.empty(kernel.CHANNEL_COUNT)
        self.channels(t, y, values, p, self.s, self.u, law)
        theta1, omega1, alpha1 = self.course(t)
        ex, ey, vx, vy, nx, ny = kernel.offset(y, p, self.s)
        c1, s1, c2, s2, _, _, omega2, omega3 = kernel.links(theta1, omega1, ex, ey, vx, vy, p)
        e1, e2 = complex(c1, s1), complex(c2, s2)
        fx, fy, _, _ = kernel.loads(nx, ny, omega2, omega3, y, p, self.s, law)
        end = c.crank_length * (1j * alpha1 - omega1**2) * e1
        turning = (values[kernel.ACCELERATION] - (end * (1j * e2).conjugate()).real) / c.coupler_length
        centre = end + c.coupler_centre * (1j * turning - omega2**2) * e2
        pin = c.coupler_mass * (centre + 1j * c.gravity) - complex(fx, fy)
        normal, along = fx * nx + fy * ny, vy * nx - vx * ny
        sliding = along + omega3 * p[kernel.RADIUS_J] - omega2 * p[kernel.RADIUS_I]
        rubbed = velocity_window.force(sliding, normal, p[kernel.FRICTION :]) * sliding
        return (pin * (1j * c.crank_length * omega1 * e1).conjugate()).real, rubbed

    def energy(self, t: float, y: Floats) -> float:
        c, p = self.config, self.p
        theta1, omega1, _ = self.course(t)
        ex, ey, vx, vy, _, _ = kernel.offset(y, p, self.s)
        c1, s1, c2, s2, _, s3, omega2, omega3 = kernel.links(theta1, omega1, ex, ey, vx, vy, p)
        centre = 1j * omega1 * c.crank_length * complex(c1, s1) + 1j * omega2 * c.coupler_centre * complex(c2, s2)
        central = c.coupler_inertia - c.coupler_mass * c.coupler_centre**2
        kinetic = 0.5 * (c.coupler_mass * abs(centre) ** 2 + central * omega2**2 + c.rocker_inertia * omega3**2)
        height = c.coupler_mass * (c.crank_length * s1 + c.coupler_centre * s2)
        height -= c.rocker_mass * (c.rocker_length - c.rocker_centre) * s3
        n = c.contact.exponent
        depth = y[kernel.DEPTH] if self.s[3] > 0.0 else 0.0
        return float(kinetic + c.gravity * height + contact_stiffness(c) * max(0.0, depth) ** (n + 1) / (n + 1))

    def guard(self, t: float, y: Floats) -> float:
        g = np.empty(kernel.GUARD_COUNT)
        kernel.guards(t, np.ascontiguousarray(y[:4]), g, np.empty(kernel.GUARD_COUNT), self.p, self.s, NOTHING)
        return float(g[kernel.JOINT_GUARD])

    def rates(self, t: float, y: Floats) -> Floats:
        dy, own = np.empty(6), np.ascontiguousarray(y[:4])
        self.rhs(t, own, dy[:4], self.p, self.s, self.u, law)
        dy[4:] = self.power(t, own)
        return dy

    def until(self, last: float) -> Walk:
        guard = self.guard
        t, y = 0.0, np.array([*self.y, 0.0, 0.0])

        def found(t: float, y: Floats) -> float:
            return guard(t, y)

        found.terminal, found.direction = True, 1.0  # type: ignore[attr-defined]
        while t < last:
            scale = np.array([1e-4, 1e-4, 1e-1, 1e-1, 1.0, 1.0])
            part = solve_ivp(self.rates, (t, last), y, method="DOP853", rtol=1e-9, atol=1e-9 * scale, events=found, max_step=1e-4)
            for when, state in zip(part.t, part.y.T, strict=True):
                self.balance.append(self.energy(when, np.ascontiguousarray(state[:4])) - state[4])
                self.friction.append(state[5])
            t, y = float(part.t[-1]), np.array(part.y[:, -1])
            if t < last:
                own = np.ascontiguousarray(y[:4])
                self.times.append(t)
                self.noted.append(kernel.switch(kernel.JOINT_GUARD, t, own, self.p, self.s, NOTHING))
                y[:4] = own
        return self


BOUNCING = 0.064  # s: contact, the loss at 0.058 s, and the first bounces


@pytest.mark.parametrize("gravity", quick([0.0, -9.81], 1))
def test_without_losses_the_energy_is_what_the_crank_has_given(gravity: float) -> None:
    config = replace(FLAT, gravity=gravity, contact=Contact(restitution=1.0))
    walk = Walk(config).until(BOUNCING)
    if gravity == 0.0:
        assert len(walk.times) >= 3
    assert np.ptp(walk.balance) < 1e-7 * abs(walk.balance[0])
    assert np.abs(walk.friction).max() == 0.0


@pytest.mark.long
def test_nor_does_a_crank_that_sways_give_or_take_more_than_it_says() -> None:
    walk = Walk(replace(FLAT, contact=Contact(restitution=1.0)), wobble=0.02).until(BOUNCING)
    assert len(walk.times) >= 3
    assert np.ptp(walk.balance) < 1e-6 * max(map(abs, walk.balance))


def test_friction_only_takes_and_takes_what_the_balance_lacks() -> None:
    config = replace(FLAT, friction=0.2, contact=Contact(restitution=1.0))
    walk = Walk(config).until(0.02)
    assert np.all(np.diff(walk.friction) <= 0.0)
    assert walk.friction[-1] < -1e-4
    lacking = np.array(walk.balance) - walk.balance[0]
    assert lacking == pytest.approx(walk.friction, abs=1e-6 * abs(walk.balance[0]))


@pytest.mark.parametrize("clearance", quick([0.2e-3, 20e-6], 1))
def test_two_solvers_agree_on_every_event(clearance: float) -> None:
    config = replace(FLAT, clearance=clearance)
    walk = Walk(config).until(BOUNCING)
    stepper, _ = moved(config, FINE, BOUNCING * FLAT.speed / (2.0 * math.pi))
    events = [one for one in stepper.events if one.time <= BOUNCING]
    assert [one.time for one in events] == pytest.approx(walk.times, abs=1e-8)
    assert [one.noted for one in events] == pytest.approx(walk.noted, rel=1e-5)


def released(config: Config, hard: float) -> tuple[float, float]:
    """(approach, separation) speed of the first impact faster than `hard`, m/s; read within 1 us of its end."""
    rate, integrator = 1e6, dop853.Config(longest_step=1e-6)
    events = moved(config, integrator, 1.0)[0].events
    last = next(i for i in range(1, len(events)) if events[i].noted == 0.0 and events[i - 1].noted > hard)
    stepper = config.create(integrator, rate)
    stepper.start(np.zeros(stepper.lookahead))
    stepper.advance(np.zeros(int(events[last].time * rate) - 1))
    while len(stepper.events) <= last:
        stepper.advance(np.zeros(1))
    x, y, vx, vy = stepper.state  # apart again, in x and y
    flown = stepper.time - stepper.events[last].time
    x, y = x - flown * vx, y - flown * vy
    return stepper.events[last - 1].noted, -(x * vx + y * vy) / math.hypot(x, y)


@pytest.mark.parametrize("name", quick(["lankarani_nikravesh", "exact"], 1))
def test_an_impact_in_the_mechanism_gives_the_restitution_of_its_law(name: str) -> None:
    """Stiff, so that the contact is over before the links' own forces do anything."""
    config = replace(FLAT, contact=Contact(law=name, restitution=0.6, stiffness_scale=1e5))
    before, after = released(config, 0.02)
    assert after / before == pytest.approx(restitution(config.contact.damping), abs=2e-3)


@pytest.mark.parametrize("config", [FLAT, Config()])
def test_errors_fall_with_the_tolerance(config: Config) -> None:
    _, exact = moved(config, dop853.Config(tolerance=1e-12), 0.45)
    errors = [
        np.abs(moved(config, dop853.Config(tolerance=t, longest_step=1e-3), 0.45)[1] - exact)[:, 1:3].max() for t in (1e-4, 1e-6, 1e-8)
    ]
    assert errors[1] < 0.1 * errors[0] and errors[2] < 0.1 * errors[1]


def test_the_experiment_is_accurate_with_few_evaluations() -> None:
    """Errors against tolerance 1e-12 over a revolution with bounces; what the evaluations cost is for `rig benchmark four_bar`."""
    exact_stepper, exact = moved(FLAT, dop853.Config(tolerance=1e-12), 1.0)
    stepper, values = moved(FLAT, COARSE, 1.0)
    assert np.abs(values - exact)[:, 1:3].max() < 1e-6
    assert stepper.events[0].time == pytest.approx(exact_stepper.events[0].time, abs=1e-8)
    assert moved(FLAT, COARSE, 1.0, rate=1e3)[0].work["evaluations"] < 45_000


def test_a_fixed_step_gives_the_same_loss_and_a_long_one_is_refused() -> None:
    fixed, _ = moved(FLAT, rk4.Config(step=5e-6), 0.3)
    adaptive, _ = moved(FLAT, FINE, 0.3)
    assert fixed.events[0].time == pytest.approx(adaptive.events[0].time, abs=1e-7)
    with pytest.raises(ModelError, match=r"integrator\.step 0\.001 s is above the stability limit"):
        FLAT.create(rk4.Config(step=1e-3), 1e3)


def test_a_force_that_goes_on_turning_is_followed_for_any_time() -> None:
    """In contact all the time the direction turns once a revolution: the arc is wound back and nothing is seen of it."""
    config = Config(clearance=2e-6)
    stepper, values = moved(config, COARSE, 4.0, rate=5e3)
    assert stepper.events == [] and np.all(values[:, kernel.IN_CONTACT] == 1.0)
    there = ideal(config, values[:, 0])
    assert abs(np.unwrap(there.alpha.value)[-1] - there.alpha.value[0]) > 7.0 * math.pi
    assert np.median(np.abs(values[:, kernel.FORCE] / there.F.value - 1.0)) < 0.05
    assert np.cos(values[:, kernel.FORCE_ANGLE] - there.alpha.value).min() > 0.9
    assert abs(stepper.state[kernel.ARC]) <= 2.0 * math.pi * config.clearance


@each_row("name", LAWS)
def test_every_law_moves_it(name: str) -> None:
    config = replace(FLAT, contact=Contact(law=name, restitution=0.8))
    assert run(config, COARSE, 0.4).losses[0] / DEG == pytest.approx(344.33, abs=0.5)


def test_how_the_samples_are_cut_does_not_matter() -> None:
    _, whole = moved(FLAT, COARSE, 0.4)
    stepper = FLAT.create(COARSE, 20e3)
    stepper.start(np.zeros(stepper.lookahead))
    cuts = [1, 7, 300, 2]
    parts, left = [], len(whole)
    while left > 0:
        size = min(left, cuts[len(parts) % len(cuts)])
        parts.append(stepper.advance(np.zeros(size)))
        left -= size
    assert np.array_equal(np.concatenate(parts), whole)


def test_the_acceleration_is_that_of_the_couplers_end() -> None:
    rate = 200e3
    _, values = moved(FLAT, FINE, 0.1, rate)
    ends = FLAT.crank_length * np.exp(1j * values[:, 0]) + FLAT.coupler_length * np.exp(1j * values[:, 1])
    across = 1j * np.exp(1j * values[1:-1, 1])
    second = (ends[2:] - 2.0 * ends[1:-1] + ends[:-2]) * rate**2
    assert values[1:-1, kernel.ACCELERATION] == pytest.approx((second * across.conj()).real, abs=0.02)


def test_without_clearance_it_is_the_ideal_linkage() -> None:
    config = replace(FLAT, clearance=0.0, gravity=9.81)
    stepper = config.create(COARSE, 5e3)
    stepper.start(np.zeros(stepper.lookahead))
    blocks = [stepper.advance_with_extremes(np.zeros(size)) for size in (1, 400, 600)]
    values, low, high = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    there = ideal(config, values[:, 0])
    assert values.shape == (1001, len(Config.CHANNELS))
    assert values[:, kernel.FORCE] == pytest.approx(there.F.value, rel=1e-12)
    assert np.all(values[:, kernel.IN_CONTACT] == 1.0)
    assert np.all(low <= values) and np.all(values <= high)
    assert stepper.events == [] and stepper.time == pytest.approx(0.2)
    end = config.crank_length * there.cosine[0] + config.coupler_length * there.cosine[1]
    other = config.crank_length * there.sine[0] + config.coupler_length * there.sine[1]
    across = other.derivative(2) * there.cosine[1].value - end.derivative(2) * there.sine[1].value
    assert values[:, kernel.ACCELERATION] == pytest.approx(across, abs=1e-9)
    with pytest.raises(InconsistentStart):
        stepper.start(np.zeros(2))
    with pytest.raises(ModelError, match="sample rate"):
        config.create(COARSE, 0.0)


class Unsuited(Integrator):
    KIND = "other"

    """An integrator without explicit steps."""


def test_what_cannot_be_run_is_refused_by_name() -> None:
    with pytest.raises(InconsistentStart, match="start_angle 340 deg"):
        replace(FLAT, start_angle=340.0 * DEG).create(FINE, 1e3)
    with pytest.raises(ModelError, match=r"integrator\.kind .*expected dop853 or rk4"):
        FLAT.create(Unsuited(), 1e3)
    with pytest.raises(ModelError, match="unknown input 'stroke'"):
        FLAT.create(FINE, 1e3, "stroke")


def driven(config: Config, turned: Floats, rate: float, cut: int = 997) -> Floats:
    """Channels at the samples `turned` (rad) of the crank, fed in blocks of `cut`."""
    stepper = config.create(FINE, rate, "command")
    ahead = stepper.lookahead
    stepper.start(turned[:ahead])
    return np.concatenate([stepper.advance(turned[first : first + cut]) for first in range(ahead, len(turned), cut)])


@pytest.mark.parametrize("clearance", [0.2e-3, 0.0])
def test_a_crank_that_samples_bring_to_its_speed_moves_as_one_at_that_speed(clearance: float) -> None:
    """Gravity presses the joint through the start; a turn later what the start was is forgotten."""
    config, rate = Config(clearance=clearance, start_angle=240.0 * DEG), 20e3
    t, begun = np.arange(round(0.8 * rate)) / rate, 0.3
    share = np.clip(t / begun, 0.0, 1.0)
    way = config.speed * (begun * share**4 * (2.5 - 3.0 * share + share**2) + np.maximum(t - begun, 0.0))  # smooth up to the acceleration
    values = driven(config, way, rate)
    angle = values[:, kernel.CRANK_ANGLE]
    assert angle == pytest.approx(config.start_angle + way[: len(angle)], abs=1e-12)
    last = angle > angle[-1] - 2.0 * math.pi
    later = replace(config, start_angle=float(angle[last][0]) % (2.0 * math.pi))
    steady = moved(replace(later, clearance=0.0), FINE, 1.0, rate)[1]
    compared = min(last.sum(), len(steady))
    ours, ideal_ones = values[last][:compared], steady[:compared]
    for column, near in ((kernel.COUPLER_ANGLE, 5e-3), (kernel.ROCKER_ANGLE, 5e-3)):
        off = np.abs(ours[:, column] - ideal_ones[:, column])
        assert off.max() < (near if clearance else 1e-9)
    if not clearance:
        for column in (kernel.FORCE, kernel.ACCELERATION):
            assert ours[:, column] == pytest.approx(ideal_ones[:, column], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("clearance", [0.2e-3, 0.0])
def test_driven_blocks_of_any_size_give_the_same(clearance: float) -> None:
    rate = 20e3
    way = 5.0 * (1.0 - np.cos(8.0 * np.arange(1000) / rate))
    config = Config(clearance=clearance)
    assert np.array_equal(driven(config, way, rate, cut=1), driven(config, way, rate, cut=321))


def test_the_limit_of_a_small_clearance_is_the_ideal_linkage_as_it_is_driven() -> None:
    rate = 20e3
    way = 4.0 * (1.0 - np.cos(6.0 * np.arange(6000) / rate))
    mean = np.full(200, 1.0 / 200.0)
    curves = [np.convolve(driven(Config(clearance=c), way, rate)[:, kernel.ACCELERATION], mean, "valid") for c in (0.0, 1e-4, 1e-5)]
    off = [np.sqrt(np.mean((one - curves[0][: len(one)]) ** 2)) for one in curves[1:]]
    assert off[1] < 0.3 * off[0]
