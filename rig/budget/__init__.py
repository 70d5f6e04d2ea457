"""What the tolerances of a test rest on: specimens as the drawing allows them, each beside the model, and wrong models beside each of them.

Imports the report's record, agreement and prediction, and what they import.
Imported by the command `rig budget`.
"""
