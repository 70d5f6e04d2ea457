"""overlay.png: measured and predicted over each other, page by page of its panels.

Imports the report's drawing, the record and signals.
Imported by commands, after a run or of a record.
"""
