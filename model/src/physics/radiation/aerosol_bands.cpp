#include "physics/radiation/aerosol_bands.hpp"

#include <algorithm>
#include <cstddef>

namespace squall::radiation {
namespace {

/// The tables' band in whose wavelengths the middle of a band of these wavenumbers [cm-1] lies.
std::size_t table_band(const Band &band) {
    const double middle = 2e4 / (band.low + band.high);
    std::size_t b = 0;
    while (b + 1 < aerosol_bands && middle < aerosol_band_ends[b + 1]) ++b;
    return b;
}

/// Between humidity `lower` of the tables and the next.
struct BetweenHumidities {
    std::size_t lower;
    double share; ///< of the next
};

BetweenHumidities humidities_around(double humidity) {
    const auto &all = aerosol_humidities;
    const double within = std::clamp(humidity, all.front(), all.back());
    std::size_t n = 0;
    while (n + 2 < all.size() && within >= all[n + 1]) ++n;
    return {n, (within - all[n]) / (all[n + 1] - all[n])};
}

} // namespace

AerosolBands::AerosolBands(const AerosolOptics &optics, std::span<const Band> bands) {
    const auto type = static_cast<std::size_t>(optics.type);
    for (std::size_t n = 0; n < by_humidity_.size(); ++n)
        for (const Band &band : bands) {
            const std::size_t b = table_band(band);
            by_humidity_[n].push_back({optics.angstrom
                                           ? aerosol_depth_in(band.low, band.high, *optics.angstrom)
                                           : aerosol_depths[type][n][b],
                                       optics.albedo.value_or(aerosol_albedos[type][n][b]),
                                       optics.asymmetry.value_or(aerosol_asymmetries[type][n][b])});
        }
}

void AerosolBands::set(double at_ground, double in_layer, CloudOptics *bands) const {
    const auto mean = [this](const BetweenHumidities &at, std::size_t b, double InBand::*part) {
        const double low = by_humidity_[at.lower][b].*part, high = by_humidity_[at.lower + 1][b].*part;
        return low + at.share * (high - low);
    };
    const BetweenHumidities ground = humidities_around(at_ground), layer = humidities_around(in_layer);
    for (std::size_t b = 0; b < by_humidity_[0].size(); ++b) {
        const double depth = mean(ground, b, &InBand::depth), albedo = mean(layer, b, &InBand::albedo);
        const double asymmetry = mean(layer, b, &InBand::asymmetry), peak = asymmetry * asymmetry;
        bands[b].absorbed = real(depth * (1 - albedo));
        bands[b].scattered = real(depth * albedo * (1 - peak));
        bands[b].forward = real(depth * albedo * (asymmetry - peak));
        bands[b].peak = real(depth * albedo * peak);
    }
}

} // namespace squall::radiation
