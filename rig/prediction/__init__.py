"""The model beside the test: its stepper for an experiment, simulations without a bench, ensembles.

Imports the model, configuration and trajectory.
Imported by the predictor worker, reports, reproduction and commands.
"""
