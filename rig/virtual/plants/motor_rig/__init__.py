"""Mechanisms that motors turn: kernels, motor, sensors and marks that those plants share.

Imports compiled code, contact laws and paths of the model.
Imported by the plants of motor rigs.
"""
