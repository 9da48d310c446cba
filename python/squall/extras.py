"""What an installation may lack: packages that come with an extra of pyproject.toml, and what to say then."""

from squall import needed

# Modules that are imported, and the extra whose packages bring them.
EXTRA = {
    module: package.of[0]
    for package in needed.packages().values()
    if package.of_users and "squall" not in package.of
    for module in package.modules
}


def message(error: ModuleNotFoundError) -> str | None:
    """What to install for a module that is not there; None where it is none of an extra."""
    name = (error.name or "").partition(".")[0]
    if name not in EXTRA:
        return None
    return (
        f"The Python package {name} is not there, which comes with the extra {EXTRA[name]}. "
        f"In Squall's checkout: pip install '.[{EXTRA[name]}]', or '.[all]'."
    )
