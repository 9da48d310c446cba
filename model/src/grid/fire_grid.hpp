/// The ground on which a fire can burn: a grid of its own, finer than the atmosphere's.
#pragma once

#include "core/array.hpp"

namespace squall {

/// The fire's cells of a patch: each of the atmosphere's cells is divided into `rx` x `ry`. Its arrays have
/// these cells as theirs, with the usual halo.
inline Shape fire_shape(Shape air, int rx, int ry) { return {air.nx * rx, air.ny * ry, 1}; }

/// Constant in time; owned cells, unless it says otherwise.
struct FireGrid {
    FireGrid() = default;
    FireGrid(Shape air, int rx_, int ry_)
        : rx(rx_), ry(ry_), shape(fire_shape(air, rx, ry)), category(shape), height(shape), slope_x(shape),
          slope_y(shape), x(shape), y(shape) {}

    int rx = 0, ry = 0;
    Shape shape;
    real dx = 0, dy = 0;     ///< [m]
    Array2 category;         ///< of fuel: Anderson's 1 to 13, 14 where nothing burns (NFUEL_CAT)
    Array2 height;           ///< of the ground [m], one cell of the halo too (ZSF)
    Array2 slope_x, slope_y; ///< its gradient (DZDXF, DZDYF)
    Array2 x, y;             ///< longitude and latitude [degrees], on a plane [m] (FXLONG, FXLAT)
};

} // namespace squall
