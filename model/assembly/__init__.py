"""Planar mechanisms from a description: bodies, joints, drives and forces become equations and a consistent start.

Imports joints, bodies, contact and what is below.
Imported by model.mechanisms.planar and model.spatial.
"""
