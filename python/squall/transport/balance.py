"""Winds whose convergence in columns is the change of the analyses' surface pressure.

Analyses' winds are not in balance with their surface pressure. A correction is added to what passes the
sides of cells: the gradient of a potential, which is the smallest that brings the balance (Heimann and
Keeling 1989, Geophys. Monogr. 55, 237-275). It is solved for once, here, so that a run has the same winds on
any number of ranks and spends no time on it; the solution is direct: Fourier's modes in longitude, and for
each a line of rows.

Fluxes are in Pa m2 s-1: of mass times gravity. `through_west` and `through_south` are what
transport/src/winds/side_fluxes.cpp computes, in the same words.
"""

import numpy as np
from scipy.linalg import solve_banded

from squall.transport.globe import RADIUS, Float, Globe, Levels


def western_surface(surface: Float) -> Float:
    """Surface pressure (nlat, nlon) at the cells' western faces."""
    return 0.5 * (np.roll(surface, 1, axis=1) + surface)


def southern_surface(surface: Float) -> Float:
    """At their southern faces; that of the first row, a pole, is its own."""
    return np.concatenate([surface[:1], 0.5 * (surface[:-1] + surface[1:])])


def convergence(globe: Globe, levels: Levels, surface: Float, u: Float, v: Float) -> Float:
    """What enters each column (nlat, nlon) by winds (nz, nlat, nlon) at western and southern faces
    [Pa m2 s-1]."""
    height = RADIUS * np.diff(globe.lat_faces)[:, None]
    width = RADIUS * np.cos(globe.lat_faces[:-1])[:, None] * globe.width
    west = -np.diff(levels.interfaces(western_surface(surface)), axis=0) * u * height
    south = -np.diff(levels.interfaces(southern_surface(surface)), axis=0) * v * width
    south[:, 0] = 0  # through the pole
    return _entering(west.sum(axis=0), south.sum(axis=0))


def _entering(west: Float, south: Float) -> Float:
    """Of fluxes through western and southern faces."""
    north = np.concatenate([south[1:], np.zeros_like(south[:1])])
    return np.asarray((west - np.roll(west, -1, axis=1)) + (south - north))


class Poisson:
    """Potentials on a globe whose gradients, as fluxes through the faces, have given convergences."""

    def __init__(self, globe: Globe) -> None:
        self._east = np.diff(globe.lat_faces) / (np.cos(globe.lat) * globe.width)
        between = np.diff(globe.lat)
        self._south = np.zeros(globe.nlat + 1)
        self._south[1:-1] = np.cos(globe.lat_faces[1:-1]) * globe.width / between
        self._modes = 2 - 2 * np.cos(globe.width * np.arange(globe.nlon // 2 + 1))

    def convergence(self, potential: Float) -> Float:
        """Of the fluxes that go up the gradient of a potential (nlat, nlon)."""
        west = (potential - np.roll(potential, 1, axis=1)) * self._east[:, None]
        south = np.zeros_like(potential)
        south[1:] = np.diff(potential, axis=0) * self._south[1:-1, None]
        return _entering(west, south)

    def solve(self, wanted: Float) -> Float:
        """The potential (nlat, nlon) of a convergence, whose sum must be nothing but rounding. Solved once
        more for what rounding left."""
        first = self._solve_once(wanted)
        return first + self._solve_once(wanted - self.convergence(first))

    def _solve_once(self, wanted: Float) -> Float:
        modes = np.fft.rfft(wanted, axis=1)
        solved = np.empty_like(modes)
        for m, eigenvalue in enumerate(self._modes):
            bands = np.zeros((3, len(self._east)))
            bands[0, 1:] = bands[2, :-1] = -self._south[1:-1]
            bands[1] = self._south[:-1] + self._south[1:] + eigenvalue * self._east
            right = modes[:, m].copy()
            if m == 0:  # known but for a constant: 0 in the first row
                bands[1, 0], bands[0, 1], right[0] = 1, 0, 0
            solved[:, m] = solve_banded((1, 1), bands, right)
        return np.asarray(np.fft.irfft(solved, n=wanted.shape[1], axis=1))
