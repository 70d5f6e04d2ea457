"""How a trajectory is followed: its own time at a pace, standing, over a break, from one cycle to another; pure functions of arrays."""
