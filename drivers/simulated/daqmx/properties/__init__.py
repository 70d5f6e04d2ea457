"""Properties by NI's names: of channels, bridges and counters, and the table of all families.

Imports io, storage, channels, configuration, system, the engine and what lies below it.
Imported by the service.
"""
