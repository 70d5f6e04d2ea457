"""Where the bodies and pins of a mechanism are, by its samples and its state: one file a kind of mechanism, of the same name.

Imports the model's mechanisms and the parts of a motion.
Imported where a motion is looked up by its kind.
"""
