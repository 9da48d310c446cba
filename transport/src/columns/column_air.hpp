/// Pressures, heights and temperatures of a row of columns, from the air that a block has.
#pragma once

#include <cstddef>

#include "globe/block.hpp"
#include "globe/scratch.hpp"
#include "winds/fluxes.hpp"
#include "winds/saturation.hpp"
#include "winds/weather.hpp"

namespace squall::transport {

/// Of air at constant pressure [J kg-1 K-1], and of water that evaporates [J kg-1].
inline constexpr double heat_capacity = 3.5 * test_gas_constant, heat_of_evaporation = 2.5e6;

/// By humidity in kg per kg of air.
inline double virtual_temperature(double temperature, double humidity) {
    return temperature * (1 + 0.608 * humidity);
}

/// Row j of a patch. Layers k = 0 .. nz - 1 and interfaces k = 0 .. nz, both from the ground.
class ColumnAir {
  public:
    /// The top has the pressure of the topmost interface; below, each layer's air adds its weight. `weather`
    /// must outlive it.
    ColumnAir(const Block &block, const Weather &weather, const PatchOfGlobe &where, int j);

    int nx() const { return nx_; }
    int nz() const { return nz_; }
    /// Of layer k [kg m-2].
    double mass(int i, int k) const { return (pressure(i, k) - pressure(i, k + 1)) / gravity; }
    double pressure(int i, int k) const { return pressure_[at(i, k)]; } ///< at interface k [Pa]
    double height(int i, int k) const { return height_[at(i, k)]; } ///< of interface k above the ground [m]
    /// Of the ground above the sea [m], by its pressure in air at rest of the lowest layer's temperature.
    double ground(int i) const { return ground_[static_cast<std::size_t>(i)]; }
    double thickness(int i, int k) const { return height(i, k + 1) - height(i, k); }
    double middle(int i, int k) const { return 0.5 * (height(i, k) + height(i, k + 1)); }
    double middle_pressure(int i, int k) const { return 0.5 * (pressure(i, k) + pressure(i, k + 1)); }
    double temperature(int i, int k) const { return temperature_[at(i, k)]; } ///< of layer k [K]
    double humidity(int i, int k) const { return humidity_[at(i, k)]; }       ///< [kg kg-1]
    double warmth(int i, int k) const { return virtual_temperature(temperature(i, k), humidity(i, k)); }
    double density(int i, int k) const { return mass(i, k) / thickness(i, k); } ///< [kg m-3]

  private:
    std::size_t at(int i, int k) const { return static_cast<std::size_t>(k * nx_ + i); }

    int nx_, nz_;
    const double *temperature_, *humidity_;
    Scratch<double> pressure_, height_, ground_;
};

} // namespace squall::transport
