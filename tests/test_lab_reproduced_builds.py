"""The item that compares the fields of two builds: which builds, what is compared, and what is drawn."""

import json
import stat

import numpy as np
import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.reproduce import builds, runner
from squall.lab.reproduce.item import Context

[ITEM] = builds.ITEMS


class Frames:
    """A history of a field that grows from hour to hour, and of one that is the same everywhere."""

    def __init__(self, apart):
        self.apart = apart

    def has(self, name):
        return name in ("T", "MU")

    def unit(self, name):
        return {"T": "K", "MU": "Pa"}[name]

    def frame_at(self, seconds):
        return int(seconds / 3600)

    def field(self, name, frame):
        if name == "MU":
            return np.full((4, 6), 7.0)
        values = np.broadcast_to(np.arange(6.0), (2, 4, 6)).copy()
        values[1, 2, 3] += self.apart * 10.0**frame
        return values


def program(folder, name="squall-model"):
    path = folder / "model" / name
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_differences_are_told_by_field_and_hour_in_units_and_over_the_fields_spread():
    found = builds.compared(Frames(0.0), Frames(1e-3), 2)["differences"]
    by_key = {(row["field"], row["hour"]): row for row in found}
    assert set(by_key) == {("T", 1), ("T", 2), ("MU", 1), ("MU", 2)}
    assert by_key["T", 1]["most"] == pytest.approx(0.01)
    assert by_key["T", 2]["rms"] == pytest.approx(0.1 / np.sqrt(48))
    spread = np.arange(6.0).std()
    assert by_key["T", 2]["relative"] == pytest.approx(0.1 / np.sqrt(48) / spread)
    assert by_key["MU", 1]["most"] == by_key["MU", 1]["relative"] == 0  # no spread to divide by


def found(apart):
    """What would be measured on the Great North Run's outermost domain, 60 x 33 cells of 54 km."""
    lon, lat = np.meshgrid(np.linspace(-25, 17, 60), np.linspace(47, 62, 33))
    attrs = {
        "DX": 54000.0,
        "DY": 54000.0,
        "MAP_PROJ": 6.0,
        "TRUELAT1": 0.0,
        "TRUELAT2": 0.0,
        "STAND_LON": -4.0,
    }
    theta = 280 + 0.1 * lat
    return {
        "case": "a-case",
        "builds": [{"name": "release", "precision": "single"}, {"name": "double"}],
        **builds.compared(Frames(0.0), Frames(apart), 2),
        "map": {
            "attrs": attrs | {"CEN_LON": -4.0}, "points": {"XLAT": lat.tolist(), "XLONG": lon.tolist()},
            "values": [theta.tolist(), (theta + apart * np.sin(lon)).tolist()], "hour": 2,
        },
    }  # fmt: skip


@pytest.mark.parametrize("apart", [1e-3, 0.0])
def test_a_table_for_each_measure_and_a_map_are_made_of_what_json_holds_also_of_the_same_bits(apart):
    kept = json.loads(json.dumps(found(apart)))
    told, most, rms, relative = ITEM.tables(kept)
    assert [row[:2] for row in told.rows] == [["release", "single"], ["double", ""]]
    assert most.columns == ["field", "unit", "1 h", "2 h"]
    assert most.rows == [["T", "K", f"{10 * apart:.2g}", f"{100 * apart:.2g}"], ["MU", "Pa", "0", "0"]]
    assert relative.rows[0][1] == ""
    assert rms.title.startswith("Root mean square of differences: release − double, the outermost domain")
    figure = runner.figure(ITEM, {"found": kept})
    titles = {axes.get_title(loc="left").partition(":")[0] for axes in figure.axes} - {""}
    assert titles == {"release", "double", "release − double"}


def test_the_second_build_is_that_in_double_precision_or_the_one_that_is_named(monkeypatch, tmp_path):
    first = program(tmp_path / "build" / "release")
    monkeypatch.setenv("SQUALL_MODEL", str(first))
    monkeypatch.delenv("SQUALL_SECOND_MODEL", raising=False)
    monkeypatch.setattr(locate, "CHECKOUT", tmp_path)
    with pytest.raises(UserError, match=r"make build PRESET=double.*SQUALL_SECOND_MODEL"):
        builds.builds()
    double = program(tmp_path / "build" / "double")
    (tmp_path / "build" / "double" / "CMakeCache.txt").write_text(
        "SQUALL_DOUBLE:BOOL=ON\nCMAKE_CXX_COMPILER:FILEPATH=/usr/bin/c++\nCMAKE_BUILD_TYPE:STRING=Release\n"
        "CMAKE_CXX_FLAGS:STRING=-g\nCMAKE_CXX_FLAGS_RELEASE:STRING=-O3\n"
    )
    pair = builds.builds()
    assert [(build.name, build.program) for build in pair] == [("release", first), ("double", double)]
    assert pair[0].told == {}
    assert pair[1].told == {"precision": "double", "compiler": "/usr/bin/c++", "flags": "-g -O3"}
    another = program(tmp_path / "elsewhere" / "release")
    monkeypatch.setenv("SQUALL_SECOND_MODEL", str(another))
    assert [build.name for build in builds.builds()] == [str(first), str(another)]  # of the same name
    monkeypatch.setenv("SQUALL_SECOND_MODEL", str(tmp_path))
    with pytest.raises(UserError, match="which is not a program"):
        builds.builds()


def test_both_builds_run_the_same_case(tmp_path, monkeypatch, context):
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    again = tmp_path / "again" / "model" / "squall-model"
    again.parent.mkdir(parents=True)
    again.write_text(f'#!/bin/sh\nexec "{model}" "$@"\n')
    again.chmod(0o755)
    monkeypatch.setenv("SQUALL_MODEL", str(model))
    monkeypatch.setenv("SQUALL_SECOND_MODEL", str(again))
    monkeypatch.setattr(builds, "_HOUR", 225.0)  # a step of the outermost domain, nine of the innermost
    kept = json.loads(json.dumps(ITEM.measure(Context(context.workspace, True, 1, context.status))))
    assert {row["field"] for row in kept["differences"]} >= {"U", "V", "W", "T", "PH", "MU", "QVAPOR"}
    assert {row["hour"] for row in kept["differences"]} == {1}
    assert all(row["most"] == 0 for row in kept["differences"])  # the same program, the same bits
    runner.figure(ITEM, {"found": kept})
