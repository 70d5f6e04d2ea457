"""The terminal: standard streams, letters that it has, progress, words typed and printed.

Imports host and signals.
Imported by commands and by whoever says something to a person.
"""
