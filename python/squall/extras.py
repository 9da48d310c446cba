"""What an installation may lack: packages that come with an extra of pyproject.toml, and what to say then."""

# Modules that are imported, and the extra whose packages bring them.
EXTRA = {
    "matplotlib": "analysis",
    "mpl_toolkits": "analysis",
    "PIL": "analysis",
    "pyproj": "analysis",
    "scipy": "analysis",
    "dask": "analysis",
    "zarr": "analysis",
    "starlette": "watch",
    "uvicorn": "watch",
    "eccodes": "prepare",
}


def message(error: ModuleNotFoundError) -> str | None:
    """What to install for a module that is not there; None where it is none of an extra."""
    name = (error.name or "").partition(".")[0]
    if name not in EXTRA:
        return None
    extra = EXTRA[name]
    return f"The Python package {name} is not there, which comes with the extra {extra}. {how(extra)}"


def how(extra: str) -> str:
    """The command that installs an extra; that of the studies is a package of its own."""
    if extra == "studies":
        return "Install it: pip install 'squall[studies]'; in Squall's checkout: pip install . ./studies."
    return f"In Squall's checkout: pip install '.[{extra}]', or '.[all]'."
