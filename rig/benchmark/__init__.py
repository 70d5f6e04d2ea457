"""How fast, and how right: the program on cases of its own and beside other programs, in one process.

| file | what is in it |
|---|---|
| cases.py | the table of cases: experiment, settings, error, reference |
| own.py | this program on a case |
| ensembles.py | many members at once, on several cores |
| peers/ | other programs on the same case, with their solvers and steps as a checked-in list |
| measuring.py | runs by turns, the least of several counts |
| front.py | work against precision; the ratio at equal error |

Imports the model, configuration, prediction and the drawing of reports.
Imported by `rig benchmark`.
"""
