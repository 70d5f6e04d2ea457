"""Loss of contact in the four-bar's joint (zhang1995): the criteria, the massless link, the run with an elastic contact.

Imports model.mechanisms.four_bar.
Imported by the rig (`rig predict`, the report).
"""
