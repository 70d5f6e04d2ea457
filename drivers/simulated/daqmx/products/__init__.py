"""Devices as data: what each product has and can do, one file a family. Sources of the figures are named in each file."""

from __future__ import annotations

from drivers.simulated.daqmx.products import compact_daq, dynamic_signal, portable, sc_express, test_scale, x_series
from drivers.simulated.daqmx.products.product import BACKPLANE, TIMEBASE, AnalogInputs, AnalogOutputs, Product

__all__ = ["BACKPLANE", "PRODUCTS", "TIMEBASE", "AnalogInputs", "AnalogOutputs", "Product"]

_FAMILIES = (x_series, dynamic_signal, sc_express, portable, compact_daq, test_scale)
PRODUCTS: dict[str, Product] = {product.name: product for family in _FAMILIES for product in family.PRODUCTS}
