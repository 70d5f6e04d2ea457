"""Virtual channels as calls make them: names, physical channels, settings that fit the product, data sheets of sensors.

Imports configuration, system, the engine and what lies below it.
Imported by io, storage, properties and the service.
"""
