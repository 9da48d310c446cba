/// The faces along the sides of a patch, on which what crosses them in a step is added up (side_fluxes.hpp).
#pragma once

#include "core/axis.hpp"
#include "core/few.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// As kernels hold it.
class SideLines {
  public:
    /// Mass fluxes M u / m_y and M v / m_x that act for so many seconds, on the faces around the cells of a
    /// tile. For different tiles at the same time.
    void add_mass(const Range &tile, const GridView &g, ConstField3 u, ConstField3 v, real seconds) const;

    /// Fluxes of one kind of water around the cells of a line of a tile, level k: rows of western, southern
    /// and northern faces. For different tiles at the same time.
    void add_water(const Range &line, int k, const GridView &g, const real *west, const real *south,
                   const real *north) const;

  private:
    friend class SideFluxes;
    struct Line {
        Axis axis;            ///< x: faces that u crosses
        bool low;             ///< west or south
        int cell;             ///< the row inside, across the side
        int begin, end;       ///< patch-local cells along it
        double *mass, *water; ///< [Pa m], [Pa m s-1] by face
        bool is_x() const { return axis == Axis::x; }
        int face() const { return low ? cell : cell + 1; }
    };
    Few<Line, 4> lines_;
};

} // namespace squall
