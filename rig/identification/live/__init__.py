"""A running estimate of a specimen's numbers, cycle by cycle beside the test: what it needs in a file, and how it goes on.

Imports the rest of identification, and nothing of a run's processes. Imported by `rig identify`, and by the process that estimates.
"""
