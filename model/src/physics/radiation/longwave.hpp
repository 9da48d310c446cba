/// Thermal radiation of a column: emission and absorption, without scattering.
///
/// One slant of the mean path, with diffusivity 1.66 (Elsasser 1942; Fu et al. 1997), and sources linear
/// in optical depth within a layer (Clough, Iacono and Moncet 1992, equation 13).
#pragma once

#include "physics/radiation/cloud_tables.hpp"
#include "physics/radiation/gas_optics.hpp"

namespace squall::radiation {

/// What clouds are like: as in the tables, in subcolumns drawn by their cover; or grey, absorbing by their
/// mean mass alone, as in the RRTM of MM5 and WRF: drops 0.144 m2 g-1 (Stephens 1978), crystals 0.0735,
/// flakes 0.00234, rain 0.00033 (Dudhia 1989, JAS 46, 3077-3107). Those fill their layer, but for the
/// thinnest.
enum class LongwaveClouds { of_tables, grey };

class Longwave {
  public:
    /// Tables must outlive this object. Throws std::runtime_error if their bands are not the same.
    Longwave(const GasTables &gases, const CloudTables &clouds,
             LongwaveClouds kind = LongwaveClouds::of_tables);

    /// Sets the fluxes of columns: of neighbours together, which is faster than of each by itself, and the
    /// same.
    void solve(std::span<const Request> requests);

  private:
    void solve(const Request &request, std::size_t number);
    void add_clouds(const Layer &layer, const real *cloudy, real *depth);
    void set_radiance(double temperature, std::vector<real> &points);
    void go_down(const Column &column, int layer, const GasDepths &of);

    const GasTables &gases_;
    const CloudTables &clouds_;
    LongwaveClouds kind_;
    GasRows rows_;
    std::vector<real> transmission_, upward_; ///< (layer, point)
    std::vector<real> radiance_, at_bottom_, at_middle_, at_top_,
        of_cloud_by_point_;             ///< by point
    std::vector<real> of_band_;         ///< by band
    std::vector<CloudOptics> of_cloud_; ///< by band
};

} // namespace squall::radiation
