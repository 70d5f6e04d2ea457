"""The table of the cycles of each stream: what a row is, which sample is of which cycle, how rows are filled and stored.

Imports nothing of the recorder but the description of a record and of a stream.
Imported by the recorder, and by who reads the tables.
"""
