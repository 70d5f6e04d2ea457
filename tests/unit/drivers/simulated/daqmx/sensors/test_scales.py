"""Custom scales: creation, properties, errors, and the reverse of a polynomial.

Expected values: NI's tests of its nidaqmx package (tests/component/test_scale.py, tests/component/system/storage/*scale*), and
"NI-DAQmx Properties", DAQmx Scale.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import Scale
from nidaqmx.constants import ScaleType, TaskMode, UnitsPreScaled, VoltageUnits
from nidaqmx.error_codes import DAQmxErrors

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, volt_out


def test_reverse_of_a_line_is_the_line_back(bench):
    # tests/component/test_scale.py: y = 2 x + 1 has the inverse 0.5 y - 0.5.
    found = Scale.calculate_reverse_poly_coeff([1.0, 2.0], -10.0, 10.0, 1000, 1, grpc_options=bench.options)
    assert found == pytest.approx([-0.5, 0.5])


def test_reverse_of_order_minus_one_has_the_order_of_the_forward_one(bench):
    # NI-DAQmx C Reference, DAQmxCalculateReversePolyCoeff: -1 stands for the same order; a table of x and y, fitted by least squares.
    forward = [0.3, 1.0, 0.05, 0.01]
    found = Scale.calculate_reverse_poly_coeff(forward, -1.0, 1.0, 500, -1, grpc_options=bench.options)
    assert len(found) == 4
    x = np.linspace(-1.0, 1.0, 11)
    y = np.polynomial.polynomial.polyval(x, forward)
    np.testing.assert_allclose(np.polynomial.polynomial.polyval(y, found), x, atol=5e-3)


@pytest.mark.parametrize(
    ("forward", "low", "high", "points", "order", "code"),
    [
        ([], -5.0, 5.0, 1000, -1, DAQmxErrors.NO_FORWARD_POLY_SCALE_COEFFS),
        ([0.0, 0.0], -5.0, 5.0, 1000, -1, DAQmxErrors.ZERO_FORWARD_POLY_SCALE_COEFFS),
        ([0.0, 1.0], 5.0, 5.0, 1000, -1, -200082),
        ([0.0, 1.0], -5.0, 5.0, 2, 3, -200077),
    ],
)
def test_what_has_no_reverse(bench, forward, low, high, points, order, code):
    assert code_of(Scale.calculate_reverse_poly_coeff, forward, low, high, points, order, grpc_options=bench.options) == code


def test_properties_of_a_linear_scale(bench):
    scale = Scale.create_lin_scale("gain", 2.0, 0.5, UnitsPreScaled.VOLTS, "potatoes", grpc_options=bench.options)
    assert (scale.scale_type, scale.lin_slope, scale.lin_y_intercept) == (ScaleType.LINEAR, 2.0, 0.5)
    assert (scale.pre_scaled_units, scale.scaled_units, scale.description) == (UnitsPreScaled.VOLTS, "potatoes", "")
    scale.lin_slope, scale.description = 3.0, "Twice the gain"
    again = Scale("gain", grpc_options=bench.options)
    assert (again.lin_slope, again.description) == (3.0, "Twice the gain")
    assert code_of(lambda: scale.map_scaled_max) == DAQmxErrors.PROPERTY_NOT_SUPPORTED_FOR_SCALE_TYPE


def test_properties_of_the_other_types(bench):
    options = bench.options
    mapped = Scale.create_map_scale("map", 0.0, 10.0, 0.0, 50.0, grpc_options=options)
    assert mapped.scale_type is ScaleType.MAP_RANGES
    assert (mapped.map_pre_scaled_min, mapped.map_pre_scaled_max, mapped.map_scaled_min, mapped.map_scaled_max) == (0.0, 10.0, 0.0, 50.0)
    curve = Scale.create_polynomial_scale("poly", [0.0, 1.0], [0.0, 1.0], grpc_options=options)
    assert (curve.scale_type, curve.poly_forward_coeff, curve.poly_reverse_coeff) == (ScaleType.POLYNOMIAL, [0.0, 1.0], [0.0, 1.0])
    points = Scale.create_table_scale("table", [0.0, 1.0, 3.0], [5.0, 6.0, 9.0], grpc_options=options)
    assert (points.scale_type, points.table_pre_scaled_vals, points.table_scaled_vals) == (ScaleType.TABLE, [0, 1, 3], [5, 6, 9])


@pytest.mark.parametrize(
    ("make", "values", "code"),
    [
        ("create_lin_scale", (0.0,), DAQmxErrors.ZERO_SLOPE_LINEAR_SCALE),
        ("create_map_scale", (1.0, 1.0, 0.0, 5.0), DAQmxErrors.PRE_SCALED_MIN_EQUAL_MAX),
        ("create_map_scale", (0.0, 1.0, 5.0, 5.0), DAQmxErrors.SCALED_MIN_EQUAL_MAX),
        ("create_polynomial_scale", ([], []), DAQmxErrors.NO_POLY_SCALE_COEFFS),
        ("create_polynomial_scale", ([0.0, 0.0], [0.0, 1.0]), DAQmxErrors.ZERO_FORWARD_POLY_SCALE_COEFFS),
        ("create_polynomial_scale", ([0.0, 1.0], [0.0]), DAQmxErrors.ZERO_REVERSE_POLY_SCALE_COEFFS),
        ("create_table_scale", ([], []), DAQmxErrors.TABLE_SCALE_PRE_SCALED_VALS_NOT_SPECD),
        ("create_table_scale", ([1.0, 2.0], [1.0]), DAQmxErrors.TABLE_SCALE_NUM_PRE_SCALED_AND_SCALED_VALS_NOT_EQUAL),
        ("create_table_scale", ([1.0], [1.0]), DAQmxErrors.FEWER_THAN_2_PRE_SCALED_VALS),
        ("create_table_scale", ([1.0, 1.0], [1.0, 2.0]), DAQmxErrors.REPEATED_NUMBER_IN_PRE_SCALED_VALUES),
    ],
)
def test_scales_that_scale_nothing(bench, make, values, code):
    assert code_of(getattr(Scale, make), "bad", *values, grpc_options=bench.options) == code
    assert code_of(lambda: Scale("bad", grpc_options=bench.options).scaled_units) == DAQmxErrors.CUSTOM_SCALE_DOES_NOT_EXIST


def test_a_scale_that_is_changed_changes_the_next_reading(make_bench):
    bench = make_bench(wiring={"Dev1/ai0": "Dev1/ao0"})
    scale = Scale.create_lin_scale("gain", 2.0, grpc_options=bench.options)
    with bench.task() as out, bench.task() as task:
        volt_out(out, 1.5)
        own = {"units": VoltageUnits.FROM_CUSTOM_SCALE, "custom_scale_name": "gain"}
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", min_val=-10.0, max_val=10.0, **own)
        task.control(TaskMode.TASK_VERIFY)
        assert task.read() == pytest.approx(3.0, abs=2e-3)
        scale.lin_slope = -4.0
        assert task.read() == pytest.approx(-6.0, abs=4e-3)
