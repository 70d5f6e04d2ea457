"""The window of a test, live and of a record.

`window` holds windows and what a person does in them, `panels` what is drawn, `sources` where the numbers come from.
Imports recorder, streaming and configuration. Imported by the display worker and `rig view`.
"""
