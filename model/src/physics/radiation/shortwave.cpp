#include "physics/radiation/shortwave.hpp"

#include <stdexcept>

#include "core/loop.hpp"
#include "physics/radiation/spectral_sum.hpp"
#include "physics/radiation/two_stream.hpp"

namespace squall::radiation {
namespace {

/// The zenith angle of the beam stays off the horizon.
constexpr double least_cosine = 1e-4;

} // namespace

Shortwave::Shortwave(const GasTables &gases, const CloudTables &clouds) : gases_(gases), clouds_(clouds) {
    if (gases.longwave() || static_cast<int>(gases.bands.size()) != clouds.bands())
        throw std::runtime_error(
            "the tables of gases and clouds for shortwave radiation do not belong together");
    for (auto *r : {&depth_, &scattered_, &forward_, &diffuse_})
        r->resize(static_cast<std::size_t>(gases.points));
    of_cloud_.resize(gases.bands.size());
}

void Shortwave::set_depths(const Column &c, const CloudMask &mask, int k) {
    const auto at = static_cast<std::size_t>(k);
    const Layer &layer = c.layers[at];
    const Air air =
        make_air(layer.pressure, layer.temperature, c.pressure[at] - c.pressure[at + 1], layer.ratios);
    set_gas_depths(gases_, air, {depth_.data(), nullptr, scattered_.data()});
    for_each_i(0, gases_.points,
               [depth = depth_.data(), scattered = scattered_.data(), forward = forward_.data()](int g) {
                   depth[g] += scattered[g];
                   forward[g] = 0;
               });
    if (!(layer.cover > 0)) return;
    clouds_.set(layer, true, of_cloud_.data());
    for (std::size_t b = 0; b < gases_.bands.size(); ++b)
        for_each_i(gases_.bands[b].begin, gases_.bands[b].end,
                   [depth = depth_.data(), scattered = scattered_.data(), forward = forward_.data(),
                    cloudy = mask.row(k), cloud = of_cloud_[b]](int g) {
                       depth[g] += cloudy[g] * cloud.depth;
                       scattered[g] += cloudy[g] * cloud.scattered;
                       forward[g] += cloudy[g] * cloud.forward;
                   });
}

/// The beam from the top of a layer to its bottom, and what becomes of it and of diffuse light there.
void Shortwave::go_through(const Column &c, int k) {
    for_each_i(0, gases_.points,
               [depth = depth_.data(), scattered = scattered_.data(), forward = forward_.data(),
                reflected = row(reflected_, k), transmitted = row(transmitted_, k), up = row(up_source_, k),
                down = row(down_source_, k), above = row(beam_, k + 1), below = row(beam_, k),
                cosine = std::max(c.sun.cosine, least_cosine)](int g) {
                   const double s = double(scattered[g]), all = std::max(double(depth[g]), 1e-30);
                   const LayerOfLight light =
                       two_stream(all, s / all, double(forward[g]) / std::max(s, 1e-30), cosine);
                   const double beam = double(above[g]);
                   reflected[g] = real(light.reflected);
                   transmitted[g] = real(light.transmitted);
                   up[g] = real(light.beam_reflected * beam);
                   down[g] = real(light.beam_diffuse * beam);
                   below[g] = real(light.beam * beam);
               });
}

/// Albedo of all that lies below an interface, and what comes up from there without light from above.
void Shortwave::add_from_below(const Column &c) {
    for_each_i(0, gases_.points,
               [albedo = row(albedo_, 0), upward = row(upward_, 0), beam = row(beam_, 0),
                ground = real(c.ground.albedo)](int g) {
                   albedo[g] = ground;
                   upward[g] = ground * beam[g];
               });
    for (int k = 0; k < c.size(); ++k)
        for_each_i(0, gases_.points,
                   [r = row(reflected_, k), t = row(transmitted_, k), up = row(up_source_, k),
                    down = row(down_source_, k), albedo = row(albedo_, k), upward = row(upward_, k),
                    albedo_above = row(albedo_, k + 1), upward_above = row(upward_, k + 1)](int g) {
                       const real again = t[g] / (1 - r[g] * albedo[g]); // after all reflections between
                       albedo_above[g] = r[g] + t[g] * again * albedo[g];
                       upward_above[g] = up[g] + again * (upward[g] + albedo[g] * down[g]);
                   });
}

void Shortwave::go_down(const Column &c, Fluxes &fluxes) {
    const int n = gases_.points, top = c.size();
    std::fill(diffuse_.begin(), diffuse_.end(), real(0));
    fluxes.up[static_cast<std::size_t>(top)] = spectral_sum(row(upward_, top), n);
    fluxes.down[static_cast<std::size_t>(top)] = fluxes.direct[static_cast<std::size_t>(top)] =
        spectral_sum(row(beam_, top), n);
    for (int k = top - 1; k >= 0; --k) {
        for_each_i(0, n,
                   [r = row(reflected_, k), t = row(transmitted_, k), down = row(down_source_, k),
                    albedo = row(albedo_, k), upward = row(upward_, k), diffuse = diffuse_.data()](int g) {
                       diffuse[g] = (t[g] * diffuse[g] + r[g] * upward[g] + down[g]) / (1 - r[g] * albedo[g]);
                       upward[g] += diffuse[g] * albedo[g];
                   });
        const auto at = static_cast<std::size_t>(k);
        fluxes.up[at] = spectral_sum(row(upward_, k), n);
        fluxes.direct[at] = spectral_sum(row(beam_, k), n);
        fluxes.down[at] = fluxes.direct[at] + spectral_sum(diffuse_.data(), n);
    }
}

void Shortwave::solve(const Column &c, const CloudMask &mask, Fluxes &fluxes) {
    const auto layers = static_cast<std::size_t>(c.size());
    fluxes.resize(c.size());
    if (!(c.sun.cosine > 0)) return;
    if (const auto values = layers * depth_.size(); reflected_.size() < values) {
        for (auto *all : {&reflected_, &transmitted_, &up_source_, &down_source_}) all->resize(values);
        for (auto *all : {&beam_, &albedo_, &upward_}) all->resize(values + depth_.size());
    }
    for_each_i(0, gases_.points,
               [beam = row(beam_, c.size()), of_sun = gases_.sunlight.data(),
                scale = real(c.sun.cosine * c.sun.irradiance / gases_.irradiance)](int g) {
                   beam[g] = of_sun[g] * scale;
               });
    for (int k = c.size() - 1; k >= 0; --k) {
        set_depths(c, mask, k);
        go_through(c, k);
    }
    add_from_below(c);
    go_down(c, fluxes);
}

} // namespace squall::radiation
