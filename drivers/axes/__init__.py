"""Motors and other actuators: one file a drive, and what all drives share (`axis`, `analog_axis`).

Imports protocols, the serial line, and lines and terminals of the DAQ device.
Imported by the bench worker, sessions by hand and the checks of a bench file.
"""
