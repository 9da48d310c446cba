"""What WRF's options of the boundary layer MYNN (bl_pbl_physics = 5) become."""

from collections.abc import Mapping

from squall.wrf.namelist import Value
from squall.wrf.rules import Setting, Values

#: With WRF's defaults.
MYNN: Mapping[str, Value | list[float]] = {
    "physics.bl_mynn_mixlength": 1, "physics.bl_mynn_tkeadvect": False, "physics.bl_mynn_closure": 2.6,
    "physics.bl_mynn_cloudpdf": 2, "physics.bl_mynn_edmf": 1, "physics.bl_mynn_edmf_mom": 1,
    "physics.bl_mynn_edmf_tke": 0, "physics.bl_mynn_cloudmix": 1, "physics.bl_mynn_mixqt": 0,
    "physics.bl_mynn_mixscalars": 1, "physics.icloud_bl": 1,
}  # fmt: skip

#: The level of closure that predicts no variance.
_BALANCED = 2.5
#: What another value than those that there are would change.
_MEANINGS = {
    "bl_mynn_closure": "level {} is 2.6, which predicts the variance of water alone",
    "bl_mynn_cloudpdf": "clouds are those of bl_mynn_cloudpdf = 2",
    "bl_mynn_edmf": "there are plumes",
    "bl_mynn_edmf_mom": "plumes carry wind",
    "bl_mynn_cloudmix": "cloud water and ice are mixed",
    "bl_mynn_mixqt": "vapour, cloud water and ice are mixed each by itself",
    "bl_mynn_mixscalars": "numbers of ice crystals are mixed",
    "icloud_bl": "radiation sees the clouds of the boundary layer",
}


def mynn_form(v: Values) -> str:
    """What `physics.boundary_layer` is."""
    if v.flag("bl_mynn_tkeadvect"):
        return "mynn-edmf-advected"
    return "mynn-edmf-blended" if v.whole("bl_mynn_mixlength") == 2 else "mynn-edmf"


def mynn_settings(v: Values) -> dict[str, Setting]:
    """The scheme and its keys in [physics]."""
    settings: dict[str, Setting] = {"physics.boundary_layer": mynn_form(v)}
    if v.number("bl_mynn_closure") == _BALANCED:
        settings["physics.eddy_variance"] = "balanced"
    if v.flag("bl_mynn_edmf_tke"):
        settings["physics.plume_turbulence"] = True
    return settings


def mynn_lost(v: Values) -> list[str]:
    """What of the options the scheme has otherwise, one for each."""
    lost = [
        meaning.format(f"{v.number(key):.10g}")
        for key, meaning in _MEANINGS.items()
        if v.number(key) not in (MYNN[f"physics.{key}"], _BALANCED if key == "bl_mynn_closure" else None)
    ]
    length = v.whole("bl_mynn_mixlength")
    if length == 0:
        lost.append("the lengths of eddies are those of bl_mynn_mixlength = 1")
    elif length == 2 and v.flag("bl_mynn_tkeadvect"):
        lost.append("with bl_mynn_tkeadvect the lengths of eddies are those of bl_mynn_mixlength = 1")
    return lost
