"""What is said of a device that another program holds, and of a task that could not be closed."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from nidaqmx.errors import DaqError, DaqResourceWarning

from drivers.daq.session import RESERVED, Session, close_tasks
from drivers.errors import Refused, Reserved


@pytest.mark.parametrize("code", RESERVED)
def test_a_device_that_is_reserved_is_held_by_another_program(code: int) -> None:
    said = rf"setting up: taken \({code}\); another program holds the device"
    with pytest.raises(Reserved, match=said), Session(None, "Dev1/ao0").explained("setting up"):
        raise DaqError("taken", code)


def test_another_refusal_names_no_other_program() -> None:
    with pytest.raises(Refused) as caught, Session(None, "Dev1/ao0").explained("setting up"):
        raise DaqError("no such property", -200452)
    assert not isinstance(caught.value, Reserved)
    assert "another program" not in str(caught.value)


class Unreachable:
    """A task of nidaqmx on a server that is gone: it cannot be closed, and says when it is forgotten that it was not."""

    def close(self) -> None:
        raise DaqError("no connection", -1)

    def __del__(self) -> None:
        warnings.warn("was not explicitly closed before it was destructed", DaqResourceWarning, stacklevel=1)


def test_a_task_that_could_not_be_closed_is_told_once() -> None:
    tasks: dict[str, Any] = {"watchdog": Unreachable()}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        complaints = close_tasks(tasks)
    assert (complaints, tasks) == (["DAQ: closing its watchdog task: no connection"], {})
    assert [one for one in said if one.category is DaqResourceWarning] == []


def test_devices_that_no_test_can_join_are_told_by_name_and_with_what_to_do() -> None:
    """NI's words for -200558 say to make one task for each device, which share no clock then."""
    with pytest.raises(Refused) as caught, Session(None, "Dev1/ao0", "Dev1, Dev2").explained("channel far (voltage) on Dev2/ai0"):
        raise DaqError("One task cannot contain multiple independent devices.", -200558)
    assert "channel far (voltage) on Dev2/ai0: inputs on Dev1, Dev2 have no sample clock in common" in str(caught.value)
    assert "put them all on one device" in str(caught.value)
