#include "physics/radiation/shortwave.hpp"

#include <stdexcept>

#include "core/loop.hpp"
#include "physics/radiation/spectral_sum.hpp"
#include "physics/radiation/two_stream.hpp"

namespace squall::radiation {
namespace {

/// The zenith angle of the beam stays off the horizon.
constexpr real least_cosine = real(1e-4);

} // namespace

Shortwave::Shortwave(const GasTables &gases, const CloudTables &clouds)
    : gases_(gases), clouds_(clouds), rows_(gases) {
    if (gases.longwave() || static_cast<int>(gases.bands.size()) != clouds.bands())
        throw std::runtime_error("the shortwave tables of gases and clouds do not match");
    const auto room = static_cast<std::size_t>(gases.points + overrun);
    for (auto *r : {&asymmetry_, &diffuse_, &peak_}) r->resize(room);
    for (auto &r : of_cloud_) r.resize(room);
    of_band_.resize(gases.bands.size());
    in_band_.resize(gases.bands.size());
}

void Shortwave::set_aerosol(const AerosolOptics &optics) {
    if (aerosol_bands_ && optics == aerosol_) return;
    aerosol_ = optics;
    aerosol_bands_.emplace(optics, gases_.bands);
}

void Shortwave::add_aerosol(const Column &c, const Layer &layer, const GasDepths &to) {
    const double humidity = c.aerosol.by_layer ? layer.humidity : c.layers.front().humidity;
    aerosol_bands_->set(humidity, layer.humidity, in_band_.data());
    for (std::size_t b = 0; b < in_band_.size(); ++b)
        for_each_i(gases_.bands[b].begin, gases_.bands[b].end,
                   [absorbed = to.absorption, scattered = to.scattering, forward = asymmetry_.data(),
                    peak = peak_.data(), of = in_band_[b], depth = real(layer.aerosol)](int g) {
                       absorbed[g] += depth * of.absorbed;
                       scattered[g] += depth * of.scattered;
                       forward[g] += depth * of.forward;
                       peak[g] += depth * of.peak;
                   });
}

void Shortwave::add_clouds(const Layer &layer, const real *cloudy, const GasDepths &to) {
    clouds_.set(layer, true, in_band_.data());
    const std::array<real CloudOptics::*, 4> parts{&CloudOptics::absorbed, &CloudOptics::scattered,
                                                   &CloudOptics::forward, &CloudOptics::peak};
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (std::size_t b = 0; b < of_band_.size(); ++b) of_band_[b] = in_band_[b].*parts[part];
        spread(gases_, of_band_.data(), of_cloud_[part].data());
    }
    for_each_i(0, gases_.points,
               [=, absorbed = to.absorption, scattered = to.scattering, forward = asymmetry_.data(),
                peak = peak_.data(), of_absorbed = of_cloud_[0].data(), of_scattered = of_cloud_[1].data(),
                of_forward = of_cloud_[2].data(), of_peak = of_cloud_[3].data()](int g) {
                   absorbed[g] += cloudy[g] * of_absorbed[g];
                   scattered[g] += cloudy[g] * of_scattered[g];
                   forward[g] += cloudy[g] * of_forward[g];
                   peak[g] += cloudy[g] * of_peak[g];
               });
}

/// The beam at an interface less what was scattered closely forward on the way, which stays in that of the
/// solution.
double Shortwave::true_beam(int interface, double cosine) {
    for_each_i(0, gases_.points,
               [beam = row(beam_, interface), peak = peak_.data(), left = diffuse_.data(),
                slant = 1 / std::max(real(cosine), least_cosine)](int g) {
                   left[g] = beam[g] - beam[g] * lost_in(peak[g] * slant);
               });
    return spectral_sum(diffuse_.data(), gases_.points);
}

/// The beam from the top of a layer to its bottom, and what becomes of it and of diffuse light there.
/// `asymmetry`(g-point): of scattering in the layer.
template <class Asymmetry>
void Shortwave::go_through(const Column &c, int k, const GasDepths &of, Asymmetry asymmetry) {
    for_each_i(0, gases_.points,
               [absorbed = of.absorption, scattered = of.scattering, asymmetry,
                reflected = row(reflected_, k), transmitted = row(transmitted_, k), up = row(up_source_, k),
                down = row(down_source_, k), above = row(beam_, k + 1), below = row(beam_, k),
                cosine = std::max(real(c.sun.cosine), least_cosine)](int g) {
                   const LayerOfLight light = two_stream(absorbed[g], scattered[g], asymmetry(g), cosine);
                   const real beam = above[g];
                   reflected[g] = light.reflected;
                   transmitted[g] = light.transmitted;
                   up[g] = light.beam_reflected * beam;
                   down[g] = light.beam_diffuse * beam;
                   below[g] = light.beam * beam;
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
    fluxes.down[static_cast<std::size_t>(top)] = spectral_sum(row(beam_, top), n);
    for (int k = top - 1; k >= 0; --k) {
        for_each_i(0, n,
                   [r = row(reflected_, k), t = row(transmitted_, k), down = row(down_source_, k),
                    albedo = row(albedo_, k), upward = row(upward_, k), diffuse = diffuse_.data()](int g) {
                       diffuse[g] = (t[g] * diffuse[g] + r[g] * upward[g] + down[g]) / (1 - r[g] * albedo[g]);
                       upward[g] += diffuse[g] * albedo[g];
                   });
        const auto at = static_cast<std::size_t>(k);
        fluxes.up[at] = spectral_sum(row(upward_, k), n);
        fluxes.down[at] = spectral_sum(row(beam_, k), n) + spectral_sum(diffuse_.data(), n);
    }
}

void Shortwave::solve(std::span<const Request> requests) {
    by_day_.clear();
    for (const Request &r : requests) {
        r.fluxes->resize(r.column->size());
        if (r.column->sun.cosine > 0) by_day_.push_back(r);
    }
    rows_.set(by_day_);
    for (std::size_t n = 0; n < by_day_.size(); ++n) solve(by_day_[n], n);
}

void Shortwave::solve(const Request &request, std::size_t number) {
    const Column &c = *request.column;
    const auto layers = static_cast<std::size_t>(c.size());
    if (const auto values = layers * static_cast<std::size_t>(gases_.points); reflected_.size() < values) {
        for (auto *all : {&reflected_, &transmitted_, &up_source_, &down_source_}) all->resize(values);
        for (auto *all : {&beam_, &albedo_, &upward_})
            all->resize(values + static_cast<std::size_t>(gases_.points));
    }
    for_each_i(0, gases_.points,
               [beam = row(beam_, c.size()), of_sun = gases_.sunlight.data(),
                scale = real(c.sun.cosine * c.sun.irradiance / gases_.irradiance)](int g) {
                   beam[g] = of_sun[g] * scale;
               });
    Fluxes &fluxes = *request.fluxes;
    fluxes.direct.back() = spectral_sum(row(beam_, c.size()), gases_.points);
    set_aerosol(c.aerosol);
    std::fill(peak_.begin(), peak_.end(), real(0));
    bool narrowed = false;
    for (int k = c.size() - 1; k >= 0; --k) {
        const Layer &layer = c.layers[static_cast<std::size_t>(k)];
        const GasDepths of = rows_.of(number, k);
        if (layer.cover > 0 || layer.aerosol > 0) {
            narrowed = true;
            std::fill(asymmetry_.begin(), asymmetry_.end(), real(0));
            if (layer.aerosol > 0) add_aerosol(c, layer, of);
            if (layer.cover > 0) add_clouds(layer, request.mask->row(k), of);
            go_through(c, k, of, [forward = asymmetry_.data(), scattered = of.scattering](int g) {
                return forward[g] / std::max(scattered[g], real(1e-30));
            });
        } else { // air scatters as much forward as backward
            go_through(c, k, of, [](int) { return real(0); });
        }
        fluxes.direct[static_cast<std::size_t>(k)] =
            narrowed ? true_beam(k, c.sun.cosine) : spectral_sum(row(beam_, k), gases_.points);
    }
    add_from_below(c);
    go_down(c, fluxes);
}

} // namespace squall::radiation
