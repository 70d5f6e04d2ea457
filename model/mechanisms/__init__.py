"""Mechanisms, one name each. What motors can drive on a test rig says so as in model.mechanisms.driven."""
