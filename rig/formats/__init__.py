"""Files of other programs: one module a format, arrays in and out. What a test is, nothing here knows.

Imports files.
Imported by playback and exchange.
"""
