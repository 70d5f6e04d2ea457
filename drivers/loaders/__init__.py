"""Servo-hydraulic controllers: one file each, and the parts of those that are commanded in text.

Imports protocols, the serial line, and lines and terminals of the DAQ device.
Imported by the bench worker, sessions by hand and the checks of a bench file.
"""
