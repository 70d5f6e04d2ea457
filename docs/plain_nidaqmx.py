"""Plain nidaqmx against `rig virtual-bench EXPERIMENT`: analogue in and out, digital in and out. Run: python plain_nidaqmx.py HOST:PORT"""

import sys

import grpc
import nidaqmx
from nidaqmx.grpc_session_options import GrpcSessionOptions

options = GrpcSessionOptions(grpc.insecure_channel(sys.argv[1]), "")
with nidaqmx.Task(grpc_options=options) as ai, nidaqmx.Task(grpc_options=options) as ao:
    ao.ao_channels.add_ao_voltage_chan("Dev1/ao0")  # the loader's command; it is not followed, as no program is switched on
    ao.write(0.5)
    ai.ai_channels.add_ai_voltage_chan("Dev1/ai0:6")
    ai.timing.cfg_samp_clk_timing(51200.0, samps_per_chan=512)
    force, actuator_force, stroke, *_, command = (samples[-1] for samples in ai.read(512))
    print(f"V: force {force:.4f}, actuator force {actuator_force:.4f}, stroke {stroke:.4f}, command {command:.4f}")
with nidaqmx.Task(grpc_options=options) as do, nidaqmx.Task(grpc_options=options) as di:
    do.do_channels.add_do_chan("Dev1/port0/line0:4")  # hydraulics, mode, interlock, program, heartbeat
    di.di_channels.add_di_chan("Dev1/port1/line0:2")  # interlock ok, hydraulics on, emergency stop ok
    do.write([True, False, True, False, False])
    print("interlock ok, hydraulics on, estop ok:", di.read())
