"""Integration methods: a file each, with the keys of [integrator] as its `Config`, and the compiled loops of their steps.

Imports compiled and errors.
Found by kind; imported by stepping, contact and mechanisms.
"""

PARTS = (
    "by_address", "by_pointer", "extremes", "generalized_alpha_kernel", "graded", "kernels", "located", "loop", "memory", "method",
    "order_conditions", "repeated", "retaken", "samples", "steps", "tableau",
)  # fmt: skip
"""Files that are no method: who lists the kinds need not compile them."""
