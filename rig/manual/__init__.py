"""Sessions by hand with one drive or loader: small moves, guarded.

Imports drivers and, of the bench worker, what keeps a watchdog fed.
Imported by `rig talk`.
"""
