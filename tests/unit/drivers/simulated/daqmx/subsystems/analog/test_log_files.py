"""One log file for several tasks or programs, and logs of tasks on demand.

Codes and texts of NI-DAQmx: FILE_ALREADY_OPENED, FILE_ALREADY_OPENED_FOR_WRITE, LOGGING_MODE_NOT_SUPPORTED_NON_BUFFERED.
"""

from __future__ import annotations

import fcntl

import numpy as np
import pytest
from nidaqmx import constants as c
from nptdms import TdmsFile

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of

LOG, LOG_AND_READ = c.LoggingMode.LOG, c.LoggingMode.LOG_AND_READ
REPLACE = c.LoggingOperation.CREATE_OR_REPLACE


def logging(task, file, device="Dev1", mode=LOG_AND_READ):
    task.ai_channels.add_ai_voltage_chan(f"{device}/ai0")
    task.timing.cfg_samp_clk_timing(1000.0, sample_mode=c.AcquisitionType.CONTINUOUS)
    task.in_stream.configure_logging(file, mode, operation=REPLACE)
    return task


@pytest.fixture
def cards(make_bench):
    return make_bench(devices=[("Dev1", "PCIe-6363"), ("Dev2", "PCIe-6363")])


@pytest.mark.parametrize("mode", [LOG, LOG_AND_READ])
def test_one_file_for_two_tasks(cards, tmp_path, mode):
    (tmp_path / "there").mkdir()
    with cards.task("one") as one, cards.task("two") as two:
        logging(one, tmp_path / "log.tdms", mode=mode).start()
        logging(two, tmp_path / "there" / ".." / "log.tdms", "Dev2", mode)
        code, text = error_of(two.start)
        assert code == -201306
        assert text.startswith("File specified is already opened for output by another task. Specify a different file path.")
        assert "Task Name: two" in text
        one.stop()
        two.start()
        two.stop()
        one.start()


def test_a_task_that_is_cleared_leaves_its_file(cards, tmp_path):
    task = logging(cards.task(), tmp_path / "log.tdms")
    task.start()
    task.close()
    with cards.task() as two:
        logging(two, tmp_path / "log.tdms", "Dev2").start()


def test_a_new_file_gives_the_one_before_free(cards, tmp_path):
    with cards.task() as one, cards.task() as two:
        logging(one, tmp_path / "a.tdms").start()
        one.read(10)
        one.in_stream.start_new_file(tmp_path / "b.tdms")
        one.read(10)
        logging(two, tmp_path / "a.tdms", "Dev2").start()


def test_a_file_that_another_program_writes_to(cards, tmp_path):
    file = tmp_path / "log.tdms"
    with file.open("wb") as other, cards.task() as task:
        fcntl.flock(other, fcntl.LOCK_EX)
        logging(task, file)
        assert code_of(task.start) == -201311
        fcntl.flock(other, fcntl.LOCK_UN)
        task.start()


def test_a_failed_start_keeps_no_file(cards, tmp_path):
    file = tmp_path / "log.tdms"
    file.write_bytes(b"no such file" * 100)
    with cards.task() as one, cards.task() as two:
        logging(one, file).in_stream.logging_tdms_operation = c.LoggingOperation.OPEN
        assert code_of(one.start) == -50204
        logging(two, file, "Dev2").start()


def test_samples_on_demand_are_logged_as_they_are_read(cards, tmp_path):
    """NI's text of -201299: Log Only needs a buffer, "either use Log and Read mode or configure the task as Finite or Continuous"."""
    file = tmp_path / "log.tdms"
    with cards.task("Slow") as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:1")
        task.in_stream.configure_logging(file, LOG_AND_READ, operation=REPLACE)
        task.start()
        data = np.array([task.read() for _ in range(3)] + list(np.transpose(task.read(2))))
        task.stop()
    read = TdmsFile.read(file)["Slow"]
    for column, name in enumerate(("Dev1/ai0", "Dev1/ai1")):
        np.testing.assert_allclose(read[name][:], data[:, column], atol=1e-12)
        assert "wf_increment" not in read[name].properties


def test_a_task_on_demand_has_no_log_alone(cards, tmp_path):
    with cards.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.in_stream.configure_logging(tmp_path / "log.tdms", LOG)
        code, text = error_of(task.start)
    assert code == -201299 and text.startswith("Log Only mode is only supported for buffered tasks.")
