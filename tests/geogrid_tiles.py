"""Data sets of geogrid, written as WPS's are."""

import numpy as np

LAND_USE = {
    "type": "categorical",
    "category_min": 1,
    "category_max": 20,
    "mminlu": '"MODIFIED_IGBP_MODIS_NOAH"',
}


def write_set(folder, values, *, first=(0.25, 40.25), step=0.5, tile=(20, 10), word=1, border=0, **keys):
    """values: whole numbers ([levels,] rows from the south, columns). first: longitude and latitude of the
    first point, degrees. keys: of index, before what follows from the rest."""
    values = np.atleast_3d(values.T).T
    levels, ny, nx = values.shape
    wide, high = tile
    index = {
        "type": "continuous", "projection": "regular_ll", "dx": step, "dy": step,
        "known_x": 1.0, "known_y": 1.0, "known_lat": first[1], "known_lon": first[0],
        "wordsize": word, "tile_x": wide, "tile_y": high, "tile_z": levels, "tile_bdr": border,
    } | keys  # fmt: skip
    folder.mkdir(parents=True)
    (folder / "index").write_text("".join(f"{key} = {value}\n" for key, value in index.items()))
    wider = np.pad(values, [(0, 0), (border, border), (border, border)], mode="edge")
    for y in range(0, ny, high):
        for x in range(0, nx, wide):
            part = wider[:, y : y + high + 2 * border, x : x + wide + 2 * border]
            if index.get("row_order") == "top_bottom":
                part = part[:, ::-1]
            name = f"{x + 1:05d}-{x + wide:05d}.{y + 1:05d}-{y + high:05d}"
            (folder / name).write_bytes(_bytes(part, word, index.get("endian", "big")))
    return folder


def _bytes(values, word, endian):
    order = ">" if endian == "big" else "<"
    eight = values.astype(f"{order}i8").tobytes()
    raw = np.frombuffer(eight, np.uint8).reshape(*values.shape, 8)
    return (raw[..., 8 - word :] if endian == "big" else raw[..., :word]).tobytes()
