"""The predictor: the model on the commanded trajectory, in step with the sample clock.

Imports prediction, sensors and streaming.
Started by the runtime.
"""
