"""Devices as data: what each product has and can do, one file a family. Sources of the figures are named in each file.

A file here with PRODUCTS is all that a product needs; one of the user's own stands in `daqmx_products` of a folder that the user's settings
name (`drivers.files.user_settings`), or in an installed package, as an entry point of the group `clearance_rig.daqmx_products`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points

from drivers.files import user_settings
from drivers.simulated.daqmx.products.product import BACKPLANE, TIMEBASE, AnalogInputs, AnalogOutputs, Product

__all__ = ["BACKPLANE", "TIMEBASE", "AnalogInputs", "AnalogOutputs", "Product", "faults", "products"]

ROLE = "daqmx_products"


@cache
def products() -> Mapping[str, Product]:
    """By name; files that cannot be taken are left out. Raises Unusable for settings of the user's own that cannot be read."""
    return {product.name: product for family in _families()[0] for product in family}


def faults() -> str:
    """What is wrong with files that were left out, to be put behind the name of a product that there is not; empty: nothing."""
    return "".join(f"; {fault}" for fault in _families()[1])


@cache
def _families() -> tuple[list[Sequence[Product]], list[str]]:
    folders = [str(folder / ROLE) for folder in user_settings.folders() if (folder / ROLE).is_dir()]
    __path__.extend(folder for folder in folders if folder not in __path__)
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
