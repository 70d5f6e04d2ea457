"""Simulated device servers, which the driver is tested on."""

from tests.unit.drivers.simulated.daqmx.benches import bench, make_bench

__all__ = ["bench", "make_bench"]
