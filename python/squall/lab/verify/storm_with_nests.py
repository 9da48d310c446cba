"""The storm used to test nests: Weisman and Klemp's at 2 km, from a warm bubble that rises at once, so that
two minutes are enough."""

_TEXT = """
[run]
duration = "{duration}"
time_step = "12 s"
acoustic_substeps = 6

[domain]
nx = {nx}
ny = {ny}
nz = {nz}
dx = "2 km"

[vertical]
top = "16 km"

[physics]
microphysics = "kessler"

[initial]
case = "supercell"
amplitude = "8 K"
"""


def storm(nx: int, ny: int, nz: int = 16, duration: str = "2 min") -> str:
    """The run file of its outermost domain, without output."""
    return _TEXT.format(nx=nx, ny=ny, nz=nz, duration=duration)


def nest(i: int, j: int, nx: int, ny: int, name: str = "inner") -> str:
    """The table of a nest: where it begins in its parent, from 1, and its cells."""
    return f"\n[nest.{name}]\ni_parent_start = {i}\nj_parent_start = {j}\nnx = {nx}\nny = {ny}\n"
