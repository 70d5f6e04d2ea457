"""The page's template: the program's own, and what a laboratory lays over it. It is data from outside: it can reach what it is given,
nothing else, and what it prints is escaped."""

from __future__ import annotations

import base64
from pathlib import Path

from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined, Template, TemplateError, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from rig.errors import ConfigError

ASSETS = Path(__file__).with_name("assets")
PAGE, STYLE = "report.html", "style.css"
LOGOS = {"logo.svg": "image/svg+xml", "logo.png": "image/png", "logo.jpg": "image/jpeg"}
LARGEST_LOGO = 2**20
"""Bytes; it is in every report."""
EXPECTED = f"{PAGE} (the page), {STYLE}, one of {', '.join(LOGOS)}, or a table of words as en.toml"


class PageTemplate:
    """Raises ConfigError for a folder that is none of a template, and for a template that is wrong, with file and line."""

    def __init__(self, own: Path | None) -> None:
        """own: folder of a laboratory's template; what is not in it is the program's own."""
        if own is not None:
            _need_template(own)
        self._folders = [*([own] if own is not None else []), ASSETS]
        self._environment = ImmutableSandboxedEnvironment(
            loader=ChoiceLoader([FileSystemLoader(folder) for folder in self._folders]),
            autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        self._environment.filters["breakable"] = _breakable
        self._page = self._found()

    def render(self, **given: object) -> str:
        """The page."""
        try:
            return self._page.render(**given)
        except RecursionError as error:
            raise ConfigError(f"{self._where(error)}: it takes itself in without end") from error
        except Exception as error:  # of a laboratory's template: it may raise whatever it likes
            raise ConfigError(f"{self._where(error)}: {_said(error)}") from error

    def style(self) -> Markup:
        """The style sheet: a laboratory's behind the program's own, so that it changes only what it names."""
        return Markup("\n".join(_text(folder / STYLE) for folder in reversed(self._folders) if (folder / STYLE).is_file()))

    def logo(self) -> str:
        """As an address that holds the picture itself; empty where there is none."""
        for name, kind in LOGOS.items():
            if (file := self._folders[0] / name).is_file():
                if (size := file.stat().st_size) > LARGEST_LOGO:
                    raise ConfigError(f"{file}: {size} bytes; expected at most {LARGEST_LOGO}, as it is in every report")
                return f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"
        return ""

    def _found(self) -> Template:
        try:
            return self._environment.get_template(PAGE)
        except (TemplateError, OSError, ValueError) as error:
            raise ConfigError(f"{self._where(error)}: {_said(error)}") from error

    def _where(self, error: BaseException) -> str:
        """File and line of the template that an error comes from."""
        if isinstance(error, TemplateSyntaxError):
            return f"{error.filename or error.name or PAGE}, line {error.lineno}"
        places, at = [], error.__traceback__
        while at is not None:
            name = at.tb_frame.f_code.co_filename
            if any(Path(name).parent == folder for folder in self._folders):
                places.append(f"{name}, line {at.tb_lineno}")
            at = at.tb_next
        return places[-1] if places else str(self._folders[0] / PAGE)


def _need_template(own: Path) -> None:
    if not own.is_dir():
        raise ConfigError(f"--template {own}: there is no such folder; expected one with {EXPECTED}")
    known = (PAGE, STYLE, *LOGOS)
    if not any((own / name).is_file() for name in known) and not any(own.glob("*.toml")):
        raise ConfigError(f"--template {own}: nothing in it is of a template; expected {EXPECTED}")


def _breakable(text: str) -> Markup:
    """A name that may be broken where it is put together, so that wide tables stay on their page."""
    return escape(text).replace("_", Markup("_<wbr>"))


def asset(name: str) -> Markup:
    """A file of the program's own that goes into the page as it stands."""
    return Markup(_text(ASSETS / name))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file}: cannot be read as text in UTF-8 ({error})") from error


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if not isinstance(error, TemplateError) else str(error.message or type(error).__name__)
