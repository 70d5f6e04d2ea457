"""What stands behind the terminals of a virtual bench: specimen, servo loop, sensors. The rig itself never imports this."""

import model  # noqa: F401 - numba's cache folder is set there, before numba is imported
