/// How much the gases of one layer absorb and scatter, g-point by g-point (Pincus et al. 2019, section 2).
#pragma once

#include <span>

#include "physics/radiation/column.hpp"
#include "physics/radiation/gas_tables.hpp"

namespace squall::radiation {

/// The air of a layer.
struct Air {
    double pressure = 0, temperature = 0; ///< [Pa], [K]
    std::array<real, gas_count> amount{}; ///< of each gas above a unit of area [column_unit cm-2]
    real density = 0;                     ///< what with_density scales by: pressure [hPa] over temperature
    real molecules_over = 0;              ///< 1 over the amount of all molecules, vapour included
};

/// Of a layer between two pressures [Pa].
Air make_air(double pressure, double temperature, double thickness, const MixingRatios &ratios);

/// Rows of t.points values, to be set, with room for a slot more; a null one is not wanted.
struct GasDepths {
    real *absorption;      ///< optical depth
    real *planck_fraction; ///< share of its band's thermal radiation; of longwave tables
    real *scattering;      ///< optical depth of Rayleigh scattering; of shortwave tables
};

void set_gas_depths(const GasTables &t, const Air &air, GasDepths depths);

/// What set_gas_depths() sets, of all layers of some columns. Layer by layer through all columns: neighbours
/// are in the same rows of the tables, which then are in the cache.
class GasRows {
  public:
    explicit GasRows(const GasTables &tables);

    void set(std::span<const Request> requests);
    GasDepths of(std::size_t request, int layer);

  private:
    const GasTables &tables_;
    std::size_t row_;                       ///< from row to row
    std::size_t layers_ = 0;                ///< of the longest column
    std::vector<real> absorption_, second_; ///< (request, layer, point); fractions or scattering
};

/// Thermal radiance of each band at a temperature [W m-2 sr-1].
void set_planck(const GasTables &t, double temperature, real *radiance);

/// From a value for each band to one for each g-point; `points` with room for `overrun` more.
void spread(const GasTables &t, const real *bands, real *points);

} // namespace squall::radiation
