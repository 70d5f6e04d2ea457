"""Checks of a configuration before anything is opened: a file a subject, called in `rules`.

Imports the configuration's dataclasses, trajectory and control.
Imported by the loading of a configuration, and by commands that check one.
"""
