"""The flexible 3-RRPaR with few coordinates: an axial spring and bending modes for each pair of bars.

Imports the rigid and the flexible 3-RRPaR.
Imported by the flexible 3-RRPaR.
"""
