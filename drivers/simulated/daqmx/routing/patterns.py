"""Lines of a trigger on a digital pattern.

"NI-DAQmx Key Concepts", Digital Pattern Triggering: "X11100" on "dev1/line0:4,dev1/line6" matches when lines 1 to 3 are high and 4 and 6
low, the first sign being that of the first line. Of ports it says that they match "in reverse order", and means of the order in which
numbers are written: "11000000" on "dev1/port0" matches when lines 0 and 1 are high. In either case the signs are in the order of the lines.
"""

from __future__ import annotations

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.names import expand, terminal
from drivers.simulated.daqmx.core.task import Task


def lines(bench: Bench, task: Task, source: str) -> list[str]:
    """Terminals of a list of lines and ports, in the order of a pattern's signs: a port is all of its lines, from line 0 on."""
    found: list[str] = []
    for text in expand(source):
        name = bench.routes.canonical(text, task.device)
        device, _, channel = name.partition("/")
        every = _lines_of(bench, device)
        number = channel.removeprefix("line")
        if channel != number and number.isdigit() and int(number) < len(every):
            found.append(every[int(number)])  # without its port a line is counted through all ports
        else:
            found += [line for line in every if line.startswith(f"{name}/")] or [name]
    return found


def signs(pattern: str) -> str:
    """A pattern's signs, one for each line."""
    return pattern.replace(" ", "").upper()


def _lines_of(bench: Bench, device: str) -> list[str]:
    ports = next((product.ports for name, product in bench.devices.items() if terminal(name) == device), ())
    return [f"{device}/port{port}/line{line}" for port, count in enumerate(ports) for line in range(count)]
