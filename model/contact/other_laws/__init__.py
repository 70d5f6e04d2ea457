"""Contact laws of other forms than `model.contact.laws` lists: a file each, with LAW. Today all are the user's own, in their folders.

Imports nothing.
Found by name, from model.contact.laws.
"""
