"""The project's own experiments, as they come with the program: found, and laid out for a user to begin with.

Their one source is `configs/` of the project. A wheel has a copy beside this file, which is made when it is built (`setup.py`).
Imports files and errors. Imported by the commands, the library, the table of faults and the reproduction of the papers.
"""
