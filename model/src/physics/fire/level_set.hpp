/// The front of a fire as the zero of a level set.
///
/// psi is negative where the ground has caught fire, and its front moves along its normal with the rate of
/// spread R: d psi / dt = -R |grad psi| (Mandel, Beezley and Kochanski 2011, Geosci. Model Dev. 4, 591-610,
/// eq. 10), by third-order Runge-Kutta steps with WENO around the front and by artificial viscosity, and psi
/// is drawn towards the distance from its front, d psi / d tau = sign(psi) (1 - |grad psi|) (Sussman, Smereka
/// and Osher 1994), as Munoz-Esparza et al. (2018), J. Adv. Model. Earth Syst. 10, 908-926, have it in WRF.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/fire_grid.hpp"
#include "parallel/decomposition.hpp"
#include "physics/fire/differences.hpp"
#include "physics/fire/spread.hpp"
#include "settings/fire_config.hpp"

namespace squall::fire {

/// Cells next to the domain's sides in which the differences are of first order.
inline constexpr int edge_cells = 10;

/// What the kernels need to know beside fields.
struct FrontRules {
    FrontRules(const FireConfig &config, const Patch &fire_patch, const FireGrid &grid);

    real dx, dy;
    int x0, y0, nx, ny; ///< of the patch in the domain, and of the domain, in fire cells
    Upwinding upwinding, reinitialisation;
    SpreadRule spread;
    real near;                             ///< as far from the front WENO is used [m]
    real viscosity, front_viscosity;       ///< far from the front, and near
    real viscous_near, viscous_transition; ///< how far is near, and over what more it changes [m]

    /// Cells from the nearest side of the domain, 0 at it.
    int from_side(int i, int j) const {
        return std::min(std::min(i + x0, nx - 1 - (i + x0)), std::min(j + y0, ny - 1 - (j + y0)));
    }
};

/// The rate of change of psi on `cells` [m s-1] into `change`, and into `rate` how fast the front would move
/// there [m s-1]. Reads psi in three cells around, where within the domain, or one beyond it.
void front_tendency(Range cells, const FrontRules &rules, const SpreadFields &fields, ConstField2 psi,
                    Field2 change, Field2 rate);

/// One stage of what draws psi to the distance: result = begin + step x sign x (1 - |grad now|). `sign`: of
/// the front, smooth over a cell. Reads `now` like front_tendency.
void draw_to_distance(Range cells, const FrontRules &rules, ConstField2 sign, ConstField2 begin,
                      ConstField2 now, real step, Field2 result);

/// Continues a plane of the fire's grid by one cell beyond the sides of the domain, its corners included:
/// linearly, and by `bias` of 1 never below what is at the side.
void continue_beyond(const Patch &patch, real bias, Field2 plane);

} // namespace squall::fire
