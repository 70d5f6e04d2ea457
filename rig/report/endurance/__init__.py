"""What a test of many cycles went through, by the tables of its cycles: trend.png, and a few figures for the table at its end.

Imports the report's drawing and the record; tables are read block by block, so that a million cycles take no more memory than a thousand.
Imported by commands, after a run or of a record.
"""
