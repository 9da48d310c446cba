"""The two programs that are timed, WRF's own and the one that was linked with Squall, and what they write."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from squall import io
from squall.errors import UserError
from squall.wrf_output import symbols
from squall.wrf_output.layers import LAYERS, Layer
from squall.wrf_output.relink import NAME, replaced_in

#: WRF's layers, by the names in its functions, and the io_forms for which each is called.
_FORMS = {"ncd": (2, 102), "pnc": (11,), "ncdpar": (13,), "adios2": (14,)}


@dataclass(frozen=True)
class Programs:
    """`forms`: io_forms that wrf.exe has, of those that can be timed. `replaced`: layers that wrf_squall.exe
    takes from Squall. `engines`: those of the output runtime; None: it cannot be asked."""

    wrf: Path
    squall: Path
    forms: Sequence[int]
    replaced: Sequence[Layer] = LAYERS
    engines: Sequence[str] | None = None


def find(tree: Path) -> Programs:
    """Of a WRF that was built and linked again. Raises UserError."""
    main = tree.absolute() / "main"
    squall = main / NAME
    wrf = next((main / name for name in ("wrf.exe", "wrf") if (main / name).is_file()), None)  # CMake: wrf
    if wrf is None:
        raise UserError(f"{tree} is no built WRF: it has no main/wrf.exe. Compile it: ./compile em_real")
    if not squall.is_file():
        raise UserError(f"{tree} has no main/{NAME}. This makes it: squall wrf relink {tree}")
    defined = symbols.of_objects([wrf]).defined
    forms = [form for layer, forms in _FORMS.items() if f"ext_{layer}_ioinit_" in defined for form in forms]
    if not forms:
        raise UserError(f"{wrf} shows no layer that writes netCDF; without its symbols (strip) it cannot.")
    return Programs(wrf, squall, forms, replaced_in(squall), _engines())


def _engines() -> list[str] | None:
    try:
        return io.engines()
    except (UserError, io.Error, AttributeError):
        return None
