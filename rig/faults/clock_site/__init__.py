"""A folder that Python's own start takes its customisation from: the time of day of a test whose clock is set back.

Imports nothing of the program.
Put on the path of such a test's processes by the fault campaign, imported by nobody.
"""
