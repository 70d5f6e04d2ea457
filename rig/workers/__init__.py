"""The processes of a run, and the loop that they share (`runtime`, `links`).

Imports everything below but the virtual bench; a worker imports no other.
Started by the supervisor.
"""
