"""A supercell with counted droplets and aerosols is that of WRF 4.7.1, by numbers of its whole domain."""

import numpy as np
import pytest

from squall.lab.verify import data
from squall.lab.verify.check import Skipped
from squall.lab.verify.history import History
from squall.lab.verify.supercell import CHANGES

#: WRF's mp_physics = 28 by minutes, with a time step of 12 s as here and of 6 s: the strongest updraught
#: [m s-1], the mean rain [mm], and sums over layers in the mean column.
WRF = {
    10: {
        "w": (7.69704, 7.61878), "QVAPOR": (0.0908789, 0.0908793), "QCLOUD": (4.24779e-5, 4.20668e-5),
        "QRAIN": (3.59781e-6, 3.43078e-6), "QNRAIN": (251.761, 232.2), "QNCLOUD": (2.49107e6, 2.4961e6),
        "QNWFA": (2.20019e9, 2.20021e9), "QNIFA": (2.19725e7, 2.19725e7),
    },
    30: {
        "w": (34.6881, 34.1411), "rain": (0.0369377, 0.0380097), "QVAPOR": (0.0891623, 0.0891739),
        "QCLOUD": (2.70338e-4, 2.63024e-4), "QRAIN": (4.26096e-4, 4.13324e-4),
        "QICE": (1.71838e-4, 1.30499e-4), "QSNOW": (4.03962e-4, 4.60049e-4),
        "QGRAUP": (1.56063e-3, 1.55998e-3), "QNICE": (1.07274e6, 1.07249e6), "QNRAIN": (8588.26, 8545.16),
        "QNCLOUD": (1.27419e7, 1.22659e7), "QNWFA": (2.16855e9, 2.16955e9), "QNIFA": (2.2048e7, 2.20472e7),
    },
}  # fmt: skip
LEAST = 0.02  # of a number, how far it may be from WRF's where WRF is less far from itself


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
    for name, (wrfs, at_half_step) in WRF[minutes].items():
        limit = max(LEAST, abs(at_half_step / wrfs - 1))
        assert found[name] == pytest.approx(wrfs, rel=limit), name


def test_no_number_is_negative(storm):
    for name in ("QNCLOUD", "QNWFA", "QNIFA"):
        fields = [storm.field(name, n) for n in range(len(storm.elapsed))]
        assert np.min(fields) >= 0, name
