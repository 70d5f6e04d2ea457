"""Signals that inputs of simulated devices see from files and functions: yesterday's measurement, edges at given times.

Imports only the files room of the drivers.
Imported by the simulated devices and by who serves them.
"""
