"""Words of a report by their keys, in one language: a table of words for each, `words/LANGUAGE.toml`, and a laboratory's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from drivers.files import toml_trees
from drivers.files.text_files import Unusable, read_text
from rig.errors import ConfigError

FOLDER = Path(__file__).with_name("words")
LANGUAGE, SUFFIX = "en", ".toml"
"""What is taken where nothing else is said, and for a word that another language lacks."""


class Words(Mapping[str, str]):
    """By key, as `verdict.pass`. One that no table has is read from its own name: a result of tomorrow has a word today."""

    def __init__(self, language: str, found: Mapping[str, str]) -> None:
        self.language = language
        self._found = found

    def __getitem__(self, key: str) -> str:
        return self._found.get(key) or key.rpartition(".")[2].replace("_", " ")

    def __contains__(self, key: object) -> bool:
        return key in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def titled(self, key: str) -> str:
        """With a capital letter in front."""
        return self[key][:1].upper() + self[key][1:]


def languages(own: Path | None = None) -> list[str]:
    """Those that there are; own: folder of a laboratory's template, which may bring one."""
    folders = [FOLDER, *([own] if own is not None else [])]
    return sorted({path.stem for folder in folders for path in folder.glob(f"*{SUFFIX}")})


def words(language: str, own: Path | None = None) -> Words:
    """The table of a language over that of English, a laboratory's over both. Raises ConfigError for one that there is not, and for a file
    that is no table of words."""
    if language not in (known := languages(own)):
        raise ConfigError(f"language {language!r}: there is no table of words of it; there are {', '.join(known)}")
    names = dict.fromkeys((LANGUAGE, language))
    files = [folder / f"{name}{SUFFIX}" for folder in (FOLDER, own) if folder is not None for name in names]
    return Words(language, {key: text for file in files if file.is_file() for key, text in _table(file).items()})


def _table(file: Path) -> dict[str, str]:
    """Flat: `[verdict] pass = "..."` is `verdict.pass`."""
    try:
        tree = toml_trees.parse(read_text(file, "words"))
    except (Unusable, toml_trees.NotToml, toml_trees.OutOfBounds) as error:
        raise ConfigError(f"{file}: {error}") from error
    return dict(_leaves(tree, "", file))


def _leaves(tree: Mapping[str, object], above: str, file: Path) -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        name = f"{above}{key}"
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{name}.", file)
        elif isinstance(value, str):
            yield name, value
        else:
            raise ConfigError(f"{file}: {name}: expected a text, got {value!r}")
