"""What crosses the rim of a nest: rest, uniform flow, a vortex and a sound pulse, all of known answer."""

import subprocess

import numpy as np
import pytest
from netCDF4 import Dataset

from squall import locate
from squall.errors import UserError
from squall.reader.dataset import open_run

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

CELLS, NEST, RATIO, SPACING = 60, 60, 3, 3e3  # of the parent, of the nest in its middle; m
START = (CELLS - NEST // RATIO) // 2  # of the nest, from 0

NEUTRAL = """
[run]
duration = "{seconds} s"
time_step = "12 s"
acoustic_substeps = 4

[domain]
nx = 60
ny = 60
nz = 8
dx = "3 km"

[vertical]
top = "8 km"

[initial]
case = "warm-bubble"
amplitude = "{amplitude} K"
u = "{u} m/s"

[nest.inner]
i_parent_start = 21
j_parent_start = 21
nx = 60
ny = 60

[output.history]
interval = "{every} s"
frames_per_file = 1000

[output.restart]
interval = "12 s"
"""


def run(folder, text, *more):
    (folder / "case.toml").write_text(text)
    command = [locate.model_binary(), folder / "case.toml", "--set", f"run.directory={folder / 'out'}", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def distances(domain, stagger=""):
    """East and north of the middle, m, of the points of a domain, rows first: 1 the parent, 2 the nest, 0 the
    whole at the nest's spacing."""
    size, spacing, first = {
        0: (CELLS * RATIO, SPACING / RATIO, 0.0),
        1: (CELLS, SPACING, 0.0),
        2: (NEST, SPACING / RATIO, START * SPACING),
    }[domain]
    middle = CELLS * SPACING / 2

    def along(axis):
        faces = stagger == axis
        return first + (np.arange(size + faces) + (0 if faces else 0.5)) * spacing - middle

    return np.meshgrid(along("x"), along("y"))


def disturbed(folder, text, change, domains=(1, 2)):
    """The histories of a run whose state after twelve seconds was changed: change(name, domain) is what is
    added to a variable, if any."""
    folder.mkdir(exist_ok=True)
    run(folder, text, "--set", "run.duration=12 s")
    (restart,) = (folder / "out").glob("restart_*")
    with Dataset(restart, "a") as file:
        for domain in domains:
            for name in ("U", "V", "MU"):
                file[name + ("_d02" if domain == 2 else "")][:] += change(name, domain).astype(np.float32)
    run(folder, text, "--set", f"run.restart_from={restart}", "--set", "output.restart.interval=0 s")
    return [open_run(folder / "out", domain=max(domain, 1)) for domain in domains]


def without_nest(text):
    """The same at the nest's spacing everywhere."""
    head, _, tail = text.partition("[nest.inner]")
    fine = head.replace('"12 s"', '"4 s"').replace("= 60", f"= {CELLS * RATIO}").replace('"3 km"', '"1 km"')
    return fine + tail[tail.index("[output.history]") :]


@pytest.mark.parametrize(("u", "rounding"), [(0, 0), (20, 1e-5)])
def test_rest_stays_rest_to_the_last_bit_and_uniform_flow_uniform_to_rounding(tmp_path, u, rounding):
    """Flow is not so to the last bit: beside the rim advection is of lower order, and the same flux has other
    last bits by its formula."""
    run(tmp_path, NEUTRAL.format(seconds=240, every=240, amplitude=0, u=u))
    for domain in (1, 2):
        last = open_run(tmp_path / "out", domain=domain).isel(Time=-1)
        assert np.abs(last["U"].values - u).max() <= rounding
        for name in ("V", "W"):
            assert np.abs(last[name].values).max() <= rounding
        assert np.ptp(last["T"].values, axis=(1, 2)).max() <= rounding


def test_a_vortex_leaves_a_nest_and_next_to_nothing_comes_back(tmp_path):
    """A Gaussian vortex of 2 m/s, 9 km wide, is carried out through the eastern side by a wind of 40 m/s."""
    strength, radius = 2.0, 9e3

    def vortex(name, domain):
        if name == "MU":
            return np.zeros(())  # of a few pascals: it finds its own
        x, y = distances(domain, "x" if name == "U" else "y")
        speed = strength / radius * np.exp(0.5 * (1 - (x**2 + y**2) / radius**2))
        return (-y if name == "U" else x) * speed

    text = NEUTRAL.format(seconds=1452, every=120, amplitude=0, u=40)
    parent, nest = disturbed(tmp_path, text, vortex)
    v = np.abs(nest["V"].values).max(axis=(1, 2, 3))
    assert v[1] > 0.8 * strength
    inside = np.abs(nest["V"].isel(Time=-1).values[:, 6:-6, 6:-6]).max() / strength
    outside = np.abs(parent["V"].isel(Time=-1).values[:, :, 41:]).max() / strength
    print(f"left within: {inside:.4f} of the vortex's wind; outside it has {outside:.3f}")
    assert outside > 0.5, "it went out whole"
    assert inside < 0.02


def test_a_sound_pulse_leaves_a_nest_and_next_to_nothing_comes_back(tmp_path):
    """A Gaussian of 100 Pa of column mass, 15 km wide: most of it runs off as a Lamb wave, some 330 m/s fast,
    over ringing between ground and top that stays. Compared with a run that is fine everywhere."""
    width = 15e3

    def pulse(name, domain):
        if name != "MU":
            return np.zeros(())
        x, y = distances(domain)
        return 100 * np.exp(-(x**2 + y**2) / width**2)

    text = NEUTRAL.format(seconds=240, every=12, amplitude=0, u=0)
    _, nest = disturbed(tmp_path / "nested", text, pulse)
    (fine,) = disturbed(tmp_path / "fine", without_nest(text), pulse, domains=(0,))
    covered = slice(RATIO * START, RATIO * START + NEST)
    wanted, got = fine["MU"].values[:, covered, covered], nest["MU"].values
    inside = np.s_[6:-6, 6:-6]
    came = np.abs(wanted).max()
    # Its front is at the sides, 30 km off, after 90 s; what they send back has crossed the nest by 240 s.
    worst = max(np.abs(got[n] - wanted[n])[inside].max() for n in range(len(got)))
    print(f"sent back: {worst / came:.4f} of the pulse")
    assert np.abs(wanted[-1][inside]).max() < 0.4 * came, "it has left"
    assert worst < 0.02 * came


REST = """
[run]
duration = "20 min"
time_step = "6 s"

[domain]
nx = 48
ny = 20
nz = 20
dx = "1 km"

[vertical]
top = "12 km"

[initial]
case = "mountain-schaer"
u = "0 m/s"
height = "600 m"

[nest.inner]
i_parent_start = 19
j_parent_start = 6
nx = 36
ny = 30

[output.history]
interval = "20 min"
"""


def test_air_at_rest_over_mountains_stays_at_rest_in_a_nest(tmp_path):
    run(tmp_path, REST)
    for domain in (1, 2):
        last = open_run(tmp_path / "out", domain=domain).isel(Time=-1)
        assert float(last["HGT"].max()) > 300
        print(domain, *(float(np.abs(last[name]).max()) for name in ("U", "V", "W")))
        for name in ("U", "V", "W"):
            assert float(np.abs(last[name]).max()) < 1e-4
