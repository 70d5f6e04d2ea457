"""Mechanisms that motors turn: kernels, motor, sensors and marks that those plants share.

Imports compiled code and, of the model, the description of a linkage; contacts are the plants' own.
Imported by the plants of motor rigs.
"""
