/// The deformation of the wind, D_ij = du_i/dx_j + du_j/dx_i at constant height
/// (Skamarock et al. 2019, NCAR/TN-556, section 4.2.2).
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "grid/grid_view.hpp"

namespace squall::diffusion {

/// A symmetric tensor: deformation [s-1], later stress [Pa]. xx, yy, zz on cells; xy on the
/// vertical edges between four cells, index (i, j) of the cell north-east of it; xz on west
/// and yz on south faces, on interfaces 0..nz (0 on the first and the last).
struct SymmetricTensor {
    Field3 xx, yy, zz, xy, xz, yz;
};

/// xx and yy on `cells`, xy on `edges` (i and j). Needs metrics and wind one cell further out.
void compute_horizontal_deformation(Range cells, Range edges, const GridView &grid, const Metrics &metrics,
                                    ConstField3 u, ConstField3 v, const SymmetricTensor &d);

/// zz on `cells`, xz and yz on `faces`. The vertical shear is that of u - u_base
/// and v - v_base (profiles on layers).
void compute_vertical_deformation(Range cells, Range faces, const GridView &grid, const Metrics &metrics,
                                  ConstField3 u, ConstField3 v, ConstField3 w, ConstProfile u_base,
                                  ConstProfile v_base, const SymmetricTensor &d);

} // namespace squall::diffusion
