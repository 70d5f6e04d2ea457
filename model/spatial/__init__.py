"""Rigid bodies in space, held by joints and turned by drives: constraints, accelerations and multipliers, for any arrangement.

Imports assembly (independent rows). numpy, written to be read and to check faster equations by.
Imported by mechanisms.
"""
