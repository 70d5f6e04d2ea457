"""What the papers say, beside what this program computes.

| file | content |
|---|---|
| printed/PAPER.toml | the statements of a paper, each with what is printed and how near is near enough; read by the judge alone |
| PAPER.py | what the program computes for each statement, by its id; knows nothing of what is printed |
| study.py | experiments as the computations want them, with the user's own settings over everything |
| judging.py | printed against computed: a verdict and its reason |

Imports the model, configuration, prediction and comparison.
Imported by reports, benchmark and `rig reproduce`.
"""
