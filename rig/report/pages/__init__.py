"""Pages of the manual that are made from the program: keys, states, faults."""
