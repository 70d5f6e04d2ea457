"""Simulated device servers for the tests of the rooms."""

from tests.unit.drivers.simulated.daqmx.benches import bench, counters, either_pace, make_bench, testers

__all__ = ["bench", "counters", "either_pace", "make_bench", "testers"]
