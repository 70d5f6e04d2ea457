"""What can only be checked with experiment and bench both at hand; one file a subject, `rules` calls them all.

Imports the configuration's dataclasses, trajectory and control.
Imported by the loading of a configuration, and by commands that check one.
"""
