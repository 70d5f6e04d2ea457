"""What commands and workers know of a bench's instruments: wiring, occupancy, data sheets, tares, shunts, units.

Imports drivers, configuration and console words.
Imported by workers, supervision and commands.
"""
