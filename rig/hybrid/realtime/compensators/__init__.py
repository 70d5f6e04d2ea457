"""Delay compensators: what is commanded so that the actuator stands, now, where the computed structure is.

Imports model's compiled signatures.
Imported by the loop and the benchmark.
"""
