"""Who injects: takes what the bench file says, and what is asked for while it works, and reaches what is no part of the plant."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

from drivers.files.plain_values import Json, table
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.serial.serial_side import Fault, SerialSide
from rig.config.injection import DAQ, LINE, Injection
from rig.config.transport import from_json
from rig.errors import ConfigError
from rig.virtual.injection import machine
from rig.virtual.injection.device import end_tasks, input_sample, sampled_since
from rig.virtual.injection.injected_plant import InjectedPlant
from rig.virtual.rig_plant import RigPlant
from rig.virtual.wrapped_plant import WrappedPlant

VERB = "inject"
SILENT = "silent"
"""What a serial side calls a line that is mute."""
ALWAYS = sys.maxsize
"""Answers that a fault of a line spoils, where it stays."""


class Injector:
    """`plant`: to be used in place of the one that it was made with; `machine`: that one, without what is around it."""

    def __init__(self, plant: RigPlant, seed: int) -> None:
        itself = plant
        while isinstance(itself, WrappedPlant):
            itself = itself.inner
        self.plant, self.machine = InjectedPlant(plant, itself, seed), itself
        self._engine: Bench | None = None
        self._sides: Mapping[str, SerialSide] = {}

    def connect(self, engine: Bench, sides: Mapping[str, SerialSide], injections: Sequence[Injection]) -> None:
        """What is around the plant. Raises ConfigError for injections that have no target there."""
        self._engine, self._sides = engine, sides
        self.plant.outside, self.plant.sample_at, self.plant.sampled_since = self._do, self._sample_at, self._sampled_since
        try:
            self._need_lines(injections)
            self.plant.plan(injections)
        except ValueError as error:
            raise ConfigError(f"virtual bench: {error}") from error

    def take(self, line: str) -> None:
        """A command of the parent; of others than `inject` nothing is done. Raises ValueError."""
        said = table(json.loads(line))
        if said.get("verb") == VERB:
            assert self._engine is not None
            with self._engine.lock:
                now = self.plant.time
                made = [replace(from_json(Injection, one), begin=now) for one in table_list(said.get("injections"))]
                self._need_lines(made)
                self.plant.add(made)

    def _need_lines(self, injections: Sequence[Injection]) -> None:
        for one in injections:
            if one.what in (*LINE, "drive") and one.target not in self._sides:
                known = ", ".join(self._sides) or "none"
                raise ValueError(f"injections: {one.what}: expected a serial line of the bench, which has {known}; got {one.target!r}")

    def _sample_at(self, time: float) -> int | None:
        assert self._engine is not None
        return input_sample(self._engine, time)

    def _sampled_since(self) -> float | None:
        assert self._engine is not None
        return sampled_since(self._engine)

    def _do(self, one: Injection, begins: bool) -> None:
        assert self._engine is not None
        if one.what in DAQ:
            if begins:
                end_tasks(self._engine, one)
        elif one.what == "drive":
            if begins:
                machine.fail(self._sides[one.target].device.drives, int(one.value))
        elif one.what == "unplugged":
            side = self._sides[one.target]
            # It waits for a thread that may wait for the engine, which is busy just now.
            threading.Thread(target=side.unplug if begins else side.plug, daemon=True).start()
        else:
            self._sides[one.target].fault = _fault(one) if begins else None


def _fault(one: Injection) -> Fault:
    return Fault(SILENT if one.what == "mute" else one.what, ALWAYS, one.value)


def table_list(value: Json) -> list[Mapping[str, Json]]:
    """A list of tables. Raises ValueError."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list of injections, got {value!r}")
    return [table(one) for one in value]
