"""The map of contact losses: test, running model and published criteria over the crank's angle and the turns.

Imports the comparison and the losses of the overlay.
Imported by the commands and by the document.
"""
