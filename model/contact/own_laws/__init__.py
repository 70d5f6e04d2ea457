"""Contact laws of the user's own, which the folders of their settings add: none are here.

Imports nothing.
Found by name, from model.contact.laws.
"""
