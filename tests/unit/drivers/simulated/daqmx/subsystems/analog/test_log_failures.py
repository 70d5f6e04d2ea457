"""Logs that cannot be written: the error is of the task that logs, and the devices go on for the others.

Codes: nidaqmx.error_codes, DISK_FULL -201305, GENERIC_FILE_IO -201309, FILE_WRITE_PROTECTED -201302, PAL_FILE_OPEN_FAULT -50204.
/dev/full is the system's own full disk (Linux, full(4)).
"""

from __future__ import annotations

import errno
import io
import os
import shutil

import numpy as np
import pytest
from nidaqmx import constants as c
from nptdms import ChannelObject, TdmsFile, TdmsWriter

from drivers.simulated.daqmx.subsystems.analog import log_files
from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of

LOG, LOG_AND_READ = c.LoggingMode.LOG, c.LoggingMode.LOG_AND_READ


@pytest.fixture
def cards(make_bench):
    return make_bench(devices=[("Dev1", "PCIe-6363"), ("Dev2", "PCIe-6363")])


def logging(task, file, mode=LOG, device="Dev1"):
    task.ai_channels.add_ai_voltage_chan(f"{device}/ai0")
    task.timing.cfg_samp_clk_timing(1000.0, sample_mode=c.AcquisitionType.CONTINUOUS)
    task.in_stream.configure_logging(str(file), mode)
    return task


def plain(task):
    task.ai_channels.add_ai_voltage_chan("Dev2/ai1")
    task.timing.cfg_samp_clk_timing(1000.0, sample_mode=c.AcquisitionType.CONTINUOUS)
    task.start()
    return task


def test_a_full_disk_ends_the_task_that_logs_and_no_other(cards):
    with cards.task("logs") as one, cards.task("other") as two:
        plain(two)
        logging(one, "/dev/full").start()
        two.read(500)  # half a second passes, in which the log is written
        code, text = error_of(one.is_task_done)
        assert code == -201305 and "File Path: /dev/full" in text and "Task Name: logs" in text
        assert code_of(lambda: one.wait_until_done(1.0)) == -201305
        assert code_of(one.stop) == -201305
        one.stop()  # once told it is stopped like any other
        assert len(two.read(500)) == 500
        one.in_stream.configure_logging("", c.LoggingMode.OFF)
        assert len(one.read(10)) == 10


def test_a_full_disk_is_told_by_the_read_that_logs(cards):
    with cards.task() as one, cards.task() as two:
        plain(two)
        logging(one, "/dev/full", LOG_AND_READ).start()
        assert [code_of(lambda: one.read(10)) for _ in range(2)] == [-201305, -201305]
        assert len(two.read(100)) == 100


def test_a_finite_log_that_is_written_at_the_stop(cards):
    with cards.task() as one:
        logging(one, "/dev/full")
        one.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=20)  # less than is written at once
        one.start()
        one.wait_until_done(1.0)
        assert code_of(one.stop) == -201305
        one.start()
    with cards.task() as one:  # clearing tells nothing, and leaves nothing open
        logging(one, "/dev/full").start()


BAD_PATHS = ["x" * 300 + ".tdms", "/" + "y/" * 3000 + "a.tdms", "a\0b.tdms", "nosuch/log.tdms", "folder", "fifo", "circle", "file/log.tdms"]


@pytest.mark.parametrize("name", BAD_PATHS, ids=range(len(BAD_PATHS)))
@pytest.mark.parametrize("mode", [LOG, LOG_AND_READ])
def test_paths_that_cannot_be_opened(cards, tmp_path, name, mode):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with cards.task() as one, cards.task() as two:
        plain(two)
        logging(one, f"{tmp_path}/{name}", mode)
        assert code_of(one.start) == -50204
        assert len(two.read(10)) == 10


@pytest.mark.parametrize("name", BAD_PATHS[:2], ids=["long name", "long path"])
def test_a_next_file_that_cannot_be_opened(cards, tmp_path, name):
    with cards.task() as one, cards.task() as two:
        plain(two)
        logging(one, tmp_path / "good.tdms").start()
        two.read(300)
        one.in_stream.start_new_file(f"{tmp_path}/{name}")
        two.read(300)
        assert code_of(one.is_task_done) == -50204
    assert len(TdmsFile.read(tmp_path / "good.tdms").groups()[0].channels()[0]) == 300


@pytest.mark.parametrize("mode", [LOG, LOG_AND_READ])
def test_a_folder_that_goes_while_it_is_logged_into(cards, tmp_path, mode):
    folder = tmp_path / "log"
    folder.mkdir()
    with cards.task() as one, cards.task() as two:
        plain(two)
        logging(one, folder / "a.tdms", mode).start()
        two.read(300)
        if mode == LOG_AND_READ:
            one.read(10)
        shutil.rmtree(folder)
        two.read(300)
        assert code_of(one.is_task_done if mode == LOG else lambda: one.read(10)) == -201309
        assert len(two.read(10)) == 10


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, -201305), (errno.EDQUOT, -201305), (errno.EROFS, -201302), (errno.EACCES, -201302), (errno.EPERM, -201302),
        (errno.EIO, -201309), (errno.EFBIG, -201309), (errno.ESTALE, -201309),
    ],
)  # fmt: skip
def test_what_the_system_says_of_a_write(cards, tmp_path, monkeypatch, number, code):
    """The disk takes 100 bytes of the second segment; what is in the file is what was whole."""

    def write(file: io.FileIO, data: bytes) -> None:
        if os.fstat(file.fileno()).st_size > 0:
            file.write(data[:100])
            raise OSError(number, os.strerror(number))
        file.write(data)

    monkeypatch.setattr(log_files, "_write_all", write)
    with cards.task() as one:
        logging(one, tmp_path / "a.tdms", LOG_AND_READ).start()
        first = one.read(10)
        assert code_of(lambda: one.read(10)) == code
    assert len(TdmsFile.read(tmp_path / "a.tdms").groups()[0].channels()[0]) == len(first) == 10


def test_a_damaged_file_that_is_to_be_continued(cards, tmp_path):
    """Doubles are type 10; there is no type 65535."""
    file = tmp_path / "a.tdms"
    with TdmsWriter(str(file)) as there:
        there.write_segment([ChannelObject("G", "a", np.arange(3.0))])
    file.write_bytes(file.read_bytes().replace((10).to_bytes(4, "little"), (65535).to_bytes(4, "little")))
    with cards.task() as one:
        assert code_of(logging(one, file).start) == -50204
