"""Both ends of the line against other people's: our driver on a pymodbus server, our device under minimalmodbus and pymodbus."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections.abc import Iterator

import minimalmodbus
import pytest
import serial
from motor_lines import with_power
from pymodbus import FramerType
from pymodbus.client import ModbusSerialClient, ModbusTcpClient
from pymodbus.server import ModbusTcpServer
from pymodbus.simulator import DataType, SimData, SimDevice
from waiting import until

from drivers.axes.modbus_drive import Config, Registers
from drivers.protocols import cia402
from drivers.simulated.axes.modbus_drive import ModbusDrive
from drivers.simulated.plant.shaft import SmallShaft
from drivers.simulated.serial.serial_side import SerialSide

REGS = Registers()
FIRST, LAST = 3000, 9100


class PymodbusDrive:
    """A pymodbus server with RTU frames whose status word follows the command word, as that of a drive does."""

    def __init__(self) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.seen: list[tuple[int, int]] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()
        assert self._ready.wait(10.0)

    async def _follow(self, function: int, start: int, address: int, count: int, registers: list[int], values: object) -> None:
        """Called by pymodbus for every request, before it is served."""
        del start, count
        if not isinstance(values, list) or not values:
            return
        self.seen.append((address, int(values[0])))
        if address == REGS.command:
            words = {0x06: 0x21, 0x07: 0x23, 0x0F: 0x27, 0x02: 0x07, 0x00: 0x40, 0x80: 0x40}
            registers[REGS.status - FIRST] = words[int(values[0])]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        words = [0] * (LAST - FIRST)
        words[REGS.status - FIRST] = 0x40
        words[REGS.loss_action - FIRST] = 1
        words[REGS.output_frequency - FIRST] = 500
        data = SimData(FIRST, values=words, datatype=DataType.REGISTERS)
        device = SimDevice(id=1, simdata=[data], action=self._follow)
        self.server = ModbusTcpServer(device, framer=FramerType.RTU, address=("127.0.0.1", self.port))
        await self.server.serve_forever(background=True)
        self._ready.set()
        await self.server.serving

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self.server.shutdown(), self._loop).result(5.0)


@pytest.fixture
def pymodbus_drive() -> Iterator[PymodbusDrive]:
    drive = PymodbusDrive()
    yield drive
    drive.close()


def test_our_driver_on_a_pymodbus_server(pymodbus_drive: PymodbusDrive) -> None:
    axis = with_power(Config(f"socket://127.0.0.1:{pymodbus_drive.port}", reply_timeout=2.0, max_speed=160.0).create())
    axis.command(-157.0795)
    assert axis.feedback().velocity == pytest.approx(157.0796, abs=1e-3)
    axis.quick_stop()
    axis.reset_fault()
    assert axis.close() == []
    seen = pymodbus_drive.seen
    assert [value for address, value in seen if address == REGS.command][:4] == [0x00, 0x06, 0x07, 0x0F]
    assert (REGS.timeout, 5) in seen
    assert (REGS.reference, 0x10000 - 500) in seen
    assert (REGS.command, cia402.QUICK_STOP) in seen


@pytest.fixture
def side() -> Iterator[SerialSide]:
    with SerialSide(ModbusDrive(SmallShaft(), address=3)) as side:
        yield side


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
def test_minimalmodbus_on_our_device(side: SerialSide) -> None:
    with serial.Serial(side.pty(), 19200, timeout=2.0) as port:
        host = minimalmodbus.Instrument(port, 3)
        host.write_register(REGS.acceleration, 0.1, 1, functioncode=6)
        host.write_registers(REGS.deceleration, [2])
        assert host.read_registers(REGS.acceleration, 2) == [1, 2]
        host.write_register(REGS.reference, -300, signed=True, functioncode=6)
        for command, state in ((6, 0x21), (7, 0x23), (15, 0x27)):
            host.write_register(REGS.command, command, functioncode=6)
            assert host.read_register(REGS.status) & 0x6F == state
        until(lambda: host.read_register(REGS.output_frequency, 1, signed=True) == -30.0, "-30 Hz")
        with pytest.raises(minimalmodbus.IllegalRequestError):
            host.read_register(1)
        host.write_register(REGS.command, 2, functioncode=6)
        assert host.read_register(REGS.status) & 0x6F == 0x07


def check_with_pymodbus(client: ModbusTcpClient | ModbusSerialClient) -> None:
    assert client.connect()
    assert not client.write_register(REGS.timeout, 7, device_id=3).isError()
    assert client.read_holding_registers(REGS.timeout, count=1, device_id=3).registers == [7]
    assert not client.write_registers(REGS.acceleration, [11, 12], device_id=3).isError()
    assert client.read_holding_registers(REGS.acceleration, count=2, device_id=3).registers == [11, 12]
    assert client.read_input_registers(REGS.status, count=1, device_id=3).registers[0] & 0x4F == 0x40
    refused = client.read_holding_registers(1, count=1, device_id=3)
    assert refused.isError() and refused.exception_code == 2
    for unknown in (
        client.report_device_id(device_id=3), client.read_device_information(read_code=1, object_id=0, device_id=3),
        client.mask_write_register(address=REGS.acceleration, device_id=3), client.read_exception_status(device_id=3),
        client.readwrite_registers(read_address=9001, read_count=1, address=9001, values=[1, 2], device_id=3),
        client.write_coils(0, [True] * 9, device_id=3), client.read_coils(0, count=1, device_id=3),
    ):  # fmt: skip
        assert unknown.isError() and unknown.exception_code == 1, unknown
    assert client.read_holding_registers(REGS.timeout, count=1, device_id=3).registers == [7], "the line is in step"
    client.close()


def test_pymodbus_on_our_device_by_socket(side: SerialSide) -> None:
    host, port = side.url.removeprefix("socket://").split(":")
    check_with_pymodbus(ModbusTcpClient(host, port=int(port), framer=FramerType.RTU))


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
def test_pymodbus_on_our_device_by_pty(side: SerialSide) -> None:
    check_with_pymodbus(ModbusSerialClient(side.pty(), baudrate=19200))
