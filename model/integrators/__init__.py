"""Integration methods: a file each, with the keys of [integrator] as its `Config`, and the compiled loops of their steps.

Imports compiled and errors.
Found by kind; imported by stepping, contact and mechanisms.
"""
