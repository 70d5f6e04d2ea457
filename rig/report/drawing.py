"""What every picture begins with: matplotlib as it comes, and not as its user has it for other pictures (styles, TeX, fonts)."""

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

__all__ = ["Figure", "FigureCanvasAgg", "literal"]

matplotlib.rcdefaults()


def literal(text: str) -> str:
    """A user's own words as they stand: `$` would begin a formula."""
    return text.replace("$", r"\$")
