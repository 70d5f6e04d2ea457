"""Faults that come while a virtual bench works: what `Injection` says, done to signals, lines, edges, machine, serial lines, DAQ device.

Imports the plants and the simulated devices.
Imported by the virtual bench alone.
"""
