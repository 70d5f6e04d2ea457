"""Tasks, global channels and scales that are saved, and made anew.

Imports channels, configuration, the engine and what lies below it.
Imported by properties and the service.
"""
