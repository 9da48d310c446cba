/// One column of air as the scheme works on it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/real.hpp"

namespace squall::mynn_edmf {

/// Values of layers from the ground up, or of the interfaces below them.
class Profile {
  public:
    explicit Profile(int levels) : values_(static_cast<std::size_t>(levels)) {}
    real &operator[](int k) { return values_[static_cast<std::size_t>(k)]; }
    real operator[](int k) const { return values_[static_cast<std::size_t>(k)]; }
    void fill(real value) { values_.assign(values_.size(), value); }

  private:
    std::vector<real> values_;
};

/// What lies below, and what comes from there.
struct Below {
    bool sea = false;
    real friction_velocity = 0; ///< [m s-1]
    real wind_speed = 0;        ///< of the lowest layer, with gusts [m s-1]
    real theta = 0;             ///< of the surface [K]
    real density = 0;           ///< of the air that takes the fluxes up [kg m-3]
    real heat = 0;              ///< flux of theta [K m s-1]
    real virtual_heat = 0;      ///< of theta_v
    real water = 0;             ///< of humidity [m s-1]
    real inverse_obukhov = 0;   ///< [m-1]
};

/// The mean of what rises in plumes, at the interface above layer k.
struct Rising {
    explicit Rising(int nz) : area(nz), w(nz), water(nz), cloud(nz), production(nz) {}

    Profile area;       ///< share of the cell
    Profile w;          ///< [m s-1]
    Profile water;      ///< all of it [kg kg-1]
    Profile cloud;      ///< in them [kg kg-1]
    Profile production; ///< of TKE by what dissipates at their edges [m2 s-3]
};

/// What plumes carry through the interface below layer k [kg m-2 s-1 times a unit].
struct PlumeFluxes {
    explicit PlumeFluxes(int nz)
        : air(nz + 1), theta_l(nz + 1), vapour(nz + 1), cloud(nz + 1), u(nz + 1), v(nz + 1),
          ice_number(nz + 1), energy(nz + 1) {}
    std::array<Profile *, 8> all() { return {&air, &theta_l, &vapour, &cloud, &u, &v, &ice_number, &energy}; }
    void clear() {
        for (Profile *p : all()) p->fill(0);
    }
    Profile air, theta_l, vapour, cloud, u, v, ice_number, energy;
};

/// Humidities are specific, of moist air of this density, where it is as in WRF; else mixing ratios, of dry
/// air, which mixing then conserves. Interface k lies below layer k.
struct Column {
    explicit Column(int layers);

    int nz;
    bool as_wrf = false;
    bool balanced_variance = false; ///< of what eddies make, not predicted
    bool plume_turbulence = false;  ///< plumes carry energy
    real dt = 0, spacing = 0;       ///< [s], [m]
    Below below;

    // The air at the beginning of the step.
    Profile bottom;                   ///< heights of interfaces above the ground [m], nz + 1
    Profile dz, u, v;                 ///< [m], [m s-1]
    Profile w;                        ///< at interfaces [m s-1]
    Profile theta, temperature;       ///< [K]
    Profile pressure, exner, density; ///< [Pa], [kg m-3]
    Profile vapour, cloud, ice, snow; ///< [kg kg-1]
    Profile ice_number;               ///< [kg-1]
    Profile theta_l, theta_v, water;  ///< of liquid and ice [K]; virtual; vapour, cloud and ice

    // What is carried from step to step.
    Profile energy;   ///< q^2, twice the kinetic energy of turbulence [m2 s-2]
    Profile variance; ///< of the water in eddies [kg2 kg-2]
    Profile length;   ///< of eddies, at interfaces [m]

    // Clouds smaller than the cell: share of it, and its mean water and ice [kg kg-1].
    Profile cover, cloud_water, cloud_ice;

    real height = 0;                        ///< of the boundary layer [m]
    real coarse = 1, coarse_for_plumes = 1; ///< how much of the turbulence the grid leaves to the scheme
    Rising rising;
    PlumeFluxes plumes;

    // At interfaces.
    Profile density_between; ///< nz + 1
    Profile shear, buoyancy; ///< squared wind shear and minus the squared buoyancy frequency [s-2]
    Profile water_z;         ///< gradient of water [m-1]
    Profile q;               ///< [m s-1]
    Profile momentum, heat;  ///< conductances K / dz, nz + 1 [m s-1]
    Profile production;      ///< half that of q^2 [m2 s-3]
    Profile variance_production;

    std::array<Profile, 6> spare; ///< what one step needs for itself, nz + 1

    real middle(int k) const { return real(0.5) * (bottom[k] + bottom[k + 1]); }
    /// Of two layers' values, at the interface between them.
    real between(const Profile &x, int k) const {
        return (x[k] * dz[k - 1] + x[k - 1] * dz[k]) / (dz[k] + dz[k - 1]);
    }
    /// From the middle of layer k - 1 to that of k.
    real step(int k) const { return real(0.5) * (dz[k] + dz[k - 1]); }
};

} // namespace squall::mynn_edmf
