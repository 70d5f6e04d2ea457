"""What a person reads when a run is over: the table in the terminal and overlay.png."""

import os

from model.compiled.cache import base_folder

# Matplotlib keeps a list of fonts; where it cannot write its own folder it warns, and makes the list again in every process. A folder
# that the user has chosen stays. The user's own matplotlibrc is left aside: the same record gives the same picture everywhere.
# A backend for windows or notebooks (Jupyter sets one for all it starts) is none of a picture's in a file, and need not be installed here.
for _name in ("MPLBACKEND", "MATPLOTLIBRC"):
    os.environ.pop(_name, None)
os.environ.setdefault("MPLCONFIGDIR", str(base_folder() / "matplotlib"))
