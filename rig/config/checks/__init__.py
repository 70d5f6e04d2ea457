"""Checks that need experiment and bench both: a file a subject; `rules` calls them, and has limits and trajectories itself.

Imports the configuration's dataclasses, trajectory and control.
Imported by the loading of a configuration, and by commands that check one.
"""
