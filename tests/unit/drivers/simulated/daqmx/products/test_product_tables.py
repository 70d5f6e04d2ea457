"""Products of the user's own: like one that there is, with other figures, or told whole; what is wrong is told at once, with its key.

Expected figures are those that the file gives, read back by the stock client; the rest is the product that it is like.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nidaqmx
import pytest
from nidaqmx.constants import BusType, ProductCategory, TriggerUsage

from drivers.files import user_settings
from drivers.simulated import serve_devices
from drivers.simulated.device_file import BadDeviceFile, read
from tests.tiers import quick

ROOT = Path(__file__).parents[6]
LIKE = """
pace = "lockstep"
[[products]]
name = "PCIe-6363 of ours"
like = "PCIe-6363"
number = 0x1234
inputs.tops = [1.0, 20.0]
inputs.rate_single = 5e3
inputs.rate_aggregate = 4e3
without = ["outputs", "counters"]
[[devices]]
name = "Dev1"
product = "PCIe-6363 of ours"
[[devices]]
name = "Dev2"
product = "PCIe-6363"
"""
WHOLE = """
pace = "lockstep"
[[products]]
name = "Logger 8"
category = "C Series"
bus = "CompactDAQ"
pfi = 2
[products.inputs]
channels = 8
bits = 18
tops = [0.5, 5.0]
rate_single = 25e3
simultaneous = true
timebase = 80e6
term_cfgs = ["4 RSE DIFF", "4 RSE"]
triggers = "start"
[[products]]
name = "Logger 4"
like = "Logger 8"
inputs.channels = 4
[[devices]]
name = "cDAQ1"
product = "cDAQ-9174"
[[devices]]
name = "cDAQ1Mod1"
product = "Logger 8"
chassis = "cDAQ1"
slot = 1
[[devices]]
name = "cDAQ1Mod2"
product = "Logger 4"
chassis = "cDAQ1"
slot = 2
"""
CARD = '[[devices]]\nname = "Dev1"\nproduct = "PCIe-6363"\n'
MINE = '[[products]]\nname = "mine"\n'
INPUTS = '[products.inputs]\nchannels = 2\nbits = 16\ntops = [10.0]\nrate_single = 1e3\n'  # fmt: skip
C_SERIES = MINE + 'category = "C Series"\nbus = "CompactDAQ"\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "devices.toml"


def test_like_one_that_there_is(file: Path) -> None:
    file.write_text(LIKE)
    with serve_devices(file) as bench:
        own, other = bench.system.devices["Dev1"], bench.system.devices["Dev2"]
        assert (own.product_type, own.product_num) == ("PCIe-6363 of ours", 0x1234)
        assert own.ai_voltage_rngs == [-1.0, 1.0, -20.0, 20.0]
        assert (own.ai_max_single_chan_rate, own.ai_max_multi_chan_rate) == (5e3, 4e3)
        assert len(own.ai_physical_chans) == len(other.ai_physical_chans) == 32
        assert own.di_lines.channel_names[-1] == "Dev1/port2/line7" and own.di_max_rate == other.di_max_rate
        assert list(own.ao_physical_chans) == [] and list(own.ci_physical_chans) == []
        assert len(other.ao_physical_chans) == 4 and other.ai_max_single_chan_rate == 2e6
        with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
            channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0", min_val=-15.0, max_val=15.0)
            task.timing.cfg_samp_clk_timing(5e3, samps_per_chan=20)
            assert len(task.read(20)) == 20 and channel.ai_rng_high == 20.0


def test_told_whole(file: Path) -> None:
    file.write_text(WHOLE)
    with serve_devices(file) as bench:
        module, smaller = bench.system.devices["cDAQ1Mod1"], bench.system.devices["cDAQ1Mod2"]
        assert (module.product_category, module.bus_type) == (ProductCategory.C_SERIES_MODULE, BusType.COMPACT_DAQ)
        assert (len(module.ai_physical_chans), len(smaller.ai_physical_chans)) == (8, 4)
        assert module.ai_simultaneous_sampling_supported and module.ai_max_multi_chan_rate == 25e3
        assert module.ai_min_rate == pytest.approx(80e6 / 2**32)
        assert module.ai_trig_usage == [TriggerUsage.START]
        assert module.terminals == ["/cDAQ1Mod1/PFI0", "/cDAQ1Mod1/PFI1"]
        assert [len(c.ai_term_cfgs) for c in module.ai_physical_chans] == [2] * 4 + [1] * 4
        with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
            assert task.ai_channels.add_ai_voltage_chan("cDAQ1Mod1/ai0:7", min_val=-1.0, max_val=1.0).ai_resolution == 18.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MINE, "products[0].category: missing; expected it, or like = a product that has it"),
        (MINE + 'like = "PCIe-6362"\n', "products[0].like: no product 'PCIe-6362'; did you mean PCIe-6361 or PCIe-6363?"),
        ("[[products]]\n" + 'like = "PCIe-6363"\n', "products[0].name: missing; expected a text"),
        (
            MINE + 'like = "PCIe-6363"\nbus = "ISA"\n',
            "products[0].bus: expected one of PCIe, PXI, PXIe, USB, CompactDAQ, TCP/IP; got 'ISA'",
        ),
        (MINE + 'like = "PCIe-6363"\ninputs.rate = 1e3\n', "products[0].inputs.rate: unknown key; did you mean rate_min?"),
        (MINE + 'like = "PCIe-6363"\ninput.channels = 4\n', "products[0].input: unknown key; did you mean inputs?"),
        (MINE + 'like = "PCIe-6363"\ninputs = 4\n', "products[0].inputs: expected a table, got 4"),
        (MINE + 'like = "PCIe-6363"\ninputs.channels = 0\n', "products[0].inputs.channels: expected a whole number from 1 to 65536, got 0"),
        (MINE + 'like = "PCIe-6363"\ninputs.tops = [1, -10]\n', "products[0].inputs.tops: [1]: expected a number above 0, got -10"),
        (MINE + 'like = "PCIe-6363"\ninputs.tops = []\n', "products[0].inputs.tops: expected a list that is not empty, got []"),
        (MINE + 'like = "PCIe-6363"\ninputs.tops = [10, 1]\n', "products[0].inputs.tops: expected the smallest range first, got [10, 1]"),
        (MINE + 'like = "PCIe-6363"\ninputs.kinds = ["volts"]\n', "products[0].inputs.kinds: [0]: expected one of voltage, multifunction,"),
        (MINE + 'like = "PCIe-6363"\ninputs.couplings = "XC"\n', "expected some of AC, DC, GND, with spaces between; got 'XC'"),
        (MINE + 'like = "PCIe-6363"\ninputs.term_cfgs = ["two DIFF"]\n', "before them of how many channels if not one; got 'two DIFF'"),
        (MINE + 'like = "PCIe-6363"\noutputs.channels = 2\n', "outputs.rates: expected at most 2, for 1, 2, ... channels; got 4"),
        (MINE + 'like = "PCIe-6363"\nports = [8]\n', "products[0].digital.detecting: there is no port 1; ports has 1 entries"),
        (
            MINE + 'like = "PCIe-6363"\nwithout = ["lines"]\n',
            "products[0].without: [0]: expected one of inputs, outputs, digital, counters;",
        ),
        (C_SERIES + "[products.inputs]\nchannels = 2\n", "products[0].inputs.bits: missing"),
        (C_SERIES + INPUTS + 'names = ["one"]\n', "products[0].inputs.names: expected 2, one for each channel; got 1"),
        (C_SERIES + INPUTS + 'kinds = ["current"]\n', "products[0].inputs.current_tops: missing; expected the ranges (A) of a device"),
        (MINE + 'like = "PCIe-6363"\n' + MINE + 'like = "PCIe-6363"\n', "products[1].name: two products are called mine"),
        ('products = "PCIe-6363"\n', "products: expected a list of tables ([[products]])"),
        ("", "devices[0].product: no product 'nobody'; there are"),
    ],
)
def test_what_is_wrong_is_said(file: Path, text: str, said: str) -> None:
    device = CARD if text else CARD.replace("PCIe-6363", "nobody")
    file.write_text(text + device)
    with pytest.raises(BadDeviceFile) as caught:
        read(file)
    assert any(said in problem for problem in caught.value.problems), caught.value.problems


def test_all_that_is_wrong_is_said_at_once(file: Path) -> None:
    file.write_text(MINE + 'like = "PCIe-6363"\nnumber = -1\nslots = 0\n[products.inputs]\nbits = 0\nrate_single = "fast"\n' + CARD)
    with pytest.raises(BadDeviceFile) as caught:
        read(file)
    assert len(caught.value.problems) == 4


PROGRAM = "from nidaqmx.system import System\nprint(System.local().devices['Dev1'].ai_voltage_rngs)\n"


@pytest.mark.parametrize(
    ("table", "code", "out", "told"),
    quick([
        ('[[products]]\nname = "PCIe-9999"\nlike = "PCIe-6363"\ninputs.tops = [2.0]\n', 0, "[-2.0, 2.0]\n", ""),
        (
            '[[products]]\nname = "PCIe-9999"\nlike = "PCIe-6363"\ninputs.tops = 2.0\n', 2, "",
            "cards.toml cannot be taken: products[0].inputs.tops: expected a list that is not empty, got 2.0",
        ),
        ("[[product]]\n", 2, "", "cards.toml cannot be taken: product: unknown key; there is products"),
        ("[[products\n", 2, "", "cards.toml cannot be taken: "),
    ], 2),
)  # fmt: skip
def test_a_file_of_its_own_is_for_every_file_of_devices(tmp_path: Path, table: str, code: int, out: str, told: str) -> None:
    folder = tmp_path / "kinds" / "daqmx_products"
    folder.mkdir(parents=True)
    (folder / "cards.toml").write_text(table)
    (tmp_path / "settings.toml").write_text('kinds = ["kinds"]\n')
    (tmp_path / "devices.toml").write_text('[[devices]]\nname = "Dev1"\nproduct = "PCIe-9999"\n')
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "drivers.simulated.run", "--devices", str(tmp_path / "devices.toml"), str(tmp_path / "program.py")]
    environment = {**os.environ, user_settings.VARIABLE: str(tmp_path / "settings.toml"), "PYTHONPATH": str(ROOT)}
    found = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120, check=False)
    assert (found.returncode, found.stdout) == (code, out), found.stderr
    assert told in found.stderr and "Traceback" not in found.stderr


def test_the_products_of_the_guide(file: Path) -> None:
    guide = (ROOT / "docs" / "simulated_daqmx.md").read_text()
    file.write_text(guide.partition("### A product of your own")[2].partition("```toml\n")[2].partition("```")[0])
    (card,) = read(file).devices
    assert card.described is not None and card.described.inputs is not None
    assert card.described.inputs.tops == (1.0, 20.0) and card.described.outputs is None
