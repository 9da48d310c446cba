#include "physics/radiation/longwave.hpp"

#include <numbers>
#include <stdexcept>

#include "core/loop.hpp"
#include "physics/radiation/attenuation.hpp"
#include "physics/radiation/spectral_sum.hpp"

namespace squall::radiation {
namespace {

constexpr double diffusivity = 1.66;

} // namespace

Longwave::Longwave(const GasTables &gases, const CloudTables &clouds) : gases_(gases), clouds_(clouds) {
    if (!gases.longwave() || static_cast<int>(gases.bands.size()) != clouds.bands())
        throw std::runtime_error(
            "the tables of gases and clouds for longwave radiation do not belong together");
    for (auto *row : {&depth_, &fraction_, &radiance_}) row->resize(static_cast<std::size_t>(gases.points));
    for (auto *row : {&at_bottom_, &at_middle_, &at_top_}) row->resize(gases.bands.size());
    of_cloud_.resize(gases.bands.size());
}

void Longwave::set_depths(const Column &c, const CloudMask &mask, int k) {
    const auto at = static_cast<std::size_t>(k);
    const Layer &layer = c.layers[at];
    const Air air =
        make_air(layer.pressure, layer.temperature, c.pressure[at] - c.pressure[at + 1], layer.ratios);
    set_gas_depths(gases_, air, {depth_.data(), fraction_.data(), nullptr});
    if (!(layer.cover > 0)) return;
    clouds_.set(layer, false, of_cloud_.data());
    for (std::size_t b = 0; b < gases_.bands.size(); ++b)
        for_each_i(gases_.bands[b].begin, gases_.bands[b].end,
                   [to = depth_.data(), cloudy = mask.row(k),
                    absorbed = of_cloud_[b].depth - of_cloud_[b].scattered](int g) {
                       to[g] += cloudy[g] * absorbed;
                   });
}

/// Through a layer: what it lets through and emits upward is kept for the way up.
void Longwave::go_down(const Column &c, int k) {
    const auto at = static_cast<std::size_t>(k);
    set_planck(gases_, c.temperature[at], at_bottom_.data());
    set_planck(gases_, c.layers[at].temperature, at_middle_.data());
    real *through = transmission_.data() + at * depth_.size(), *upward = upward_.data() + at * depth_.size();
    for (std::size_t b = 0; b < gases_.bands.size(); ++b)
        for_each_i(gases_.bands[b].begin, gases_.bands[b].end,
                   [=, depth = depth_.data(), fraction = fraction_.data(), radiance = radiance_.data(),
                    bottom = double(at_bottom_[b]), middle = double(at_middle_[b]),
                    top = double(at_top_[b])](int g) {
                       const double d = diffusivity * double(depth[g]), e = attenuation(d);
                       const bool thin = d < 0.01;
                       const double slope =
                           thin ? d * (0.5 - d * (1.0 / 3 - d * 0.125)) : (1 - e) / (thin ? 1.0 : d) - e;
                       const double share = double(fraction[g]), emitted = 1 - e;
                       const double down = share * (emitted * bottom + 2 * slope * (middle - bottom));
                       upward[g] = real(share * (emitted * top + 2 * slope * (middle - top)));
                       radiance[g] = real(e * double(radiance[g]) + down);
                       through[g] = real(e);
                   });
    at_top_.swap(at_bottom_); // of the layer below
}

void Longwave::solve(const Column &c, const CloudMask &mask, Fluxes &fluxes) {
    const int n = gases_.points, layers = c.size();
    const auto values = static_cast<std::size_t>(layers) * depth_.size();
    if (transmission_.size() < values) {
        transmission_.resize(values);
        upward_.resize(values);
    }
    fluxes.resize(layers);
    std::fill(radiance_.begin(), radiance_.end(), real(0));
    set_planck(gases_, c.temperature.back(), at_top_.data());
    for (int k = layers - 1; k >= 0; --k) {
        set_depths(c, mask, k);
        go_down(c, k);
        fluxes.down[static_cast<std::size_t>(k)] = std::numbers::pi * spectral_sum(radiance_.data(), n);
    }
    set_planck(gases_, c.ground.temperature, at_bottom_.data());
    for (std::size_t b = 0; b < gases_.bands.size(); ++b)
        for_each_i(gases_.bands[b].begin, gases_.bands[b].end,
                   [radiance = radiance_.data(), fraction = fraction_.data(),
                    emissivity = real(c.ground.emissivity), ground = at_bottom_[b]](int g) {
                       radiance[g] = emissivity * fraction[g] * ground + (1 - emissivity) * radiance[g];
                   });
    fluxes.up[0] = std::numbers::pi * spectral_sum(radiance_.data(), n);
    for (int k = 0; k < layers; ++k) {
        const auto at = static_cast<std::size_t>(k) * depth_.size();
        for_each_i(
            0, n,
            [radiance = radiance_.data(), through = transmission_.data() + at,
             upward = upward_.data() + at](int g) { radiance[g] = through[g] * radiance[g] + upward[g]; });
        fluxes.up[static_cast<std::size_t>(k) + 1] = std::numbers::pi * spectral_sum(radiance_.data(), n);
    }
}

} // namespace squall::radiation
