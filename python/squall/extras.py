"""Optional packages: those of the extras in pyproject.toml, and the message when one is missing."""

from squall import needed

# Imported modules, and the extra that installs each.
EXTRA = {
    module: package.of[0]
    for package in needed.packages().values()
    if package.of_users and "squall" not in package.of
    for module in package.modules
}


def message(error: ModuleNotFoundError) -> str | None:
    """What to install for a missing module; None if it belongs to no extra."""
    name = (error.name or "").partition(".")[0]
    if name not in EXTRA:
        return None
    return (
        f"The Python package {name} is not installed; the extra {EXTRA[name]} brings it. In Squall's "
        f"checkout: pip install '.[{EXTRA[name]}]', or '.[all]'."
    )
