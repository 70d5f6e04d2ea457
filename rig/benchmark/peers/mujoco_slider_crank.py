"""MuJoCo's slider-crank with a rigid rod and clearance between rod and slider; guide ideal.

Two hinges and a slide, so there are no constraints; the crank's armature is so large that its speed stays. MuJoCo's own contact cannot be
used: it finds impulses that keep bodies apart by a spring and a damper of the constraint (solref, solimp), which has neither delta^1.5 nor
an approach speed that is latched, and no geometry of it is a hollow cylinder. It offers a force of one's own instead, `mjcb_passive`, which
is compiled here, so that no Python function is called in a step. Its steps are fixed and it locates no event: the callback finds the
approach speed between the two evaluations between which contact begins, straight.
"""

from __future__ import annotations

import ctypes
import importlib
import math
import time
from types import ModuleType
from typing import Protocol

import numpy as np
from numba import cfunc, types
from numba.np.numpy_support import carray
from numpy.typing import NDArray

from model.mechanisms.slider_crank.config import Config, contact_stiffness
from rig.benchmark.case import Run, Runner
from rig.benchmark.peers import PeerMissing
from rig.config.experiment import Experiment

Floats = NDArray[np.float64]

PROGRAM = "mujoco"
STEADY = 1e9  # kg m^2: the crank's speed then changes by 1e-11 of itself
SETTINGS = (
    *(("EULER", parts) for parts in (10, 40)),
    *(("RK4", parts) for parts in (2, 3, 5, 7, 10, 20, 40, 80)),
)
"""Integrator and how many steps a sample takes. IMPLICITFAST and DISCRETE find what EULER does, in somewhat more time."""
EVERY = 2  # of the settings, in a quick run
MEMORY = 3  # places in userdata: approach speed, 0 while apart; penetration and its rate at the last evaluation
MODEL = """
<mujoco>
  <compiler balanceinertia="false"/>
  <option gravity="0 0 0"><flag constraint="disable" contact="disable"/></option>
  <size nuserdata="{memory}"/>
  <worldbody>
    <body>
      <joint type="hinge" axis="0 0 1" armature="{steady}"/>
      <inertial pos="0 0 0" mass="{crank}" diaginertia="1e-4 1e-4 1e-4"/>
      <body pos="{r} 0 0">
        <joint type="hinge" axis="0 0 1"/>
        <inertial pos="{centre} 0 0" mass="{rod}" diaginertia="{inertia} {inertia} {inertia}"/>
      </body>
    </body>
    <body pos="{start} 0 0">
      <joint type="slide" axis="1 0 0"/>
      <inertial pos="0 0 0" mass="{slider}" diaginertia="1e-4 1e-4 1e-4"/>
    </body>
  </worldbody>
</mujoco>
"""


class Data(Protocol):
    """State of a MuJoCo model and where it is in memory."""

    @property
    def _address(self) -> int: ...
    @property
    def qpos(self) -> Floats: ...
    @property
    def qvel(self) -> Floats: ...
    @property
    def qfrc_passive(self) -> Floats: ...
    @property
    def userdata(self) -> Floats: ...


class Callback(Protocol):
    """A compiled function as C has it; the code lives as long as this."""

    @property
    def ctypes(self) -> object: ...


def load() -> ModuleType:
    """The module. Raises PeerMissing."""
    try:
        return importlib.import_module("mujoco")
    except ImportError as error:
        raise PeerMissing("mujoco is not installed: pip install 'clearance-rig[peers]'") from error


def runners(experiment: Experiment, duration: float, sample: float, quick: bool) -> list[Runner]:
    """All settings of the list. Raises PeerMissing, ValueError for friction in the pin; sample: s between two output samples."""
    mujoco, config = load(), experiment.mechanism_as(Config)
    if config.friction > 0.0:
        raise ValueError(f"mujoco: its slider-crank here has no friction in the pin, expected friction = 0; got {config.friction:g}")
    return [MujocoRun(mujoco, config, *setting, duration, sample) for setting in SETTINGS[:: EVERY if quick else 1]]


class MujocoRun:
    """The case with one integrator and step."""

    program = PROGRAM

    def __init__(self, mujoco: ModuleType, config: Config, integrator: str, parts: int, duration: float, sample: float) -> None:
        """parts: steps from one sample to the next."""
        self._mujoco, self._config, self._parts, self._duration, self._sample = mujoco, config, parts, duration, sample
        self.settings = {"integrator": integrator, "step": sample / parts}
        self._model = mujoco.MjModel.from_xml_string(described(config))
        self._model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
        self._model.opt.timestep = sample / parts
        self._data = mujoco.MjData(self._model)
        self._pressing = _pressing(self._data, config)

    def run(self) -> Run:
        """From the start to the end, or to where MuJoCo warns that it is unstable: from there it would begin anew."""
        mujoco, model, data, config = self._mujoco, self._model, self._data, self._config
        mujoco.mj_resetData(model, data)
        data.qvel[:] = config.speed, -config.speed * (1.0 + config.crank.length / config.rod.length), 0.0
        data.userdata[:] = 0.0, -config.clearance, 0.0
        count = round(self._duration / self._sample)
        found, last, warnings = np.zeros((count + 1, 2)), count, list[str]()
        mujoco.set_mju_user_warning(warnings.append)  # which it would write to MUJOCO_LOG.TXT in the working directory else
        mujoco.set_mjcb_passive(self._pressing.ctypes)
        try:
            wall, cpu = time.perf_counter(), time.thread_time()
            for k in range(1, count + 1):
                mujoco.mj_step(model, data, self._parts)
                found[k] = data.qpos[2], data.qvel[2]
                if warnings:
                    last = k - 1
                    break
            wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
        finally:
            mujoco.set_mjcb_passive(None)
            mujoco.set_mju_user_warning(None)
        times, found = np.linspace(0.0, count * self._sample, count + 1)[: last + 1], found[: last + 1]
        x = config.crank.length + config.rod.length + found[:, 0]
        return Run(wall, cpu, times, {"slider_position": x, "slider_velocity": found[:, 1]})


def described(config: Config) -> str:
    """The mechanism in MuJoCo's language, at its start: crank and rod in line."""
    return MODEL.format(
        memory=MEMORY, steady=STEADY, crank=config.crank.mass, r=config.crank.length, centre=config.rod.centre, rod=config.rod.mass,
        inertia=config.rod.inertia, start=config.crank.length + config.rod.length, slider=config.slider.mass,
    )  # fmt: skip


def _pressing(data: Data, config: Config) -> Callback:
    """The pin's force, compiled, as MuJoCo calls it: it adds to qfrc_passive of these `data`.

    What it needs of them stays where it is while they live; it finds it from their own address, in words.
    """
    q, v, force, kept = (_words(data, array) for array in (data.qpos, data.qvel, data.qfrc_passive, data.userdata))
    one, two = np.uint64(1), np.uint64(2)
    r, length, clearance, start = config.crank.length, config.rod.length, config.clearance, config.crank.length + config.rod.length
    stiffness, exponent, damping = contact_stiffness(config), config.contact.exponent, config.contact.damping
    floor = config.contact.approach_floor

    def press(_model: ctypes.c_void_p, words: ctypes.c_void_p) -> None:
        of = carray(words, (1,), np.float64)
        theta, omega = of[q], of[v]
        angle, turning = theta + of[q + one], omega + of[v + one]
        ax, ay, ux, uy = r * math.cos(theta), r * math.sin(theta), length * math.cos(angle), length * math.sin(angle)
        gx, gy = ax + ux - start - of[q + two], ay + uy
        distance = math.sqrt(gx * gx + gy * gy)
        rate = 0.0
        if distance > 0.0:
            rate = (gx * (-omega * ay - turning * uy - of[v + two]) + gy * (omega * ax + turning * ux)) / distance
        depth = distance - clearance
        if depth <= 0.0:
            of[kept] = 0.0
        else:
            if of[kept] == 0.0:
                before, rate_before = of[kept + one], of[kept + two]
                share = before / (before - depth) if before < 0.0 else 1.0
                of[kept] = max(floor, rate_before + share * (rate - rate_before))
            pressing = stiffness * depth**exponent * max(0.0, 1.0 + damping * rate / of[kept])
            fx, fy = -pressing * gx / distance, -pressing * gy / distance
            of[force] += (ax + ux) * fy - (ay + uy) * fx
            of[force + one] += ux * fy - uy * fx
            of[force + two] -= fx
        of[kept + one], of[kept + two] = depth, rate

    made: Callback = cfunc(types.void(types.voidptr, types.voidptr))(press)
    return made


def _words(data: Data, array: Floats) -> np.uint64:
    """How far an array of `data` is from them, in words of 8 bytes, round the whole of the memory."""
    return np.uint64((array.ctypes.data - data._address) % 2**64 // 8)
