"""Errors of the instruments.

DriverError
├── NotConnected   no instrument, server or port under that name
├── NoReply        the instrument was silent for longer than its time-out
├── BadReply       the instrument answered with something that cannot be understood
└── Refused        the instrument, or its driver, will not do what was asked
    ├── Reserved   because another program has the instrument
    └── WatchdogExpired   nobody spoke to the device for too long: its lines are in their safe states
"""


class DriverError(Exception):
    """Root of the drivers' errors: names the instrument, what was expected and what came."""


class NotConnected(DriverError):
    """No instrument, server or port under that name."""


class NoReply(DriverError):
    """The instrument was silent for longer than its time-out."""


class BadReply(DriverError):
    """The instrument answered with something that cannot be understood."""


class Refused(DriverError):
    """The instrument, or its driver, will not do what was asked."""


class Reserved(Refused):
    """Another program has the instrument."""


class WatchdogExpired(Refused):
    """Nobody spoke to the device for longer than its watchdog waits: its digital lines have gone to their safe states and stay there."""
