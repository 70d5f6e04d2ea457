"""Tests in which a computed structure and a loaded specimen are one: pure functions, without instruments.

Imports playback, for the accelerograms.
Imported by trajectory and the bench worker.
"""
