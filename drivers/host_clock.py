"""The clock of this computer that pacing, time stamps and lags go by: steady, fine, and the same for every process.

`time.monotonic` ticks in 15.6 ms on Windows before Python 3.13 (GetTickCount64): a lag of 5 ms is 0 or 16 there, and a wait for the next
setpoint three setpoints long. `time.perf_counter` is the performance counter of the whole machine there. Elsewhere both are one clock.
The program has the same (`rig.host.clock`), as neither package may need the other.
"""

from __future__ import annotations

import sys
import time

now = time.perf_counter if sys.platform == "win32" else time.monotonic
"""The present, s since some moment before; to be compared with that of other processes of this computer."""
