"""What a person reads when a run is over: the table in the terminal and overlay.png."""
