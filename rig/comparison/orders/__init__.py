"""Measured and predicted by order: how much there is so many times a turn, whatever the speed.

Imports the series of the comparison.
Imported by reports.
"""
