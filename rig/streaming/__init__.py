"""What the processes of a run share: rings of samples, the heartbeat table, the list of processes.

Imports host and signals.
Imported by the workers, the supervisor, the display and the virtual bench.
"""
