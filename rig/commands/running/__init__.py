"""Commands of a test that runs, or is to."""
