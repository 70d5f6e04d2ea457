"""Numbers of a specimen from records of its tests: a fit through the measurement model, with intervals and a test of what is left over.

Imports the budget's specimens and the report's record, prediction and agreement.
Imported by the command `rig identify`.
"""
