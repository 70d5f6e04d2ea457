"""The commands of `rig`, and what each is for, room by room. A command is a module of its room in `rig.commands`."""

from __future__ import annotations

ROOMS = {
    "running": {
        "new": "an experiment, its bench and a README in a folder of one's own, to begin with",
        "run": "run an experiment on a bench with the model in step",
        "status": "where a running test is: state, cycle, newest values, events",
        "monitor": "a page of a running test for a browser; it only reads",
        "hold": "bring the command of a running test to a stand",
        "resume": "let a test go on: one that is held where it stands, one that was broken off at its next cycle",
        "set": "another amplitude, mean, frequency or speed while the test runs",
        "stop": "a ramped stop of a running test",
        "inject": "a fault on the virtual bench of a running test",
        "campaign": "every fault of a table on every virtual rig, beside what is declared",
        "series": "tests that differ in a few keys, one after the other, and a table of them",
    },
    "bench": {
        "devices": "NI devices and serial ports that there are; opens no port, writes no output",
        "check": "open every instrument, read each channel once; writes no output",
        "tare": "what stands on a channel now counts as zero; commands nothing",
        "shunt": "switch the shunt of a bridge, compare what it does with what it must do",
        "calibrate": "a channel against a reference, point by point; its record is written when accepted",
        "talk": "a guarded session by hand with a motor or loader on a port that a bench file names",
        "latency": "how long one sample takes in and one value out, and whether a loop closes in that time",
        "virtual-bench": "simulated hardware alone, for any client",
    },
    "records": {
        "compare": "measured against predicted of a record, again",
        "report": "one file of HTML for whoever ordered the test: verdict, curves, sensors, evidence; of several runs side by side",
        "view": "the window on a record: play, seek, look closer; or a picture of it",
        "export": "a record as CSV, MAT, UFF 58, TDMS, MDF, Parquet, RPC III, XLSX or documents of bluesky",
        "import": "a recording of another system as a record",
        "judge": "a model on recordings that others made and published; the file is fetched by you, checked by its hash",
        "verify": "whether a run's files are as the test left them, and its verdict follows from them",
        "recover": "put a record together from its journal",
    },
    "models": {
        "simulate": "the model alone, to a file",
        "budget": "what a test's tolerances have to allow, and which wrong models it finds",
        "identify": "numbers of a specimen from records of its tests, with intervals, and whether the model explains them",
        "sweep": "many models or tests that differ in a few keys, on Dask, and what their figures depend on",
        "kinematics": "can the mechanism follow its path: reach, conditioning, rank of its constraints",
        "predict": "where a joint with clearance loses contact, by every criterion",
        "rths": "real-time hybrid tests of the published benchmark, computed: compensators, criteria, stability",
        "laws": "the contact laws and the restitution that they really give",
        "reproduce": "what the papers say, beside what this program computes",
        "benchmark": "real-time factors and errors, beside other programs where they are installed",
        "warmup": "compile everything ahead",
    },
}
COMMANDS = {command: text for room in ROOMS.values() for command, text in room.items()}


def module(command: str) -> str:
    """Name of the module that is a command; raises StopIteration for one that there is not."""
    room = next(name for name, commands in ROOMS.items() if command in commands)
    return f"rig.commands.{room}.{command.replace('-', '_')}"
