#include "physics/tiedtke/exchange.hpp"

#include <cmath>

namespace squall::tiedtke {
namespace {

/// Kessler's evaporation in a layer of what falls into it [kg m-2 s-1].
real evaporation(const Air &air, int k, real falling) {
    constexpr real covered = real(0.05);
    const real moistest = air.land ? real(0.7) : real(0.9);
    const real lacking = air.saturated[k] - air.vapour[k];
    const real room = moistest * air.saturated[k] - air.vapour[k];
    if (falling <= 0 || room <= 0) return 0;
    const real flux = std::sqrt(air.pressure[k] / air.p[0]) / real(5.09e-3) * falling / covered;
    const real rate = real(5.44e-4) * lacking * covered * std::pow(flux, real(0.5777)) * air.mass[k];
    return std::min({rate, covered * room * air.mass[k] / air.interval, falling});
}

} // namespace

Exchange::Exchange(int layers)
    : Rates(layers), heat_flux_(layers + 1), water_flux_(layers + 1), inside_(layers + 1),
      sinking_(layers + 1) {}

void Exchange::find(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down,
                    real factor) {
    clear();
    heat_flux_.clear();
    water_flux_.clear();
    move_heat_and_water(air, cloud, up, down, factor);
    let_fall(air, cloud, up, down, factor);
    move_wind(cloud, up, down, factor, air.u, u);
    move_wind(cloud, up, down, factor, air.v, v);
    divide_by(air.mass);
    dissipate(air.mass, air.u, air.v);
    keep_vapour(air.vapour, air.interval);
}

/// All in c_p K or kg, times mass; layers are divided by theirs afterwards.
void Exchange::move_heat_and_water(const Air &air, const Cloud &cloud, const Updraught &up,
                                   const Downdraught &down, real factor) {
    const Parcel &source = cloud.parcel;
    const int base = cloud.base;
    const real dry = source.h - vaporisation * source.water - air.dry(base);
    const real moist = source.water - air.vapour[base];
    for (int k = 1; k < cloud.top; ++k) {
        if (k < base) {
            heat_flux_[k] = up.flux[k] * dry;
            water_flux_[k] = up.flux[k] * moist;
        } else {
            const Parcel &in = at_interface(up, k);
            heat_flux_[k] = up.flux[k] * (heat_capacity * in.temperature + gravity * air.z[k] - air.dry(k));
            water_flux_[k] = up.flux[k] * (in.vapour - air.vapour[k]);
        }
        if (down.flux[k] <= 0) continue;
        heat_flux_[k] -=
            down.flux[k] * (heat_capacity * down.temperature[k] + gravity * air.z[k] - air.dry(k));
        water_flux_[k] -= down.flux[k] * (down.vapour[k] - air.vapour[k]);
    }
    const auto carried = [&](int k, real Parcel::*what) {
        return k < base || k >= cloud.top ? real(0) : up.flux[k] * (at_interface(up, k).*what);
    };
    for (int k = 0; k < cloud.top; ++k) {
        const Parcel none, &in = k < base ? none : at_interface(up, k);
        const real water = up.detrained[k] * in.liquid, frozen = up.detrained[k] * in.ice;
        const real freezes = carried(k + 1, &Parcel::ice) - carried(k, &Parcel::ice) + frozen + up.snow[k];
        const real condenses =
            freezes + carried(k + 1, &Parcel::liquid) - carried(k, &Parcel::liquid) + water + up.rain[k];
        temperature[k] = factor *
                         (heat_flux_[k] - heat_flux_[k + 1] + vaporisation * condenses + fusion * freezes) /
                         heat_capacity;
        vapour[k] = factor * (water_flux_[k] - water_flux_[k + 1] - condenses);
        liquid[k] = factor * water;
        ice[k] = factor * frozen;
    }
}

void Exchange::let_fall(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down,
                        real factor) {
    constexpr real melting_time = 18000;
    real rain = 0, snow = 0;
    for (int k = cloud.top; k >= 0; --k) {
        real evaporates =
            std::min(factor * down.evaporated[k], rain + snow + factor * (up.rain[k] + up.snow[k]));
        if (k < cloud.base) evaporates += evaporation(air, k, rain + snow - evaporates);
        rain += factor * up.rain[k];
        snow += factor * up.snow[k];
        const real warmer = air.temperature[k] - melting;
        real melts = 0;
        if (warmer > 0)
            melts = std::min(snow,
                             heat_capacity / fusion * warmer * (1 + warmer / 2) / melting_time * air.mass[k]);
        rain += melts;
        snow -= melts;
        const real share = rain + snow > 0 ? snow / (rain + snow) : real(0), of_snow = share * evaporates;
        rain = std::max(rain - (evaporates - of_snow), real(0));
        snow = std::max(snow - of_snow, real(0));
        temperature[k] -= (vaporisation * evaporates + fusion * (of_snow + melts)) / heat_capacity;
        vapour[k] += evaporates;
    }
    snowfall = snow;
    precipitation = rain + snow;
}

void Exchange::move_wind(const Cloud &cloud, const Updraught &up, const Downdraught &down, real factor,
                         const Profile &wind, Profile &rate) {
    constexpr real by_pressure = real(0.7);
    const int base = cloud.base;
    inside_[base] = wind[cloud.source];
    for (int k = base; k + 1 < cloud.top; ++k) {
        const real pushed = by_pressure / 2 *
                            (up.flux[k] * (wind[k] - wind[k - 1]) + up.flux[k + 1] * (wind[k + 1] - wind[k]));
        inside_[k + 1] = ((up.flux[k] - up.detrained[k]) * inside_[k] + up.entrained[k] * wind[k] + pushed) /
                         up.flux[k + 1];
    }
    for (int k = down.start; k > 0 && down.flux[k] > 0; --k)
        sinking_[k] =
            k == down.start
                ? (inside_[k] + wind[k]) / 2
                : ((down.flux[k + 1] - down.detrained[k]) * sinking_[k + 1] + down.entrained[k] * wind[k]) /
                      down.flux[k];
    real below = 0;
    for (int k = 1; k <= cloud.top; ++k) {
        real flux = 0;
        if (k < cloud.top) {
            flux = k < base ? up.flux[k] * (inside_[base] - wind[base]) : up.flux[k] * (inside_[k] - wind[k]);
            if (down.flux[k] > 0) flux -= down.flux[k] * (sinking_[k] - wind[k]);
        }
        rate[k - 1] = factor * (below - flux);
        below = flux;
    }
}

} // namespace squall::tiedtke
