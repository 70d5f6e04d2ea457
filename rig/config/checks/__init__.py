"""What can only be checked with experiment and bench both at hand; a file a subject; `rules` calls them, and has limits and trajectories itself.

Imports the configuration's dataclasses, trajectory and control.
Imported by the loading of a configuration, and by commands that check one.
"""
