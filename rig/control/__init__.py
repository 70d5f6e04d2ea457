"""Outer loops: what is commanded is corrected so that what is achieved is what was asked. Pure functions of arrays.

A scheme's file holds a frozen `Config`; `[control] kind = "x"` chooses it. How they work: docs/control.md.

Imports trajectory.
Imported by configuration, the bench worker, reports and `rig run`.
"""
