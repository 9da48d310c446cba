"""WRF's supercell with microphysics that counts droplets, against WRF 4.7.1 (mp_physics = 14 and 16)."""

import numpy as np
import pytest

from squall.lab.verify import supercell
from squall.lab.verify.data import folder
from squall.lab.verify.history import History

pytestmark = [pytest.mark.regression, pytest.mark.spread, pytest.mark.seconds(30)]

#: Of WRF, by scheme and minute: the strongest updraught [m/s], the mean rain [mm] and means over all points
#: [kg/kg, per kg].
WRF = {
    "wdm5": {
        30: {"w": 36.431, "QCLOUD": 7.529e-06, "QRAIN": 9.1042e-06, "QICE": 1.9262e-06, "QSNOW": 7.6264e-05,
             "QNCLOUD": 625510.0, "QNRAIN": 1845.6, "QNCCN": 97969000.0},
        60: {"w": 45.736, "RAINNC": 0.20098, "QCLOUD": 1.4564e-05, "QRAIN": 3.3896e-05, "QICE": 4.4697e-06,
             "QSNOW": 0.00034194, "QNCLOUD": 823870.0, "QNRAIN": 2969.9, "QNCCN": 93408000.0},
    },
    "wdm6": {
        30: {"w": 34.126, "QCLOUD": 2.7505e-05, "QRAIN": 0.0, "QICE": 2.0155e-06, "QSNOW": 4.947e-05,
             "QGRAUP": 1.0598e-05, "QNCLOUD": 24662000.0, "QNCCN": 104660000.0},
        60: {"w": 46.461, "RAINNC": 0.22071, "QCLOUD": 1.7625e-05, "QRAIN": 3.2103e-05, "QICE": 2.4323e-06,
             "QSNOW": 7.948e-05, "QGRAUP": 0.00021008, "QNCLOUD": 22909000.0, "QNRAIN": 186.77,
             "QNCCN": 113230000.0},
    },
}  # fmt: skip
#: How far they may be from WRF's: a fiftieth, or as far as WRF's are from its own with half the time step.
NEAR = {"QNRAIN": 0.22}


@pytest.mark.parametrize("scheme", [pytest.param("wdm5", marks=pytest.mark.long), "wdm6"])
def test_a_storm_of_counted_drops_is_wrfs(scheme, workspace):
    settings = {
        **supercell.CHANGES,
        "run.compatibility": "wrf",
        "run.duration": "1 h",
        "physics.microphysics": scheme,
        "initial.file": str(folder("nested_supercell") / "wrfinput_d01"),
    }
    run = workspace.run(scheme, workspace.variant(scheme, "supercell", settings), {})
    history = History(run)
    for minute, theirs in WRF[scheme].items():
        frame = history.frame_at(60.0 * minute)
        for name, expected in theirs.items():
            ours = history.field("W", frame).max() if name == "w" else history.field(name, frame).mean()
            print(f"{scheme} {minute} min {name}: {ours:.5g}, WRF {expected:.5g}")
            assert ours == pytest.approx(expected, rel=NEAR.get(name, 0.02)), f"{name} after {minute} min"
        for name in ("QNCLOUD", "QNRAIN", "QNCCN"):
            assert np.min(history.field(name, frame)) >= 0
