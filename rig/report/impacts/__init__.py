"""Impacts of a recorded test, measured and predicted, each found alike and matched one to one; and the map of them over angle and cycle.

Imports the report's drawing and turn, the comparison, and signals.
Imported by commands and by the report as a document.
"""
