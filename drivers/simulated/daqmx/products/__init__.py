"""Devices as data: what each product has and can do, one table of TOML a family. Sources of the figures are named in each table's head.

A product of the user's own stands in a file of devices (`[[products]]`, `drivers.simulated.device_toml`), or, for all of them, in
`daqmx_products` of a folder that the user's settings name (`drivers.files.user_settings`): a .toml with `[[products]]`, or a .py with
PRODUCTS; or in an installed package, as an entry point of the group `clearance_rig.daqmx_products`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from drivers.files import tables, toml_trees, user_settings
from drivers.simulated.daqmx.products import product_tables
from drivers.simulated.daqmx.products.product import BACKPLANE, TIMEBASE, AnalogInputs, AnalogOutputs, Product
from drivers.simulated.daqmx.products.product_tables import Tree

__all__ = [
    "BACKPLANE",
    "TIMEBASE",
    "AnalogInputs",
    "AnalogOutputs",
    "Product",
    "faults",
    "known_tables",
    "product_named",
    "products",
    "shipped",
]

ROLE = "daqmx_products"


@cache
def products() -> Mapping[str, Product]:
    """By name; files that cannot be taken are left out. Raises Unusable for settings of the user's own that cannot be read."""
    own = {product.name: product for family in _families()[0] for product in family}
    return {**{name: product for name, (_, product) in _tabled()[0].items()}, **own}


def product_named(name: str) -> Product | None:
    """A product by its name; NI writes a connector behind it (`NI 9232 (BNC)`), on which no figure depends. None: nobody knows it."""
    found, (bare, bracket, _) = products().get(name), name.partition(" (")
    if found is None and bracket and name.endswith(")") and bare in products():
        return replace(products()[bare], name=name)
    return found


def shipped() -> Mapping[str, Product]:
    """The products of the program's own tables: for a file of the user's that takes one of them with other figures."""
    return {name: product for name, (_, product) in _shipped().items()}


def known_tables() -> Mapping[str, Tree]:
    """Whole tables of products by name: what `like` may name."""
    return {name: tree for name, (tree, _) in _tabled()[0].items()}


def faults() -> str:
    """What is wrong with files that were left out, to be put behind the name of a product that there is not; empty: nothing."""
    return "".join(f"; {fault}" for fault in (*_tabled()[1], *_families()[1]))


@cache
def _shipped() -> Mapping[str, tuple[Tree, Product]]:
    made: dict[str, tuple[Tree, Product]] = {}
    problems: list[str] = []
    for file in sorted(Path(__file__).parent.glob("*.toml")):
        made |= _of_file(file, made, problems)
    assert not problems, problems
    return made


@cache
def _tabled() -> tuple[Mapping[str, tuple[Tree, Product]], list[str]]:
    """Products of tables, and what is wrong with those of the user's."""
    made, problems = dict(_shipped()), list[str]()
    for folder in _folders():
        for file in sorted(folder.glob("*.toml")):
            wrong: list[str] = []
            made |= _of_file(file, made, wrong)
            problems += [f"{file.name} cannot be taken: {problem}" for problem in wrong]
    return made, problems


def _of_file(file: Path, before: Mapping[str, tuple[Tree, Product]], problems: list[str]) -> Mapping[str, tuple[Tree, Product]]:
    try:
        tree, _ = toml_trees.read(file, "products")
    except ValueError as error:
        problems.append(str(error))
        return {}
    problems += [f"{key}: unknown key; there is products" for key in tree if key != "products"]
    return product_tables.read(tables.tables_of(tree, "products", problems), {name: whole for name, (whole, _) in before.items()}, problems)


def _folders() -> Iterator[Path]:
    yield from (folder / ROLE for folder in user_settings.folders() if (folder / ROLE).is_dir())


@cache
def _families() -> tuple[list[Sequence[Product]], list[str]]:
    __path__.extend(folder for folder in map(str, _folders()) if folder not in __path__)
    names = [f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)]
    families: list[Sequence[Product]] = []
    wrong: list[str] = []
    for name in [*names, *(point.value for point in entry_points(group=f"clearance_rig.{ROLE}"))]:
        try:
            families.append(_family(name))
        except Exception as error:  # the user's program: it may raise whatever it likes
            wrong.append(f"{name.removeprefix(f'{__name__}.')} cannot be taken: {type(error).__name__}: {error}")
    return families, wrong


def _family(place: str) -> Sequence[Product]:
    module, _, name = place.partition(":")
    found: Sequence[object] = vars(importlib.import_module(module)).get(name or "PRODUCTS", ())
    if not all(isinstance(one, Product) for one in found):
        raise TypeError(f"PRODUCTS: expected instances of drivers.simulated.daqmx.products.Product, got {found!r:.80}")
    return [one for one in found if isinstance(one, Product)]
