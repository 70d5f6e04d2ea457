"""Units and quantities of configuration files: what a number with a unit is in SI, and which dimension it has."""
