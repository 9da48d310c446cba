/// Thermal radiation of a column: emission and absorption, without scattering.
///
/// One slant of the mean path, with diffusivity 1.66 (Elsasser 1942; Fu et al. 1997), and sources linear
/// in optical depth within a layer (Clough, Iacono and Moncet 1992, equation 13).
#pragma once

#include "physics/radiation/cloud_tables.hpp"
#include "physics/radiation/gas_optics.hpp"

namespace squall::radiation {

class Longwave {
  public:
    /// Tables must outlive this object. Throws std::runtime_error if their bands are not the same.
    Longwave(const GasTables &gases, const CloudTables &clouds);

    /// Sets the fluxes of a column. `mask`: where its clouds are; of any cover above 0.
    void solve(const Column &column, const CloudMask &mask, Fluxes &fluxes);

  private:
    void set_depths(const Column &column, const CloudMask &mask, int layer);
    void go_down(const Column &column, int layer);

    const GasTables &gases_;
    const CloudTables &clouds_;
    std::vector<real> transmission_, upward_;          ///< (layer, point)
    std::vector<real> depth_, fraction_, radiance_;    ///< by point
    std::vector<real> at_bottom_, at_middle_, at_top_; ///< by band
    std::vector<CloudOptics> of_cloud_;                ///< by band
};

} // namespace squall::radiation
