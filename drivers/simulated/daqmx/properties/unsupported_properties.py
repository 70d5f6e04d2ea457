"""Properties of channels that only products have which are not simulated: SCXI and SCC conditioning, S Series and 653x devices, FieldDAQ,
sources of functions, GPS receivers. Of any channel here the driver says that they do not apply. `PARTLY` are those that some product
here has, for which they are not built.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files

from nidaqmx import constants as ni

from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.products.product import DYNAMIC_SIGNAL, PXI_EXPRESS

_BY_KIND: dict[str, list[str]] = tomllib.loads(files(__package__).joinpath("unsupported_properties.toml").read_text(encoding="utf-8"))
PROPERTIES = tuple(f"{kind}_{name}" for kind, names in _BY_KIND.items() for name in names)

_USB, _MODULE = ni.BusType.USB.value, ni.ProductCategory.C_SERIES_MODULE.value
_INPUTS_OF_COUNTERS = (
    "FREQ", "PERIOD", "COUNT_EDGES", "COUNT_EDGES_COUNT_DIR", "COUNT_EDGES_COUNT_RESET", "COUNT_EDGES_GATE", "DUTY_CYCLE",
    "ENCODER_A_INPUT", "ENCODER_B_INPUT", "ENCODER_Z_INPUT", "PULSE_WIDTH", "TWO_EDGE_SEP_FIRST", "TWO_EDGE_SEP_SECOND", "SEMI_PERIOD",
    "PULSE_FREQ", "PULSE_TIME", "PULSE_TICKS", "VELOCITY_ENCODER_A_INPUT", "VELOCITY_ENCODER_B_INPUT",
)  # fmt: skip


PARTLY: Mapping[str, Callable[[Product], bool]] = {
    "CI_MAX_MEAS_PERIOD": lambda product: product.category == _MODULE,
    **{
        f"CI_{signal}_{name}": lambda product: product.category == _MODULE
        for signal in _INPUTS_OF_COUNTERS for name in ("TERM_CFG", "LOGIC_LVL_BEHAVIOR")
    },
    **{
        f"{family}_USB_XFER_REQ_{name}": lambda product: product.bus == _USB or product.category == _MODULE
        for family in ("AI", "AO", "DI", "DO", "CI", "CO") for name in ("SIZE", "COUNT")
    },
    # DSA modules switch their inputs; PXI Express streams.
    "AI_INPUT_SRC": lambda product: product.category == DYNAMIC_SIGNAL,
    **{f"AI_DATA_XFER_{name}": lambda product: product.bus == PXI_EXPRESS for name in ("CUSTOM_THRESHOLD", "MAX_RATE")},
    **{f"{family}_LOGIC_FAMILY": lambda product: bool(product.digital.families) for family in ("DI", "DO")},
}  # fmt: skip
