"""Timing, triggers, filters and exported signals, as a program asks for them, and what is checked about them.

Imports the system, the engine and what lies below it.
Imported by channels, io, storage, properties and the service.
"""
