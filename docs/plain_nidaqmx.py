"""Usage: python plain_nidaqmx.py HOST:PORT, the address that `rig virtual-bench EXPERIMENT` prints; analogue and digital, in and out."""

import sys

import grpc
import nidaqmx

options = nidaqmx.GrpcSessionOptions(grpc.insecure_channel(sys.argv[1] if sys.argv[1:] else sys.exit(__doc__)), "")
with nidaqmx.Task(grpc_options=options) as ai, nidaqmx.Task(grpc_options=options) as ao:
    ao.ao_channels.add_ao_voltage_chan("Dev1/ao0")  # the loader's command; it is not followed, as no program is switched on
    ao.write(0.5)
    ai.ai_channels.add_ai_voltage_chan("Dev1/ai0:6")  # forces, stroke, accelerations, the command read back
    ai.timing.cfg_samp_clk_timing(51200.0, samps_per_chan=512)
    print("last of 512 samples, V:", [round(samples[-1], 4) for samples in ai.read(512)])
with nidaqmx.Task(grpc_options=options) as do, nidaqmx.Task(grpc_options=options) as di:
    do.do_channels.add_do_chan("Dev1/port0/line0:4")  # hydraulics, mode, interlock, program, heartbeat: line 0 is the lowest bit
    di.di_channels.add_di_chan("Dev1/port1/line0:2")  # interlock ok, hydraulics on, emergency stop ok
    do.write(0b00101)
    print("the controller says:", format(di.read(), "03b"))
