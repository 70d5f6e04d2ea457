"""The command line: quick, one message and one exit code for everything that goes wrong, one JSON object when asked for."""

from __future__ import annotations

import argparse
import json
import math
import resource
import signal
import statistics
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from drivers.errors import NotConnected
from model.errors import NotConverged
from rig import commands
from rig.command_line.result import Result, envelope, plain
from rig.errors import ConfigError, LimitTripped, RigError, WorkerDied
from rig.host.interruption import AskedToEnd
from tests.each_row import each_row
from tests.tiers import quick

ROOT = Path(__file__).parents[4]
EXPERIMENT = str(ROOT / "configs" / "experiments" / "linkage.toml")
COSTLY = ("numpy", "pint", "pydantic", "numba", "nidaqmx", "h5py", "matplotlib", "PySide6")
HELP_BUDGET = 2.0  # s of processor time, median of 5, on a machine however slow; 0.1 where it is fast
ENVELOPE = {"schema", "command", "rig_version", "exit_code", "outcome", "warnings"}


def rig(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "rig", *arguments], capture_output=True, text=True, cwd=ROOT, check=False, timeout=120)


def only_object(text: str) -> dict[str, Any]:
    data = json.loads(text)
    assert isinstance(data, dict)
    assert set(data) >= ENVELOPE
    return data


@pytest.fixture
def behaves(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a command in the place of `rig laws`; it does what it is given."""

    def put(action: Any) -> None:
        module = ModuleType("rig.commands.models.laws")
        module.configure = lambda parser: parser.add_argument("--number", type=int)  # type: ignore[attr-defined]

        def execute(args: argparse.Namespace) -> Result:
            if isinstance(action, BaseException):
                raise action
            return action

        module.execute = execute  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "rig.commands.models.laws", module)

    return put


def test_help_is_quick_and_names_every_command(record_property: Any) -> None:
    times = []
    for _ in range(5):
        begun = _processor_time_of_children()
        done = rig("--help")
        times.append(_processor_time_of_children() - begun)
    record_property("help_s", statistics.median(times))
    assert done.returncode == 0
    assert all(f"    {name}" in done.stdout for name in commands.COMMANDS)
    assert statistics.median(times) <= HELP_BUDGET, f"rig --help took {times} s"


def test_help_is_a_word_as_well() -> None:
    assert rig("help").stdout == rig("--help").stdout
    assert rig("help", "laws").stdout == rig("laws", "--help").stdout
    unknown = rig("help", "nosuch")
    assert (unknown.returncode, "invalid choice: 'nosuch'" in unknown.stderr) == (2, True)


def test_a_link_to_itself_is_a_name_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    done = rig("run", EXPERIMENT, "--headless", "--set", "bench.pace=lockstep", "--out", str(tmp_path / "loop"))
    assert done.returncode == 2
    assert done.stderr == f"--out {tmp_path}/loop: no folder can be made there: Too many levels of symbolic links\n"


def _processor_time_of_children() -> float:
    """Time (s) that ended processes have computed for: what a busy machine takes from them is no fault of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_help_imports_nothing_costly() -> None:
    program = (
        "import sys, contextlib, io, rig.commands\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    rig.commands.main(['--help'])\n"
        f"print([name for name in {COSTLY} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


@each_row("command", commands.COMMANDS)
def test_every_command_exists_and_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        commands.main([command, "--help"])
    assert ended.value.code == 0
    assert "--json" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch"],
        [],
        ["check"],
        ["check", EXPERIMENT, "--nosuch"],
        ["check", "nosuch.toml"],
        ["check", EXPERIMENT, "--set", "mechanism.clearance=10 kN"],
        ["check", EXPERIMENT, "--set", "nosuch=1"],
        ["check", EXPERIMENT, "--bench", "nosuch.toml"],
    ],
)
def test_bad_input_is_one_message_and_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.strip()
    assert "Traceback" not in said.err
    assert commands.main([*arguments, "--json"]) == 2
    said = capsys.readouterr()
    data = only_object(said.out)
    assert (data["exit_code"], data["outcome"]) == (2, "bad_input")
    assert data["error"].strip() == said.err.strip()
    assert data["command"] == ("check" if "check" in arguments else None)


def test_an_option_of_another_command_shows_the_usage_of_the_one_that_was_called(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["compare", "runs/1", "--no-picture"]) == 2
    assert capsys.readouterr().err.startswith("rig compare: unrecognized arguments: --no-picture\nusage: rig compare ")


@pytest.mark.parametrize(
    ("error", "code", "outcome"),
    [
        (ConfigError(["a: wrong", "b: wrong"]), 2, "bad_input"),
        (LimitTripped("force 31 kN exceeds 30 kN"), 1, "tripped"),
        (WorkerDied("bench died"), 3, "failed"),
        (RigError("something"), 3, "failed"),
        (NotConnected("no device Dev1"), 3, "failed"),
        (NotConverged("at 0.2 s"), 3, "failed"),
        (FileNotFoundError(2, "No such file or directory", "runs/7/run.h5"), 2, "bad_input"),
        (PermissionError(13, "Permission denied", "runs"), 2, "bad_input"),
        (OSError(36, "File name too long", "nnnn.csv"), 2, "bad_input"),
        (OSError(30, "Read-only file system", "/boot/x.csv"), 2, "bad_input"),
        (OSError(28, "No space left on device", "/full/x.csv"), 2, "bad_input"),
    ],
)
def test_errors_become_a_message_and_an_exit_code(
    error: BaseException, code: int, outcome: str, behaves: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    behaves(error)
    assert commands.main(["laws"]) == code
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    if code:
        assert said.out == ""
        assert (str(error) if not isinstance(error, OSError) else f"{error.filename}: {error.strerror}") in said.err
    assert commands.main(["laws", "--json"]) == code
    data = only_object(capsys.readouterr().out)
    assert (data["exit_code"], data["outcome"], data["command"]) == (code, outcome, "laws")


@pytest.mark.parametrize(("by", "code"), [(KeyboardInterrupt(), 130), (AskedToEnd(signal.SIGTERM), 143), (AskedToEnd(signal.SIGHUP), 129)])
def test_a_command_that_was_broken_off_says_by_what(
    by: KeyboardInterrupt, code: int, behaves: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """128 and the number of the signal, as a shell has it: what comes next in a script must not take it for done."""
    behaves(by)
    assert commands.main(["laws"]) == code
    said = capsys.readouterr()
    assert (said.out, "before its end" in said.err, "Traceback" in said.err) == ("", True, False)
    assert commands.main(["laws", "--json"]) == code
    data = only_object(capsys.readouterr().out)
    assert (data["exit_code"], data["outcome"]) == (code, "stopped")


@pytest.mark.parametrize(
    "arguments", [["compare", "Pr\udcfcf"], ["run", EXPERIMENT, "--out", "a/Pr\udcfcf"], ["check", "x", "--set", "a=\udcff"]]
)
def test_a_name_with_bytes_that_are_no_text_is_refused_in_words(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main([*arguments, "--json"]) == 2
    said = capsys.readouterr()
    error = only_object(said.out.encode("utf-8").decode("utf-8"))["error"]
    assert r"\xf" in error and "rename it" in error
    assert "Traceback" not in said.err


def test_a_name_that_no_file_can_have_here_is_told_not_traced(behaves: Any, capsys: pytest.CaptureFixture[str]) -> None:
    behaves(UnicodeEncodeError("ascii", "pr\u00fcfstand.toml", 2, 3, "ordinal not in range(128)"))
    assert commands.main(["laws"]) == 2
    said = capsys.readouterr().err
    assert r"'pr\xfcfstand.toml': this name cannot be written in ASCII" in said
    assert "Traceback" not in said


def test_in_a_folder_that_was_removed_it_is_said(behaves: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """`os.getcwd` names no file then."""
    behaves(FileNotFoundError(2, "No such file or directory"))
    assert commands.main(["laws"]) == 2
    assert capsys.readouterr().err == "the folder that this was started in is gone; change to another\n"


def test_a_fault_of_the_program_shows_where_and_still_is_one_object(behaves: Any, capsys: pytest.CaptureFixture[str]) -> None:
    behaves(ZeroDivisionError("division by zero"))
    assert commands.main(["laws", "--json"]) == 3
    said = capsys.readouterr()
    data = only_object(said.out)
    assert (data["outcome"], data["error"]) == ("failed", "fault of the program: ZeroDivisionError: division by zero")
    assert "Traceback" in said.err


def test_a_result_is_told_once_in_either_form(behaves: Any, capsys: pytest.CaptureFixture[str]) -> None:
    behaves(Result("verdict_failed", 1, {"nrms": math.nan, "values": np.array([1.0, np.inf])}, "NRMS unknown", ["sensor expired"]))
    assert commands.main(["laws"]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err) == ("NRMS unknown\n", "warning: sensor expired\n")
    assert commands.main(["laws", "--json"]) == 1
    data = only_object(capsys.readouterr().out)
    assert (data["nrms"], data["values"], data["warnings"], data["outcome"]) == (None, [1.0, None], ["sensor expired"], "verdict_failed")


NO_ROOM = "standard output cannot be written: No space left on device; "
ON_A_FULL_DISK = [
    (["laws", "--json"], "the result of rig laws is lost (exit 3)"),
    (["laws"], "the result of rig laws is lost (exit 3)"),
    (["run", "nothing.toml", "--json"], "the result of rig run, bad input, is lost (exit 3)"),
    (["--help"], "rig has ended by that (exit 3)"),
    (["laws", "--help"], "rig laws has ended by that (exit 3)"),
    (["--version"], "rig has ended by that (exit 3)"),
    (["virtual-bench", EXPERIMENT, "--port", "0"], "rig virtual-bench has ended by that (exit 3)"),
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where a full disk can be had for nothing")
@pytest.mark.parametrize(("words", "said"), quick(ON_A_FULL_DISK, 3))
def test_output_on_a_full_disk_is_one_line_and_exit_3(words: list[str], said: str) -> None:
    """Whoever reads the file must not take it for the whole; Python has nothing to add as it ends."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "rig", *words], stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, timeout=120)
    told = done.stderr.splitlines()
    assert (done.returncode, told[-1]) == (3, NO_ROOM + said)
    assert len(told) == (2 if words[0] == "run" else 1), "what was wrong with the file is said as well"


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output is on a full disk."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(commands, "_tell", full)
    monkeypatch.setattr(commands, "_leave_output", lambda: None)


WRITTEN = [
    ({"files": {"run": Path("runs/1"), "record": Path("runs/1/run.h5"), "summary": Path("runs/1/s.json")}}, "stands in runs/1/s.json"),
    ({"files": {"run": Path("runs/1"), "record": None, "summary": None}}, "is lost, but runs/1 stands"),
    ({"file": Path("runs/1/run.h5"), "recovered": True}, "is lost, but runs/1/run.h5 stands"),
    ({"file": "table.csv", "rtf": 0.1}, "is lost, but table.csv stands"),
    ({"files": {"plot": "a.png", "record": "b.toml", "history": "b.json"}}, "is lost, but a.png, b.toml, b.json stand"),
    ({"files": {}}, "is lost"),
    ({"files": None}, "is lost"),
]


@pytest.mark.parametrize(("data", "said"), WRITTEN)
def test_a_result_that_cannot_be_printed_is_said_to_stand_in_its_files(
    behaves: Any, no_room: None, capsys: pytest.CaptureFixture[str], data: dict[str, Any], said: str
) -> None:
    behaves(Result("verdict_failed", 1, data, "verdict failed"))
    assert commands.main(["laws"]) == 3
    assert capsys.readouterr().err == f"{NO_ROOM}the result of rig laws, verdict failed, {said} (exit 3)\n"


@pytest.mark.parametrize("command", ["predict", "kinematics"])
def test_a_picture_that_was_written_is_not_told_as_lost(
    no_room: None, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    experiment, flag = {"predict": ("four_bar", "--plot"), "kinematics": ("parallel_3rrpar", "--out")}[command]
    picture = tmp_path / "picture.png"
    assert commands.main([command, str(ROOT / f"configs/experiments/{experiment}.toml"), flag, str(picture)]) == 3
    assert capsys.readouterr().err.splitlines()[-1] == f"{NO_ROOM}the result of rig {command} is lost, but {picture} stands (exit 3)"
    assert picture.stat().st_size > 0


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (["simulate", EXPERIMENT, "--out"], "--out"), (["kinematics", EXPERIMENT, "--out"], "--out"),
        (["predict", EXPERIMENT, "--plot"], "--plot"),
        (["view", "runs/1", "--picture"], "--picture"), (["check", EXPERIMENT, "--plot"], "--plot"), (["virtual-bench", "--log"], "--log"),
        (["calibrate", EXPERIMENT, "--plot"], "--plot"), (["calibrate", EXPERIMENT, "--points"], "--points"),
    ],
)  # fmt: skip
def test_a_file_is_not_named_as_a_folder_is(words: list[str], flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main([*words, f"{tmp_path}/x.png/"]) == 2
    assert f"argument {flag}: {tmp_path}/x.png/: expected the name of a file" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_bad_arguments_of_a_command_are_told_by_it(behaves: Any, capsys: pytest.CaptureFixture[str]) -> None:
    behaves(Result())
    assert commands.main(["laws", "--number", "many", "--json"]) == 2
    assert "rig laws: argument --number: invalid int value: 'many'" in only_object(capsys.readouterr().out)["error"]


def test_the_envelope_cannot_be_overwritten() -> None:
    data = json.loads(envelope("run", "1.0", Result(data={"exit_code": 9, "outcome": "x", "run": "0001"})))
    assert (data["exit_code"], data["outcome"], data["run"], data["schema"]) == (0, "done", "0001", 1)


def test_an_object_is_valid_whatever_a_file_is_called() -> None:
    """Half a pair is no character of JSON (RFC 8259, 8.2: its behaviour is unpredictable)."""
    text = envelope("run", "1.0", Result(data={"file": Path("Pr\udcfcf"), "a\ud83d": ["\udc80"]}))
    data = json.loads(text.encode("utf-8"))
    assert (data["file"], data["a\\ud83d"]) == (r"Pr\xfcf", [r"\x80"])


def test_what_has_no_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no JSON form"):
        plain({"a": object()})
    assert plain({"p": Path("a"), "t": (np.float64(1.5), np.int64(2), np.bool_(True))}) == {"p": "a", "t": [1.5, 2, True]}
