/// Columns in the model's own discrete hydrostatic balance, in double precision.
///
/// Balance is that of the model's equations (dynamics/state_equation.hpp and the vertical momentum
/// equation; Skamarock et al. 2019, eqs 2.9 and 2.22): the geopotential thickness of a layer is
/// alpha_d times its hypsometric depth, and the perturbation pressure differs between layers by
/// c1 mu' d_eta. All profiles are indexed from the surface up.
#pragma once

#include <functional>
#include <vector>

#include "core/real.hpp"
#include "grid/grid.hpp"
#include "initial/sounding.hpp"

namespace squall {

/// The base state of a column as the model stores it.
struct BaseColumn {
    real mub = 0;                     ///< [Pa]
    std::vector<real> pb, alb, theta; ///< nz; theta minus 300 K
    std::vector<double> phb;          ///< nz + 1, not yet rounded to storage
    double height(int k) const;       ///< of the middle of layer k [m]
};

/// The atmosphere at rest over terrain of height z_surface [m]. hypsometric: see DynamicsConfig.
/// Throws std::runtime_error where a layer would have no mass.
BaseColumn base_column(const VerticalGrid &v, const Sounding &sounding, double z_surface, int hypsometric);

/// Departures from a base column; mu and theta as the model can store them.
struct ColumnState {
    double mu = 0;                     ///< [Pa]
    std::vector<double> theta;         ///< as State::theta, nz
    std::vector<double> ph;            ///< nz + 1 [m2 s-2]
    std::vector<double> p;             ///< nz [Pa]
    std::vector<double> vapour, cloud; ///< nz [kg kg-1]; empty in dry air
    /// Height of the middle of layer k [m].
    double height(const BaseColumn &base, int k) const;
};

/// A layer while its column is being balanced: index, present and base-state height of its middle
/// [m], pressure [Pa].
struct Layer {
    int k;
    double z, z_base, p;
    double p_dry = 0; ///< weight of the dry air above, of moist columns [Pa]
};

/// What is added to theta_init in a layer [K].
using ThetaDeparture = std::function<double(const Layer &)>;

/// What stays as it is in the base state when theta changes: the mass of the column, or the
/// height of its top (then the air above does not feel what is below).
enum class Conserve { mass, top };

/// The balanced column with theta = theta_init + departure at its own heights and pressures.
/// Throws std::runtime_error where no such column is found.
ColumnState balanced_column(const VerticalGrid &v, const BaseColumn &base, const ThetaDeparture &departure,
                            Conserve conserve, int hypsometric);

/// What a layer of moist air holds.
struct MoistLayer {
    double theta;         ///< potential temperature of the dry air [K]
    double vapour, cloud; ///< [kg kg-1]
};
using MoistAir = std::function<MoistLayer(const Layer &)>;

/// The balanced column of dry mass base.mub + mu with this air at its own heights and pressures; the
/// weight of its water bears on the layers below. `moist_theta`: what ColumnState::theta is, see
/// DynamicsConfig. Throws std::runtime_error where no such column is found.
ColumnState balanced_moist_column(const VerticalGrid &v, const BaseColumn &base, double mu,
                                  const MoistAir &air, int hypsometric, bool moist_theta);

} // namespace squall
