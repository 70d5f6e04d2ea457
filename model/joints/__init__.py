"""Joints with clearance, compiled: where journal and bearing, or slider and guide, touch.

Imports contact, friction and compiled.
Imported by assembly and mechanisms.
"""
