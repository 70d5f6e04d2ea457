"""`rig monitor RUN`: a page of a running test for a browser. It reads only; the test does not notice it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from rig.command_line.result import Result, envelope
from rig.commands import version
from rig.monitor.access import LOCAL, Access, Address, need_allowed, read_token
from rig.monitor.observation import Observation


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig monitor`."""
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of the run")
    parser.add_argument("--port", metavar="N", type=int, default=0, help="port of the page (default: a free one, which is printed)")
    text = f"address to serve at (default: {LOCAL}, which only this computer reaches); another one needs a token and TLS"
    parser.add_argument("--host", metavar="ADDRESS", default=LOCAL, help=text)
    parser.add_argument("--token-file", metavar="FILE", type=Path, help="file with the token; only its owner may be able to read it")
    parser.add_argument("--certificate", metavar="FILE", type=Path, help="certificate of TLS (PEM)")
    parser.add_argument("--key", metavar="FILE", type=Path, help="its private key (PEM)")


def execute(args: argparse.Namespace) -> Result:
    """Serve the page until Ctrl-C. Raises ConfigError, RigError."""
    from rig.monitor.app import application  # its libraries take a third of a second
    from rig.monitor.server import listening, prefer_others, serve

    address = Address(args.host, args.port, args.certificate, args.key)
    token = None if args.token_file is None else read_token(args.token_file)
    need_allowed(address, token)
    prefer_others()
    observation, access = Observation(args.run), Access(token)
    line = listening(address)
    url = address.url(line.getsockname()[1])

    def say() -> None:
        print(f"listening {url}{'' if token is None else access.link}", flush=True)

    observation.start()
    try:
        serve(application(observation, access, address, _as_json, say), line, address, say)
    finally:
        observation.stop()
        line.close()
    status = observation.status
    return Result(data={"run": status["run"], "url": url}, text="")


def _as_json(status: Mapping[str, object]) -> str:
    """As `rig status --json` prints it."""
    return envelope("status", version(), Result(data=status))
