"""The application: the only package that knows both the model side and the hardware side."""

__version__ = "0.1.0"
