"""What is only read, on a line of its own beside the DAQ device: one file an instrument.

Imports protocols and the serial line.
Imported by the bench worker and `rig check`.
"""
