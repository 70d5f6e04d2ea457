"""Analogue input and output: converters, couplings, shunts, input memory, logs of what is acquired.

Imports digital (host buffers fill alike), triggering, timing, sensors, routing and core.
Imported by the engine and by rooms above it.
"""
