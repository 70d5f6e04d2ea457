"""Contact force laws: their damping factors, the compiled force, and what an impact by each of them gives.

Imports stepping and integrators, to integrate an impact.
Imported by joints, assembly, mechanisms and the rig.
"""
