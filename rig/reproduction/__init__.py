"""What the papers say, beside what this program computes.

| file | content |
|---|---|
| printed/PAPER.toml | the statements of a paper, each with what is printed and how near is near enough; read by the judge alone |
| claims.py | these, and the hypotheses that a paper leaves open |
| PAPER.py, PAPER_*.py | what the program computes for each statement, by its id; knows nothing of what is printed |
| study.py | experiments as the computations want them, with the user's own settings over everything |
| judging.py, margins.py, convergence.py | printed against computed, and again with finer steps: a verdict and its reason |
| rows.py | a statement with its verdict, as the JSON object has it |
| groups.py, doubtful_factor.py | which of the hypotheses, or of the values of a factor in doubt, alone agrees with the paper |
| reproducing.py | all of a paper |
| doubtful/PAPER.toml, doubts.py | what a paper leaves open in numbers, with bounds that are stated before any search |
| shortfall.py, trials.py, bounded_search.py, common_value.py | which values of one reproduce what is not, and whether one serves all |
| identifying.py | all doubtful parameters of a paper |

Imports the model, configuration, prediction and comparison.
Imported by reports, benchmark and `rig reproduce`.
"""
