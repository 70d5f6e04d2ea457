"""Drivers of real instruments, a room for each sort of them, and the simulated devices that stand in for them.

Imports nothing of rig or model. A vendor library is imported only when its driver is chosen.
Imported by rig; the rooms of real drivers never reach `drivers.simulated`.
"""
