"""Transitions of tasks, reading and writing, the streams, and events that programs wait for.

Imports channels, configuration, system, the engine and what lies below it.
Imported by properties and the service.
"""
