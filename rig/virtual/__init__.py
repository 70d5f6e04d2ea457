"""The simulated bench as a process: devices, serial lines and the plant behind them, on one clock.

Imports the simulated side of the drivers, the configuration and streaming; nothing of a run's other processes.
Imported by supervision and by `rig virtual-bench`.
"""
