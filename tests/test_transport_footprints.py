"""What a satellite sees of a run of squall-transport: columns of its footprints, and means by its kernel."""

import numpy as np
import pytest

from test_transport import history, start

STREAMS = """
[field.seen]
expression = "ozone * 1e9"
kernel = "kernel.csv"
units = "1e-9"

[output.all]
interval = "2 h"
frames_per_file = 100
fields = ["ozone", "ozone_column", "seen", "air", "pressure"]

[output.satellite]
interval = "2 h"
frames_per_file = 100
footprints = "track.csv"
fields = ["ozone", "ozone_column", "seen"]
"""

KERNEL = "# of a satellite that sees little near the ground\npressure,kernel\n80000,0.25\n40000,1.25\n"

# time, longitude, latitude; the run starts at 2000-01-01
TRACK = [
    ("3500", 100, 10),  # before half-way to 2 h
    ("3600", 100, 10),
    ("2000-01-01T02:30:00", -0.1, -89),
    ("2000-01-01T01:59:00", 359.9, 89),
    ("28900", 181, 0.1),
    ("1e6", 0, 0),  # after the run
]


def write(folder):
    (folder / "kernel.csv").write_text(KERNEL)
    lines = [f"{time},{lat},{lon}" for time, lon, lat in TRACK]
    (folder / "track.csv").write_text("\n".join(["time,latitude,longitude", *lines]) + "\n")


@pytest.mark.parametrize("ranks", [1, 4])
def test_footprints_have_the_bits_of_their_cells_in_the_nearest_frame(tmp_path, ranks):
    write(tmp_path)
    done = start(tmp_path, STREAMS, days=1, ranks=ranks)
    assert done.returncode == 0, done.stderr
    whole, seen = (history(tmp_path / "run", name) for name in ("all", "satellite"))
    assert seen.sizes["footprint"] == 3
    assert seen["ozone"].dims == ("time", "footprint", "lev")
    per_frame = np.isfinite(seen["longitude"]).sum("footprint").values
    np.testing.assert_array_equal(per_frame, [1, 3, 0, 0, 1, *[0] * (len(per_frame) - 5)])
    for place in ("ozone", "ozone_column", "seen"):
        np.testing.assert_array_equal(
            np.isfinite(seen[place].isel(lev=0) if place == "ozone" else seen[place]),
            np.isfinite(seen["longitude"]),
        )
    # in a frame they are in the order of time
    for frame, n, i, lat in [(0, 0, 8, 10), (1, 0, 8, 10), (1, 1, 31, 89), (1, 2, 31, -89), (4, 0, 16, 0.1)]:
        cell = whole.isel(time=frame, lon=i).sel(lat=lat, method="nearest")
        for name in ("ozone", "ozone_column", "seen"):
            np.testing.assert_array_equal(seen[name].isel(time=frame, footprint=n), cell[name], err_msg=name)
        assert float(seen["latitude"].isel(time=frame, footprint=n)) == lat


def test_a_field_with_a_kernel_is_the_mean_by_air_of_what_the_satellite_sees(tmp_path):
    write(tmp_path)
    assert start(tmp_path, STREAMS, days=1).returncode == 0
    data = history(tmp_path / "run", "all").astype(float)
    share = np.log(data["pressure"] / 80000) / np.log(40000 / 80000)
    kernel = 0.25 + share.clip(0, 1)
    assert float(kernel.min()) == 0.25 < 1 < float(kernel.max()) == 1.25  # it is cut off at both ends
    expected = (kernel * 1e9 * data["ozone"] * data["air"]).sum("lev") / data["air"].sum("lev")
    np.testing.assert_allclose(data["seen"], expected, rtol=2e-6, atol=1e-6)
    assert data["seen"].dims == ("time", "lat", "lon")


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("track.csv", "time,longitude\n0,0\n", "must name the columns time, longitude, latitude"),
        ("track.csv", "time,longitude,latitude\n0,0,95\n", "track.csv:2: latitude 95 and longitude 0"),
        ("track.csv", "time,longitude,latitude\nnoon,0,5\n", 'time "noon" is neither a date nor seconds'),
        ("kernel.csv", "pressure,kernel\n900,1\n800,1\n850,1\n", "kernel.csv:4: pressures must all grow or"),
        ("kernel.csv", "pressure,kernel\n900,all\n", '"all" is not a number'),
        ("kernel.csv", None, "field.seen.kernel: there is no"),
        ("track.csv", None, "output.satellite.footprints: there is no"),
    ],
)
def test_tables_that_make_no_sense_are_refused_with_their_line(tmp_path, file, text, said):
    write(tmp_path)
    if text is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_text(text)
    done = start(tmp_path, STREAMS, days=1)
    assert done.returncode != 0
    assert said in done.stderr
    assert not list(tmp_path.glob("run/*.nc"))


def test_footprints_go_with_no_other_places(tmp_path):
    write(tmp_path)
    done = start(tmp_path, STREAMS + 'average = "zonal"\n', days=1)
    assert done.returncode == 2
    assert "output.satellite.average does not go with output.satellite.footprints" in done.stderr
