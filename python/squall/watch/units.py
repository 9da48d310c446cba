"""Units as the page shows them."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(units: str) -> str:
    """Units without Matplotlib's marks: m s⁻¹."""
    parts = units.split("$^{")
    found = parts[0]
    for part in parts[1:]:
        power, _, rest = part.partition("}$")
        found += power.translate(_RAISED) + rest
    return "" if found in ("1", "-") else found
