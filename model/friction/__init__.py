"""Friction laws: Coulomb's smoothed by speed, and Karnopp's stick band; compiled.

Imports compiled.
Imported by joints and mechanisms.
"""
