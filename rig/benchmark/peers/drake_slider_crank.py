"""Drake's slider-crank with a rigid rod and clearance between rod and slider; guide ideal.

Two revolute joints and a prismatic one, so there are no constraints; the crank's inertia is so large that its speed stays. Drake's own
contact cannot be used: compliant points press with k x (1 + d v), d alike at all speeds, hydroelastic bodies by their volume, and neither
knows a hollow cylinder. The pin's force is a system of its own instead: symbolic expressions, which Drake evaluates without Python, into
the joints' generalised forces. The approach speed is a discrete state that witness functions set and reset where contact begins and ends,
which Drake locates; these alone are Python, twice a step.
"""

from __future__ import annotations

import importlib
import time
from types import SimpleNamespace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.slider_crank.config import Config, contact_stiffness
from rig.benchmark.case import Run, Runner
from rig.benchmark.peers import PeerMissing
from rig.config.experiment import Experiment

Floats = NDArray[np.float64]

PROGRAM = "drake"


class Plant(Protocol):
    """What is asked of Drake's multibody plant once it is built."""

    def SetPositionsAndVelocities(self, context: object, q_v: list[float]) -> None: ...
    def GetMyMutableContextFromRoot(self, root_context: object) -> object: ...


class Samples(Protocol):
    """What a log has kept."""

    def sample_times(self) -> Floats: ...
    def data(self) -> Floats: ...


class Log(Protocol):
    """A sink of a signal."""

    def FindLog(self, context: object) -> Samples: ...


class Vector(Protocol):
    """Values of a discrete state."""

    def SetAtIndex(self, index: int, value: float) -> None: ...


class State(Protocol):
    """State that an event may change."""

    def get_mutable_discrete_state(self, index: int) -> Vector: ...


class Context(Protocol):
    """Where and when a system is."""

    def get_discrete_state(self, index: int) -> Floats: ...


STEADY = 1e9  # kg m^2: the crank's speed then changes by 1e-11 of itself
SETTINGS = (
    ("runge_kutta3", 1e-5),
    ("bogacki_shampine3", 1e-5),
    *(("runge_kutta5", accuracy) for accuracy in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)),
)
"""Integrator and accuracy. Only those with error control; the implicit ones take longer, for nothing here is stiff."""
EVERY = 2  # of the settings, in a quick run
LONGEST, SHORTEST = 1e-5, 1e-15  # s, of a step; with longer ones a stage may lie where the pin is pressed to nothing, and it gives up
MODULES = ("math", "multibody.plant", "multibody.tree", "symbolic", "systems.analysis", "systems.framework", "systems.primitives")


def load() -> SimpleNamespace:
    """What is needed of its modules. Raises PeerMissing."""
    try:
        modules = [importlib.import_module(f"pydrake.{name}") for name in MODULES]
    except ImportError as error:
        raise PeerMissing("drake is not installed: pip install 'clearance-rig[peers]'") from error
    return SimpleNamespace(**{name: value for module in modules for name, value in vars(module).items()})


def runners(experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """All settings of the list. Raises PeerMissing, ValueError for friction in the pin; sample: s between two output samples."""
    drake, config = load(), experiment.mechanism_as(Config)
    if config.friction > 0.0:
        raise ValueError(f"drake: its slider-crank here has no friction in the pin, expected friction = 0; got {config.friction:g}")
    return [DrakeRun(drake, config, *setting, duration, sample) for setting in SETTINGS[:: EVERY if quick else 1]]


class DrakeRun:
    """The case with one integrator and accuracy."""

    program = PROGRAM

    def __init__(self, drake: SimpleNamespace, config: Config, integrator: str, accuracy: float, duration: float, sample: float) -> None:
        self._drake, self._config, self._duration = drake, config, duration
        self._integrator, self._accuracy = integrator, accuracy
        self.settings = {"integrator": integrator, "accuracy": accuracy}

    def run(self) -> Run:
        """From the start to the end."""
        drake, config = self._drake, self._config
        diagram, plant, log = _built(drake, config)
        simulator = drake.Simulator(diagram)
        context = simulator.get_mutable_context()
        reach = config.crank.length + config.rod.length
        start = [0.0, 0.0, reach, config.speed, -config.speed * reach / config.rod.length, 0.0]
        plant.SetPositionsAndVelocities(plant.GetMyMutableContextFromRoot(context), start)
        integrator = drake.ResetIntegratorFromFlags(simulator, self._integrator, LONGEST)
        integrator.set_target_accuracy(self._accuracy)
        integrator.set_requested_minimum_step_size(SHORTEST)
        context.SetAccuracy(self._accuracy)  # by which events are located
        simulator.Initialize()
        wall, cpu = time.perf_counter(), time.thread_time()
        simulator.AdvanceTo(self._duration)
        wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
        found = log.FindLog(context)
        times, values = found.sample_times(), found.data()
        return Run(wall, cpu, times.copy(), {"slider_position": values[2].copy(), "slider_velocity": values[5].copy()})


def _built(drake: SimpleNamespace, config: Config) -> tuple[object, Plant, Log]:
    """(diagram, plant, log of its state at the end of each step)."""
    builder = drake.DiagramBuilder()
    plant = builder.AddSystem(drake.MultibodyPlant(0.0))
    crank, rod, slider = (
        plant.AddRigidBody(name, drake.SpatialInertia.MakeFromCentralInertia(mass, [at, 0.0, 0.0], drake.RotationalInertia(*[inertia] * 3)))
        for name, mass, at, inertia in (
            ("crank", config.crank.mass, 0.0, STEADY),
            ("rod", config.rod.mass, config.rod.centre, config.rod.inertia),
            ("slider", config.slider.mass, 0.0, config.slider.inertia),
        )
    )
    pin = plant.AddFrame(drake.FixedOffsetFrame("pin", crank.body_frame(), drake.RigidTransform([config.crank.length, 0.0, 0.0])))
    plant.AddJoint(drake.RevoluteJoint("crank", plant.world_frame(), crank.body_frame(), [0.0, 0.0, 1.0]))
    plant.AddJoint(drake.RevoluteJoint("rod", pin, rod.body_frame(), [0.0, 0.0, 1.0]))
    plant.AddJoint(drake.PrismaticJoint("slider", plant.world_frame(), slider.body_frame(), [1.0, 0.0, 0.0]))
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, 0.0])
    plant.Finalize()
    pressing = builder.AddSystem(_pressing(drake, config))
    latch = builder.AddSystem(_latch(drake, config.contact.approach_floor))
    together, apart = builder.AddSystem(drake.Multiplexer([6, 1])), builder.AddSystem(drake.Demultiplexer([3, 2]))
    state = plant.get_state_output_port()
    builder.Connect(state, together.get_input_port(0))
    builder.Connect(latch.get_output_port(), together.get_input_port(1))
    builder.Connect(together.get_output_port(), pressing.get_input_port())
    builder.Connect(pressing.get_output_port(), apart.get_input_port())
    builder.Connect(apart.get_output_port(0), plant.get_applied_generalized_force_input_port())
    builder.Connect(apart.get_output_port(1), latch.get_input_port())
    log = drake.LogVectorOutput(state, builder, {drake.TriggerType.kPerStep})
    return builder.Build(), plant, log


def _pressing(drake: SimpleNamespace, config: Config) -> object:
    """The pin's generalised forces, its penetration and the rate of that, from the plant's state and the approach speed (0 while apart)."""
    theta, phi, x, omega, phi_rate, v, approach = names = [drake.Variable(name) for name in ("theta", "phi", "x", "w", "p", "v", "v0")]
    angle, turning, r, length, contact = theta + phi, omega + phi_rate, config.crank.length, config.rod.length, config.contact
    ax, ay, ux, uy = r * drake.cos(theta), r * drake.sin(theta), length * drake.cos(angle), length * drake.sin(angle)
    gx, gy = ax + ux - x, ay + uy
    distance = drake.sqrt(gx * gx + gy * gy)
    rate = (gx * (-omega * ay - turning * uy - v) + gy * (omega * ax + turning * ux)) / distance
    depth = distance - config.clearance
    law = contact_stiffness(config) * drake.pow(depth, contact.exponent) * drake.max(0.0, 1.0 + contact.damping * rate / approach)
    normal = drake.if_then_else(drake.logical_and(approach > 0.0, depth > 0.0), law, 0.0)
    fx, fy = -normal * gx / distance, -normal * gy / distance
    found = [(ax + ux) * fy - (ay + uy) * fx, ux * fy - uy * fx, -fx, depth, rate]
    unused = drake.Variable("unused")  # without a state of its own Drake 1.51 ends the process when it asks for the rate of it
    return drake.SymbolicVectorSystem(state=[unused], dynamics=[0.0 * unused], input=names, output=found)


def _latch(drake: SimpleNamespace, floor: float) -> object:
    """The approach speed as a discrete state, set where the pin comes to touch and reset where it leaves, from penetration and rate."""

    def depth(context: Context) -> float:
        return float(made.get_input_port().Eval(context)[0])

    def begin(_system: object, context: Context, _event: object, state: State) -> object:
        state.get_mutable_discrete_state(0).SetAtIndex(0, max(floor, float(made.get_input_port().Eval(context)[1])))
        return drake.EventStatus.Succeeded()

    def end(_system: object, _context: object, _event: object, state: State) -> object:
        state.get_mutable_discrete_state(0).SetAtIndex(0, 0.0)
        return drake.EventStatus.Succeeded()

    def witnesses(_self: object, context: Context) -> list[object]:
        return [leave if context.get_discrete_state(0)[0] > 0.0 else touch]

    made = type("Latch", (drake.LeafSystem,), {"DoGetWitnessFunctions": witnesses})()
    made.DeclareVectorInputPort("pin", 2)
    made.DeclareDiscreteState(1)
    made.DeclareStateOutputPort("approach", drake.DiscreteStateIndex(0))
    directions, event = drake.WitnessFunctionDirection, drake.UnrestrictedUpdateEvent
    touch = made.MakeWitnessFunction("touch", directions.kNegativeThenNonNegative, depth, event(system_callback=begin))
    leave = made.MakeWitnessFunction("leave", directions.kPositiveThenNonPositive, depth, event(system_callback=end))
    found: object = made
    return found
