"""The reference page of derived fields, made from their table."""

# ruff: noqa: E501 (lines of the page)

from squall.diagnose import TABLE, Derived

_HEADING = """\
# Derived fields

What `squall plot --field` and `squall.diagnose.field` compute from the variables of a history, Squall's or WRF's, beside
[the variables themselves](fields.md). A field can be asked for by its name here or its CF standard name. Names in capitals
are WRF's: where a history has the variable, that is taken. Any field with levels can be had on a pressure, a height above
the sea or a potential temperature (`--level "500 hPa"`, `"5 km"`, `"320 K"`): linear between layers, on pressures in
the logarithm of pressure. What is made of differences along a level is made of the winds on it.

"""

_DIFFERENCES = """
## How far they are from others

Each is tested on columns of WRF 4.7.1 against MetPy, xwrf, WRF's own output or closed forms; the tests assert the numbers
and print them. Constants and the formula of saturation are those of the model and of WRF (g = 9.81 m s-2,
R = 287 J kg-1 K-1, R / cp = 2/7, Bolton 1980), so that what is diagnosed fits what was computed; MetPy has others. That,
and that its functions take units and, for parcels, one column at a time, is why the fields are not made by MetPy.

| field | beside | apart by | because |
| --- | --- | --- | --- |
| pressure, theta, height, wind to east and north | xwrf | nothing | the same formulas |
| relative humidity | MetPy | 0.05 % rms below 10 km | MetPy saturates by Ambaum (2020) |
| dew point | MetPy | 0.005 K rms | the same |
| temperature at 2 m by the profile | WRF's MM5 surface layer | 0.3 to 0.9 K rms | neutral air, one roughness for land and one for water |
| vorticity, divergence | MetPy | rounding | without map factors; MetPy leaves out how they change along the grid, 1e-6 s-1 |
| potential vorticity | MetPy, from pressure levels | 0.02 PVU rms | derivatives along layers, not between interpolated levels |
| precipitable water | MetPy | 0.2 kg m-2 | MetPy takes mixing ratios by the weight of moist air, and begins at the middle of the lowest layer |
| cloud fraction | WRF's radiation | less in clouds of ice | WRF counts snow as cloud, and saturates over ice |
| reflectivity of rain | Stoelinga (2005) | nothing | the same distribution; snow and graupel have those of `wsm6`, with its intercept that grows in the cold |
| CAPE, CIN | MetPy | 11 and 3 J kg-1 rms | constants; CAPE is all that is positive above free convection, of which MetPy takes off what is negative below equilibrium; CIN all that is negative below, from which MetPy takes what is positive |
| storm motion | MetPy | 0.8 m s-1 rms | means weighted with pressure over height, in MetPy over pressure |
| storm-relative helicity | MetPy, the same motion | rounding | |
"""


def page() -> str:
    """The page as Markdown."""
    head = "| field | what | units | CF standard name | how, and from where | of |\n| --- | --- | --- | --- | --- | --- |\n"
    return _HEADING + head + "".join(map(_row, TABLE.values())) + _DIFFERENCES


def _row(row: Derived) -> str:
    needs = "; or ".join(", ".join(f"`{name}`" for name in enough) for enough in row.needs)
    return (
        f"| `{row.name}` | {row.long_name} | {row.units} | {row.standard_name} | {row.source} | {needs} |\n"
    )


if __name__ == "__main__":
    print(page(), end="")
