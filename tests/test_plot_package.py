"""Drawing as others import it: figures that are the caller's, of any dataset in WRF's layout, of runs that
are larger than memory."""

import ast
import functools
import os
import subprocess
import sys
import textwrap
from functools import partial

import dask
import matplotlib
import netCDF4
import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure
from PIL import Image

import squall.plot
from squall import diagnose
from squall.diagnose import air
from squall.locate import CHECKOUT
from squall.reader.dataset import open_run
from squall.reader.history_file import kept_open

pytestmark = [pytest.mark.regression, pytest.mark.seconds(120)]

PACKAGE = CHECKOUT / "python" / "squall"


def imports_of(folder):
    """What the modules of a folder of the package import, by module."""
    found = {}
    for path in sorted((PACKAGE / folder).rglob("*.py")) or [PACKAGE / f"{folder}.py"]:
        names = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
            elif isinstance(node, ast.Import):
                names |= {name.name for name in node.names}
        found[path] = names
    return found


ABOVE_FILES = tuple(f"squall.{name}" for name in ("commands", "plot", "watch", "lab", "prepare", "cli"))


@pytest.mark.parametrize(
    ("folder", "never"),
    [
        ("plot", ("squall.prepare", "squall.lab")),
        ("prepare", ("squall.plot", "squall.lab", "matplotlib")),
        ("geo", ("squall.plot", "squall.prepare", "squall.lab")),
        ("diagnose", ("squall.plot", "squall.prepare", "squall.lab", "matplotlib", "scipy", "dask")),
        ("quantity", ("squall.",)),
        ("io", ABOVE_FILES),
        ("runs", (*ABOVE_FILES, "squall.reader", "squall.io")),
        ("run_files", (*ABOVE_FILES, "squall.reader", "squall.runs")),
        ("reader", ABOVE_FILES),
    ],
)
def test_arrows_between_the_parts_go_one_way(folder, never):
    found = imports_of(folder)
    assert found
    for path, names in found.items():
        wrong = [name for name in names if name.startswith(never)]
        assert not wrong, f"{path.name} imports {wrong}"


def test_plot_is_typed_and_no_private_part_of_a_package_is_used():
    for path in (PACKAGE / "plot").glob("*.py"):
        assert "Any" not in {
            name.id for name in ast.walk(ast.parse(path.read_text())) if isinstance(name, ast.Name)
        }, path.name
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith("squall"):
                assert not any(
                    part.startswith("_") and part != "__future__" for part in node.module.split(".")
                )


def test_importing_and_drawing_change_nothing_of_matplotlibs(channel):
    code = """
        import matplotlib
        matplotlib.rcParams["font.size"] = 17
        before, backend = dict(matplotlib.rcParams), matplotlib.get_backend(auto_select=False)
        import squall.plot
        figure = squall.plot.figure({run!r}, "theta", level="500mb", time="2 d")
        assert dict(matplotlib.rcParams) == before, "settings"
        assert matplotlib.get_backend(auto_select=False) == backend, "backend"
        import matplotlib.pyplot
        assert not matplotlib.pyplot.get_fignums(), "list of figures"
        sizes = {{text.get_size() for text in figure.axes[0].get_xticklabels()}}
        assert sizes == {{9.0}}, sizes
    """
    subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code).format(run=str(channel))], check=True, timeout=120
    )


def test_a_figure_is_the_callers(channel, tmp_path):
    figure = squall.plot.figure(channel, "wind_speed", level="5 km", time=2, contours="theta", barbs=True)
    assert isinstance(figure, Figure)
    title = figure.axes[0].get_title()
    assert " ".join(title.split()) == (  # whatever its lines
        "wind speed, 5 km, lines: potential temperature every 5 K, wind (full barb: 5 m s$^{-1}$) 2 d"
    )
    figure.savefig(tmp_path / "mine.svg")


def test_range_colours_title_and_dots_are_taken(channel, tmp_path):
    figure = squall.plot.figure(channel, "theta", limits="270,330,10", colours="magma", title="Mine")
    filled = figure.axes[0].collections[0]
    np.testing.assert_allclose(filled.levels, np.arange(270, 331, 10))
    assert filled.get_cmap().name == "magma"
    assert figure.axes[0].get_title() == "Mine"
    choice = squall.plot.Choice(field="theta")
    sizes = []
    for dots in (50, 100):
        with matplotlib.rc_context({"savefig.dpi": 300}):
            path = squall.plot.PictureFile(channel, choice, tmp_path / f"{dots}.png", dots).draw()
        with Image.open(path) as image:
            sizes.append(np.array(image.size))
    np.testing.assert_allclose(sizes[1], 2 * sizes[0], atol=1)


def plainly(run):
    """As anyone opens WRF's files, without Squall."""
    return xr.open_mfdataset(sorted(run.glob("history*")), combine="nested", concat_dim="Time", chunks=None)


def test_any_dataset_in_wrfs_layout_is_drawn(channel):
    mine = plainly(channel)
    assert "elapsed" not in mine.coords
    for data in (mine, mine.isel(Time=2), mine.drop_vars("XTIME").isel(Time=2)):
        figure = squall.plot.figure(data, "temperature", level="5 km")
        ours = squall.plot.figure(channel, "temperature", level="5 km", time=5 if "Time" in data.dims else 2)
        np.testing.assert_array_equal(
            figure.axes[0].collections[0].get_array(), ours.axes[0].collections[0].get_array()
        )


def refuse(graph, keys, **how):
    """A scheduler of Dask that computes nothing."""
    raise AssertionError("Dask's arrays were computed")


@pytest.fixture(scope="module")
def eager(channel):
    """A field of the run in memory, by name."""
    with kept_open():
        history = completed(open_run(channel)).load()
    return functools.cache(partial(diagnose.field, history))


@pytest.fixture(scope="module", params=[{"Time": 1}, {"Time": 3, "south_north": 21, "west_east": 11}])
def lazy(request, channel):
    return completed(open_run(channel, chunks=request.param))


@pytest.mark.parametrize("name", sorted(diagnose.TABLE))
def test_every_diagnostic_waits_to_be_computed_and_is_then_the_same(lazy, eager, name):
    with dask.config.set(scheduler=refuse):
        found = diagnose.field(lazy, name)
    assert found.chunks is not None
    assert found.dims == eager(name).dims
    with kept_open():
        computed = found.compute(scheduler="synchronous")
    np.testing.assert_allclose(computed, eager(name), rtol=1e-5, atol=1e-6)


def completed(history):
    """With what the synthetic run lacks."""
    plane, volume = history["MU"] * 0, history["T"] * 0
    planes = {"RAINNC": 1, "SNOWNC": 0.1, "GRAUPELNC": 0.1, "PSFC": 98e3, "TSK": 300, "F": 1e-4,
              "SINALPHA": 0.6, "COSALPHA": 0.8, "LANDMASK": 1}  # fmt: skip
    waters = {"QVAPOR": 4e-3, "QCLOUD": 1e-4, "QICE": 1e-5, "QRAIN": 1e-3, "QSNOW": 1e-3, "QGRAUP": 1e-3}
    return history.assign(
        {name: plane + value for name, value in planes.items()}
        | {name: volume + value for name, value in waters.items()}
        | {"DNW": volume.isel(south_north=0, west_east=0) - 1 / 8}
    ).assign_attrs(MP_PHYSICS=6)


def test_surfaces_wait_to_be_computed_too(channel):
    lazy, eager = open_run(channel, chunks={"Time": 1, "bottom_top": 3}), open_run(channel)

    def surfaces(history):
        theta = diagnose.field(history, "theta")
        yield diagnose.on_height(history, theta, 5000)
        yield diagnose.on_height(history, theta, [2000, 5000], above_ground=True)
        yield diagnose.on_pressure(history, theta, [8e4, 5e4])
        yield diagnose.on_theta(history, diagnose.field(history, "pressure"), 310.0)
        yield diagnose.field(history, "vorticity", diagnose.Surface("pressure", 5e4))
        yield air.layer_height(history)

    with dask.config.set(scheduler=refuse):
        waiting = list(surfaces(lazy))
    for found, expected in zip(waiting, surfaces(eager), strict=True):
        assert found.chunks is not None
        assert found.dims == expected.dims
        np.testing.assert_allclose(found.compute(scheduler="synchronous"), expected, rtol=1e-6)


LIMIT = 400  # MB of memory of its own that a process may have
FRAME = (24, 240, 300)  # 6.9 MB a field


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A run of 1.05 GB; on disk it is small, since it is compressed well."""
    run = tmp_path_factory.mktemp("large")
    nz, ny, nx = FRAME
    heights = np.linspace(0, 15e3, nz + 1)[:, None, None] * np.ones((1, ny, nx), "f4")
    for number in range(26):
        with netCDF4.Dataset(run / f"history_{number:03d}.nc", "w") as data:
            data.setncatts({"DX": 3e3, "DY": 3e3, "START_DATE": "2000-01-01_00:00:00"})
            sizes = {"Time": None, "west_east": nx, "south_north": ny, "bottom_top": nz,
                     "bottom_top_stag": nz + 1}  # fmt: skip
            for name, size in sizes.items():
                data.createDimension(name, size)
            xtime = data.createVariable("XTIME", "f4", ("Time",))
            xtime.units = "minutes since 2000-01-01 00:00:00"
            xtime[0] = number
            for name, level, values in (
                ("T", "bottom_top", np.full(FRAME, number, "f4")),
                ("PH", "bottom_top_stag", 0 * heights),
                ("PHB", "bottom_top_stag", 9.81 * heights),
                ("QVAPOR", "bottom_top", np.full(FRAME, 0.001, "f4")),
                ("P", "bottom_top", np.zeros(FRAME, "f4")),
                ("PB", "bottom_top", 1e5 * np.exp(-heights[1:] / 8e3)),
            ):
                field = data.createVariable(
                    name, "f4", ("Time", level, "south_north", "west_east"), zlib=True, complevel=1
                )
                field[0] = values
    return run


#: What is done with a run that is larger than memory. Every change is tested by a map and a mean.
LARGE = {
    "map": 'squall.plot.figure(run, "theta", level="5 km", time="20 min")',
    "section": 'squall.plot.figure(run, "theta", section="y=300 km")',
    "mean of all frames": 'diagnose.field(lazy, "theta").mean().compute()',
    "parcels": 'diagnose.field(lazy.isel(Time=slice(4)), "cape").max().compute()',
    "a surface of all frames": 'diagnose.on_height(lazy, diagnose.field(lazy, "theta"), 5e3).max().compute()',
    "animation": 'squall.plot.PictureFile(run, Choice("theta", "5 km"), Path(folder) / "a.gif").animate()',
    "by xarray": 'xr.open_dataset(run, engine="squall", chunks={})["T"].mean().compute()',
}


@pytest.mark.parametrize(
    "action",
    [
        pytest.param(action, id=name, marks=[pytest.mark.long] * (name not in ("map", "mean of all frames")))
        for name, action in LARGE.items()
    ],
)
def test_a_run_larger_than_memory_is_drawn_and_diagnosed(large, action, tmp_path):
    assert sum(variable.nbytes for variable in open_run(large).variables.values()) > 2.5 * LIMIT * 1e6
    code = f"""
        import dask, resource, squall.plot
        import xarray as xr
        from pathlib import Path
        from squall import diagnose
        from squall.reader.dataset import open_run
        from squall.plot import Choice
        run = Path({str(large)!r})
        resource.setrlimit(resource.RLIMIT_DATA, ({LIMIT} << 20, {LIMIT} << 20))
        dask.config.set(scheduler="synchronous")
        lazy, folder = open_run(run, chunks={{"Time": 1}}), {str(tmp_path)!r}
        print({action})
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=600,
        check=False,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
