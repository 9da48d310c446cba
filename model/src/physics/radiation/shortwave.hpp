/// Sunlight in a column: absorbed, scattered by air and clouds, reflected by the ground.
///
/// Layers in two streams are put together from the ground up (adding: Shonk and Hogan 2008, J. Climate
/// 21, 2352-2370, equations 9 to 13).
#pragma once

#include <optional>

#include "physics/radiation/aerosol_bands.hpp"
#include "physics/radiation/cloud_tables.hpp"
#include "physics/radiation/gas_optics.hpp"

namespace squall::radiation {

class Shortwave {
  public:
    /// Tables must outlive this object. Throws std::runtime_error if their bands are not the same.
    Shortwave(const GasTables &gases, const CloudTables &clouds);

    /// Sets the fluxes of columns; zero by night, where a mask is not needed. Of neighbours together, which
    /// is faster than of each by itself, and the same.
    void solve(std::span<const Request> requests);

  private:
    void solve(const Request &request, std::size_t number);
    void set_aerosol(const AerosolOptics &optics);
    void add_aerosol(const Column &column, const Layer &layer, const GasDepths &to);
    void add_clouds(const Layer &layer, const real *cloudy, const GasDepths &to);
    double true_beam(int interface, double cosine);
    template <class Asymmetry>
    void go_through(const Column &column, int layer, const GasDepths &of, Asymmetry asymmetry);
    void add_from_below(const Column &column);
    void go_down(const Column &column, Fluxes &fluxes);
    real *row(std::vector<real> &all, int level) {
        return all.data() + std::ptrdiff_t(level) * gases_.points;
    }

    const GasTables &gases_;
    const CloudTables &clouds_;
    GasRows rows_;
    std::vector<Request> by_day_;
    std::vector<real> asymmetry_,
        diffuse_;            ///< by point; of a layer the former holds scattered times asymmetry
    std::vector<real> peak_; ///< by point: depth so far that the beam was spared (two_stream)
    std::array<std::vector<real>, 4> of_cloud_; ///< by point: absorbed, scattered, forward, peak
    AerosolOptics aerosol_;
    std::optional<AerosolBands> aerosol_bands_;                           ///< of that
    std::vector<real> reflected_, transmitted_, up_source_, down_source_; ///< (layer, point)
    std::vector<real> beam_, albedo_, upward_;                            ///< (interface, point)
    std::vector<real> of_band_;                                           ///< by band
    std::vector<CloudOptics> in_band_;                                    ///< by band
};

} // namespace squall::radiation
