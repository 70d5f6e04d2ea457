"""The setpoint block by block: from a trajectory, corrected by an outer loop, or step by step from what is measured.

Imports control, hybrid and trajectory.
Imported by the bench worker through `choice`.
"""
