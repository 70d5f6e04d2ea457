"""Commands of what a test has left."""
