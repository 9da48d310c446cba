#include "physics/radiation/longwave.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "physics/radiation/attenuation.hpp"
#include "physics/radiation/spectral_sum.hpp"

namespace squall::radiation {
namespace {

constexpr real diffusivity = real(1.66);
/// In quotients of which both parts may vanish.
constexpr real tiny = real(1e-20);

/// Optical depth of a layer's grey cloud; what falls counts by the power 0.75 of its density. One thinner
/// than 0.01 covers only its part of the layer.
real grey_depth(const Column &c, int k) {
    constexpr double of_drops = 0.144, of_crystals = 0.0735, of_flakes = 2.34e-3,
                     of_rain = 0.33e-3; // [m2 g-1]
    const auto at = static_cast<std::size_t>(k);
    const Layer &layer = c.layers[at];
    if (!(layer.cover > 0 || layer.rain > 0)) return 0;
    const double deep = (c.pressure[at] - c.pressure[at + 1]) / double(constants::g) *
                        double(constants::r_d) * layer.temperature / layer.pressure; // [m]
    const auto falling = [deep](double path) { return 1000 * deep * std::pow(path / (1000 * deep), 0.75); };
    const auto mean = [&layer](CloudKind kind) { return layer.cover * layer.cloud[kind].path; };
    const double of_ice = c.longwave_ice ? of_crystals * mean(ice) : 0;
    const double depth =
        of_drops * mean(liquid) + of_ice + of_flakes * falling(mean(snow)) + of_rain * falling(layer.rain);
    return real(depth > 0.01 ? depth : depth * layer.cover);
}

} // namespace

Longwave::Longwave(const GasTables &gases, const CloudTables &clouds, LongwaveClouds kind)
    : gases_(gases), clouds_(clouds), kind_(kind), rows_(gases) {
    if (!gases.longwave() || static_cast<int>(gases.bands.size()) != clouds.bands())
        throw std::runtime_error("the longwave tables of gases and clouds do not match");
    radiance_.resize(static_cast<std::size_t>(gases.points));
    for (auto *row : {&at_bottom_, &at_middle_, &at_top_, &of_cloud_by_point_})
        row->resize(static_cast<std::size_t>(gases.points + overrun));
    of_band_.resize(gases.bands.size());
    of_cloud_.resize(gases.bands.size());
}

void Longwave::add_clouds(const Layer &layer, const real *cloudy, real *depth) {
    clouds_.set(layer, false, of_cloud_.data());
    for (std::size_t b = 0; b < of_band_.size(); ++b) of_band_[b] = of_cloud_[b].absorbed;
    spread(gases_, of_band_.data(), of_cloud_by_point_.data());
    for_each_i(0, gases_.points,
               [=, absorbed = of_cloud_by_point_.data()](int g) { depth[g] += cloudy[g] * absorbed[g]; });
}

/// Thermal radiance of each g-point's band.
void Longwave::set_radiance(double temperature, std::vector<real> &points) {
    set_planck(gases_, temperature, of_band_.data());
    spread(gases_, of_band_.data(), points.data());
}

/// Through a layer: what it lets through and emits upward is kept for the way up.
void Longwave::go_down(const Column &c, int k, const GasDepths &of) {
    const auto at = static_cast<std::size_t>(k);
    set_radiance(c.temperature[at], at_bottom_);
    set_radiance(c.layers[at].temperature, at_middle_);
    for_each_i(0, gases_.points,
               [depth = of.absorption, fraction = of.planck_fraction, radiance = radiance_.data(),
                bottom = at_bottom_.data(), middle = at_middle_.data(), top = at_top_.data(),
                through = transmission_.data() + at * radiance_.size(),
                upward = upward_.data() + at * radiance_.size()](int g) {
                   const real d = diffusivity * depth[g], emitted = lost_in(d), left = 1 - emitted;
                   const real slope = 2 * ((emitted + tiny) / (d + tiny) - left);
                   const real down = fraction[g] * (emitted * bottom[g] + slope * (middle[g] - bottom[g]));
                   upward[g] = fraction[g] * (emitted * top[g] + slope * (middle[g] - top[g]));
                   radiance[g] = left * radiance[g] + down;
                   through[g] = left;
               });
    at_top_.swap(at_bottom_); // of the layer below
}

void Longwave::solve(std::span<const Request> requests) {
    rows_.set(requests);
    for (std::size_t n = 0; n < requests.size(); ++n) solve(requests[n], n);
}

void Longwave::solve(const Request &request, std::size_t number) {
    const Column &c = *request.column;
    Fluxes &fluxes = *request.fluxes;
    const int n = gases_.points, layers = c.size();
    const auto values = static_cast<std::size_t>(layers) * radiance_.size();
    if (transmission_.size() < values) {
        transmission_.resize(values);
        upward_.resize(values);
    }
    fluxes.resize(layers);
    std::fill(radiance_.begin(), radiance_.end(), real(0));
    set_radiance(c.temperature.back(), at_top_);
    for (int k = layers - 1; k >= 0; --k) {
        const Layer &layer = c.layers[static_cast<std::size_t>(k)];
        const GasDepths of = rows_.of(number, k);
        if (kind_ == LongwaveClouds::grey)
            for_each_i(0, n, [depth = of.absorption, grey = grey_depth(c, k)](int g) { depth[g] += grey; });
        else if (layer.cover > 0)
            add_clouds(layer, request.mask->row(k), of.absorption);
        go_down(c, k, of);
        fluxes.down[static_cast<std::size_t>(k)] = std::numbers::pi * spectral_sum(radiance_.data(), n);
    }
    set_radiance(c.ground.temperature, at_bottom_);
    for_each_i(0, n,
               [radiance = radiance_.data(), fraction = rows_.of(number, 0).planck_fraction,
                emissivity = real(c.ground.emissivity), ground = at_bottom_.data()](int g) {
                   radiance[g] = emissivity * fraction[g] * ground[g] + (1 - emissivity) * radiance[g];
               });
    fluxes.up[0] = std::numbers::pi * spectral_sum(radiance_.data(), n);
    for (int k = 0; k < layers; ++k) {
        const auto at = static_cast<std::size_t>(k) * radiance_.size();
        for_each_i(
            0, n,
            [radiance = radiance_.data(), through = transmission_.data() + at,
             upward = upward_.data() + at](int g) { radiance[g] = through[g] * radiance[g] + upward[g]; });
        fluxes.up[static_cast<std::size_t>(k) + 1] = std::numbers::pi * spectral_sum(radiance_.data(), n);
    }
}

} // namespace squall::radiation
