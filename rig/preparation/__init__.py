"""What a careful operator does before a test: probe, seat, probe again, unload. Pure decisions on blocks of samples, no hardware.

Imports numpy, and the keys of a loader's preparation.
Imported by the bench worker, display and reports.
"""
