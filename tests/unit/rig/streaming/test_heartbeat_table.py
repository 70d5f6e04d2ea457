from pathlib import Path

from rig.streaming.heartbeat_table import GONE, HeartbeatTable

NAMES = ("bench", "predictor", "recorder")


def test_rows_are_seen_by_another_mapping(tmp_path: Path) -> None:
    board = HeartbeatTable.create(tmp_path / "board", NAMES)
    other = HeartbeatTable(tmp_path / "board", NAMES)
    other.beat("predictor")
    other.done("predictor", 700)
    assert board.alive("predictor") > 0.0
    assert board.alive("recorder") == 0.0
    assert (board.reached("predictor"), board.reached("recorder")) == (700, 0)
    board.gone("recorder")
    assert other.reached("recorder") == GONE
    board.close()
    other.close()
