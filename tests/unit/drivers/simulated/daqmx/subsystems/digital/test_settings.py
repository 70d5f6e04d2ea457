"""Settings of tasks of lines: defaults, what cannot be set, what cannot be changed while the task runs.

Defaults: "NI-DAQmx C Properties" and the docstrings of nidaqmx ("DI.Tristate", "Write.RegenMode: the default is Allow Regeneration",
"StartTrig.DelayUnits", "RefTrig.PretrigSamples"), NI's tests of nidaqmx (test_timing_properties.py, test_triggers_properties.py,
test_export_signal_properties.py). NI's texts for -200557 and -200231.
"""

from __future__ import annotations

from functools import reduce

import pytest
from nidaqmx import constants as c
from nidaqmx._stubs import nidaqmx_pb2 as pb
from nidaqmx._stubs import nidaqmx_pb2_grpc as stubs
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqError

ALL = c.LineGrouping.CHAN_FOR_ALL_LINES
START, PAUSE, REFERENCE = (f"triggers.{name}_trigger." for name in ("start", "pause", "reference"))
BOTH = {
    "timing.samp_clk_active_edge": c.Edge.RISING, "timing.samp_clk_term": "/Dev1/{part}/SampleClock", "timing.samp_clk_rate": 1000.0,
    "timing.samp_quant_samp_mode": c.AcquisitionType.FINITE, "timing.samp_clk_max_rate": 10e6,
    f"{START}trig_type": c.TriggerType.NONE, f"{START}delay": 0.0, f"{START}delay_units": c.DigitalWidthUnits.SAMPLE_CLOCK_PERIODS,
    f"{START}retriggerable": False, f"{START}dig_edge_edge": c.Edge.RISING, f"{START}dig_edge_src": "",
    f"{PAUSE}trig_type": c.TriggerType.NONE,
    f"{PAUSE}dig_lvl_when": c.Level.HIGH, "export_signals.samp_clk_output_term": "", "export_signals.start_trig_output_term": "",
    "export_signals.samp_clk_output_behavior": c.ExportAction.PULSE, "export_signals.samp_clk_pulse_polarity": c.Polarity.ACTIVE_HIGH,
}  # fmt: skip
OF_KIND = {
    "di": {
        f"{REFERENCE}trig_type": c.TriggerType.NONE, f"{REFERENCE}pretrig_samples": 2, "in_stream.input_buf_size": 100,
        "in_stream.overwrite": c.OverwriteMode.DO_NOT_OVERWRITE_UNREAD_SAMPLES, "in_stream.offset": 0, "in_stream.auto_start": True,
        "in_stream.relative_to": c.ReadRelativeTo.CURRENT_READ_POSITION,
        "in_stream.raw_data_width": 1,
        "in_stream.di_num_booleans_per_chan": 8, "in_stream.read_all_avail_samp": False, "di_channels.all.di_tristate": True,
        "di_channels.all.di_invert_lines": False,
        "di_channels.all.di_num_lines": 8, "di_channels.all.di_dig_fltr_enable": False,
    },
    "do": {
        "out_stream.regen_mode": c.RegenerationMode.ALLOW_REGENERATION, "out_stream.relative_to": c.WriteRelativeTo.CURRENT_WRITE_POSITION,
        "out_stream.offset": 0, "out_stream.raw_data_width": 1, "out_stream.do_num_booleans_per_chan": 8,
        "do_channels.all.do_invert_lines": False, "do_channels.all.do_num_lines": 8,
        "do_channels.all.do_output_drive_type": c.DigitalDriveType.ACTIVE_DRIVE,
    },
}  # fmt: skip
FIXED = {
    "timing.samp_clk_rate": 500.0, "timing.samp_clk_active_edge": c.Edge.FALLING, "timing.samp_quant_samp_per_chan": 50,
    f"{START}retriggerable": True, f"{START}dig_edge_src": "/Dev1/PFI0", f"{START}delay": 2.0, f"{PAUSE}dig_lvl_src": "/Dev1/PFI1",
    "export_signals.samp_clk_pulse_polarity": c.Polarity.ACTIVE_LOW,
}  # fmt: skip
"""What is fixed while the task runs, and another value."""


@pytest.fixture(params=["di", "do"])
def lines(request, bench):
    with bench.task() as task:
        channels = getattr(task, f"{request.param}_channels")
        getattr(channels, f"add_{request.param}_chan")("Dev1/port0/line0:7", line_grouping=ALL)
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=100)
        yield task, request.param


def owner_of(task, path):
    *way, name = path.split(".")
    return reduce(getattr, way, task), name


def test_defaults(lines):
    task, kind = lines
    found = {path: getattr(*owner_of(task, path)) for path in BOTH | OF_KIND[kind]}
    assert found == {path: value.format(part=kind) if isinstance(value, str) else value for path, value in (BOTH | OF_KIND[kind]).items()}


def test_what_is_fixed_while_the_task_runs(lines):
    task, kind = lines
    if kind == "do":
        task.write([0] * 100, auto_start=False)
    task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI2")
    task.start()
    for path, value in FIXED.items():
        with pytest.raises(DaqError) as caught:
            setattr(*owner_of(task, path), value)
        assert caught.value.error_code == DAQmxErrors.CANNOT_SET_PROPERTY_WHEN_TASK_RUNNING, path
        assert "\nProperty: DAQmx_" in str(caught.value)
    task.stop()
    for path, value in FIXED.items():
        setattr(*owner_of(task, path), value)
        assert getattr(*owner_of(task, path)) == value


def test_what_can_only_be_read(bench, lines):
    task, _ = lines
    request = pb.SetTimingAttributeStringRequest(attribute=pb.TIMING_ATTRIBUTE_SAMP_CLK_TERM, value="/Dev1/PFI0")
    request.task.name = task.name
    with pytest.raises(Exception, match=r"Property requested cannot be set\.\nProperty: DAQmx_SampClk_Term") as caught:
        stubs.NiDAQmxStub(bench.channel).SetTimingAttributeString(request)
    assert dict(caught.value.trailing_metadata())["ni-error"] == "-200231"
