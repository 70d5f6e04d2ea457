"""Random tasks with triggers, routes, foreign clocks and positions, right and wrong ones: the server answers NI's errors and lives on."""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import (
    AcquisitionType,
    DigitalPatternCondition,
    Edge,
    Level,
    LineGrouping,
    ReadRelativeTo,
    RegenerationMode,
    Signal,
    Slope,
    TaskMode,
    TriggerType,
    WriteRelativeTo,
)
from nidaqmx.system import System

from tests.thorough import times
from tests.tiers import quick
from tests.unit.drivers.simulated.daqmx.random_tasks import RandomTasks

WIRES = {
    "Dev1/PFI0": "Dev1/port0/line0", "Dev1/ai1": "sample_code", "Dev1/ai0": "Dev1/ao0", "Dev1/PFI1": "Dev1/PFI2",
    "Dev1/port0/line9": "Dev1/PFI3",
}  # fmt: skip
TERMINALS = (
    "/Dev1/PFI0", "PFI1", "/Dev1/PFI2", "/Dev1/PFI3", "/Dev1/PFI9", "/Dev1/100kHzTimebase", "/Dev1/ChangeDetectionEvent", "nowhere", "",
    *(f"/Dev1/{part}/{signal}" for part in ("ai", "ao", "di", "do") for signal in ("SampleClock", "StartTrigger")),
)  # fmt: skip
CHANNELS = (
    lambda task: task.ai_channels.add_ai_voltage_chan("Dev1/ai0:1", min_val=-10.0, max_val=10.0),
    lambda task: task.ao_channels.add_ao_voltage_chan("Dev1/ao0:1"),
    lambda task: task.di_channels.add_di_chan("Dev1/port0/line0:3", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES),
    lambda task: task.di_channels.add_di_chan("Dev1/port0/line9"),
    lambda task: task.do_channels.add_do_chan("Dev1/port0/line0"),
    lambda task: task.do_channels.add_do_chan("Dev1/port1/line1"),
)


class Caller(RandomTasks):
    def call(self):
        calls = (
            self.clock, self.own_clock, self.own_clock, self.changes, self.trigger, self.trigger, self.export, self.route, self.start,
            self.start, self.start, self.stop, self.read, self.read, self.read, self.write, self.write, self.position, self.close,
        )  # fmt: skip
        if not self.tasks or (len(self.tasks) < 5 and self.random.random() < 0.2):
            self.tasks.append(self.bench.task())
            self.pick(*CHANNELS)(self.tasks[-1])
        self.pick(*calls)(self.pick(*self.tasks))

    def clock(self, task):
        task.timing.cfg_samp_clk_timing(
            self.pick(1000.0, 1e5, 50.0), source=self.pick(*TERMINALS), active_edge=self.pick(*Edge),
            sample_mode=self.pick(*AcquisitionType), samps_per_chan=int(self.pick(1, 2, 10, 500)),
        )  # fmt: skip

    def own_clock(self, task):
        mode = self.pick(AcquisitionType.FINITE, AcquisitionType.CONTINUOUS)
        task.timing.cfg_samp_clk_timing(self.pick(1000.0, 1e5), sample_mode=mode, samps_per_chan=int(self.pick(10, 500)))

    def changes(self, task):
        task.timing.cfg_change_detection_timing("Dev1/port0/line0", "Dev1/port0/line0", AcquisitionType.FINITE, 5)

    def trigger(self, task):
        start, reference, pause = task.triggers.start_trigger, task.triggers.reference_trigger, task.triggers.pause_trigger
        source, pretrigger, slope = self.pick(*TERMINALS), int(self.pick(2, 5)), self.pick(*Slope)
        self.pick(
            lambda: start.cfg_dig_edge_start_trig(source, self.pick(*Edge)),
            lambda: start.cfg_anlg_edge_start_trig(self.pick("Dev1/ai0", "APFI0"), slope, self.pick(0.0, 1.0)),
            lambda: start.cfg_dig_pattern_start_trig(
                "Dev1/port0/line0:1", self.pick("1X", "RF", "01"), self.pick(*DigitalPatternCondition)
            ),
            lambda: setattr(start, "retriggerable", self.pick(True, False)),
            lambda: reference.cfg_dig_edge_ref_trig(source, pretrigger),
            lambda: reference.cfg_anlg_edge_ref_trig("Dev1/ai0", pretrigger, slope, self.pick(0.0, 1.0)),
            lambda: setattr(pause, "trig_type", self.pick(TriggerType.DIGITAL_LEVEL, TriggerType.NONE)),
            lambda: setattr(pause, "dig_lvl_src", source),
            lambda: setattr(pause, "dig_lvl_when", self.pick(Level.HIGH, Level.LOW)),
            lambda: (start.disable_start_trig(), reference.disable_ref_trig()),
        )()

    def export(self, task):
        signal = self.pick(Signal.SAMPLE_CLOCK, Signal.START_TRIGGER, Signal.REFERENCE_TRIGGER)
        task.export_signals.export_signal(signal, self.pick("/Dev1/PFI5", "/Dev1/PFI1", "/Dev1/PFI0", "nowhere"))

    def route(self, task):
        system = System.remote(self.bench.options)
        self.pick(system.connect_terms, system.disconnect_terms)(self.pick(*TERMINALS), self.pick("/Dev1/PFI5", "/Dev1/PFI1"))

    def start(self, task):
        task.start()

    def stop(self, task):
        self.pick(task.stop, lambda: task.control(self.pick(*TaskMode)))()

    def read(self, task):
        task.read(int(self.pick(1, 5, -1, 50)), timeout=self.pick(0.0, 0.01, 0.05))

    def write(self, task):
        data = self.pick(np.zeros((2, 10)), np.ones((2, 3)), [True, False] * 5, True)
        task.write(data, auto_start=self.pick(True, False), timeout=0.02)

    def position(self, task):
        self.pick(
            lambda: setattr(task.in_stream, "relative_to", self.pick(*ReadRelativeTo)),
            lambda: setattr(task.in_stream, "offset", int(self.pick(0, -5, 3))),
            lambda: setattr(task.out_stream, "relative_to", self.pick(*WriteRelativeTo)),
            lambda: setattr(task.out_stream, "offset", int(self.pick(0, -5, 3))),
            lambda: setattr(task.out_stream, "regen_mode", self.pick(*RegenerationMode)),
        )()


@pytest.mark.parametrize("seed", quick(range(times(2, thorough=6)), 1))
def test_random_triggers_and_routes(make_bench, seed):
    bench = make_bench("lockstep", wiring=WIRES)
    caller = Caller(bench, seed)
    for _ in range(200):
        caller.step()
    for task in caller.tasks:
        task.close()
    assert list(bench.engine.tasks) == []
    assert bench.engine.fault is None
