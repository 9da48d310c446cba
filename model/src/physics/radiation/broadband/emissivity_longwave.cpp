#include "physics/radiation/broadband/emissivity_longwave.hpp"

#include <cmath>
#include <numbers>

#include "core/loop.hpp"
#include "physics/radiation/attenuation.hpp"
#include "physics/radiation/broadband/quick_log.hpp"

namespace squall::radiation {
namespace {

constexpr double stefan_boltzmann = 5.670374e-8;         ///< [W m-2 K-4]
constexpr double ground_pressure = 101325;               ///< [Pa]
constexpr double molecules = 22414.0 / 28.964e-3 * 1e-4; ///< of dry air: cm at 0 degrees in 1 kg m-2
constexpr double absorption[cloud_kinds] = {0.144, 0.0735, 0.00234}; ///< of cloud [m2 g-1]

/// Flux of a black body [W m-2].
real black(double t) { return real(stefan_boltzmann * t * t * t * t); }

/// 1 - x^c for x up to 1 and positive c, given ln x.
inline real below_one(real log, real c) { return lost_in(std::max(-c * log, real(0))); }

/// a (x + b)^c - a b^c up to x = `end`; from there d log10(x + e) and what makes it go on from there:
/// Sasamori's form for all three gases.
struct Emissivity {
    real a, b, c, end, d, e;
    real log_end = quick_log(end + b),
         at_end = a * std::pow(end + b, c); ///< powers are of (x + b) / (end + b)
    real at_zero = below_one(quick_log(b) - log_end, c);
    real per_log = d * std::numbers::log10e_v<real>;
    real joined = at_end * at_zero - per_log * quick_log(end + e);

    real operator()(real x) const {
        const bool little = x < end;
        const real log = quick_log(x + (little ? b : e));
        const real weak = at_end * (at_zero - below_one(log - log_end, c)), strong = per_log * log + joined;
        return little ? weak : strong;
    }
};

const Emissivity of_vapour{real(0.846), real(3.59e-5), real(0.243), real(0.01), real(0.240), real(0.010)};
const Emissivity of_carbon_dioxide{real(0.0676), real(0.01022), real(0.421), 1, real(0.0546), 0};
const Emissivity of_ozone{real(0.209), real(7e-5), real(0.436), real(0.01), real(0.0212), 0};
constexpr real continuum_absorption = real(0.03); ///< [cm2 g-1]

/// Part of what carbon dioxide takes that vapour has left there: 1.33 - 0.832 (u + 0.0286)^0.26 of vapour u,
/// which is nothing from u + 0.0286 = 6.0753 on.
inline real beside_vapour(real vapour) {
    return real(1.33) * below_one(quick_log((vapour + real(0.0286)) * real(1 / 6.0753379)), real(0.26));
}

/// As clear_transmission(), where copies of the emissivities are at hand.
[[gnu::always_inline]] inline real transmission_of(const Absorbers &path, const Emissivity &vapour,
                                                   const Emissivity &carbon_dioxide,
                                                   const Emissivity &ozone) {
    const real between_lines = lost_in(continuum_absorption * path.continuum);
    const real water = std::min(vapour(path.vapour) + between_lines, real(1));
    const real dioxide = carbon_dioxide(path.carbon_dioxide) * beside_vapour(path.vapour);
    const real all = water + dioxide + ozone(path.ozone) * (1 - water);
    return std::min(std::max(1 - all, real(0)), real(1));
}

} // namespace

real clear_transmission(const Absorbers &path) {
    return transmission_of(path, of_vapour, of_carbon_dioxide, of_ozone);
}

/// Amounts are summed from the top, where they are least.
void EmissivityLongwave::fill(std::span<const Request> batch, int layers) {
    for (Rows<real> *rows : {&vapour_, &continuum_, &carbon_dioxide_, &ozone_, &cloud_, &of_interface_,
                             &from_ground_, &down_, &up_})
        rows->resize(layers + 1);
    of_layer_.resize(layers);
    for (int n = 0; n < lanes; ++n) {
        const Column &c = in_lane(batch, n);
        double vapour = 0, continuum = 0, carbon_dioxide = 0, ozone = 0, cloud = 0;
        of_interface_(layers)[n] = black(c.temperature.back());
        for (int k = layers - 1; k >= 0; --k) {
            const auto at = static_cast<std::size_t>(k);
            const Layer &layer = c.layers[at];
            const double moist = vapour_of(layer), mass = mass_of(c, k);
            const double water = 0.1 * mass * moist, dry = molecules * mass * (1 - moist);
            const double weight = layer.pressure / ground_pressure;
            vapour_(k)[n] = real(vapour += water * weight);
            continuum_(k)[n] = real(continuum += water);
            carbon_dioxide_(k)[n] = real(carbon_dioxide += dry * double(layer.ratios[co2]) * weight);
            ozone_(k)[n] = real(ozone += dry * double(layer.ratios[o3]));
            cloud_(k)[n] = real(cloud += cloud_water(layer, absorption));
            of_layer_(k)[n] = black(layer.temperature);
            of_interface_(k)[n] = black(c.temperature[at]);
        }
    }
    cloudy_ = std::any_of(cloud_(0), cloud_(0) + lanes, [](real depth) { return depth > 0; });
}

/// Between two interfaces, `from` the lower one. All is written into one loop, which only then vectorises.
[[gnu::flatten]] void EmissivityLongwave::set_transmission(int from, int to, real *transmission) const {
    for_each_i(0, lanes,
               [=, u0 = vapour_(from), u1 = vapour_(to), w0 = continuum_(from), w1 = continuum_(to),
                c0 = carbon_dioxide_(from), c1 = carbon_dioxide_(to), o0 = ozone_(from), o1 = ozone_(to),
                vapour = of_vapour, dioxide = of_carbon_dioxide, ozone = of_ozone](int n) {
                   transmission[n] = transmission_of(
                       {u0[n] - u1[n], w0[n] - w1[n], c0[n] - c1[n], o0[n] - o1[n]}, vapour, dioxide, ozone);
               });
    if (!cloudy_) return;
    for_each_i(0, lanes, [=, below = cloud_(from), above = cloud_(to)](int n) {
        transmission[n] *= 1 - lost_in(below[n] - above[n]);
    });
}

/// What interface `from` gets from all layers above it, and all interfaces above it from below `from`: layers
/// as warm as their middle, but those that touch an interface half as warm as it.
void EmissivityLongwave::add_row(int from, int layers) {
    alignas(64) real through[lanes], before[lanes];
    std::fill_n(before, lanes, real(1));
    for (int to = from + 1; to <= layers; ++to) {
        set_transmission(from, to, through);
        for_each_i(0, lanes, [=, &through, &before, down = down_(from), layer = of_layer_(to - 1)](int n) {
            down[n] += (before[n] - through[n]) * layer[n];
            before[n] = through[n];
        });
        if (from > 0) // the layer below `from` shines through, the one above it does not
            for_each_i(0, lanes,
                       [=, &through, up = up_(to), below = of_layer_(from - 1),
                        above = of_layer_(from)](int n) { up[n] += through[n] * (below[n] - above[n]); });
        else
            std::copy_n(through, lanes, from_ground_(to));
        if (to == from + 1)
            for_each_i(0, lanes,
                       [=, &through, down = down_(from), up = up_(to), layer = of_layer_(from),
                        lower = of_interface_(from), upper = of_interface_(to)](int n) {
                           const real half = real(0.5) * (1 - through[n]);
                           down[n] += half * (lower[n] - layer[n]);
                           up[n] += half * (upper[n] - layer[n]);
                       });
    }
}

void EmissivityLongwave::solve(std::span<const Request> batch, int layers) {
    fill(batch, layers);
    for (int from = 0; from < layers; ++from) add_row(from, layers);
    for (std::size_t n = 0; n < batch.size(); ++n) {
        const Column &c = *batch[n].column;
        Fluxes &f = *batch[n].fluxes;
        f.resize(layers);
        const double e = c.ground.emissivity;
        f.down[0] = double(down_(0)[n]);
        f.up[0] = e * double(black(c.ground.temperature)) + (1 - e) * f.down[0];
        for (int k = 1; k <= layers; ++k) {
            const auto at = static_cast<std::size_t>(k);
            f.up[at] = double(up_(k)[n]) + double(of_layer_(k - 1)[n]) +
                       double(from_ground_(k)[n]) * (f.up[0] - double(of_layer_(0)[n]));
            f.down[at] = double(down_(k)[n]);
        }
    }
}

void EmissivityLongwave::solve(std::span<const Request> requests) {
    for_each_batch(requests, [this](std::span<const Request> batch, int layers) { solve(batch, layers); });
}

} // namespace squall::radiation
