"""Optional packages: those of the extras in pyproject.toml, and the message when one is missing."""

# Imported modules, and the extra that installs each.
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
    """What to install for a missing module; None if it belongs to no extra."""
    name = (error.name or "").partition(".")[0]
    if name not in EXTRA:
        return None
    return (
        f"The Python package {name} is not installed; the extra {EXTRA[name]} brings it. In Squall's "
        f"checkout: pip install '.[{EXTRA[name]}]', or '.[all]'."
    )
