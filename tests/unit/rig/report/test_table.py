"""The table in the terminal: aligned, in engineering units, short when there are many cycles."""

import pytest

from rig.comparison import ChannelAgreement, CycleAgreement, Line, Verdict, verdict
from rig.report.lines import bounds_text, error_text
from rig.report.table import SHOWN_CYCLES, text
from rig.signals.engineering_units import number, shown


def cycles(count: int, worst: int) -> tuple[CycleAgreement, ...]:
    return tuple(CycleAgreement(i, 1e4, 1e4, 0.02 if i == worst else 0.001) for i in range(2, 2 + count))


FORCE = ChannelAgreement(
    unit="N", max_measured=10363.4, max_predicted=10358.2, max_error=-0.0005, nrms=0.0144, share_within_5_percent=0.984,
    first_impact_measured_s=0.0448, first_impact_predicted_s=0.0451, delay_samples=-12.864, delay_sigma=0.514, rate=51200.0,
    cycles=cycles(5, 4), amplitude=1e4, period_s=1.0 / 3.0, samples=100_000, half_cycles=10, impacts_measured=10, impacts_predicted=10,
)  # fmt: skip
LINES = (
    Line("transmitted_force", "max", -0.0005, 0.015, True, ""),
    Line("transmitted_force", "first_impact", 0.0009, 0.0005, False, ""),
    Line("transmitted_force", "within_5_percent", 0.984, 0.95, True, ""),
    Line("transmitted_force", "phase", None, 1.0, False, ""),
)
FAILED = Verdict("fail", "first impact is late", LINES)


def test_columns_are_aligned_and_in_engineering_units():
    printed = text({"transmitted_force": FORCE, "stroke": ChannelAgreement(unit="m")}, FAILED, "transmitted_force")
    for block in printed.split("\n\n")[:-1]:
        header, rule, *rows = block.splitlines()
        assert set(rule) == {"-"}
        assert all(len(row) <= len(rule) for row in (header, *rows))
    assert "10.36 kN" in printed
    assert "44.80 ms" in printed
    assert "≥ 95 %" in printed
    assert printed.splitlines()[-1] == "verdict: FAIL: first impact is late"
    assert [line.split()[-1] for line in printed.splitlines()[2:6]] == ["ok", "FAIL", "ok", "FAIL"]
    assert "nan" not in printed.lower()


def test_many_cycles_are_told_shortly_with_the_worst():
    many = {"force": ChannelAgreement(unit="N", cycles=cycles(300, 150))}
    printed = text(many, Verdict("none", "no criteria"), "force")
    assert len(printed.splitlines()) < SHOWN_CYCLES + 12
    assert any(line.split()[:1] == ["150"] and line.split()[-1] == "+2.00" for line in printed.splitlines())
    assert "293 cycles" in printed


def test_nothing_at_all_still_says_so():
    assert text({}, verdict({}, []), "force") == "verdict: no verdict: the experiment states no criteria"


@pytest.mark.parametrize(
    ("value", "factor", "expected"),
    [
        (None, 1.0, "-"),
        (10363.4, 1e-3, "10.36"),
        (0.0, 1.0, "0.0000"),
        (0.04486, 1e3, "44.86"),
        (12345.6, 1.0, "12346"),
        (3e-9, 1.0, "3.000e-09"),
    ],
)
def test_numbers(value, factor, expected):
    assert number(value, factor) == expected


def test_signs():
    """A tiny negative error is no minus zero; shares carry no sign."""
    line = Line("x", "max", -1e-7, 0.01, True, "")
    assert error_text(line) == "+0.00"
    assert error_text(Line("x", "nrms", 0.0144, 0.07, True, "")) == "1.44"
    assert shown("m/s^2") == ("m/s²", 1.0)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(0.021, 0.031, "± 0.5"), (0.0046, 0.0282, "+0.22 -2.1"), (0.026, 0.036, "+1 -0"), (0.02599, 0.02601, "± <0.01"), (None, None, "")],
)
def test_bounds_are_told_by_both_sides_where_they_are_not_alike(low: float | None, high: float | None, said: str) -> None:
    """`2.83 ± 2.4, allowed 5 %: ok` would be read as up to 5.23."""
    line = Line("force", "nrms", 0.026, 0.05, True, "", low=low, high=high)
    assert bounds_text(line) == said
