"""What a comparison says of the band of an ensemble, where one was recorded beside the prediction.

Imports comparison, config and recorder.
Imported by the summary and the tables of reports.
"""
