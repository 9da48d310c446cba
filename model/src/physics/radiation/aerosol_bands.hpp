/// Aerosol in the bands of sunlight, as moist air makes it swell.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "physics/radiation/aerosol.hpp"
#include "physics/radiation/aerosol_tables.hpp"
#include "physics/radiation/cloud_tables.hpp"
#include "physics/radiation/gas_tables.hpp"

namespace squall::radiation {

class AerosolBands {
  public:
    AerosolBands(const AerosolOptics &optics, std::span<const Band> bands);

    /// Sets what a depth of 1 at 550 nm does in each band, narrowed as clouds are, of humidities from 0 to 1:
    /// that at the ground says how the depth goes with wavelength, of the whole column as in Ruiz-Arias et
    /// al. (2014), that of the layer the rest. Linear between those of the tables; above 0.99 as there.
    void set(double at_ground, double in_layer, CloudOptics *bands) const;

  private:
    struct InBand {
        double depth, albedo, asymmetry;
    };
    std::array<std::vector<InBand>, aerosol_humidities.size()> by_humidity_;
};

} // namespace squall::radiation
