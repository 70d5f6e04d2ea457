"""How bodies and pins of a mechanism move, from what its model publishes: one geometry live and afterwards; a file a mechanism in `kinds`.

Imports the model's mechanisms and configuration; draws nothing.
Imported by the predictor, which publishes, and by all that draw: window and report.
"""
