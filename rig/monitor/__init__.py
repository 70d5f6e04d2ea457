"""A page of a test for whoever is not beside it: it reads, and can do nothing else. A process of its own, which the test does not notice.

Imports supervision and everything below; the web server (starlette, uvicorn) only here.
Imported by commands.
"""
