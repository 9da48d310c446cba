"""A supercell with counted droplets and aerosols is that of WRF 4.7.1, by numbers of its whole domain."""

import numpy as np
import pytest

from squall.lab.verify import data
from squall.lab.verify.check import Skipped
from squall.lab.verify.history import History
from squall.lab.verify.supercell import CHANGES

#: WRF's mp_physics = 28 by minutes: the strongest updraught [m s-1], the mean rain [mm], and sums over layers
#: in the mean column.
WRF = {
    10: {
        "w": 7.69704, "QVAPOR": 0.0908789, "QCLOUD": 4.24779e-05, "QNCLOUD": 2.49107e6,
        "QNWFA": 2.20019e9, "QNIFA": 2.19725e7,
    },
    30: {
        "w": 34.6881, "rain": 0.0369377, "QVAPOR": 0.0891623, "QCLOUD": 0.000270338, "QRAIN": 0.000426096,
        "QICE": 0.000171838, "QSNOW": 0.000403962, "QGRAUP": 0.00156063, "QNICE": 1.07274e6,
        "QNRAIN": 8588.26, "QNCLOUD": 1.27419e7, "QNWFA": 2.16855e9, "QNIFA": 2.2048e7,
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def storm(workspace):
    try:
        file = data.folder("nested_supercell") / "wrfinput_d01"
    except Skipped as why:
        pytest.skip(str(why))
    settings = {
        "run.compatibility": "wrf",
        "run.duration": "30 min",
        "physics.microphysics": "thompson-aerosol",
        "initial.file": str(file),
    }
    run_file = workspace.variant("thompson-aerosol", "supercell", {**CHANGES, **settings})
    return History(workspace.run("thompson-aerosol", run_file, {}))


def of_domain(history, minutes):
    frame = history.frame_at(60.0 * minutes)
    found = {"w": history.field("W", frame).max(), "rain": history.field("RAINNC", frame).mean()}
    for name in WRF[30].keys() - found.keys():
        found[name] = history.field(name, frame).sum(axis=0, dtype=float).mean()
    return found


@pytest.mark.seconds(60)
@pytest.mark.parametrize("minutes", WRF)
def test_its_sums_are_wrfs(storm, minutes):
    found = of_domain(storm, minutes)
    for name, wrfs in WRF[minutes].items():
        assert found[name] == pytest.approx(wrfs, rel=0.02), name


def test_no_number_is_negative(storm):
    for name in ("QNCLOUD", "QNWFA", "QNIFA"):
        fields = [storm.field(name, n) for n in range(len(storm.elapsed))]
        assert np.min(fields) >= 0, name
