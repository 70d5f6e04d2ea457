"""What a careful operator does before a test: probe, seat, probe again, unload. Pure decisions on blocks of samples, no hardware."""
