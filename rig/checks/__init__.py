"""What is watched in every block of samples: limits, following errors, dead and overloaded channels, the specimen. No hardware.

Imports the configuration of what is watched, and signals.
Imported by the bench worker.
"""
