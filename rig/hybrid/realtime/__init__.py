"""Real-time hybrid tests: a computed structure and a loaded specimen in one loop, at the rate of the converter; pure computation.

Imports model (contact force, compiled signatures) and errors.
Imported by the commands and the report.
"""
