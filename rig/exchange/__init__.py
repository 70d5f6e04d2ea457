"""A record as files of other programs, and recordings of other systems as a record.

Imports formats, playback, recorder, configuration, prediction and report.
Imported by the commands.
"""
