"""NI-DAQmx: the session, inputs, outputs, counters, lines, watchdog and TEDS of one device.

Imports nidaqmx, where a device is opened, and nothing of the other rooms.
Imported by the bench worker, tares and checks of sensors; terminals and lines also by axes and loaders.
"""
