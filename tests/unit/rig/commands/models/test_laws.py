"""`rig laws`."""

from __future__ import annotations

import json

import pytest

from model.contact.laws import LAWS
from rig.commands import main


def test_json_has_every_law_closed_and_integrated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["laws", "--json", "--restitution", "0.05,0.5,1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["restitution"] == [0.05, 0.5, 1.0]
    assert set(found["laws"]) == set(LAWS)
    for law in found["laws"].values():
        assert len(law["a"]) == 3
        assert law["e_out_integrated"] == pytest.approx(law["e_out_closed"], abs=1e-8)
    assert found["laws"]["exact"]["e_out_closed"] == pytest.approx([0.05, 0.5, 1.0], abs=1e-12)
    assert (found["laws"]["hu_guo"]["max_error"], found["laws"]["hu_guo"]["at_restitution"]) == (pytest.approx(0.0344, abs=5e-5), 0.20)
    assert [example["a"] for example in found["examples"]] == pytest.approx([0.149533, 0.186916], abs=1e-6)
    assert [example["beta"] for example in found["examples"]] == pytest.approx([2.4103, 2.3906], abs=0.01)
    assert [example["e_out"] ** 2 + example["energy_lost_share"] for example in found["examples"]] == pytest.approx([1.0, 1.0])


def test_the_text_ranks_the_laws_honestly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["laws", "--restitution", "0.7"]) == 0
    text = capsys.readouterr().out
    assert text.index("exact") < text.index("0.0324") < text.index("0.0344") < text.index("0.0454")
    assert "Of the published laws gonthier is nearest, hu_guo next" in text


@pytest.mark.parametrize("wanted", ["0", "1.2", "0.5,-1", "nan", "much", ""])
def test_a_restitution_that_cannot_be_is_refused(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["laws", f"--restitution={wanted}"]) == 2
    assert "--restitution" in capsys.readouterr().err
