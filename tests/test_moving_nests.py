"""Nests that move over their parent: by a plan, along a track, after a storm."""

import os
import subprocess

import numpy as np
import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.verify.history import History
from squall.lab.verify.nest_rims import CONSTANT, MOVES, STORM, uneven
from squall.plot import nests
from squall.reader.dataset import open_run
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


def run(folder, text, *more, ranks=1):
    folder.mkdir(exist_ok=True)
    run_file = folder / "storm.toml"
    run_file.write_text(text)
    arguments = [str(run_file), "--set", f"run.directory={folder / 'out'}", *more]
    start = launch.prepare(locate.model_binary(), arguments, ranks, 1)
    env = os.environ | start.environment
    return subprocess.run(start.command, env=env, capture_output=True, text=True, timeout=300, check=False)


def frames(folder, text, *more, ranks=1):
    done = run(folder, text, *more, ranks=ranks)
    assert done.returncode == 0, done.stderr
    return open_run(folder / "out"), open_run(folder / "out", domain=2)


@pytest.fixture(scope="module")
def moved_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("moved") / "run"
    frames(folder, STORM + MOVES)
    return folder / "out"


@pytest.fixture
def moved(moved_run):
    return open_run(moved_run), open_run(moved_run, domain=2)


def starts(nest):
    return list(
        zip(nest["I_PARENT_START"].values.tolist(), nest["J_PARENT_START"].values.tolist(), strict=True)
    )


def test_a_nest_goes_where_its_plan_says_and_every_frame_tells_where_it_is(moved):
    assert starts(moved[1]) == [(8, 7)] * 3 + [(9, 7)] * 3 + [(8, 8)] * 5


def test_pictures_of_the_parent_have_the_nest_where_it_is(moved):
    parent, nest = moved
    drawn = [next(nests.inside(parent.isel(Time=n))) for n in range(parent.sizes["Time"])]
    assert [(place.i, place.j) for place in drawn] == starts(nest)
    assert {(place.name, place.width, place.height) for place in drawn} == {("inner", 8.0, 8.0)}


def test_what_a_moved_nest_keeps_is_kept_to_the_last_bit(tmp_path):
    text = STORM.replace('duration = "2 min"', 'duration = "36 s"')
    _, still = frames(tmp_path / "still", text + 'moves = ["60 s, 1, 0"]\n')
    _, moved = frames(tmp_path / "moved", text + MOVES)
    for name in ("U", "W", "T", "PH", "MU", "QVAPOR", "RAINNC"):
        a, b = still[name].isel(Time=-1).values, moved[name].isel(Time=-1).values
        assert a[..., 3:].tobytes() == b[..., : a.shape[-1] - 3].tobytes(), name


def test_a_constant_tracer_stays_constant_where_a_nest_moves(moved_run):
    """To rounding: 4e-7. Where rims draw mass times the tracer to the parent's, as WRF's do, it is 1.8e-4."""
    for domain in (1, 2):
        assert uneven(History(moved_run, domain)) < CONSTANT


def test_a_nest_that_moves_has_the_same_bits_on_ranks_and_through_a_restart(moved, tmp_path):
    _, split = frames(tmp_path / "split", STORM + MOVES, ranks=2)
    once = STORM.replace("frames_per_file = 20", "frames_per_file = 1") + MOVES
    restart = '[output.restart]\ninterval = "60 s"\n'
    frames(tmp_path / "cut", once + restart, "--set", "run.duration=60 s")
    (last,) = (tmp_path / "cut/out").glob("restart_*")
    _, cut = frames(tmp_path / "cut", once, "--set", f"run.restart_from={last}")
    for name in ("U", "W", "T", "PH", "MU", "QVAPOR", "RAINNC", "I_PARENT_START"):
        whole = moved[1][name].isel(Time=-1).values.tobytes()
        assert split[name].isel(Time=-1).values.tobytes() == whole, name
        assert cut[name].isel(Time=-1).values.tobytes() == whole, name


def test_a_nest_follows_the_updraught_and_stays_within_its_margin(tmp_path):
    text = STORM.replace("i_parent_start = 8", "i_parent_start = 12")
    follow = 'follow = "updraught"\nfollow_interval = "12 s"\nfollow_speed = "1000 m/s"\nfollow_margin = 4\n'
    parent, nest = frames(tmp_path / "run", text + follow)
    w = parent["W"].isel(Time=-1).values.max(axis=0)
    j, i = np.unravel_index(w.argmax(), w.shape)
    start = starts(nest)
    assert start[0] == (12, 7)
    assert start[-1] != start[0]
    assert abs(start[-1][0] - 1 + 4 - (i + 0.5)) <= 1.5, "the storm is in the nest's middle"
    assert abs(start[-1][1] - 1 + 4 - (j + 0.5)) <= 1.5


def test_a_nest_follows_the_lowest_pressure_at_sea_level_from_beside_it(tmp_path):
    # The low under the warm bubble hardly goes anywhere; the nest begins three cells east of it.
    text = STORM.replace("i_parent_start = 8", "i_parent_start = 12")
    follow = (
        'follow = "vortex"\nfollow_level = "0 hPa"\nfollow_interval = "12 s"\n'
        'follow_speed = "1000 m/s"\nfollow_margin = 4\n'
    )
    parent, nest = frames(tmp_path / "run", text + follow)
    low = parent["PSFC"].isel(Time=-1).values
    assert np.median(low) - low.min() > 100, "there is a low to follow"
    j, i = np.unravel_index(low.argmin(), low.shape)
    start = starts(nest)
    assert start[0] == (12, 7)
    assert abs(start[-1][0] - 1 + 4 - (i + 0.5)) <= 1.5, "the low is in the nest's middle"
    assert abs(start[-1][1] - 1 + 4 - (j + 0.5)) <= 1.5


#: Warm or cold air in a wind of 20 m/s, in which it travels.
TRAVELLING = """
[run]
duration = "{duration}"
time_step = "6 s"
acoustic_substeps = 6

[domain]
nx = 40
ny = 16
nz = 20
dx = "1 km"

[vertical]
top = "10 km"

[initial]
case = "warm-bubble"
amplitude = "{amplitude}"
height = "{height}"
u = "20 m/s"
centre_x = "-8 km"
radius_x = "3 km"
radius_y = "3 km"

[output.history]
interval = "30 s"
frames_per_file = 20

[nest.inner]
i_parent_start = 8
j_parent_start = 5
nx = 24
ny = 24
follow_interval = "30 s"
follow_margin = 3
"""


def strongest_updraught(frame):
    return -frame["W"].values.max(axis=0)


def height_of_500_hpa(frame):
    """Of the surface, linear in the logarithm of pressure between the middles of layers [m]."""
    p = np.log((frame["P"] + frame["PB"]).values)
    z = (frame["PH"] + frame["PHB"]).values / 9.81
    middle = (z[1:] + z[:-1]) / 2
    found = np.empty(p.shape[1:])
    for at in np.ndindex(found.shape):
        column = (slice(None), *at)
        found[at] = np.interp(np.log(50000), p[column][::-1], middle[column][::-1])
    return found


@pytest.mark.parametrize(
    ("follow", "air", "least", "cells"),
    [
        ('follow = "updraught"',
         {"amplitude": "6 K", "height": "2500 m", "duration": "6 min"}, strongest_updraught, 6),
        ('follow = "vortex"\nfollow_level = "500 hPa"',
         {"amplitude": "-8 K", "height": "4 km", "duration": "2 min"}, height_of_500_hpa, 2),
    ],
)  # fmt: skip
def test_a_nest_goes_along_with_a_storm_that_travels(tmp_path, follow, air, least, cells):
    parent, nest = frames(tmp_path / "run", TRAVELLING.format(**air) + follow + "\n")
    storm = []
    for n, (i, j) in enumerate(starts(nest)):
        values = least(parent.isel(Time=n))
        y, x = np.unravel_index(values.argmin(), values.shape)
        storm.append(x)
        if n > 0:  # at the start all air is at rest and level
            assert abs(i - 1 + 4 - (x + 0.5)) <= 1.5, f"frame {n}: the storm is in the nest's middle"
            assert abs(j - 1 + 4 - (y + 0.5)) <= 1.5
    assert storm[-1] - storm[1] >= cells, "it travels"


def test_a_track_on_a_plane_takes_the_nest_along(tmp_path):
    text = STORM.replace("i_parent_start = 8\nj_parent_start = 7\n", "")
    track = 'track = ["0 s, 22 km, 20 km", "2 min, 26 km, 20 km"]\n'
    parent, nest = frames(tmp_path / "run", text + track)
    assert [(place.i, place.j) for place in nests.inside(parent.isel(Time=-1))] == starts(nest)[-1:]
    assert starts(nest)[0] == (8, 7)
    assert starts(nest)[-1] == (10, 7)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('moves = ["24 s, 9, 0"]\n', "which keep three cells between it and the parent's sides"),
        ('moves = ["24 s, 1"]\n', "is not a time and parent cells"),
        (MOVES + 'follow = "vortex"\n', "exclude each other"),
        ("follow_margin = 5\n", "follow_margin has no effect without follow"),
    ],
)
def test_moves_that_cannot_be_are_refused_with_what_would_work(tmp_path, more, told):
    done = run(tmp_path / "run", STORM + more, "--plan")
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())
