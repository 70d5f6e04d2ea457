"""Windows, their layout, keys and pace of drawing, and how they end.

Imports panels and sources.
Imported by the display worker and `rig view`.
"""
