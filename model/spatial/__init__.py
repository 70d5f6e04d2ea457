"""Rigid bodies in space, held by joints and turned by drives: constraints, accelerations and multipliers, for any arrangement.

numpy, written to be read and to check faster equations by; a mechanism that is simulated has equations of its own.
"""
