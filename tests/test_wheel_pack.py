"""What tools/wheel_pack.py makes of a wheel that was compiled, without compiling one."""

import shutil
from pathlib import Path

import pytest

import wheel_pack


def calls(monkeypatch, *symbols):
    """Programs that call functions of these versions."""
    monkeypatch.setattr(wheel_pack, "binaries", lambda data: [Path("squall-model")])
    monkeypatch.setattr(
        wheel_pack, "described", lambda binary: "".join(f" 0x0 0x00 02 {s}\n" for s in symbols)
    )


@pytest.mark.parametrize(
    ("symbols", "minor"),
    [
        (("GLIBC_2.2.5", "GLIBC_2.34", "GLIBCXX_3.4.30"), 35),  # GCC 12's library came with glibc 2.35
        (("GLIBC_2.36", "GLIBCXX_3.4.30"), 36),
        (("GLIBC_2.29", "GLIBCXX_3.4.26"), 34),
        (("GLIBC_2.34", "GLIBCXX_3.4.50"), 99),  # unknown: no system is promised
    ],
)
def test_the_oldest_glibc_has_what_is_called_and_came_with_its_libstdcxx(monkeypatch, symbols, minor):
    calls(monkeypatch, *symbols)
    assert wheel_pack.oldest_glibc(Path()) == minor


def test_a_wheel_asks_for_mpich_and_tells_what_it_runs_on_and_whose_libraries_it_has(tmp_path):
    info, libraries = tmp_path / "squall-1.dist-info", tmp_path / "libraries"
    info.mkdir()
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nTag: py3-none-linux_x86_64\n")
    (info / "METADATA").write_text("Name: squall\nRequires-Dist: numpy>=1.26\nRequires-Dist: rich>=13\n")
    (libraries / "licenses").mkdir(parents=True)
    (libraries / "licenses" / "zlib.txt").write_text("zlib\n")
    wheel_pack.describe(info, "py3-none-manylinux_2_35_x86_64", libraries)
    assert (info / "WHEEL").read_text().endswith("\nTag: py3-none-manylinux_2_35_x86_64\n")
    asked = [line for line in (info / "METADATA").read_text().splitlines() if line.startswith("Requires")]
    assert asked == ["Requires-Dist: mpich>=4,<6", "Requires-Dist: numpy>=1.26", "Requires-Dist: rich>=13"]
    assert (info / "licenses" / "zlib.txt").is_file()


def test_a_library_that_neither_every_linux_has_nor_the_wheel_brings_is_refused(monkeypatch, tmp_path):
    (tmp_path / "data" / "lib").mkdir(parents=True)
    (tmp_path / "libraries" / "adios2-1" / "lib").mkdir(parents=True)
    shutil.copy(shutil.which("true"), tmp_path / "data" / "true")
    needs = ["libc.so.6", "libstdc++.so.6", "libmpi.so.12", "libgomp.so.1"]
    monkeypatch.setattr(wheel_pack, "needed", lambda binary: needs if binary.name == "true" else [])
    wheel_pack.bring(tmp_path / "data", tmp_path / "libraries")
    assert [path.name for path in (tmp_path / "data/lib/squall").iterdir()] == ["libgomp.so.1"]
    shutil.rmtree(tmp_path / "data/lib/squall")
    needs.append("libcurl.so.4")
    with pytest.raises(wheel_pack.Refused, match=r"libcurl\.so\.4 is linked with"):
        wheel_pack.bring(tmp_path / "data", tmp_path / "libraries")


def test_a_wheel_has_the_tables_that_runs_read_and_what_the_demo_is_prepared_from(tmp_path):
    tables, demo, share = (tmp_path / name for name in ("tables", "demo", "share"))
    for folder, names in ((tables, [*wheel_pack.TABLES, "rrtmgp-gas-lw-g256.nc"]), (demo, ["sea.nc"])):
        folder.mkdir()
        for name in names:
            (folder / name).touch()
    wheel_pack.add_data(share, tables, demo)
    assert {path.name for path in (share / "radiation").iterdir()} == set(wheel_pack.TABLES)
    assert (share / "data" / "sea.nc").is_file()


def test_a_wheel_has_the_library_that_eccodes_lacks_and_its_licenses(tmp_path):
    data, info, libraries = (tmp_path / name for name in ("data", "squall-1.dist-info", "libraries"))
    (libraries / "eccodes" / "lib").mkdir(parents=True)
    (libraries / "eccodes" / "copying").mkdir()
    (libraries / "eccodes" / "lib" / "libeccodes.so").touch()
    (libraries / "eccodes" / "copying" / "libeccodes.txt").touch()
    (libraries / "eccodes" / "copying" / ".gitignore").touch()
    (info / "licenses").mkdir(parents=True)
    wheel_pack.add_eccodes(data, info, libraries)
    assert (data / "lib" / "squall" / "eccodes" / "lib" / "libeccodes.so").is_file()
    assert [path.name for path in (info / "licenses").iterdir()] == ["libeccodes.txt"]
