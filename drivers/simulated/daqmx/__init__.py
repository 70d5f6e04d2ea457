"""The simulated NI-DAQmx, floor by floor: a service, what it serves, an engine that lets time pass, subsystems, state.

Imports what stands behind a device (`plant`) and the bench's clock.
Imported by the server of simulated devices and the virtual bench.
"""
