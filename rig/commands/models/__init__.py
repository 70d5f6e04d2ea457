"""Commands of the models alone."""
