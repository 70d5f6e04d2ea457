"""One file an instrument. A vendor library is imported only when its driver is chosen."""
