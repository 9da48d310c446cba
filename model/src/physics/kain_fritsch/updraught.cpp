#include <algorithm>
#include <cmath>

#include "physics/kain_fritsch/draughts.hpp"

namespace squall::kain_fritsch {
namespace {

constexpr real source_depth = 5000;                                       // [Pa]
constexpr real freezing_begins = real(268.16), all_frozen = real(248.16); // [K]
constexpr real conversion = real(0.03); // of condensate to precipitation [s-1]

/// Mass of updraught that mixes with its surroundings where it stays warmer than they are, and that where
/// not: equations 3 to 5 of Kain and Fritsch (1990), for the share of surroundings that is neither. Both over
/// the mass that comes in.
struct Mixing {
    real entrained, detrained;
};

/// Integrals over a Gaussian of mixtures, its tails by Abramowitz and Stegun's 26.2.16.
Mixing of_gaussian(real neutral) {
    constexpr real root = real(2.506628), sigma = real(0.166666667), all = real(0.202765151);
    const real y = 6 * neutral - 3, here = std::exp(-y * y / 2), end = std::exp(real(-4.5));
    const auto tail = [](real t) {
        return t * (real(0.4361836) + t * (real(-0.1201676) + t * real(0.9372980)));
    };
    const real far = tail(real(0.500498)), near = tail(1 / (1 + real(0.33267) * std::abs(y)));
    const real most = sigma * (real(0.5) * (root - end * far - here * near) + sigma * (end - here));
    const real least = sigma * (real(0.5) * (here * near - end * far) + sigma * (end - here));
    const real in = end * neutral * neutral / 2;
    const real out = end * (real(0.5) + neutral * neutral / 2 - neutral);
    return y >= 0 ? Mixing{(most - in) / all, (least - out) / all}
                  : Mixing{(least - in) / all, (most - out) / all};
}

/// Density temperature of a mixture with this share of surroundings.
real mixed(const Sounding &air, int k, real share, real theta_e, const Parcel &parcel) {
    const real rest = 1 - share;
    Parcel mixture{parcel.temperature, share * air.vapour[at(k)] + rest * parcel.vapour, rest * parcel.liquid,
                   rest * parcel.ice};
    saturate(air.pressure[at(k)], share * air.theta_e[at(k)] + rest * theta_e, mixture);
    return mixture.density_temperature();
}

Mixing mixing(const Sounding &air, int k, real theta_e, const Parcel &parcel) {
    const real around = air.density_temperature[at(k)], within = parcel.density_temperature();
    if (within <= around) return {real(0.5), 1};
    if (mixed(air, k, real(0.95), theta_e, parcel) > around) return {1, 0};
    const real tenth = mixed(air, k, real(0.1), theta_e, parcel);
    if (std::abs(tenth - within) < real(1e-3)) return {1, 0};
    const real neutral = std::clamp((around - within) * real(0.1) / (tenth - within), real(0), real(1));
    if (neutral == 1) return {1, 0};
    if (neutral == 0) return {0, 1};
    return of_gaussian(neutral);
}

/// Between layers k - 1 and k.
real between(const Profile &f, int k, real share) { return f[at(k - 1)] + (f[at(k)] - f[at(k - 1)]) * share; }

/// What a layer's passage does to the square of the speed, and what falls out on the way: Ogura and Cho
/// (1973), equation 9 of Kain and Fritsch (1990).
struct Passage {
    real thickness, buoyancy, entrainment;
};

void let_fall(const Passage &p, real new_liquid, real new_ice, Parcel &parcel, real &speed2, real &liquid_out,
              real &ice_out) {
    const real fresh = new_liquid + new_ice, held = parcel.liquid + parcel.ice;
    const real load = 2 * gravity * p.thickness / real(1.5);
    const real guess =
        std::max(speed2 + p.buoyancy - p.entrainment - load * real(0.5) * (held + fresh), real(0));
    const real speed = real(0.5) * (std::sqrt(speed2) + std::sqrt(guess));
    const real of_fresh = new_liquid / (fresh + real(1e-8));
    const real before = held + real(0.6) * fresh;
    const real of_all = (real(0.6) * new_liquid + parcel.liquid) / (before + real(1e-8));
    const real after = before * std::exp(-conversion * p.thickness / speed);
    liquid_out = of_all * (before - after);
    ice_out = (1 - of_all) * (before - after);
    speed2 += p.buoyancy - p.entrainment - load * real(0.5) * (before + after - real(0.2) * fresh);
    if (std::abs(speed2) < real(1e-4)) speed2 = real(1e-4);
    parcel.liquid = of_all * after + of_fresh * real(0.4) * fresh;
    parcel.ice = (1 - of_all) * after + (1 - of_fresh) * real(0.4) * fresh;
}

/// Freezes what has to between the temperatures where that begins and ends; `last`: of the parcel before.
void glaciate(real pressure, real &last, real &theta_e, real &new_liquid, real &new_ice, Parcel &parcel) {
    if (parcel.temperature > freezing_begins) return;
    real share = 1;
    if (parcel.temperature > all_frozen) {
        last = std::min(last, freezing_begins);
        share = (last - parcel.temperature) / (last - all_frozen);
    }
    last = parcel.temperature;
    const real water = (parcel.liquid + new_liquid) * share;
    new_ice += new_liquid * share;
    new_liquid -= new_liquid * share;
    parcel.ice += parcel.liquid * share;
    parcel.liquid -= parcel.liquid * share;
    theta_e = freeze(pressure, water, parcel);
}

} // namespace

Sounding::Sounding(int layers) : nz(layers) {
    for (Profile *p : {&pressure, &temperature, &vapour, &u, &v, &updraught, &height, &dp, &saturated,
                       &density_temperature, &theta_e, &mass})
        p->resize(at(layers));
}

void Sounding::complete() {
    for (int i = 0; i < nz; ++i) {
        const std::size_t k = at(i);
        saturated[k] = saturation(temperature[k], pressure[k]);
        vapour[k] = std::max(std::min(saturated[k], vapour[k]), real(1e-6));
        density_temperature[k] = virtual_temperature(temperature[k], vapour[k]);
        theta_e[k] = equivalent(pressure[k], temperature[k], vapour[k]);
    }
}

Updraught::Updraught(int layers) {
    for (Profile *p : {&t, &q, &liquid, &ice, &q_detrained, &flux, &entrained, &detrained, &detrained_liquid,
                       &detrained_ice, &liquid_out, &ice_out, &rain, &snow, &dilution})
        p->resize(at(layers));
}

void Updraught::clear() {
    for (Profile *p : {&t, &q, &liquid, &ice, &q_detrained, &flux, &entrained, &detrained, &detrained_liquid,
                       &detrained_ice, &liquid_out, &ice_out, &rain, &snow})
        std::fill(p->begin(), p->end(), real(0));
    std::fill(dilution.begin(), dilution.end(), real(1));
    cape = precipitation = cloud_depth = 0;
}

bool find_source(const Sounding &air, int first, Updraught &up) {
    up.first = first;
    up.source_depth = up.temperature = up.vapour = up.height = up.pressure = 0;
    int k = first;
    for (; k < air.nz && up.source_depth <= source_depth; ++k) {
        up.source_depth += air.dp[at(k)];
        up.temperature += air.dp[at(k)] * air.temperature[at(k)];
        up.vapour += air.dp[at(k)] * air.vapour[at(k)];
        up.height += air.dp[at(k)] * air.height[at(k)];
        up.pressure += air.dp[at(k)] * air.pressure[at(k)];
    }
    if (up.source_depth < source_depth) return false;
    up.last = k - 1;
    for (real *x : {&up.temperature, &up.vapour, &up.height, &up.pressure}) *x /= up.source_depth;
    up.lcl_temperature =
        std::min(saturation_temperature(up.pressure, up.temperature, up.vapour), up.temperature);
    up.lcl_height = up.height + (up.temperature - up.lcl_temperature) * heat_capacity / gravity;
    for (up.base = std::max(first, 1); up.base < air.nz; ++up.base)
        if (up.lcl_height <= air.height[at(up.base)]) return true;
    return false;
}

bool triggers(const Sounding &air, Updraught &up) {
    const int k = up.base;
    const real share = (up.lcl_height - air.height[at(k - 1)]) / (air.height[at(k)] - air.height[at(k - 1)]);
    const real around = between(air.temperature, k, share);
    const real needed = real(0.02) * std::min(up.lcl_height / 2000, real(1));
    up.lifting = between(air.updraught, k, share) * air.spacing / real(25e3) - needed;
    const real warmer = up.lifting < real(1e-4) ? real(0) : real(4.64) * std::pow(up.lifting, real(0.33));
    if (up.lcl_temperature + warmer < around) return false;
    const real surroundings = virtual_temperature(around, between(air.vapour, k, share));
    up.speed = 1;
    if (warmer > real(1e-4))
        up.speed = std::min(1 + real(0.5) * std::sqrt(2 * gravity * warmer * 500 / surroundings), real(3));
    return true;
}

void rise(const Sounding &air, Updraught &up) {
    up.clear();
    const int below = up.base - 1;
    const real share =
        (up.lcl_height - air.height[at(below)]) / (air.height[at(up.base)] - air.height[at(below)]);
    const real around_base =
        virtual_temperature(between(air.temperature, up.base, share), between(air.vapour, up.base, share));
    const real warm_base = virtual_temperature(up.lcl_temperature, up.vapour);
    const real radius = up.lifting < 0 ? real(1000) : 1000 + 1000 * std::min(up.lifting / real(0.1), real(1));
    up.base_flux = between(air.pressure, up.base, share) / (gas_constant * warm_base) * real(0.01) * air.area;
    up.flux[at(below)] = up.base_flux;
    up.balance = up.base;
    Parcel parcel{up.lcl_temperature, up.vapour, 0, 0};
    real theta_e = equivalent(up.pressure, up.temperature, up.vapour);
    real speed2 = up.speed * up.speed, coldest = freezing_begins;
    real inflow = 0, kept = up.base_flux, buoyant_before = warm_base, heavy_before = warm_base;
    Mixing before{1, 0};
    int k = below;
    for (; k + 1 < air.nz; ++k) {
        const std::size_t n = at(k + 1);
        const real p = air.pressure[n], around = air.density_temperature[n];
        const bool at_base = k == below;
        const real under = at_base ? around_base : air.density_temperature[at(k)];
        const real thickness = air.height[n] - (at_base ? up.lcl_height : air.height[at(k)]);
        real new_liquid = saturate(p, theta_e, parcel), new_ice = 0;
        glaciate(p, coldest, theta_e, new_liquid, new_ice, parcel);
        const real buoyant = virtual_temperature(parcel.temperature, parcel.vapour);
        const real lift = (buoyant_before + buoyant) / (under + around) - 1;
        const Passage passage{thickness, 2 * thickness * gravity * lift / real(1.5),
                              2 * inflow * speed2 / kept};
        let_fall(passage, new_liquid, new_ice, parcel, speed2, up.liquid_out[n], up.ice_out[n]);
        if (speed2 < real(1e-3)) break;
        inflow = up.base_flux * air.dp[n] * real(0.03) / radius;
        const real heavy = parcel.density_temperature();
        const real energy = ((heavy_before + heavy) / (under + around) - 1) * thickness * gravity;
        up.cape += std::max(energy, real(0));
        if (heavy > around) up.balance = k + 1;
        Mixing now = mixing(air, k + 1, theta_e, parcel);
        now.entrained = std::max(now.entrained, real(0.5));
        now.detrained *= real(1.5);
        up.entrained[n] = real(0.5) * inflow * (before.entrained + now.entrained);
        up.detrained[n] = real(0.5) * inflow * (before.detrained + now.detrained);
        if (up.flux[at(k)] - up.detrained[n] < 10) { // nothing is left
            up.cape -= std::max(energy, real(0));
            up.balance = k;
            break;
        }
        before = now;
        kept = up.flux[at(k)] - up.detrained[n];
        up.flux[n] = kept + up.entrained[n];
        up.dilution[n] = up.flux[n] / kept;
        up.detrained_liquid[n] = parcel.liquid * up.detrained[n];
        up.detrained_ice[n] = parcel.ice * up.detrained[n];
        up.t[n] = parcel.temperature;
        up.q_detrained[n] = parcel.vapour;
        parcel.vapour = (kept * parcel.vapour + up.entrained[n] * air.vapour[n]) / up.flux[n];
        theta_e = (theta_e * kept + air.theta_e[n] * up.entrained[n]) / up.flux[n];
        parcel.liquid *= kept / up.flux[n];
        parcel.ice *= kept / up.flux[n];
        up.q[n] = parcel.vapour;
        up.liquid[n] = parcel.liquid;
        up.ice[n] = parcel.ice;
        up.rain[n] = up.liquid_out[n] * up.flux[at(k)];
        up.snow[n] = up.ice_out[n] * up.flux[at(k)];
        up.precipitation += up.rain[n] + up.snow[n];
        if (k + 1 <= up.last) up.entrained[n] += up.base_flux * air.dp[n] / up.source_depth;
        buoyant_before = buoyant;
        heavy_before = heavy;
    }
    up.top = k;
    for (int above = k + 1; above < air.nz; ++above) {
        const std::size_t n = at(above);
        up.liquid_out[n] = up.ice_out[n] = up.entrained[n] = up.detrained[n] = 0;
    }
    up.cloud_depth = air.height[at(up.top)] - up.lcl_height;
    if (up.top <= up.base || up.top <= up.last || up.balance + 1 <= up.last) up.cloud_depth = 0;
}

void finish_top(const Sounding &air, Updraught &up) {
    if (up.shallow) up.balance = std::max(up.last, up.base);
    const std::size_t top = at(up.top);
    if (up.balance == up.top) {
        const real within = up.dilution[top]; // what is there, before it was diluted
        up.detrained[top] += up.flux[top] - up.entrained[top];
        up.detrained_liquid[top] = up.liquid[top] * up.detrained[top] * within;
        up.detrained_ice[top] = up.ice[top] * up.detrained[top] * within;
        up.entrained[top] = up.flux[top] = 0;
    } else {
        real depth = 0;
        for (int k = up.balance + 1; k <= up.top; ++k) depth += air.dp[at(k)];
        const real fall = up.flux[at(up.balance)] / depth;
        for (int k = up.balance + 1; k <= up.top; ++k) {
            const std::size_t n = at(k), below = at(k - 1);
            const bool last = k == up.top;
            if (!last) up.flux[n] = up.flux[below] - air.dp[n] * fall;
            up.entrained[n] = last ? real(0) : up.flux[n] * (1 - 1 / up.dilution[n]);
            up.detrained[n] = last ? up.flux[below] : up.flux[below] - up.flux[n] + up.entrained[n];
            up.detrained_liquid[n] = up.detrained[n] * up.liquid[n] * up.dilution[n];
            up.detrained_ice[n] = up.detrained[n] * up.ice[n] * up.dilution[n];
            if (k >= up.balance + 2) {
                up.precipitation -= up.rain[n] + up.snow[n];
                up.rain[n] = up.flux[below] * up.liquid_out[n];
                up.snow[n] = up.flux[below] * up.ice_out[n];
                up.precipitation += up.rain[n] + up.snow[n];
            }
        }
        up.flux[top] = 0;
    }
    // Below its base: drawn from the source, by its layers' weight.
    for (int k = 0; k < up.base; ++k) {
        const std::size_t n = at(k);
        const bool within = k >= up.first && k <= up.last;
        up.entrained[n] = within ? up.base_flux * air.dp[n] / up.source_depth : real(0);
        up.flux[n] = k < up.first    ? real(0)
                     : k > up.last   ? up.base_flux
                     : k == up.first ? up.entrained[n]
                                     : up.flux[at(k - 1)] + up.entrained[n];
        up.t[n] = up.temperature - (air.height[n] - up.height) * gravity / heat_capacity;
        up.q[n] = up.vapour;
    }
}

} // namespace squall::kain_fritsch
