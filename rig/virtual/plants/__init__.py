"""What stands behind the terminals of a virtual bench: one file a plant, chosen by `kind` of `[plant]`.

Imports the simulated drivers' plant protocols and, of the model, what a linkage is described by; no contact of it.
Parts that plants share lie in the rooms below.
Imported by the virtual bench only.
"""

PARTS = ("contact", "lumped_bars", "lumped_rod", "motor_rig", "servo_frame", "settings", "surfaces")
"""What is no plant: who lists the kinds need not compile the others for that."""
