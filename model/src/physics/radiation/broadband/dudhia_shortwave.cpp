#include "physics/radiation/broadband/dudhia_shortwave.hpp"

#include "core/elementary.hpp"
#include "core/loop.hpp"

namespace squall::radiation {
namespace {

/// [m2 kg-1]
constexpr double scattering = 1e-5;
/// A drop's weight as cloud is 1; of crystals and flakes (large, so that they shade little for their mass).
constexpr double weights[cloud_kinds] = {1, 0.1, 0.02};
constexpr double weight_of_rain = 0.05; ///< and of graupel
/// What a layer leaves of the light at least, of 1.
constexpr double left_at_least = 0.01;
/// The sun is not lower than this where paths are divided by it.
constexpr double least_cosine = 1e-9;

/// Albedo and absorptivity of cloud: by log10(1 + water on the slanted path [g m-2]) = 0, 1, ..., 4 and by
/// the cosine of the zenith angle.
constexpr int decades = 5, heights = 4;
constexpr double cosines[heights] = {0, 0.2, 0.5, 1};
constexpr double albedos[decades][heights] = {{0, 0, 0, 0},
                                              {0.69, 0.58, 0.40, 0.15},
                                              {0.90, 0.80, 0.70, 0.60},
                                              {0.94, 0.90, 0.82, 0.78},
                                              {0.96, 0.92, 0.85, 0.80}};
constexpr double absorptivities[decades][heights] = {{0, 0, 0, 0},
                                                     {0, 0.025, 0.04, 0.05},
                                                     {0, 0.026, 0.07, 0.10},
                                                     {0, 0.033, 0.10, 0.14},
                                                     {0, 0.037, 0.10, 0.15}};

/// Rows of what is summed from the top down.
enum Sums {
    cosine,
    at_top,
    vapour_above, ///< on the vertical path [g cm-2]
    water_above,  ///< likewise [g m-2]
    by_vapour,    ///< absorbed there, of all light
    cloud_albedo,
    cloud_absorbed,
    lost_to_cloud, ///< [W m-2], as are those below
    lost_to_air,
    lost_to_vapour,
    sums
};

double between(const double (&of_height)[heights], double at) {
    int n = 0;
    while (n < heights - 2 && at > cosines[n + 1]) ++n;
    const double w = (at - cosines[n]) / (cosines[n + 1] - cosines[n]);
    return (1 - w) * of_height[n] + w * of_height[n + 1];
}

/// Piecewise linear between the decades.
double by_decade(const Rows<double> &table, int lane, double decade) {
    double value = table(0)[lane];
    for (int n = 0; n + 1 < decades; ++n)
        value += (table(n + 1)[lane] - table(n)[lane]) * std::min(std::max(decade - n, 0.0), 1.0);
    return value;
}

double power_of(double x, double exponent) { return detail::exponential(exponent * detail::logarithm(x)); }

/// Of all light, absorbed by so much vapour [g cm-2].
double absorbed_by_vapour(double y) { return 2.9 * y / (power_of(1 + 141.5 * y, 0.635) + 5.925 * y); }

/// Of sunlight at the ground that is `clearness` of that at the top, what comes from the sky and not straight
/// from the sun (Erbs, Klein and Duffie 1982, Solar Energy 28, 293-302).
double diffuse_share(double clearness) {
    const double k = clearness;
    if (k <= 0.22) return 1 - 0.09 * k;
    if (k > 0.8) return 0.165;
    return 0.9511 + k * (-0.1604 + k * (4.388 + k * (-16.638 + k * 12.336)));
}

} // namespace

void DudhiaShortwave::fill(std::span<const Request> batch, int layers) {
    for (Rows<double> *rows : {&vapour_, &air_, &water_, &returned_}) rows->resize(layers);
    down_.resize(layers + 1);
    sum_.resize(sums);
    for (Rows<double> *rows : {&albedo_, &absorptivity_}) rows->resize(decades);
    for (int n = 0; n < lanes; ++n) {
        const Column &c = in_lane(batch, n);
        const double at = std::clamp(c.sun.cosine, 0.0, 1.0);
        sum_(cosine)[n] = std::max(at, least_cosine);
        down_(layers)[n] = sum_(at_top)[n] = at * c.sun.irradiance;
        for (int d = 0; d < decades; ++d) {
            albedo_(d)[n] = between(albedos[d], at);
            absorptivity_(d)[n] = between(absorptivities[d], at);
        }
        for (int k = 0; k < layers; ++k) {
            const Layer &layer = c.layers[static_cast<std::size_t>(k)];
            if (k >= layers - c.above) continue; // all rows begin as zero
            air_(k)[n] = mass_of(c, k);
            vapour_(k)[n] = 0.1 * air_(k)[n] * vapour_of(layer);
            water_(k)[n] = cloud_water(layer, weights) + weight_of_rain * (layer.rain + layer.graupel);
        }
    }
}

/// Through a layer. All is written into one loop, which only then vectorises.
[[gnu::flatten]] void DudhiaShortwave::go_down(int k) {
    for_each_i(0, lanes, [this, k](int n) {
        const auto sum = [&](Sums which) -> double & { return sum_(which)[n]; };
        const double above = down_(k + 1)[n], slant = 1 / sum(cosine), top = sum(at_top);
        sum(vapour_above) += vapour_(k)[n];
        sum(water_above) += water_(k)[n];
        const double vapour = absorbed_by_vapour(sum(vapour_above) * slant);
        const double decade = detail::logarithm(1 + sum(water_above) * slant) * 0.43429448190325182; // log10
        const double reflected = by_decade(albedo_, n, decade);
        const double absorbed = by_decade(absorptivity_, n, decade);
        // A layer takes what the path down to its bottom takes more than that to its top.
        const double clear = top - sum(lost_to_air) - sum(lost_to_vapour);
        const double beside_cloud = top - sum(lost_to_cloud) - sum(lost_to_air);
        const double into_vapour = std::max((vapour - sum(by_vapour)) * beside_cloud, 0.0);
        const double back = std::max(reflected - sum(cloud_albedo), 0.0) * clear;
        const double into_cloud = std::max(absorbed - sum(cloud_absorbed), 0.0) * clear;
        const double into_sky = std::min(scattering * air_(k)[n] * slant, 1.0) * above;
        const double all = into_vapour + back + into_cloud + into_sky, most = (1 - left_at_least) * above;
        const double share = all > most ? most / all : 1.0;
        sum(by_vapour) = vapour;
        sum(cloud_albedo) = reflected;
        sum(cloud_absorbed) = absorbed;
        sum(lost_to_cloud) += share * (back + into_cloud);
        sum(lost_to_air) += share * into_sky;
        sum(lost_to_vapour) += share * into_vapour;
        returned_(k)[n] = share * (back + into_sky);
        down_(k)[n] = above - share * all;
    });
}

void DudhiaShortwave::solve(std::span<const Request> batch, int layers) {
    const auto night = [](const Request &r) { return !(r.column->sun.cosine > 0); };
    for (const Request &r : batch) r.fluxes->resize(layers);
    if (std::ranges::all_of(batch, night)) return;
    fill(batch, layers);
    for (int k = layers - 1; k >= 0; --k) go_down(k);
    for (std::size_t n = 0; n < batch.size(); ++n) {
        if (night(batch[n])) continue;
        Fluxes &f = *batch[n].fluxes;
        f.down[0] = down_(0)[n];
        f.direct[0] = f.down[0] * (1 - diffuse_share(f.down[0] / down_(layers)[n]));
        f.up[0] = batch[n].column->ground.albedo * f.down[0];
        for (int k = 0; k < layers; ++k) {
            const auto above = static_cast<std::size_t>(k) + 1;
            f.down[above] = down_(k + 1)[n];
            f.up[above] = f.up[above - 1] + returned_(k)[n];
        }
    }
}

void DudhiaShortwave::solve(std::span<const Request> requests) {
    for_each_batch(requests, [this](std::span<const Request> batch, int layers) { solve(batch, layers); });
}

} // namespace squall::radiation
