"""What a sensor makes of a quantity: transfer functions, calibration, uncertainty.

Imports the configuration's sensor records.
Imported by the predictor, reports and commands.
"""
