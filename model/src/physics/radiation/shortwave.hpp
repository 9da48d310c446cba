/// Sunlight in a column: absorbed, scattered by air and clouds, reflected by the ground.
///
/// Layers in two streams are put together from the ground up (adding: Shonk and Hogan 2008, J. Climate
/// 21, 2352-2370, equations 9 to 13).
#pragma once

#include "physics/radiation/cloud_tables.hpp"
#include "physics/radiation/gas_optics.hpp"

namespace squall::radiation {

class Shortwave {
  public:
    /// Tables must outlive this object. Throws std::runtime_error if their bands are not the same.
    Shortwave(const GasTables &gases, const CloudTables &clouds);

    /// Sets the fluxes of a column; zero by night. `mask`: where its clouds are; of any cover above 0.
    void solve(const Column &column, const CloudMask &mask, Fluxes &fluxes);

  private:
    void set_depths(const Column &column, const CloudMask &mask, int layer);
    void go_through(const Column &column, int layer);
    void add_from_below(const Column &column);
    void go_down(const Column &column, Fluxes &fluxes);
    real *row(std::vector<real> &all, int level) {
        return all.data() + std::ptrdiff_t(level) * gases_.points;
    }

    const GasTables &gases_;
    const CloudTables &clouds_;
    std::vector<real> depth_, scattered_, forward_, diffuse_;             ///< by point
    std::vector<real> reflected_, transmitted_, up_source_, down_source_; ///< (layer, point)
    std::vector<real> beam_, albedo_, upward_;                            ///< (interface, point)
    std::vector<CloudOptics> of_cloud_;                                   ///< by band
};

} // namespace squall::radiation
