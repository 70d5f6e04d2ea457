"""The report of a test, or of several side by side, as one HTML file that needs nothing beside it: words, tables, figures, template.

Imports the report's other rooms, the record, configuration and the trajectory; Jinja2 where the page is made.
Imported by commands, of a record that is whole.
"""
