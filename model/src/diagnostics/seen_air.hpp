/// The air of a patch at one time, as derived fields see it: views, and what follows from them at a point.
///
/// Formulas and constants are those of squall.diagnose, which makes the same of a file. Indices are those of
/// cells of the patch; the halo may be read one cell around it.
#pragma once

#include <algorithm>

#include "core/constants.hpp"
#include "core/elementary.hpp"
#include "diagnostics/vapour.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// Which particles a radar sees, by the microphysics.
enum class Echoes { none, kessler, lin, wsm3, wsm6, wdm, thompson, morrison, morrison_graupel };

/// Sides of the patch beyond which there is nothing: those of the domain that are not periodic.
struct Ends {
    bool west = false, east = false, south = false, north = false;
};

/// Cheap to copy. What the run has not, has a null origin.
struct SeenAir {
    GridView grid;
    Ends ends;
    Echoes echoes = Echoes::none;
    ConstField3 u, v, w, ph, p;                           ///< of State, and perturbation pressure
    ConstField3 theta_pert;                               ///< of dry air, minus 300 K
    ConstField3 vapour, cloud, rain, ice, snow, graupel;  ///< mixing ratios
    ConstField3 rain_number, snow_number, graupel_number; ///< of particles [kg-1]
    ConstField2 mu, psfc;
    ConstField2 rain_sum, snow_sum, graupel_sum; ///< fallen since the start, see PhysicsState
    ConstField2 skin;                            ///< temperature of the surface [K]
    ConstField2 land;                            ///< 1 on land, 0 on water; null: land everywhere
    ConstField2 u_10m, v_10m;                    ///< wind along the grid, of a surface layer; null without

    real pressure(int i, int k, int j) const { return p(i, k, j) + grid.pb(i, k, j); }
    real theta(int i, int k, int j) const { return theta_pert(i, k, j) + constants::theta0; }
    real temperature(int i, int k, int j) const {
        return theta(i, k, j) * power(pressure(i, k, j) / constants::p0, constants::kappa);
    }
    /// Where advection has left less than nothing, 0.
    real mixing_ratio(int i, int k, int j) const { return std::max(vapour(i, k, j), real(0)); }
    real virtual_temperature(int i, int k, int j) const {
        const real t = temperature(i, k, j);
        return vapour.origin ? squall::virtual_temperature(t, vapour(i, k, j)) : t;
    }
    /// Of moist air without what falls or floats in it, and of the dry air in it [kg m-3].
    real density(int i, int k, int j) const {
        return pressure(i, k, j) / (constants::r_d * virtual_temperature(i, k, j));
    }
    real dry_density(int i, int k, int j) const {
        return vapour.origin ? density(i, k, j) / (1 + vapour(i, k, j)) : density(i, k, j);
    }

    /// Heights above the sea [m]: of interfaces, of the middle of layers, of the ground.
    real interface_height(int i, int k, int j) const {
        return (ph(i, k, j) + grid.phb(i, k, j)) / constants::g;
    }
    real height(int i, int k, int j) const {
        return real(0.5) * (interface_height(i, k, j) + interface_height(i, k + 1, j));
    }
    /// At which a layer has its mean pressure: it lies below the middle.
    real layer_height(int i, int k, int j) const {
        const real low = interface_height(i, k, j), depth = interface_height(i, k + 1, j) - low;
        const real r = constants::g * depth / (constants::r_d * virtual_temperature(i, k, j));
        return low + depth * logarithm(2 / (1 + exponential(-r))) / r;
    }
    real ground(int i, int j) const { return interface_height(i, 0, j); }
    real height_above_ground(int i, int k, int j) const { return height(i, k, j) - ground(i, j); }

    /// Wind along the grid in the middle of cells [m s-1].
    real wind_x(int i, int k, int j) const { return real(0.5) * (u(i, k, j) + u(i + 1, k, j)); }
    real wind_y(int i, int k, int j) const { return real(0.5) * (v(i, k, j) + v(i, k, j + 1)); }
    real wind_up(int i, int k, int j) const { return real(0.5) * (w(i, k, j) + w(i, k + 1, j)); }

    /// Of dry air in a layer [kg m-2] (Skamarock et al. 2019, NCAR/TN-556, equation 2.2).
    real dry_mass(int i, int k, int j) const {
        const real column = mu(i, j) + grid.mub(i, j);
        return -grid.dnw[k] * (grid.c1h[k] * column + grid.c2h[k]) / constants::g;
    }

    bool on_land(int i, int j) const { return !land.origin || land(i, j) >= real(0.5); }
    /// Distance on the grid over that on the Earth, along x and along y: the two differ where the map is not
    /// conformal.
    real map_factor_x(int i, int j) const { return or_one(grid.msftx(i, j)); }
    real map_factor_y(int i, int j) const { return or_one(grid.msfty(i, j)); }

  private:
    static real or_one(real m) { return m > 0 ? m : 1; }
};

} // namespace squall
