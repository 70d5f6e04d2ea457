"""What numba needs: the cache folder, signatures shared by kernels, functions pinned by address, small array routines.

Imports errors only.
Imported by every room with kernels.
"""
