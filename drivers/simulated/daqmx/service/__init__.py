"""The gRPC device server: one table of remote calls, the wire, clients that come and go.

Imports every room below: properties, io, storage, channels, configuration, system, engine.
Imported by who serves devices; nothing in here imports it.
"""
