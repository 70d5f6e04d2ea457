"""Impacts of a measured and a predicted signal: found alike, matched one to one, and what they differ in.

Imports the series of the comparison.
Imported by the comparison's result and verdicts, and by reports.
"""
