#include "physics/kessler/reactions.hpp"

#include <algorithm>

#include "core/constants.hpp"
#include "core/elementary.hpp"
#include "core/loop.hpp"

namespace squall {
namespace {

// Two heat capacities, as in WRF: 1004 in the latent heating, R 7/2 in the adjustment.
constexpr real heat_capacity = 1004, latent_heat = real(2.5e6);
constexpr real exner_exponent = heat_capacity / 287;

constexpr real autoconversion_rate = real(0.001);      ///< [s-1]
constexpr real autoconversion_threshold = real(0.001); ///< [kg kg-1]
constexpr real accretion_rate = real(2.2);             ///< [s-1]

// Saturation over water (Bolton 1980, equation 10).
constexpr real svp1 = real(0.6112), svp2 = real(17.67), svp3 = real(29.65), svp_t0 = real(273.15);
constexpr real slope = svp2 * (svp_t0 - svp3) * latent_heat / constants::c_p;
constexpr real epsilon = constants::r_d / constants::r_v;

struct Air {
    real pressure, excess_per_vapour, saturation;
};

inline Air saturated_air(real exner, real theta) {
    const real temperature = exner * theta;
    const real p = real(1.0e5) * power(exner, exner_exponent);
    const real es = 1000 * svp1 * exponential(svp2 * (temperature - svp_t0) / (temperature - svp3));
    const real qs = epsilon * es / (p - es);
    const real distance = temperature - svp3;
    return {p, 1 + p / (p - es) * qs * slope / (distance * distance), qs};
}

/// Cloud that becomes rain in dt [kg kg-1]; accretion implicitly, so that it cannot exceed the cloud.
inline real collected(real cloud, real rain, real dt) {
    const real kept = 1 / (1 + accretion_rate * dt * power(rain, real(0.875)));
    return cloud * (1 - kept) +
           kept * autoconversion_rate * dt * std::max(cloud - autoconversion_threshold, real(0));
}

/// Rain that the ventilated drops lose to subsaturated air in dt [kg kg-1], without limits.
inline real evaporated(const Air &air, real vapour, real rain, real density, real dt) {
    const real rcgs = real(0.001) * density;
    const real grams = rcgs * rain;
    const real ventilation =
        (real(1.6) + real(124.9) * power(grams, real(0.2046))) * power(grams, real(0.525));
    const real resistance = real(2.55e8) / (air.pressure * air.saturation) + real(5.4e5);
    return dt * (ventilation / resistance) *
           (std::max(air.saturation - vapour, real(0)) / (rcgs * air.saturation));
}

struct WarmPoint {
    real theta, vapour, cloud, rain;
};

/// Raining: there is rain or will be. Without it the result is the same, but for the time it takes.
template <bool Raining> inline WarmPoint react(WarmPoint q, real fallen, real exner, real density, real dt) {
    const real production = Raining ? collected(q.cloud, q.rain, dt) : real(0);
    q.cloud = std::max(q.cloud - production, real(0));
    q.rain = (q.rain + fallen) - q.rain; // rounds as WRF does
    q.rain = std::max(q.rain + production, real(0));

    const Air air = saturated_air(exner, q.theta);
    const real excess = (q.vapour - air.saturation) / air.excess_per_vapour;
    const real thirst = std::max(-excess - q.cloud, real(0)); // once the cloud is gone
    const real evaporation =
        Raining ? std::min(std::min(evaporated(air, q.vapour, q.rain, density, dt), thirst), q.rain)
                : real(0);
    const real condensation = std::max(excess, -q.cloud);

    q.theta += latent_heat / (heat_capacity * exner) * (condensation - evaporation);
    q.vapour = std::max(q.vapour - condensation + evaporation, real(0));
    q.cloud += condensation;
    q.rain -= evaporation;
    return q;
}

template <bool Raining> void react_layer(const MoistColumns &c, ConstColumns fallen, int k) {
    for_each_i(
        0, c.n,
        [theta = c.theta.row(k), vapour = c.vapour.row(k), cloud = c.cloud.row(k), rain = c.rain.row(k),
         fallen = fallen.row(k), exner = c.exner.row(k), density = c.density.row(k), dt = c.dt](int i) {
            const WarmPoint q =
                react<Raining>({theta[i], vapour[i], cloud[i], rain[i]}, fallen[i], exner[i], density[i], dt);
            theta[i] = q.theta;
            vapour[i] = q.vapour;
            cloud[i] = q.cloud;
            rain[i] = q.rain;
        });
}

bool raining(const MoistColumns &c, ConstColumns fallen, int k) {
    real most = 0;
    for (int i = 0; i < c.n; ++i)
        most = std::max({most, c.rain(i, k), fallen(i, k), c.cloud(i, k) - autoconversion_threshold});
    return most > 0;
}

} // namespace

void react_warm(const MoistColumns &c, ConstColumns fallen) {
    for (int k = 0; k < c.nz; ++k) {
        if (raining(c, fallen, k))
            react_layer<true>(c, fallen, k);
        else
            react_layer<false>(c, fallen, k);
    }
}

} // namespace squall
