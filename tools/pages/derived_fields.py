"""The reference page of derived fields, made from their table."""

# ruff: noqa: E501 (lines of the page)

from squall.diagnose import TABLE, Derived

_HEADING = """\
# Derived fields

`squall plot --field` and `squall.diagnose.field` compute these fields from the variables of a history of Squall or WRF, in addition
to [the variables themselves](fields.md). Select a field by its name in this table or by its CF standard name. Names in capitals
are WRF's: if the history has that variable, it is used instead. Any field with levels is available at a pressure, a height above
sea level or a potential temperature (`--level "500 hPa"`, `"5 km"`, `"320 K"`): interpolation is linear, for pressure in
the logarithm of pressure. Horizontal derivatives on such a level are computed from the winds interpolated to it.

"""

_DIFFERENCES = """
## Comparison with other implementations

Each field is tested on columns of WRF 4.7.1 against MetPy, xwrf, WRF's own output or closed forms; the tests assert and print these
differences. Constants and the saturation formula are those of the model and of WRF (g = 9.81 m s-2,
R = 287 J kg-1 K-1, R / cp = 2/7, Bolton 1980), so that diagnostics are consistent with the model; MetPy uses others. For this
reason, and because MetPy's functions need units and compute parcels for one column at a time, Squall does not use MetPy.

| field | compared with | difference | reason |
| --- | --- | --- | --- |
| pressure, theta, height, wind to east and north | xwrf | none | the same formulas |
| relative humidity | MetPy | 0.05 % rms below 10 km | MetPy uses the saturation formula of Ambaum (2020) |
| dew point | MetPy | 0.005 K rms | the same |
| temperature at 2 m from the profile | WRF's MM5 surface layer | 0.3 to 0.9 K rms | neutral air, one roughness for land and one for water |
| vorticity, divergence | MetPy | rounding | without map factors; MetPy neglects their variation along the grid, 1e-6 s-1 |
| potential vorticity | MetPy, from pressure levels | 0.02 PVU rms | derivatives along layers, not between interpolated levels |
| precipitable water | MetPy | 0.2 kg m-2 | MetPy applies mixing ratios to the mass of moist air, and starts at the centre of the lowest layer |
| cloud fraction | WRF's radiation | less in ice clouds | WRF counts snow as cloud, and uses saturation over ice |
| reflectivity of rain | Stoelinga (2005) | none | the same distribution; snow and graupel have those of `wsm6`, with its temperature-dependent intercept |
| CAPE, CIN | MetPy | 11 and 3 J kg-1 rms | constants; CAPE sums only positive buoyancy above the LFC, where MetPy subtracts negative layers below the equilibrium level; CIN sums only negative buoyancy below, where MetPy subtracts positive layers |
| storm motion | MetPy | 0.8 m s-1 rms | means over height weighted by pressure, in MetPy over pressure |
| storm-relative helicity | MetPy, the same motion | rounding | |
"""


def page() -> str:
    """The page as Markdown."""
    head = "| field | meaning | units | CF standard name | method and source | computed from |\n| --- | --- | --- | --- | --- | --- |\n"
    return _HEADING + head + "".join(map(_row, TABLE.values())) + _DIFFERENCES


def _row(row: Derived) -> str:
    needs = "; or ".join(", ".join(f"`{name}`" for name in enough) for enough in row.needs)
    return (
        f"| `{row.name}` | {row.long_name} | {row.units} | {row.standard_name} | {row.source} | {needs} |\n"
    )


if __name__ == "__main__":
    print(page(), end="")
