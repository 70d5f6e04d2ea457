"""A test that was broken off goes on: where it stood, whether bench and configuration are those of before, how many cycles were run.

Imports the recorder and the configuration.
Imported by the supervision, which keeps the state, and by the command that resumes.
"""
