"""Rigid rotation of air about any axis, on every kind of map: vorticity 2 omega . r, and no divergence."""

import numpy as np

from squall.diagnose.constants import EARTH_RADIUS
from squall.geo.domain import Domain, Projection

_SOUTH_POLAR = Projection("polar-stereographic", -71, -71, 0)

#: Both hemispheres, across the date line, with a pole inside where the map allows.
DOMAINS = {
    "lambert": Domain(Projection("lambert", 30, 60, -95), 40, 36, 30e3, 30e3, 42, -90),
    "lambert-south-date-line": Domain(Projection("lambert", -20, -50, 170), 40, 36, 30e3, 30e3, -35, 180),
    "polar-with-pole": Domain(Projection("polar-stereographic", 60, 60, 10), 40, 36, 30e3, 30e3, 89, 20),
    "south-polar-with-pole": Domain(_SOUTH_POLAR, 40, 36, 30e3, 30e3, -89, 5),
    "mercator-date-line": Domain(Projection("mercator", 10, 10, 100), 40, 36, 30e3, 30e3, 5, 179),
    "mercator-south": Domain(Projection("mercator", -30, -30, -60), 40, 36, 30e3, 30e3, -35, -60),
    "lat-lon": Domain(Projection("lat-lon", 0, 0, 10), 40, 36, 30e3, 20e3, 60, 10),
    "lat-lon-south-date-line": Domain(Projection("lat-lon", 0, 0, 180), 40, 36, 30e3, 30e3, -60, 179),
}  # fmt: skip


def on_sphere(longitude, latitude):
    """Unit vectors up, east and north of points in degrees; the last axis is x, y, z."""
    lon, lat = np.radians(longitude), np.radians(latitude)
    up = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1)
    east = np.stack([-np.sin(lon), np.cos(lon), 0 * lon], -1)
    return up, east, np.cross(up, east)


def rotation(points, axis, speed):
    """Wind along x and y of the grid of a rigid rotation about an axis, of at most `speed` m/s."""
    up, east, north = on_sphere(points.longitude, points.latitude)
    wind = speed * np.cross(np.asarray(axis, float) / np.linalg.norm(axis), up)
    u_east, v_north = (wind * east).sum(-1), (wind * north).sum(-1)
    # u_east = u cos(alpha) - v sin(alpha), v_north = v cos(alpha) + u sin(alpha)
    u = u_east * points.cos_alpha + v_north * points.sin_alpha
    return u, v_north * points.cos_alpha - u_east * points.sin_alpha


def vorticity(points, axis, speed):
    """Of that rotation [s-1]."""
    up = on_sphere(points.longitude, points.latitude)[0]
    return 2 * speed / EARTH_RADIUS * (up @ (np.asarray(axis, float) / np.linalg.norm(axis)))
